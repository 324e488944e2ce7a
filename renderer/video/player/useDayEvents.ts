import { useEffect, useState } from 'react';
import { eventRoutes, type Event } from '../../../server/contract/events.ts';
import { useDesk } from '../../desk/DeskContext.tsx';

/** More marks than this on one line are no longer told apart. */
const EVENTS = 60;

/** What else happened to the vehicle around an order, oldest first; empty while it is not known. */
export function useDayEvents(vehicleId: string, from: number, to: number): readonly Event[] {
  const { api, stream } = useDesk();
  const [events, setEvents] = useState<readonly Event[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    const query = {
      vehicle: vehicleId,
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      limit: EVENTS,
    };
    const read = () =>
      api.request(eventRoutes.list, { query, signal: abort.signal }).then(
        ({ items }) => setEvents(items.toSorted((a, b) => (a.time < b.time ? -1 : 1))),
        // The bar then shows the videos alone; the next link reads again.
        () => undefined,
      );
    void read();
    const undo = stream.onLink((link) => {
      if (link.phase === 'live') void read();
    });
    return () => {
      abort.abort();
      undo();
    };
  }, [api, stream, vehicleId, from, to]);
  return events;
}
