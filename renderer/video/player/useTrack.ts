import { useEffect, useState } from 'react';
import type { Position } from '../../../server/contract/positions.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useVideo } from '../useVideo.ts';

export type TrackLoad =
  { phase: 'loading' } | { phase: 'ready'; positions: readonly Position[] } | { phase: 'failed' };

/** Where the vehicle was while it was filmed; read again when the link comes back. */
export function useTrack(span: { vehicleId: string; from: number; to: number }): TrackLoad {
  const { stream } = useDesk();
  const { tracks } = useVideo();
  const { vehicleId, from, to } = span;
  const [load, setLoad] = useState<TrackLoad>({ phase: 'loading' });
  useEffect(() => {
    let isOver = false;
    let hasFailed = false;
    const read = async () => {
      try {
        const positions = await tracks.read({ vehicleId, from, to });
        if (!isOver) setLoad({ phase: 'ready', positions });
      } catch {
        // Said under the chart; the films play without it.
        hasFailed = true;
        if (!isOver) setLoad({ phase: 'failed' });
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
  }, [stream, tracks, vehicleId, from, to]);
  return load;
}
