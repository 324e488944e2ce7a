import { useCallback, useMemo } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { EventPanel } from '../events/EventPanel.tsx';
import {
  DEFAULT_PERIOD,
  readEventsAddress,
  writeEventsAddress,
  type EventsAddress,
} from '../events/eventsAddress.ts';
import { EventsView } from '../events/EventsView.tsx';
import { NotificationsView } from '../events/NotificationsView.tsx';
import { useHeldRow } from '../events/useHeldRow.ts';
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
