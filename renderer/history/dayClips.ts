import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Task } from '../../server/contract/video.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { IsKept } from '../video/requests/qualities.ts';
import { videoOrders, type VideoRequest } from '../video/requests/videoOrders.ts';
import type { TrackPeriod } from './trackCache.ts';

/** The clips that show something of a period, oldest first. @param vehicleIds of these alone; none: of all */
export function clipsOf(
  tasks: Iterable<Task>,
  isKept: IsKept,
  { from, to }: TrackPeriod,
  vehicleIds: readonly string[],
): VideoRequest[] {
  const found = [...tasks].filter(
    (it) =>
      (vehicleIds.length === 0 || vehicleIds.includes(it.vehicle_id)) &&
      Date.parse(it.to) > from &&
      Date.parse(it.from) < to,
  );
  return videoOrders(found, isKept).sort((a, b) => a.from - b.from);
}

/**
 * The clip that shows an instant: one with pictures before one that has none yet, of the vehicle that is looked at before
 * others; null for none.
 */
export function clipAt(
  clips: readonly VideoRequest[],
  at: number,
  vehicleId: string | null,
): VideoRequest | null {
  const rank = (it: VideoRequest) => (it.vehicleId === vehicleId ? 2 : 0) + (it.phase === 'ready' ? 1 : 0);
  const here = clips.filter((it) => it.from <= at && at < it.to && it.phase !== 'failed');
  return here.reduce<VideoRequest | null>((a, b) => (a === null || rank(b) > rank(a) ? b : a), null);
}

/** The clips of the day that is shown: of the chosen vehicles, or of all while none is chosen. */
export function useDayClips(): readonly VideoRequest[] {
  const { history, video } = useAppContext();
  const tasks = useStore(video.tasks, (state) => state.byId);
  const kept = useStore(video.clips.store, (state) => state.clips);
  const day = useStore(history.store, (state) => state.day);
  const chosenIds = useStore(history.store, (state) => state.chosenIds);
  return useMemo(
    () => clipsOf(tasks.values(), (id) => kept.get(id)?.whole === true, day, chosenIds),
    [tasks, kept, day, chosenIds],
  );
}
