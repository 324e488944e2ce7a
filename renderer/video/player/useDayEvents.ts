import { useEffect, useState } from 'react';
import { eventRoutes, type Event } from '../../../server/contract/events.ts';
import { isProblem } from '../../api/errors.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import type { VehicleTimeRange } from '../store/cachedContext.ts';
import { useVideo } from '../useVideo.ts';
import { onceSettled } from './readTrack.ts';

/** More marks than this on one line can no longer be distinguished. */
const EVENTS = 60;

export interface DayEvents {
  /** Oldest first; empty while they are not known. */
  events: readonly Event[];
  /** They are as the depot has them. */
  isFresh: boolean;
}

const UNKNOWN: DayEvents = { events: [], isFresh: false };

/**
 * What happened to a vehicle in a span, as far as the depot has it; else as far as it is stored with the clips of a moment
 * in it.
 */
export function useDayEvents({ vehicleId, from, to }: VehicleTimeRange, moment: VehicleTimeRange): DayEvents {
  const { api, stream, clock, serverTime } = useAppContext();
  const { clips } = useVideo();
  const [known, setKnown] = useState(UNKNOWN);
  const { from: momentFrom, to: momentTo } = moment;
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const query = {
      vehicle: vehicleId,
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      limit: EVENTS,
    };
    const isOver = () => signal.aborted;
    const read = async () => {
      try {
        const { items } = await api.request(eventRoutes.list, { query, signal });
        setKnown({ events: items.toSorted((a, b) => (a.time < b.time ? -1 : 1)), isFresh: true });
      } catch (error) {
        // Who may not see them does not see kept ones either; the next link reads again.
        if (isOver() || isProblem(error, 'forbidden', 'not_found')) return;
        const span = { vehicleId, from: momentFrom, to: momentTo };
        const cached = await clips.moment(span).catch(() => null);
        if (cached === null) return;
        setKnown((before) =>
          before.isFresh || isOver() ? before : { events: cached.events, isFresh: false },
        );
      }
    };
    void read();
    const undo = [
      onceSettled(momentTo, { clock, now: () => serverTime.now() }, () => void read()),
      stream.onLink((link) => {
        if (link.phase === 'live') void read();
      }),
    ];
    return () => {
      abort.abort();
      for (const run of undo) run();
    };
  }, [api, stream, clock, serverTime, clips, vehicleId, from, to, momentFrom, momentTo]);
  return known;
}
