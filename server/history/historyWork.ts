import { gzipSync } from 'node:zlib';
import { maxValueFixes, type PastVehicle } from '../contract/history.ts';
import { packTracks, trackFlags, type TrackColumns } from '../contract/packedTracks.ts';
import { uninterrupted } from '../startWorker.ts';
import type { SettingsFields } from '../contract/settings.ts';
import type { DriveFix, HistoryReader } from '../store/telemetry/historyReader.ts';
import type { PositionRow } from '../store/telemetry/rows.ts';
import { presentPosition } from '../telemetry/presentPosition.ts';
import { vehicleStatus } from '../telemetry/vehicleState.ts';
import { thinTrack, type TrackFix } from './thinTrack.ts';
import { valuesOf } from './valuesOf.ts';

export type HistoryJob =
  | {
      kind: 'tracks';
      vehicle_ids: readonly string[];
      from_ms: number;
      to_ms: number;
      tolerance_m: number;
      gap_ms: number;
      values: readonly string[];
    }
  | { kind: 'values'; vehicle_id: string; from_ms: number; to_ms: number; gap_ms: number }
  | {
      kind: 'moment';
      vehicles: readonly PastRecord[];
      at_ms: number;
      numbers: Pick<SettingsFields, 'offline_s' | 'moving_speed_kmh' | 'idle_speed_kmh' | 'idle_s'>;
    };

/** A vehicle as its record was. */
export type PastRecord = Omit<PastVehicle, 'status' | 'position' | 'driver'> & { terminal_id: string };

export type HistoryResult =
  | { kind: 'bytes'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'too_long'; max: string }
  | { kind: 'vehicles'; vehicles: Omit<PastVehicle, 'driver'>[] };

/** Of one answer: at a fix every second, three weeks of one vehicle. */
const maxFixes = 2_000_000;

/** Answers an order about the past. Errors of the reader are thrown on. */
export function workOnHistory(
  order: HistoryJob,
  reader: HistoryReader,
  onProgress: (fraction: number) => void,
  max = maxFixes,
): HistoryResult {
  if (order.kind === 'moment') {
    const vehicles = order.vehicles.map(({ terminal_id, ...record }, at) => {
      if (at % 100 === 0) onProgress(at / order.vehicles.length);
      return { ...record, ...stateAt(reader, record.vehicle_id, terminal_id, order) };
    });
    return { kind: 'vehicles', vehicles };
  }
  if (order.kind === 'values') {
    const values = valuesOf(reader, order);
    return values === null
      ? { kind: 'too_long', max: `${maxValueFixes} fixes` }
      : { kind: 'bytes', bytes: packed([values]) };
  }
  const tracks: TrackColumns[] = [];
  let left = max;
  for (const [at, vehicle_id] of order.vehicle_ids.entries()) {
    const fixes: (TrackFix & Partial<PositionRow>)[] = [];
    for (const fix of trackOf(reader, vehicle_id, order)) {
      if (left-- <= 0) return { kind: 'too_long', max: `${max} fixes` };
      fixes.push(fix);
    }
    tracks.push(columnsOf(vehicle_id, fixes, order.values));
    onProgress((at + 1) / order.vehicle_ids.length);
  }
  return { kind: 'bytes', bytes: packed(tracks) };
}

const packed = (tracks: readonly TrackColumns[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(uninterrupted(() => gzipSync(packTracks(tracks))));

/** The fixes of the period, and the last one before it, so that it is known where the vehicle was at its beginning. */
function* trackOf(
  reader: HistoryReader,
  vehicle_id: string,
  { from_ms, to_ms, values, ...options }: Extract<HistoryJob, { kind: 'tracks' }>,
): Generator<TrackFix & Partial<PositionRow>> {
  const before = reader.lastBefore(vehicle_id, from_ms);
  const fixes =
    values.length === 0
      ? reader.drive(vehicle_id, from_ms, to_ms - 1)
      : reader.track(vehicle_id, from_ms, to_ms - 1);
  yield* thinTrack(before === null ? fixes : startingWith<DriveFix>(before, fixes), options);
}

function* startingWith<Fix>(first: Fix, others: Iterable<Fix>): Generator<Fix> {
  yield first;
  yield* others;
}

function columnsOf(
  vehicle_id: string,
  fixes: readonly (TrackFix & Partial<PositionRow>)[],
  names: readonly string[],
): TrackColumns {
  const column = (of: (fix: TrackFix & Partial<PositionRow>) => number | null) =>
    Float64Array.from(fixes, (fix) => of(fix) ?? Number.NaN);
  return {
    vehicle_id,
    time_ms: column((it) => it.time_ms),
    lat: column((it) => it.lat),
    lon: column((it) => it.lon),
    speed_kmh: column((it) => it.speed_kmh),
    course_deg: column((it) => it.course_deg),
    flags: Uint8Array.from(fixes, flagsOf),
    values: Object.fromEntries(names.map((name) => [name, column((it) => valueOf(it, name))])),
  };
}

function flagsOf({ ignition, isAfterGap }: TrackFix): number {
  return (
    (ignition === null ? 0 : trackFlags.ignition_known) |
    (ignition === true ? trackFlags.ignition_on : 0) |
    (isAfterGap ? trackFlags.gap_before : 0)
  );
}

/** A measured value, or an attribute that is a number or a flag. */
function valueOf(fix: Partial<PositionRow>, name: string): number | null {
  switch (name) {
    case 'altitude_m':
    case 'odometer_m':
    case 'battery_pct':
    case 'satellites':
      return fix[name] ?? null;
    default: {
      const value = Object.hasOwn(fix.attributes ?? {}, name) ? fix.attributes?.[name] : null;
      if (typeof value === 'boolean') return Number(value);
      return typeof value === 'number' ? value : null;
    }
  }
}

/** What a vehicle did at a moment, by what had come until then. */
function stateAt(
  reader: HistoryReader,
  vehicle_id: string,
  terminal_id: string,
  { at_ms, numbers }: Extract<HistoryJob, { kind: 'moment' }>,
): Pick<PastVehicle, 'status' | 'position'> {
  const newest = reader.lastBefore(vehicle_id, at_ms + 1);
  const lookBack_ms = 1_000 * Math.max(numbers.offline_s, numbers.idle_s);
  let last: DriveFix | null = newest;
  let [ignition, speed, idleSince_ms] = [
    null as boolean | null,
    null as number | null,
    null as number | null,
  ];
  for (const fix of reader.drive(vehicle_id, at_ms - lookBack_ms, at_ms)) {
    last = fix;
    ignition = fix.ignition ?? ignition;
    if (fix.speed_kmh !== null || fix.valid || fix.ignition === false) speed = fix.speed_kmh;
    const isIdle = ignition === true && (speed ?? 0) < numbers.idle_speed_kmh;
    idleSince_ms = isIdle ? (idleSince_ms ?? fix.time_ms) : null;
  }
  const state = {
    last_contact_ms: last?.time_ms ?? null,
    last_stored_ms: last?.time_ms ?? null,
    speed_kmh: speed ?? last?.speed_kmh ?? null,
    idle_since_ms: idleSince_ms,
  };
  return {
    status: vehicleStatus(state, numbers, at_ms),
    position: newest === null ? null : presentPosition(newest, terminal_id),
  };
}
