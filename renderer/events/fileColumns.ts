import { useMemo } from 'react';
import type { Event, EventDetails } from '../../server/contract/events.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { Translate } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';
import { alarmLabels, eventWords } from '../notifications/alarmLabels.ts';
import { useNamesInTable, type NamesInTable } from './tableColumns.tsx';

interface Happened {
  vehicle_id: string;
  geozone_id: string | null;
  lat: number | null;
  lon: number | null;
  details: EventDetails;
}

/** What of a file is the same for both lists: numbers and their units apart, times in UTC. */
function commonColumns(t: Translate, names: NamesInTable): FileColumn<Happened>[] {
  return [
    { head: t('why.measured'), value: ({ details }) => details.measured },
    { head: t('why.allowed'), value: ({ details }) => details.threshold },
    { head: t('events.column.unit'), value: ({ details }) => details.unit },
    { head: t('events.column.duration'), value: ({ details }) => details.duration_s },
    { head: t('events.geofence'), value: (it) => names.geofence(it.geozone_id) },
    { head: t('list.column.place'), value: (it) => names.place(it) },
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
      ...commonColumns(t, names),
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
      ...commonColumns(t, names),
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
