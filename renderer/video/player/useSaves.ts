import { useStore } from 'zustand';
import { useDesk } from '../../desk/DeskContext.tsx';
import type { MenuEntry } from '../../ui/MenuButton.tsx';
import type { VideoOrder } from '../orders/videoOrders.ts';
import { useText } from '../../i18n/useText.ts';
import { useVideo } from '../useVideo.ts';
import { clipFileName } from './clipFileName.ts';
import type { FilmLoad } from './filmLoads.ts';

export interface Saves {
  /** One by one, or all; and to keep them on this computer whatever comes. */
  entries: MenuEntry[];
  saveOne: (taskId: string) => void;
}

/** The films that are here, to be saved as files or pinned in the store. */
export function useSaves(
  order: VideoOrder,
  vehicleName: string,
  films: ReadonlyMap<string, FilmLoad>,
  nameOf: (channel: number) => string,
): Saves {
  const { platform, settings } = useDesk();
  const { clips } = useVideo();
  const kept = useStore(clips.store, (state) => state.clips);
  const say = useText();
  const here = order.tasks.flatMap((task) => {
    const film = films.get(task.task_id);
    return film?.phase === 'here' ? [{ task, blob: film.blob }] : [];
  });
  const save = async (list: typeof here) => {
    const { time } = settings.getState();
    for (const { task, blob } of list) {
      await platform.saveFile(clipFileName(vehicleName, task.channel, order.from, time.timeZone), blob);
    }
  };
  const isPinned = here.length > 0 && here.every((it) => kept.get(it.task.task_id)?.pinned === true);
  const entries: MenuEntry[] = here.map((it) => ({
    id: it.task.task_id,
    label: say('player.save_channel', { channel: it.task.channel, name: nameOf(it.task.channel) }),
    run: () => void save([it]),
  }));
  if (here.length > 1)
    entries.push({ id: 'all', label: say('player.channels_all'), run: () => void save(here) });
  entries.push({
    id: 'pin',
    label: isPinned ? say('kept.unpin') : say('kept.pin'),
    disabled: here.length === 0,
    run: () => {
      for (const { task } of here) void clips.pin(task.task_id, !isPinned);
    },
  });
  return { entries, saveOne: (taskId) => void save(here.filter((it) => it.task.task_id === taskId)) };
}
