import type { Task } from '../../../server/contract/video.ts';
import {
  channelTasks,
  hasPictures,
  isUnderWay,
  type ChannelTasks,
  type IsKept,
} from '../orders/qualities.ts';
import type { FilmHere, FilmLoad } from './filmLoads.ts';

export type Films = ReadonlyMap<string, FilmLoad>;
/** Whether this browser plays a film that is here. */
export type Plays = (taskId: string, film: FilmHere) => boolean;

/** What a channel of an order shows. */
export interface ChannelShow {
  channel: number;
  /** The best of its tasks that can be seen now, else the one that can be first. */
  task: Task;
  film: FilmLoad | undefined;
  /** What has become of the full recording where the small one is shown; null where nothing is left to come. */
  full: FullState | null;
}

export type FullState = { task: Task } & (
  | { kind: 'coming' }
  /** It is here; the browser does not play it. */
  | { kind: 'unplayable'; film: FilmHere }
  /** It did not come to this computer. */
  | { kind: 'failed'; error: unknown }
  /** It did not come to the depot, or is there no more. */
  | { kind: 'missing' }
);

/** The channels of an order, by channel. */
export function channelShows(tasks: readonly Task[], films: Films, plays: Plays): ChannelShow[] {
  return [...channelTasks(tasks)].map(([channel, of]) => ({ channel, ...showOf(of, films, plays) }));
}

function showOf({ first, full }: ChannelTasks, films: Films, plays: Plays): Omit<ChannelShow, 'channel'> {
  const small = films.get(first.task_id);
  if (full === null) return { task: first, film: small, full: null };
  const film = films.get(full.task_id);
  const better = { task: full, film, full: null };
  if (film?.phase === 'here' && plays(full.task_id, film)) return better;
  const hasSmall = small?.phase === 'here' || isAwaited({ task: first, film: small });
  if (!hasSmall && (film !== undefined || isAwaited(better))) return better;
  return { task: first, film: small, full: fullState(full, film) };
}

function fullState(task: Task, film: FilmLoad | undefined): FullState {
  if (film?.phase === 'here') return { kind: 'unplayable', task, film };
  if (film?.phase === 'failed') return { kind: 'failed', task, error: film.error };
  return { kind: isAwaited({ task, film }) ? 'coming' : 'missing', task };
}

/**
 * The films to bring, in the order to bring them: of each channel the full one, and the small one first, which is seen
 * sooner; not where the full one is kept here and plays.
 */
export function wantedFilms(tasks: readonly Task[], films: Films, isKept: IsKept, plays: Plays): Task[] {
  const small: Task[] = [];
  const whole: Task[] = [];
  for (const { first, full } of channelTasks(tasks).values()) {
    const hasFull = full !== null && hasPictures(full, isKept);
    if (hasFull) whole.push(full);
    const needsNone = hasFull && isKept(full.task_id) && !isUseless(films.get(full.task_id), full, plays);
    if (!needsNone && hasPictures(first, isKept)) small.push(first);
  }
  return [...small, ...whole];
}

const isUseless = (film: FilmLoad | undefined, { task_id }: Task, plays: Plays): boolean =>
  film?.phase === 'failed' || (film?.phase === 'here' && !plays(task_id, film));

/** Whether something of a channel is still to come before it shows anything. */
export const isAwaited = ({ task, film }: Pick<ChannelShow, 'task' | 'film'>): boolean =>
  film === undefined ? isUnderWay(task) || task.status === 'done' : film.phase === 'coming';
