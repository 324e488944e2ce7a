import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Clock } from './clock.ts';

/** The server's time, by which ages and clocks are shown; this computer's clock may be wrong. */
export interface ServerTime {
  /** Milliseconds since 1970 by the server's clock. */
  now(): number;
  /** A moment of this computer's clock, by the server's. */
  of(localMs: number): number;
  /** Takes the server's own word for what time it is now. */
  heard(serverTime: string): void;
  /** Moves once a second, for what counts on the screen. */
  ticks: StoreApi<{ now: number }>;
  start(): () => void;
}

export function createServerTime(clock: Clock): ServerTime {
  let offsetMs = 0;
  const now = () => clock.now() + offsetMs;
  const ticks = createStore<{ now: number }>(() => ({ now: now() }));
  return {
    now,
    of: (localMs) => localMs + offsetMs,
    heard(serverTime) {
      offsetMs = Date.parse(serverTime) - clock.now();
    },
    ticks,
    start() {
      let stop: () => void = () => undefined;
      const tick = () => {
        ticks.setState({ now: now() });
        // Just after the full second, so that clocks of several windows jump together.
        stop = clock.after(1_000 - (now() % 1_000) + 5, tick);
      };
      tick();
      return () => stop();
    },
  };
}
