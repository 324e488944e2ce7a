import { useEffect, useState } from 'react';
import type { Position } from '../../../server/contract/positions.ts';
import { isProblem } from '../../api/errors.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import type { Clock } from '../../clock/clock.ts';
import type { FleetStream } from '../../stream/fleetStream.ts';
import type { VehicleTimeRange } from '../store/cachedContext.ts';
import type { ClipStore } from '../store/clipStore.ts';
import { type TrackCache, MARGIN_MS } from '../videoCaches.ts';
import { useVideo } from '../useVideo.ts';

export type TrackLoad =
  | { phase: 'loading' }
  /** As the depot has it, or as it was when the clips of the moment came. */
  | { phase: 'ready'; positions: readonly Position[]; isFresh: boolean }
  | { phase: 'failed' };

export interface TrackDeps {
  tracks: TrackCache;
  clips: Pick<ClipStore, 'moment'>;
  stream: Pick<FleetStream, 'onLink'>;
  clock: Clock;
  /** The server's time, milliseconds. */
  now: () => number;
}

/**
 * Reads where a vehicle was; once more when its last fixes have come, and again when the link comes back after it could
 * not be read. Returns its end.
 */
export function readTrack(
  { tracks, clips, stream, clock, now }: TrackDeps,
  span: VehicleTimeRange,
  take: (load: TrackLoad) => void,
): () => void {
  let isOver = false;
  let hasFailed = false;
  let begun = 0;
  /** The read that the reported data comes from; 0 for none. */
  let visible = 0;
  const notify = (load: TrackLoad) => {
    if (!isOver) take(load);
  };
  const read = async () => {
    begun += 1;
    const current = begun;
    try {
      const positions = await tracks.read(span);
      if (current < visible) return;
      visible = current;
      hasFailed = false;
      notify({ phase: 'ready', positions, isFresh: true });
    } catch (error) {
      if (current < visible) return;
      hasFailed = true;
      // Who may not see it does not see a kept one either.
      const isDenied = isProblem(error, 'forbidden', 'not_found');
      if (visible > 0 && !isDenied) return;
      const cached = isDenied ? null : await clips.moment(span).catch(() => null);
      // Said under the chart; the clips play without it.
      notify(cached === null ? { phase: 'failed' } : { phase: 'ready', ...cached, isFresh: false });
    }
  };
  void read();
  const undo = [
    onceSettled(span.to, { clock, now }, () => void read()),
    stream.onLink((link) => {
      if (link.phase === 'live' && hasFailed) void read();
    }),
  ];
  return () => {
    isOver = true;
    for (const run of undo) run();
  };
}

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

/**
 * Runs once when what happened up to a moment has come to the depot: a terminal reports late, and a small picture is here
 * seconds after the last thing that it shows. Never where that was so from the first. Returns its undo.
 *
 * @param to milliseconds since 1970
 * @param now the server's time, milliseconds
 */
export function onceSettled(
  to: number,
  { clock, now }: { clock: Clock; now: () => number },
  run: () => void,
): () => void {
  const leftMs = to + MARGIN_MS - now();
  return leftMs > 0 ? clock.after(leftMs, run) : () => undefined;
}
