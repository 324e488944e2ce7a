import { useEffect } from 'react';
import { useStore } from 'zustand';
import { isOfMoment, type VehicleTimeRange } from '../store/cachedContext.ts';
import { useVideo } from '../useVideo.ts';
import type { DayEvents } from './useDayEvents.ts';
import type { TrackLoad } from './readTrack.ts';

/** Keeps track and events of a moment beside its clips, so that they are there with no server, too. */
export function useMomentKeeping(
  { vehicleId, from, to }: VehicleTimeRange,
  track: TrackLoad,
  known: DayEvents,
): void {
  const { clips } = useVideo();
  const span = { vehicleId, from, to };
  const hasClip = useStore(clips.store, (state) =>
    [...state.clips.values()].some((it) => it.whole && isOfMoment(it, span)),
  );
  const positions = track.phase === 'ready' && track.isFresh ? track.positions : null;
  const events = known.isFresh ? known.events : null;
  useEffect(() => {
    if (!hasClip || positions === null || events === null) return;
    // A store that is full keeps the clips and goes without.
    clips.keepMoment({ vehicleId, from, to }, { positions, events }).catch(() => undefined);
  }, [clips, hasClip, positions, events, vehicleId, from, to]);
}

/** Reports to the store which clips a better one has taken the place of. */
export function useSpareClips(taskIds: readonly string[]): void {
  const { clips } = useVideo();
  const ids = taskIds.join(' ');
  useEffect(() => {
    // A store that cannot be written keeps them as they are.
    if (ids !== '') clips.spare(ids.split(' ')).catch(() => undefined);
  }, [clips, ids]);
}
