import { useCallback, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Event } from '../../server/contract/events.ts';
import type { Severity } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { graver } from '../notifications/queueOrder.ts';
import { useEventColumns } from './eventColumns.tsx';
import { EventFilters } from './EventFilters.tsx';
import type { EventsAddress } from './eventsAddress.ts';
import { holdEvent } from './eventsActions.ts';
import { EventsPane } from './EventsPane.tsx';
import { useEventFile } from './fileColumns.ts';
import { eventList } from './lists.ts';
import { usePagedList } from './usePagedList.ts';

/** Everything that was recorded, whether or not a rule made a notification of it. */
export function EventsView({
  address,
  onChange,
  onShowAll,
}: {
  address: EventsAddress;
  onChange: (part: Partial<EventsAddress>) => void;
  onShowAll: () => void;
}) {
  const app = useAppContext();
  const list = useMemo(() => eventList(app, address), [app, address]);
  const listen = useCallback((take: (it: Event) => void) => app.stream.on('event', take), [app]);
  const state = usePagedList(list, listen);
  const held = useStore(app.eventsView, (it) => it.event?.event_id ?? null);
  const columns = useEventColumns(useSeverities());
  const file = useEventFile();
  return (
    <EventsPane
      address={address}
      list={list}
      state={state}
      rows={state.rows}
      columns={columns}
      file={file}
      filters={<EventFilters address={address} onChange={onChange} />}
      selectedKey={held}
      onSelect={(it) => holdEvent(app, it)}
      onShowAll={onShowAll}
    />
  );
}

/** How grave the notifications of an event are, by its id, as far as they are known here. */
function useSeverities(): ReadonlyMap<string, Severity> {
  const app = useAppContext();
  const byId = useStore(app.notifications.store, (it) => it.byId);
  return useMemo(() => {
    const severities = new Map<string, Severity>();
    for (const { event_ids, severity } of byId.values()) {
      for (const id of event_ids) severities.set(id, graver(severities.get(id) ?? 'info', severity));
    }
    return severities;
  }, [byId]);
}
