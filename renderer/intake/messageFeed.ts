import { createStore } from 'zustand/vanilla';
import { intakeRoutes, type ListenerName, type IntakeMessage } from '../../server/contract/intake.ts';
import type { Api } from '../api/client.ts';
import type { Clock } from '../clock/clock.ts';
import { createLoader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';

export interface FeedState {
  /** Newest first. */
  messages: readonly IntakeMessage[];
  load: LoadState;
  /** Since when nothing new is read, by this computer's clock; null while it is followed. */
  pausedAt: number | null;
}

/** Quick enough to watch a terminal come in, far below what a session may ask for in a minute. */
const againMs = 2_000;

/**
 * The last messages of terminals, read again and again for as long as they are followed.
 *
 * @param filter the listener and the terminal; null: all
 */
export function createMessageFeed(
  { api, clock }: { api: Api; clock: Clock },
  filter: { listener: ListenerName | null; terminalId: string | null },
) {
  const store = createStore<FeedState>(() => ({ messages: [], load: { phase: 'loading' }, pausedAt: null }));
  const query = {
    ...(filter.listener === null ? {} : { listener: filter.listener }),
    ...(filter.terminalId === null ? {} : { terminal_id: filter.terminalId }),
  };
  let stopTimer = (): void => undefined;

  const loader = createLoader({
    clock,
    read: (signal) => api.request(intakeRoutes.messages, { query, signal }),
    take({ messages }) {
      store.setState({ messages });
      if (store.getState().pausedAt === null) stopTimer = clock.after(againMs, () => loader.load());
    },
    onState: (load) => store.setState({ load }),
  });

  return {
    store,
    /** Reads at once when the last reading failed. */
    retry: () => loader.retry(),
    follow(on: boolean) {
      store.setState({ pausedAt: on ? null : clock.now() });
      stopTimer();
      // What is under way may still come: it was asked for before the pause.
      if (on) loader.load();
    },
    /** Begins to read; returns its end. */
    start() {
      loader.load();
      return () => {
        stopTimer();
        loader.stop();
      };
    },
  };
}
