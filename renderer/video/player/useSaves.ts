import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useT } from '../../i18n/useT.ts';
import type { MenuEntry } from '../../ui/menuEntry.ts';
import { channelTasks } from '../requests/qualities.ts';
import type { VideoRequest } from '../requests/videoOrders.ts';
import { useVideo } from '../useVideo.ts';
import type { ClipLoad } from './clipLoads.ts';
import { fileNameOf } from './savedFiles.ts';

/** The clips that are here, to be saved as files or pinned in the store. */
export function useSaves(
  order: VideoRequest,
  vehicleName: string,
  loadedClips: ReadonlyMap<string, ClipLoad>,
  nameOf: (channel: number) => string,
) {
  const { platform, settings } = useAppContext();
  const { clips } = useVideo();
  const cached = useStore(clips.store, (state) => state.clips);
  const t = useT();
  const all = order.tasks.flatMap((task) => {
    const clip = loadedClips.get(task.task_id);
    return clip?.phase === 'here' ? [{ task, blob: clip.blob }] : [];
  });
  const byTask = new Map(all.map((it) => [it.task.task_id, it]));
  // As a file the full recording is better, whether this browser plays it or not.
  const here = [...channelTasks(order.tasks).values()].flatMap(
    ({ first, full }) => byTask.get(full?.task_id ?? '') ?? byTask.get(first.task_id) ?? [],
  );
  const save = async (list: typeof here) => {
    const { time } = settings.getState();
    for (const { task, blob } of list) {
      await platform.saveFile(clipFileName(vehicleName, task.channel, order.from, time.timeZone), blob);
    }
  };
  const needed = order.tasks.flatMap((it) => cached.get(it.task_id) ?? []).filter((it) => !it.spare);
  const isPinned = needed.length > 0 && needed.every((it) => it.pinned);
  const entries: MenuEntry[] = here.map((it) => ({
    id: it.task.task_id,
    label: t('player.save_channel', { channel: it.task.channel, name: nameOf(it.task.channel) }),
    run: () => void save([it]),
  }));
  if (here.length > 1)
    entries.push({ id: 'all', label: t('player.channels_all'), run: () => void save(here) });
  entries.push({
    id: 'pin',
    label: isPinned ? t('kept.unpin') : t('kept.pin'),
    disabled: here.length === 0,
    run: () => {
      for (const { task_id } of needed) void clips.pin(task_id, !isPinned);
    },
  });
  return {
    /** One by one, or all; and to keep them on this computer whatever comes. */
    entries,
    saveOne: (taskId: string) => void save(all.filter((it) => it.task.task_id === taskId)),
  };
}

/** `V 17 channel 1 2026-11-19 12-03-18.mp4`, in the depot's time; signs that a file system forbids are left out. */
export const clipFileName = (vehicle: string, channel: number, from: number, timeZone: string): string =>
  fileNameOf(`${vehicle} channel ${channel}`, from, timeZone, 'mp4');

/** The same of a picture; of all channels without a number. */
export const snapshotFileName = (
  vehicle: string,
  channel: number | null,
  at: number,
  timeZone: string,
): string => fileNameOf(channel === null ? vehicle : `${vehicle} channel ${channel}`, at, timeZone, 'png');
