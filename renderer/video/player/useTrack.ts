import { useEffect, useState } from 'react';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import type { VehicleTimeRange } from '../store/cachedContext.ts';
import { useVideo } from '../useVideo.ts';
import { readTrack, type TrackLoad } from './readTrack.ts';

/** The track of the vehicle during the recording. */
export function useTrack({ vehicleId, from, to }: VehicleTimeRange): TrackLoad {
  const { stream, clock, serverTime } = useAppContext();
  const { tracks, clips } = useVideo();
  const [load, setLoad] = useState<TrackLoad>({ phase: 'loading' });
  useEffect(
    () =>
      readTrack(
        { tracks, clips, stream, clock, now: () => serverTime.now() },
        { vehicleId, from, to },
        setLoad,
      ),
    [stream, clock, serverTime, tracks, clips, vehicleId, from, to],
  );
  return load;
}
