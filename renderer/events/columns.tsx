import { useMemo, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { EventDetails, Event } from '../../server/contract/events.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import type { Severity } from '../../server/contract/rules.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { Translate } from '../i18n/text.ts';
import { unitSign } from '../format/units.ts';
import { useT } from '../i18n/useT.ts';
import { VideoCell } from '../notifications/VideoCell.tsx';
import { formatAllowed, formatMeasured, alarmLabels, eventWords } from '../notifications/alarmLabels.ts';
import { TimeOfDay } from '../ui/Moment.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import type { Listed } from './pagedList.ts';

/** What the tables call things by; another object when a name may have changed. */
export function useNamesInTable() {
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
      vehicle: (id: string | null) =>
        id === null ? t('settings.host') : (vehicles.get(id)?.name ?? t('vehicle.gone')),
      user: (id: string) => users.get(id) ?? t('user.another'),
      /** '' for what has no place. */
      place({ lat, lon }: { lat: number | null; lon: number | null }) {
        if (lat === null || lon === null) return '';
        const key = `${lat} ${lon}`;
        const text = known.byPlace.get(key) ?? app.places.at(lat, lon);
        known.byPlace.set(key, text);
        return text;
      },
      geofence: (id: string | null) =>
        id === null ? '' : (geofences.get(id)?.name ?? t('place.unknown_geofence')),
    }),
    [app, t, vehicles, geofences, users, known],
  );
}

type NamesInTable = ReturnType<typeof useNamesInTable>;

/** 94 / 60 km/h, 42 min / 20 min; what was measured alone where nothing is allowed, '' where nothing was. */
export function measuredAgainst(details: EventDetails): string {
  const measured = formatMeasured(details);
  const allowed = formatAllowed(details);
  if (measured === null) return '';
  if (allowed === null) return measured;
  const sign = details.unit === 'km/h' ? unitSign('speed') : details.unit;
  const unit = sign === null || sign === 's' ? '' : `\u00a0${sign}`;
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
export function sharedColumns<
  Item extends { vehicle_id: string | null; lat: number | null; lon: number | null },
>(t: Translate, names: NamesInTable, read: RowReader<Item>) {
  type Row = Listed<Item>;
  return {
    time: {
      id: 'time',
      head: t('events.column.time'),
      width: 'calc(var(--moment-width) + 24px)',
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
      width: 'minmax(240px, 7fr)',
      value: ({ item }: Row) => {
        const { kind, what } = read.words(item);
        return `${kind}, ${what}`;
      },
      cell: ({ item }: Row) => read.what(item),
    },
    measured: {
      id: 'measured',
      head: t('events.column.measured'),
      width: '136px',
      align: 'end' as const,
      value: ({ item }: Row) => measuredAgainst(read.details(item)),
    },
    place: {
      id: 'place',
      head: t('list.column.place'),
      width: 'minmax(112px, 2fr)',
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

interface Happened {
  vehicle_id: string | null;
  geozone_id: string | null;
  lat: number | null;
  lon: number | null;
  details: EventDetails;
}

/** What of a file is the same for both lists: numbers and their units apart, times in UTC. */
function commonColumns(t: Translate, names: NamesInTable, { places }: AppContext): FileColumn<Happened>[] {
  return [
    { head: t('why.measured'), value: ({ details }) => details.measured },
    { head: t('why.allowed'), value: ({ details }) => details.threshold },
    { head: t('events.column.unit'), value: ({ details }) => details.unit },
    { head: t('events.column.duration'), value: ({ details }) => details.duration_s },
    { head: t('events.geofence'), value: (it) => names.geofence(it.geozone_id) },
    {
      head: t('list.column.place'),
      // As it is called when the file is written: its addresses come after the table was drawn.
      value: ({ lat, lon }) => (lat === null || lon === null ? '' : places.at(lat, lon)),
    },
    { head: t('events.column.lat'), value: (it) => it.lat },
    { head: t('events.column.lon'), value: (it) => it.lon },
  ];
}

export function useNotificationFile(): FileColumn<Notification>[] {
  const app = useAppContext();
  const t = useT();
  const names = useNamesInTable();
  return useMemo<FileColumn<Notification>[]>(
    () => [
      { head: t('events.column.time'), value: (it) => it.last_time },
      { head: t('events.column.first_time'), value: (it) => it.first_time },
      { head: t('events.severity'), value: (it) => t(`severity.${it.severity}`) },
      { head: t('list.column.vehicle'), value: (it) => names.vehicle(it.vehicle_id) },
      { head: t('events.kind'), value: (it) => alarmLabels(it, app).kind },
      { head: t('events.column.what'), value: (it) => alarmLabels(it, app).what },
      { head: t('why.counted'), value: (it) => it.count },
      { head: t('events.rule'), value: (it) => it.rule_name },
      ...commonColumns(t, names, app),
      { head: t('events.state'), value: (it) => t(`notification.${it.state}`) },
      { head: t('events.column.taken_by'), value: (it) => it.ack && names.user(it.ack.user_id) },
      { head: t('events.column.taken_at'), value: (it) => it.ack?.at ?? null },
      { head: t('note.label'), value: (it) => it.ack?.note ?? null },
    ],
    [app, t, names],
  );
}

export function useEventFile(): FileColumn<Event>[] {
  const app = useAppContext();
  const t = useT();
  const names = useNamesInTable();
  return useMemo<FileColumn<Event>[]>(
    () => [
      { head: t('events.column.time'), value: (it) => it.time },
      { head: t('events.received'), value: (it) => it.received_at },
      { head: t('list.column.vehicle'), value: (it) => names.vehicle(it.vehicle_id) },
      { head: t('events.kind'), value: (it) => eventWords(it, app).kind },
      { head: t('events.column.what'), value: (it) => eventWords(it, app).what },
      ...commonColumns(t, names, app),
    ],
    [app, t, names],
  );
}

/** Rows of cells as a CSV file (RFC 4180) in UTF-8; spreadsheets recognise it by the byte order mark. */
export function csvOf(rows: readonly (readonly string[])[]): Blob {
  const text = rows.map((row) => row.map(cell).join(',')).join('\r\n');
  return new Blob([`\ufeff${text}\r\n`], { type: 'text/csv;charset=utf-8' });
}

/** A cell that a spreadsheet would take for a formula is marked as text: names are typed by anybody. */
function cell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A column of a file. */
export interface FileColumn<T> {
  head: string;
  value: (item: T) => string | number | null;
}
