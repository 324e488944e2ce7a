import { useCallback, useMemo } from 'react';
import { useStore } from 'zustand';
import { kindsBesideTracks, type Event } from '../../server/contract/events.ts';
import type { Severity } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { openListedMenu } from '../commands/contextMenus.ts';
import { useT } from '../i18n/useT.ts';
import { eventWords, detailsAt, useEventWords } from '../notifications/alarmLabels.ts';
import { graver } from '../notifications/queueOrder.ts';
import { EventFilters } from './EventFilters.tsx';
import { EventsPane, type ListViewProps } from './EventsPane.tsx';
import { holdEvent } from './eventsActions.ts';
import { useEventFile, sharedColumns, useNamesInTable } from './columns.tsx';
import { eventList } from './lists.ts';
import { usePagedList, type Listed } from './pagedList.ts';

/** Everything that was recorded, whether or not a rule made a notification of it. */
export function EventsView({ address, onChange, onShowAll }: ListViewProps) {
  const app = useAppContext();
  const list = useMemo(() => eventList(app, address), [app, address]);
  const listen = useCallback((take: (it: Event) => void) => app.stream.on('event', take), [app]);
  const state = usePagedList(list, listen);
  const selectedId = useStore(app.eventsView, (it) => it.event?.event_id ?? null);
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
      selectedKey={selectedId}
      onSelect={(it) => holdEvent(app, it)}
      onMenu={(it, at) => openListedMenu(app, it, at)}
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

/** The columns of recorded events; made anew when a name that they show changes. */
function useEventColumns(severities: ReadonlyMap<string, Severity>) {
  const app = useAppContext();
  const t = useT();
  const names = useNamesInTable();
  return useMemo(() => {
    const { time, vehicle, what, measured, place, video } = sharedColumns<Event>(t, names, {
      severity: ({ event_id }) => severities.get(event_id) ?? 'info',
      time: (event) => event.time,
      words: (event) => eventWords(event, app),
      what: (event) => <What event={event} />,
      details: ({ kind, details, time: at }) => detailsAt(kind, details, at, app.asOf()),
      // Of what happens to a video none can be requested.
      video: ({ event_id, vehicle_id, kind }) => ({
        event_ids: [event_id],
        vehicle_id: kindsBesideTracks.includes(kind) ? null : vehicle_id,
      }),
    });
    const geofence = {
      id: 'geofence',
      head: t('events.geofence'),
      width: 'minmax(80px, 1fr)',
      value: ({ item }: Listed<Event>) => names.geofence(item.geozone_id),
    };
    return [time, vehicle, what, measured, geofence, place, video];
  }, [app, t, names, severities]);
}

function What({ event }: { event: Event }) {
  const t = useT();
  const words = useEventWords(event);
  return (
    <span title={`${words.kind}, ${words.what}`}>
      <span className="strong">{words.kind}</span> <span className="quiet">{words.what}</span>
      {event.late && <span className="quiet"> · {t('queue.late')}</span>}
    </span>
  );
}
