import { useEffect, useState } from 'react';
import { useDesk } from '../../desk/DeskContext.tsx';
import type { MomentSpan } from '../store/keptMoment.ts';
import { useVideo } from '../useVideo.ts';
import { readTrack, type TrackLoad } from './readTrack.ts';

/** Where the vehicle was while it was filmed. */
export function useTrack({ vehicleId, from, to }: MomentSpan): TrackLoad {
  const { stream, clock, serverTime } = useDesk();
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
