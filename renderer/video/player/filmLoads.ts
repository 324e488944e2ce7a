import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Task } from '../../../server/contract/video.ts';
import { Unreachable } from '../../api/errors.ts';
import type { ClipStore } from '../store/clipStore.ts';
import type { Movie } from './movie.ts';

/** A channel's film on this computer, or why it is not here. */
export type FilmLoad =
  | { phase: 'coming' }
  /** With what the file says of itself, as far as that can be read. */
  | { phase: 'here'; blob: Blob; url: string; movie: Movie | null }
  | { phase: 'failed'; error: unknown };

/** The films of the order that is shown. */
export interface FilmLoads {
  store: StoreApi<{ byTask: ReadonlyMap<string, FilmLoad> }>;
  /** Brings the films of these tasks; those that are here or on their way stay. */
  want(tasks: readonly Task[]): void;
  /** Tries again what the lost server kept from coming; with `all` also what failed for another reason. */
  retry(all?: boolean): void;
  /** Gives up what is on its way and lets go of what is here. */
  stop(): void;
}

export interface FilmLoadParts {
  clips: Pick<ClipStore, 'get' | 'kept' | 'hold'>;
  readMovie: (blob: Blob) => Promise<Movie | null>;
  urlOf: (blob: Blob) => string;
  revoke: (url: string) => void;
}

export function createFilmLoads({ clips, readMovie, urlOf, revoke }: FilmLoadParts): FilmLoads {
  const store = createStore<{ byTask: ReadonlyMap<string, FilmLoad> }>(() => ({ byTask: new Map() }));
  const wanted = new Map<string, { task: Task; release: () => void }>();
  const abort = new AbortController();

  const note = (taskId: string, load: FilmLoad) =>
    store.setState(({ byTask }) => ({ byTask: new Map(byTask).set(taskId, load) }));

  const bring = async (task: Task): Promise<void> => {
    note(task.task_id, { phase: 'coming' });
    try {
      const blob =
        task.status === 'done' ? await clips.get(task, abort.signal) : await clips.kept(task.task_id);
      if (blob === null) throw new Unreachable('the film is neither here nor at the depot');
      const movie = await readMovie(blob);
      if (abort.signal.aborted) return;
      note(task.task_id, { phase: 'here', blob, url: urlOf(blob), movie });
    } catch (error) {
      if (!abort.signal.aborted) note(task.task_id, { phase: 'failed', error });
    }
  };

  return {
    store,
    want(tasks) {
      for (const task of tasks) {
        if (wanted.has(task.task_id)) continue;
        wanted.set(task.task_id, { task, release: clips.hold([task.task_id]) });
        void bring(task);
      }
    },
    retry(all = false) {
      for (const [id, load] of store.getState().byTask) {
        const entry = wanted.get(id);
        if (entry === undefined || load.phase !== 'failed') continue;
        if (all || load.error instanceof Unreachable) void bring(entry.task);
      }
    },
    stop() {
      abort.abort(new DOMException('the player was left', 'AbortError'));
      for (const { release } of wanted.values()) release();
      for (const load of store.getState().byTask.values()) if (load.phase === 'here') revoke(load.url);
    },
  };
}
