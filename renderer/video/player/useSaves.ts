import { useDesk } from '../../desk/DeskContext.tsx';
import type { MenuEntry } from '../../ui/MenuButton.tsx';
import type { VideoOrder } from '../orders/videoOrders.ts';
import { useText } from '../../i18n/useText.ts';
import { clipFileName } from './clipFileName.ts';
import type { FilmLoad } from './filmLoads.ts';

/** The films that are here, to be saved as files: one by one, or all. */
export function useSaves(
  order: VideoOrder,
  vehicleName: string,
  films: ReadonlyMap<string, FilmLoad>,
  nameOf: (channel: number) => string,
): MenuEntry[] {
  const { platform, settings } = useDesk();
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
  const single = here.map((it) => ({
    id: it.task.task_id,
    label: say('player.save_channel', { channel: it.task.channel, name: nameOf(it.task.channel) }),
    run: () => void save([it]),
  }));
  return here.length < 2
    ? single
    : [...single, { id: 'all', label: say('player.channels_all'), run: () => void save(here) }];
}
