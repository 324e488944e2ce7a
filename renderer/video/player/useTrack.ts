import { useEffect, useState } from 'react';
import type { Position } from '../../../server/contract/positions.ts';
import { isProblem } from '../../api/errors.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import type { MomentSpan } from '../store/keptMoment.ts';
import { useVideo } from '../useVideo.ts';

export type TrackLoad =
  | { phase: 'loading' }
  /** As the depot has it, or as it was when the clips of the moment came. */
  | { phase: 'ready'; positions: readonly Position[]; isFresh: boolean }
  | { phase: 'failed' };

/** Where the vehicle was while it was filmed; read again when the link comes back. */
export function useTrack({ vehicleId, from, to }: MomentSpan): TrackLoad {
  const { stream } = useDesk();
  const { tracks, clips } = useVideo();
  const [load, setLoad] = useState<TrackLoad>({ phase: 'loading' });
  useEffect(() => {
    let isOver = false;
    let hasFailed = false;
    const span = { vehicleId, from, to };
    const take = (next: TrackLoad) => {
      if (!isOver) setLoad(next);
    };
    const read = async () => {
      try {
        const positions = await tracks.read(span);
        hasFailed = false;
        take({ phase: 'ready', positions, isFresh: true });
      } catch (error) {
        hasFailed = true;
        // Who may not see it does not see a kept one either.
        const isDenied = isProblem(error, 'forbidden', 'not_found');
        const kept = isDenied ? null : await clips.moment(span).catch(() => null);
        // Said under the chart; the films play without it.
        take(kept === null ? { phase: 'failed' } : { phase: 'ready', ...kept, isFresh: false });
      }
    };
    void read();
    const undo = stream.onLink((link) => {
      if (link.phase === 'live' && hasFailed) void read();
    });
    return () => {
      isOver = true;
      undo();
    };
  }, [stream, tracks, clips, vehicleId, from, to]);
  return load;
}
