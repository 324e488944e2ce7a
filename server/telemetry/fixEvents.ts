import { alarmKinds } from '../contract/events.ts';
import type { GeofenceCrossing } from '../geofences/geofenceEngine.ts';
import type { EventRow, PositionRow } from '../store/telemetry/rows.ts';
import { eventRow, evidence, evidenceOf, type NewEvent } from './eventRows.ts';
import type { Harsh } from './harshEngine.ts';
import type { IdleUpdate } from './idleEngine.ts';
import { isoTime } from './presentPosition.ts';
import type { SignalUpdate } from './signals.ts';
import { baseKey } from './engineContext.ts';
import type { TripChange, TripNumbers } from './tripDetector.ts';

// What the engines find in a message, as the events that are stored of it.

/** An event of the moment of a message, at its place if it has a fix. */
function eventAt(row: PositionRow, event_id: string): Omit<NewEvent, 'kind' | 'details'> {
  const { vehicle_id, time_ms, received_ms, valid } = row;
  return {
    event_id,
    vehicle_id,
    time_ms,
    received_ms,
    lat: valid ? row.lat : null,
    lon: valid ? row.lon : null,
  };
}

function fixesOf(row: PositionRow) {
  return row.valid ? [evidence(row)] : [];
}

/** Of alarms that are event kinds the events are of that kind; all others are the terminal's own. */
export function kindOfAlarm(alarm: string): (typeof alarmKinds)[number] | 'terminal_alarm' {
  return alarmKinds.find((kind) => kind === alarm) ?? 'terminal_alarm';
}

export function alarmEvent(row: PositionRow, alarm: string, late: boolean, event_id: string): EventRow {
  return eventRow({
    ...eventAt(row, event_id),
    kind: kindOfAlarm(alarm),
    late,
    details: { alarm, fixes: fixesOf(row) },
  });
}

export function crossingEvent(crossing: GeofenceCrossing, row: PositionRow, event_id: string): EventRow {
  const { kind, at, geozone_id, duration_s, fixes } = crossing;
  return eventRow({
    ...eventAt(row, event_id),
    kind,
    time_ms: at.time_ms,
    lat: at.lat,
    lon: at.lon,
    geozone_id,
    details: { duration_s, fixes: fixes.map(evidence) },
  });
}

export function switchEvent(
  row: PositionRow,
  { kind, duration_s }: NonNullable<SignalUpdate['switched']>,
  event_id: string,
): EventRow {
  return eventRow({ ...eventAt(row, event_id), kind, details: { duration_s, fixes: fixesOf(row) } });
}

/** @param alarm the terminal's own, when it said so as well */
export function lowBatteryEvent(
  row: PositionRow,
  { measured_pct, threshold_pct }: NonNullable<SignalUpdate['low']>,
  alarm: string | null,
  event_id: string,
): EventRow {
  return eventRow({
    ...eventAt(row, event_id),
    kind: 'low_battery',
    details: {
      measured: measured_pct,
      threshold: threshold_pct,
      unit: measured_pct === null ? null : '%',
      alarm,
      limit_source: threshold_pct === null ? null : 'setting',
      fixes: fixesOf(row),
    },
  });
}

/** @param alarm the terminal's own, when it said so as well */
export function harshEvent(
  previous: PositionRow,
  row: PositionRow,
  { kind, measured, threshold }: Harsh,
  alarm: string | null,
  event_id: string,
): EventRow {
  return eventRow({
    ...eventAt(row, event_id),
    kind,
    details: {
      measured,
      threshold,
      unit: 'm/s²',
      duration_s: (row.time_ms - previous.time_ms) / 1_000,
      alarm,
      limit_source: 'setting',
      fixes: evidenceOf(previous, row),
    },
  });
}

export function idleEvent(
  { key, reported, since, until_ms, isOver }: IdleUpdate,
  vehicle_id: string,
): EventRow {
  const lasted_s = (until_ms - since.time_ms) / 1_000;
  const isBase = key === baseKey;
  return eventRow({
    event_id: reported.event_id,
    kind: 'idling',
    vehicle_id,
    time_ms: reported.time_ms,
    received_ms: reported.received_ms,
    lat: since.lat,
    lon: since.lon,
    rule_id: isBase ? null : key,
    rule_version: reported.rule_version,
    details: {
      measured: lasted_s,
      threshold: reported.threshold_s,
      unit: 's',
      duration_s: lasted_s,
      limit_source: isBase ? 'setting' : 'rule',
      ended_at: isOver ? isoTime(until_ms) : null,
      fixes: [evidence(since)],
    },
  });
}

const unitOf = { distance: 'm', speed: 'km/h', standing: 's', ignition: 's', gap: 's' } as const;

/** When it left or came to rest, which the fix that made it known comes after. */
export function tripEvent(
  { kind, at, known, by, measured, lasted_ms }: TripChange,
  row: PositionRow,
  numbers: TripNumbers,
  event_id: string,
): EventRow {
  const threshold = {
    distance: numbers.trip_radius_m,
    speed: numbers.trip_speed_kmh,
    standing: numbers.trip_stop_s,
    ignition: numbers.trip_ignition_off_s,
    gap: numbers.trip_gap_s,
  }[by];
  return eventRow({
    ...eventAt(row, event_id),
    kind: kind === 'started' ? 'moving' : 'stopped',
    time_ms: at.time_ms,
    lat: at.lat,
    lon: at.lon,
    details: {
      measured: Math.round(measured * 10) / 10,
      threshold,
      unit: unitOf[by],
      duration_s: lasted_ms === null ? null : lasted_ms / 1_000,
      limit_source: 'setting',
      fixes: evidenceOf(at, known),
    },
  });
}
