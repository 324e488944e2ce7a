import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Health } from '../../server/contract/health.ts';
import { oncePerFrame, type Frames } from '../clock/frames.ts';
import type { ServerTime } from '../clock/serverTime.ts';
import type { FleetStream } from './fleetStream.ts';
import type { LinkState } from './streamReader.ts';

/** How many strokes the heartbeat has (LOOKS 5). */
const BEATS = 6;

export interface Connection {
  link: LinkState;
  /** The last messages of the server, newest last: true for one that a terminal's message caused. */
  beats: readonly boolean[];
  /** Messages since the link came back that a lost link had held up. */
  caughtUp: number;
  /** How the host does, by its last word; null before that. */
  health: Health | null;
  /** Messages that were left out because they were not what the contract says. */
  malformed: number;
}

export type ConnectionStore = StoreApi<Connection>;

/** What is known of the link, for the top bar and for every pane that goes stale. */
export function createConnectionStore(
  stream: FleetStream,
  frames: Frames,
  serverTime: ServerTime,
): { store: ConnectionStore; start: () => () => void } {
  const store: ConnectionStore = createStore(() => ({
    link: { phase: 'connecting' },
    beats: [],
    caughtUp: 0,
    health: null,
    malformed: 0,
  }));

  return {
    store,
    start() {
      let pending: boolean[] = [];
      let replayed = 0;
      const frame = oncePerFrame(frames, () => {
        const came = pending;
        const counted = replayed;
        pending = [];
        replayed = 0;
        store.setState((state) => ({
          beats: [...state.beats, ...came].slice(-BEATS),
          caughtUp: state.caughtUp + counted,
        }));
      });
      const undo = [
        stream.onLink((link) => store.setState(link.phase === 'live' ? { link, caughtUp: 0 } : { link })),
        stream.onAny((topic) => {
          pending.push(topic === 'position');
          if (topic === 'event' || topic === 'notification') replayed += 1;
          frame.ask();
        }),
        stream.onMalformed(() => store.setState((state) => ({ malformed: state.malformed + 1 }))),
        stream.on('heartbeat', ({ server_time }) => serverTime.heard(server_time)),
        stream.on('snapshot', ({ server_time, health }) => {
          serverTime.heard(server_time);
          store.setState({ health });
        }),
        stream.on('health', (health) => store.setState({ health })),
        () => frame.stop(),
      ];
      return () => undo.forEach((run) => run());
    },
  };
}
