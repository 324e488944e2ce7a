import { createStore } from 'zustand/vanilla';
import type { Task } from '../../../server/contract/video.ts';
import { Unreachable, isProblem } from '../../api/errors.ts';
import type { Translate } from '../../i18n/text.ts';
import { StoreFull } from '../store/clipStorage.ts';
import type { ClipStore } from '../store/clipStore.ts';
import { ChecksumWrong } from '../store/fetchClip.ts';
import type { ClipInfo } from './mp4Index.ts';
import type { FrameTimes } from './frameTimes.ts';
import type { Media } from './playback.ts';
import { problemText } from '../../ui/formFaults.ts';

/** A channel's clip on this computer, or why it is not here. */
export type ClipLoad = { phase: 'coming' } | LoadedClip | { phase: 'failed'; error: unknown };

export interface LoadedClip {
  phase: 'here';
  taskId: string;
  blob: Blob;
  url: string;
  /** What the file says of itself, as far as that can be read; its times are of the order. */
  movie: ClipInfo | null;
  /** How much later its pictures lie in the order than in the file, seconds. */
  shiftS: number;
}

export interface ClipLoadDeps {
  clips: Pick<ClipStore, 'get' | 'kept' | 'hold' | 'startOf'>;
  readMovie: (blob: Blob) => Promise<ClipInfo | null>;
  urlOf: (blob: Blob) => string;
  revoke: (url: string) => void;
}

/** The clips of the order that is shown. */
export function createClipLoads({ clips, readMovie, urlOf, revoke }: ClipLoadDeps) {
  const store = createStore<{ byTask: ReadonlyMap<string, ClipLoad> }>(() => ({ byTask: new Map() }));
  const needed = new Map<string, { task: Task; release: () => void }>();
  const abort = new AbortController();

  const note = (taskId: string, load: ClipLoad) =>
    store.setState(({ byTask }) => ({ byTask: new Map(byTask).set(taskId, load) }));

  const bring = async (task: Task): Promise<void> => {
    note(task.task_id, { phase: 'coming' });
    try {
      const blob =
        task.status === 'done' ? await clips.get(task, abort.signal) : await clips.kept(task.task_id);
      if (blob === null) throw new Unreachable('the clip is neither here nor at the depot');
      const movie = await readMovie(blob);
      if (abort.signal.aborted) return;
      const shiftS = clipOffset(task, task.file?.starts_at ?? clips.startOf(task.task_id), movie);
      note(task.task_id, {
        phase: 'here',
        taskId: task.task_id,
        blob,
        url: urlOf(blob),
        movie: movie === null ? null : shiftTimes(movie, shiftS),
        shiftS,
      });
    } catch (error) {
      if (!abort.signal.aborted) note(task.task_id, { phase: 'failed', error });
    }
  };

  return {
    store,
    /** Brings the clips of these tasks; those that are here or on their way stay. What the depot has again is retried. */
    want(tasks: readonly Task[]) {
      for (const task of tasks) {
        const entry = needed.get(task.task_id);
        if (entry === undefined) {
          needed.set(task.task_id, { task, release: clips.hold([task.task_id]) });
          void bring(task);
          continue;
        }
        const isAnew = task.file !== null && task.file.sha256 !== entry.task.file?.sha256;
        entry.task = task;
        if (isAnew && store.getState().byTask.get(task.task_id)?.phase === 'failed') void bring(task);
      }
    },
    /** Tries again what the lost server kept from coming; with `all` also what failed for another reason. */
    retry(all = false) {
      for (const [id, load] of store.getState().byTask) {
        const entry = needed.get(id);
        if (entry === undefined || load.phase !== 'failed') continue;
        if (all || load.error instanceof Unreachable) void bring(entry.task);
      }
    },
    /** Gives up what is on its way and lets go of what is here. */
    stop() {
      abort.abort(new DOMException('the player was left', 'AbortError'));
      for (const { release } of needed.values()) release();
      for (const load of store.getState().byTask.values()) if (load.phase === 'here') revoke(load.url);
    },
  };
}

/** Why a clip did not come to this computer. */
export function failureLabels(error: unknown, t: Translate): string {
  if (error instanceof ChecksumWrong) return t('player.checksum');
  if (error instanceof StoreFull) return t('player.full');
  if (error instanceof Unreachable) return t('player.missing_here');
  if (isProblem(error, 'file_expired', 'file_missing', 'not_found')) return t('player.file_gone');
  return isProblem(error) ? problemText(error.problem, t) : t('player.fetch_failed');
}

/**
 * How much later than in its file a clip's pictures lie in the order, seconds: recorders begin at their key frames and
 * where they have something, before or after what was asked for.
 *
 * @param startsAt when its first picture was recorded; null where it is unknown, and the requested time counts
 */
export function clipOffset(
  { from }: Pick<Task, 'from'>,
  startsAt: string | null,
  times: FrameTimes | null,
): number {
  if (startsAt === null) return 0;
  return (Date.parse(startsAt) - Date.parse(from)) / 1_000 - (times?.times[0] ?? 0);
}

/** The same times, counted from the beginning of the order. */
export function shiftTimes<T extends FrameTimes>(clip: T, shiftS: number): T {
  if (shiftS === 0) return clip;
  return { ...clip, times: clip.times.map((it) => it + shiftS), endS: clip.endS + shiftS };
}

/** A clip on the clock of the order. */
export function shiftMedia(media: Media, shiftS: number): Media {
  if (shiftS === 0) return media;
  return {
    ...media,
    position: () => media.position() + shiftS,
    duration: () => media.duration() + shiftS,
    seek: (s) => media.seek(Math.max(0, s - shiftS)),
  };
}
