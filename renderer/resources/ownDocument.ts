import { createStore, type StoreApi } from 'zustand/vanilla';
import { isProblem } from '../api/errors.ts';
import type { Clock } from '../clock/clock.ts';
import { createLoader } from './loader.ts';
import type { LoadState } from './resourceStore.ts';

interface Versioned {
  version: number;
}

export interface OwnDocumentDeps<T extends Versioned> {
  clock: Clock;
  /** Until it has been read. */
  empty: T;
  read: (signal?: AbortSignal) => Promise<T>;
  /** Throws the problem `version_conflict` when the server has another version than `ifMatch`. */
  write: (content: Omit<T, 'version'>, ifMatch: number) => Promise<T>;
}

export interface OwnDocument<T extends Versioned> {
  store: StoreApi<{ saved: T; load: LoadState }>;
  /** Reads what another workstation may have saved. */
  reload: () => void;
  /** Changes it; where another workstation has changed it meanwhile, that. Throws as `write` does. */
  change: (revise: (saved: T) => Omit<T, 'version'>) => Promise<void>;
  start: () => () => void;
}

/** Each is another window's or workstation's change that came between reading and writing. */
const MOST_CONFLICTS = 3;

/** What this user keeps for itself alone, as the server has it for all workstations. */
export function createOwnDocument<T extends Versioned>({
  clock,
  empty,
  read,
  write,
}: OwnDocumentDeps<T>): OwnDocument<T> {
  const store = createStore<{ saved: T; load: LoadState }>(() => ({
    saved: empty,
    load: { phase: 'loading' },
  }));
  const take = (saved: T): void => store.setState({ saved });
  const loader = createLoader({ clock, read, take, onState: (load) => store.setState({ load }) });
  const put = async (revise: (saved: T) => Omit<T, 'version'>): Promise<void> => {
    const { saved } = store.getState();
    take(await write(revise(saved), saved.version));
  };
  return {
    store,
    reload: () => loader.load(),
    async change(revise) {
      for (let left = MOST_CONFLICTS; ; left--) {
        try {
          await put(revise);
          return;
        } catch (error) {
          if (!isProblem(error, 'version_conflict') || left === 0) throw error;
          take(await read());
        }
      }
    },
    start() {
      loader.load();
      return () => loader.stop();
    },
  };
}
