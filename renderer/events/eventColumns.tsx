import { useMemo } from 'react';
import type { Event } from '../../server/contract/events.ts';
import type { Severity } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { eventWords } from '../notifications/alarmLabels.ts';
import { VideoCell } from '../notifications/VideoCell.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';
import { valuesAt } from '../notifications/ongoing.ts';
import { useEventWords } from '../notifications/useLabels.ts';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { measuredAgainst } from './measuredAgainst.ts';
import type { Listed } from './pagedList.ts';
import { useNamesInTable } from './useNamesInTable.ts';

type Row = Listed<Event>;

/** The columns of recorded events; made anew when a name that they show changes. */
export function useEventColumns(severities: ReadonlyMap<string, Severity>) {
  const app = useAppContext();
  const t = useT();
  const names = useNamesInTable();
  return useMemo(
    () => [
      {
        id: 'time',
        head: t('events.column.time'),
        width: '156px',
        value: (row: Row) => `${row.at} ${names.vehicle(row.item.vehicle_id)}`,
        cell: ({ item }: Row) => (
          <span className="events__time">
            <SeverityMark severity={severities.get(item.event_id) ?? 'info'} />
            <TimeOfDay at={Date.parse(item.time)} withDate />
          </span>
        ),
      },
      {
        id: 'vehicle',
        head: t('list.column.vehicle'),
        width: 'minmax(56px, 0.6fr)',
        value: ({ item }: Row) => names.vehicle(item.vehicle_id),
      },
      {
        id: 'what',
        head: t('events.column.what'),
        width: 'minmax(200px, 4fr)',
        value: ({ item }: Row) => {
          const words = eventWords(item, app);
          return `${words.kind}, ${words.what}`;
        },
        cell: ({ item }: Row) => <What event={item} />,
      },
      {
        id: 'measured',
        head: t('events.column.measured'),
        width: '112px',
        align: 'end' as const,
        value: ({ item }: Row) => measuredAgainst(valuesAt(item.kind, item.values, item.time, app.asOf())),
      },
      {
        id: 'geofence',
        head: t('events.geofence'),
        width: 'minmax(80px, 1fr)',
        value: ({ item }: Row) => names.geofence(item.geozone_id),
      },
      {
        id: 'place',
        head: t('list.column.place'),
        width: 'minmax(80px, 1.5fr)',
        value: ({ item }: Row) => names.place(item),
      },
      {
        id: 'video',
        head: t('queue.video'),
        width: 'minmax(112px, 168px)',
        sortable: false,
        value: () => '',
        cell: ({ item }: Row) => (
          <VideoCell notification={{ event_ids: [item.event_id], vehicle_id: item.vehicle_id }} />
        ),
      },
    ],
    [app, t, names, severities],
  );
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
