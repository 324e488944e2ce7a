import { createStore } from 'zustand/vanilla';
import type { Clock } from './clock.ts';

/** The server's time, by which ages and clocks are shown; this computer's clock may be wrong. */
export type ServerTime = ReturnType<typeof createServerTime>;

export function createServerTime(clock: Clock) {
  let offsetMs = 0;
  const now = () => clock.now() + offsetMs;
  const ticks = createStore<{ now: number }>(() => ({ now: now() }));
  return {
    /** Milliseconds since 1970 by the server's clock. */
    now,
    /** A moment of this computer's clock, by the server's. */
    of: (localMs: number): number => localMs + offsetMs,
    /** Takes the server's own word for what time it is now. */
    heard(serverTime: string): void {
      offsetMs = Date.parse(serverTime) - clock.now();
    },
    /** Moves once a second, for what counts on the screen. */
    ticks,
    start(): () => void {
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
