import { useMemo, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { EventDetails } from '../../server/contract/events.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import type { Severity } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { Translate } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';
import { VideoCell } from '../notifications/VideoCell.tsx';
import { formatAllowed, formatMeasured } from '../notifications/alarmLabels.ts';
import { TimeOfDay } from '../ui/Moment.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import type { Listed } from './pagedList.ts';

export interface NamesInTable {
  vehicle(id: string): string;
  user(id: string): string;
  /** '' for what has no place. */
  place(at: { lat: number | null; lon: number | null }): string;
  geofence(id: string | null): string;
}

/** What the tables call things by; another object when a name may have changed. */
export function useNamesInTable(): NamesInTable {
  const app = useAppContext();
  const t = useT();
  const vehicles = useStore(app.vehicles.store, ({ byId }) => byId);
  const geofences = useStore(app.geofences.store, ({ byId }) => byId);
  const users = useStore(app.userNames, ({ byId }) => byId);
  const places = useStore(app.places.edition, ({ number }) => number);
  // Places stay where they are, and every sorting asks for all of them: looked up once, until a name changes.
  const known = useMemo(
    () => ({ edition: places, geofences, byPlace: new Map<string, string>() }),
    [places, geofences],
  );
  return useMemo(
    () => ({
      vehicle: (id) => vehicles.get(id)?.name ?? t('vehicle.gone'),
      user: (id) => users.get(id) ?? t('user.another'),
      place({ lat, lon }) {
        if (lat === null || lon === null) return '';
        const key = `${lat} ${lon}`;
        const text = known.byPlace.get(key) ?? app.places.at(lat, lon);
        known.byPlace.set(key, text);
        return text;
      },
      geofence: (id) => (id === null ? '' : (geofences.get(id)?.name ?? t('place.unknown_geofence'))),
    }),
    [app, t, vehicles, geofences, users, known],
  );
}

/** 94 / 60 km/h, 42 min / 20 min; what was measured alone where nothing is allowed, '' where nothing was. */
export function measuredAgainst(details: EventDetails): string {
  const measured = formatMeasured(details);
  const allowed = formatAllowed(details);
  if (measured === null) return '';
  if (allowed === null) return measured;
  const unit = details.unit === null || details.unit === 's' ? '' : `\u00a0${details.unit}`;
  return unit === '' ? `${measured} / ${allowed}` : `${measured.slice(0, -unit.length)} / ${allowed}`;
}

/** What the two tables read from their rows. */
interface RowReader<Item> {
  severity: (item: Item) => Severity;
  time: (item: Item) => string;
  words: (item: Item) => { kind: string; what: string };
  what: (item: Item) => ReactNode;
  details: (item: Item) => EventDetails;
  video: (item: Item) => Pick<Notification, 'event_ids' | 'vehicle_id'>;
}

/** The columns that events and notifications have in common. */
export function sharedColumns<Item extends { vehicle_id: string; lat: number | null; lon: number | null }>(
  t: Translate,
  names: NamesInTable,
  read: RowReader<Item>,
) {
  type Row = Listed<Item>;
  return {
    time: {
      id: 'time',
      head: t('events.column.time'),
      width: '156px',
      value: (row: Row) => `${row.at} ${names.vehicle(row.item.vehicle_id)}`,
      cell: ({ item }: Row) => (
        <span className="events__time">
          <SeverityMark severity={read.severity(item)} />
          <TimeOfDay at={Date.parse(read.time(item))} withDate />
        </span>
      ),
    },
    vehicle: {
      id: 'vehicle',
      head: t('list.column.vehicle'),
      width: 'minmax(56px, 0.6fr)',
      value: ({ item }: Row) => names.vehicle(item.vehicle_id),
    },
    what: {
      id: 'what',
      head: t('events.column.what'),
      width: 'minmax(200px, 4fr)',
      value: ({ item }: Row) => {
        const { kind, what } = read.words(item);
        return `${kind}, ${what}`;
      },
      cell: ({ item }: Row) => read.what(item),
    },
    measured: {
      id: 'measured',
      head: t('events.column.measured'),
      width: '112px',
      align: 'end' as const,
      value: ({ item }: Row) => measuredAgainst(read.details(item)),
    },
    place: {
      id: 'place',
      head: t('list.column.place'),
      width: 'minmax(80px, 1.5fr)',
      value: ({ item }: Row) => names.place(item),
    },
    video: {
      id: 'video',
      head: t('queue.video'),
      width: 'minmax(112px, 168px)',
      sortable: false,
      value: () => '',
      cell: ({ item }: Row) => <VideoCell notification={read.video(item)} />,
    },
  };
}
