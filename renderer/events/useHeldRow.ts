import { useEffect } from 'react';
import { eventRoutes } from '../../server/contract/events.ts';
import { notificationRoutes } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { EventsAddress } from './eventsAddress.ts';

/** Holds the row that the address names, though it stands in none of the pages that were read. */
export function useHeldRow(view: EventsAddress['view'], row: string | null): void {
  const { api, eventsView, notifications } = useAppContext();
  useEffect(() => {
    const { notification, event } = eventsView.getState();
    const held = view === 'events' ? event?.event_id : notification?.notification_id;
    if (row === held) return;
    eventsView.setState({ notification: null, event: null });
    if (row === null) return;
    const known = notifications.store.getState().byId.get(row);
    if (view === 'notifications' && known !== undefined) {
      eventsView.setState({ notification: known });
      return;
    }
    const abort = new AbortController();
    const { signal } = abort;
    const found =
      view === 'events'
        ? api
            .request(eventRoutes.get, { params: { event_id: row }, signal })
            .then((it) => eventsView.setState({ event: it }))
        : api
            .request(notificationRoutes.get, { params: { notification_id: row }, signal })
            .then((it) => eventsView.setState({ notification: it }));
    // An address that leads to nothing opens the list alone.
    found.catch(() => undefined);
    return () => abort.abort();
  }, [api, eventsView, notifications, view, row]);

  useEffect(() => () => eventsView.setState({ notification: null, event: null }), [eventsView]);
}
