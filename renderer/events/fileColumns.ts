import { useMemo } from 'react';
import type { Event, EventValues } from '../../server/contract/events.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import type { Say } from '../i18n/text.ts';
import { alarmWords, eventWords } from '../notifications/alarmWords.ts';
import type { FileColumn } from './csv.ts';
import { useNamesInTable, type NamesInTable } from './useNamesInTable.ts';

interface Happened {
  vehicle_id: string;
  geozone_id: string | null;
  lat: number | null;
  lon: number | null;
  values: EventValues;
}

/** What of a file is the same for both lists: numbers and their units apart, times in UTC. */
function commonColumns(say: Say, names: NamesInTable): FileColumn<Happened>[] {
  return [
    { head: say('why.measured'), value: ({ values }) => values.measured },
    { head: say('why.allowed'), value: ({ values }) => values.threshold },
    { head: say('events.column.unit'), value: ({ values }) => values.unit },
    { head: say('events.column.duration'), value: ({ values }) => values.duration_s },
    { head: say('events.geofence'), value: (it) => names.geofence(it.geozone_id) },
    { head: say('list.column.place'), value: (it) => names.place(it) },
    { head: say('events.column.lat'), value: (it) => it.lat },
    { head: say('events.column.lon'), value: (it) => it.lon },
  ];
}

export function useNotificationFile(): FileColumn<Notification>[] {
  const desk = useDesk();
  const say = useText();
  const names = useNamesInTable();
  return useMemo<FileColumn<Notification>[]>(
    () => [
      { head: say('events.column.time'), value: (it) => it.last_time },
      { head: say('events.column.first_time'), value: (it) => it.first_time },
      { head: say('events.severity'), value: (it) => say(`severity.${it.severity}`) },
      { head: say('list.column.vehicle'), value: (it) => names.vehicle(it.vehicle_id) },
      { head: say('events.kind'), value: (it) => alarmWords(it, desk).kind },
      { head: say('events.column.what'), value: (it) => alarmWords(it, desk).what },
      { head: say('why.counted'), value: (it) => it.count },
      { head: say('events.rule'), value: (it) => it.rule_name },
      ...commonColumns(say, names),
      { head: say('events.state'), value: (it) => say(`notification.${it.state}`) },
      { head: say('events.column.taken_by'), value: (it) => it.ack && names.user(it.ack.user_id) },
      { head: say('events.column.taken_at'), value: (it) => it.ack?.at ?? null },
      { head: say('note.label'), value: (it) => it.ack?.note ?? null },
    ],
    [desk, say, names],
  );
}

export function useEventFile(): FileColumn<Event>[] {
  const desk = useDesk();
  const say = useText();
  const names = useNamesInTable();
  return useMemo<FileColumn<Event>[]>(
    () => [
      { head: say('events.column.time'), value: (it) => it.time },
      { head: say('events.received'), value: (it) => it.received_at },
      { head: say('list.column.vehicle'), value: (it) => names.vehicle(it.vehicle_id) },
      { head: say('events.kind'), value: (it) => eventWords(it, desk).kind },
      { head: say('events.column.what'), value: (it) => eventWords(it, desk).what },
      ...commonColumns(say, names),
    ],
    [desk, say, names],
  );
}
