import { useCallback, useMemo, useEffect } from 'react';
import { useStore } from 'zustand';
import { eventRoutes } from '../../server/contract/events.ts';
import { notificationRoutes } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { EventPanel } from '../events/EventPanel.tsx';
import { EventsView } from '../events/EventsView.tsx';
import { NotificationsView } from '../events/NotificationsView.tsx';
import {
  DEFAULT_PERIOD,
  readEventsAddress,
  writeEventsAddress,
  type EventsAddress,
} from '../events/eventsAddress.ts';
import { readHash, writeHash } from '../navigation/navigation.ts';
import './EventsScreen.css';

/** What happened: the notifications that rules made, and every recorded event. */
export function EventsScreen() {
  const { navigation } = useAppContext();
  const { query } = useStore(navigation.store);
  const { row, ...words } = query;
  // A row that is chosen is no other list: the filters keep their identity.
  const filters = writeHash({ place: 'events', query: words });
  const address = useMemo(() => readEventsAddress(readHash(filters).query), [filters]);
  useHeldRow(address.view, row ?? null);

  const change = useCallback(
    (part: Partial<EventsAddress>) => navigation.note(writeEventsAddress({ ...address, ...part })),
    [navigation, address],
  );
  const showAll = useCallback(
    () =>
      change({
        state: 'all',
        severity: null,
        kind: null,
        vehicle: null,
        rule: null,
        geofence: null,
        period: address.period === DEFAULT_PERIOD ? 'month' : DEFAULT_PERIOD,
      }),
    [change, address],
  );

  const View = address.view === 'events' ? EventsView : NotificationsView;
  return (
    <div className="events">
      <View address={address} onChange={change} onShowAll={showAll} />
      <EventPanel />
    </div>
  );
}

/** Holds the row that the address names, though it stands in none of the pages that were read. */
function useHeldRow(view: EventsAddress['view'], row: string | null): void {
  const { api, eventsView, notifications } = useAppContext();
  useEffect(() => {
    const { notification, event } = eventsView.getState();
    const selectedId = view === 'events' ? event?.event_id : notification?.notification_id;
    if (row === selectedId) return;
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
