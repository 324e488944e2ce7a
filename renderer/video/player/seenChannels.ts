import type { Task } from '../../../server/contract/video.ts';
import type { VideoOrder } from '../orders/videoOrders.ts';
import type { ChannelShow, Films, FullState, Plays } from './channelShows.ts';
import { filmGaps } from './filmGaps.ts';
import type { FilmLoad } from './filmLoads.ts';
import type { Gap } from './frameTimes.ts';

/** A channel as it is on the screen. */
export interface SeenChannel {
  channel: number;
  /** The task whose film is seen, or is to be. */
  task: Task;
  /** The best film that there is: it takes the place of the one that is seen. */
  film: FilmLoad | undefined;
  isPlayable: boolean;
  isHere: boolean;
  isSmall: boolean;
  full: FullState | null;
  gaps: readonly Gap[];
}

/** @param seen the task whose film each channel shows, as far as it shows one */
export function seenChannels(
  order: Pick<VideoOrder, 'from' | 'to' | 'tasks'>,
  shows: readonly ChannelShow[],
  { films, plays }: { films: Films; plays: Plays },
  seen: ReadonlyMap<number, string>,
): SeenChannel[] {
  return shows.map((show) => {
    const { channel, film } = show;
    const before = order.tasks.find((it) => it.task_id === seen.get(channel)) ?? show.task;
    const isFollowed = before.task_id !== show.task.task_id;
    const isHere = films.get(before.task_id)?.phase === 'here';
    return {
      channel,
      task: before,
      film,
      isPlayable: film?.phase === 'here' && plays(show.task.task_id, film),
      isHere,
      isSmall: isHere && before.stream === 'sub',
      full: isFollowed ? { kind: 'coming', task: show.task } : show.full,
      gaps: filmGaps(order, before, films.get(before.task_id)),
    };
  });
}

/** The small clips that are not needed any more: their channel shows the full one by now. */
export function spareTasks(tasks: readonly Task[], seen: ReadonlyMap<number, string>): string[] {
  const shown = new Set(seen.values());
  return tasks.filter((it) => shown.has(it.full_task_id ?? '')).map((it) => it.task_id);
}
