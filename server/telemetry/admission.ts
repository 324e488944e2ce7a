import type { SettingsFields } from '../contract/settings.ts';
import type { PositionRow, RefusedRow } from '../store/telemetry/rows.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import type { Outcome } from './gateway/accept.ts';
import type { LiveFleet } from './liveFleet.ts';
import { mergePositions } from './mergePositions.ts';
import { createAlarmsOfRefused, isOnEarth, type PlacedAlarms } from './refusedAlarms.ts';
import type { Origin, Report } from './report.ts';
import { isLatest, maybeStored, type Contact } from './vehicleState.ts';

/** One report on its way in. */
export interface Arrival {
  report: Report;
  origin: Origin;
  received_ms: number;
}

/** A position that belongs into the store. */
export interface Admitted {
  vehicle: VehicleRecord;
  row: PositionRow;
  outcome: 'stored' | 'merged';
  /** When the last report that it is made of came; a merged row keeps when the first did. */
  received_ms: number;
  /** Alarms that were not there before at this vehicle and time. */
  newAlarms: string[];
  /** The messages from the future, refused as such, whose alarms are among them; `isAll`: nothing else came. */
  early?: { messages: readonly PlacedAlarms[]; isAll: boolean } | undefined;
}

export interface Admission {
  /** In the order of the arrivals. */
  outcomes: Outcome[];
  /** By vehicle, in order of time. */
  admitted: Admitted[];
  /** Their rows, by `keyOf`. */
  rows: ReadonlyMap<string, PositionRow>;
  refused: RefusedRow[];
  unknown: Arrival[];
  /** By vehicle. */
  contacts: ReadonlyMap<string, Contact>;
}

export interface AdmissionParts {
  vehicleOf: (terminalId: string) => VehicleRecord | undefined;
  fleet: Pick<LiveFleet, 'state'>;
  positionsAt: (keys: { vehicle_id: string; time_ms: number }[]) => Promise<PositionRow[]>;
  settings: Pick<SettingsFields, 'future_s'>;
}

/** Speeds beyond this are a broken sensor's, not a vehicle's. */
const fastestKmh = 1_000;

/** What is to be stored of an arrival, beside what there is at its vehicle and time. */
interface Candidate {
  at: number;
  vehicle: VehicleRecord;
  row: PositionRow;
  hasPlace: boolean;
  early?: PlacedAlarms | undefined;
}

/**
 * Decides for each report whether it is unknown, refused for good, a repeat, or new. A vehicle and time that is stored
 * already, or that comes twice in one batch, is one position; what the reports say of it is merged. Of one that is
 * refused the alarms are stored, without a place: nobody would hear of an emergency in the log of what was refused.
 */
export async function admit(arrivals: readonly Arrival[], parts: AdmissionParts): Promise<Admission> {
  const outcomes: Outcome[] = [];
  const refused: RefusedRow[] = [];
  const unknown: Arrival[] = [];
  const contacts = new Map<string, Heard>();
  const rows: Candidate[] = [];
  const alarmsOfRefused = createAlarmsOfRefused((id) => parts.fleet.state(id).early);
  for (const [at, arrival] of arrivals.entries()) {
    const vehicle = parts.vehicleOf(arrival.report.terminal_id);
    if (vehicle === undefined) {
      unknown.push(arrival);
      outcomes[at] = { status: 'unknown' };
      continue;
    }
    const heard = hear(contacts, vehicle.vehicle_id, arrival.received_ms);
    if (arrival.report.isSignOfLife === true) {
      outcomes[at] = { status: 'duplicate' };
      continue;
    }
    const place = placeOf(arrival.report);
    const row = positionRow(arrival, place, vehicle, parts.fleet);
    const isNewest = isLatest(parts.fleet.state(vehicle.vehicle_id), row.time_ms);
    const refusal = refusalOf(row, arrival, parts.settings.future_s);
    if (refusal === null) {
      rows.push({ at, vehicle, row, hasPlace: place !== null });
      if (isNewest) heard.alarms = undefined;
      continue;
    }
    refused.push(refusedRow(arrival, refusal));
    outcomes[at] = { status: 'refused', ...refusal };
    const alarms = alarmsOfRefused.of(arrival.report, row, refusal.code);
    if (alarms === null) {
      // One whose alarms were told all is a repeat, and says nothing of now.
      const isClear = row.alarms.length === 0 && refusal.code !== 'unreadable';
      if (isClear && isNewest) heard.alarms = row.alarms;
      continue;
    }
    const { report, early } = alarms;
    const alone = positionRow({ ...arrival, report }, null, vehicle, parts.fleet);
    rows.push({ at, vehicle, row: alone, hasPlace: false, early });
    if (early !== undefined) {
      heard.early.push(early);
      heard.alarms = row.alarms;
    } else if (isNewest) heard.alarms = undefined;
  }
  const admitted = await joinRows(rows, outcomes, parts);
  const inOrder = [...admitted.values()].sort(
    (a, b) => compare(a.row.vehicle_id, b.row.vehicle_id) || a.row.time_ms - b.row.time_ms,
  );
  const byKey = new Map(Array.from(admitted, ([key, { row }]) => [key, row]));
  return { outcomes, admitted: inOrder, rows: byKey, refused, unknown, contacts };
}

/** A contact while its batch is looked through. */
interface Heard extends Contact {
  early: PlacedAlarms[];
}

function hear(contacts: Map<string, Heard>, vehicleId: string, received_ms: number): Heard {
  const known = contacts.get(vehicleId);
  if (known === undefined) {
    const first: Heard = { received_ms, early: [] };
    contacts.set(vehicleId, first);
    return first;
  }
  known.received_ms = Math.max(known.received_ms, received_ms);
  return known;
}

/** Joins each row with what there is at its vehicle and time, by `keyOf`, and adds the outcomes that this brings. */
async function joinRows(
  rows: readonly Candidate[],
  outcomes: Outcome[],
  { fleet, positionsAt }: Pick<AdmissionParts, 'fleet' | 'positionsAt'>,
): Promise<ReadonlyMap<string, Admitted>> {
  const maybeKnown = rows.filter(({ row }) => maybeStored(fleet.state(row.vehicle_id), row.time_ms));
  const stored = maybeKnown.length === 0 ? [] : await positionsAt(maybeKnown.map(({ row }) => row));
  const known = new Map(stored.map((row) => [keyOf(row), row]));
  const admitted = new Map<string, Admitted>();
  for (const { at, vehicle, row, hasPlace, early: added } of rows) {
    const key = keyOf(row);
    const pending = admitted.get(key);
    const before = pending?.row ?? known.get(key);
    const early = earlyWith(pending, added);
    if (before === undefined) {
      const { received_ms, alarms: newAlarms } = row;
      admitted.set(key, { vehicle, row, received_ms, outcome: 'stored', newAlarms, early });
      outcomes[at] ??= { status: 'stored' };
      continue;
    }
    // Where the vehicle was last may have changed since: a repeat must not look like news for that.
    const merged = mergePositions(before, hasPlace ? row : { ...row, lat: before.lat, lon: before.lon });
    if (merged === null) {
      if (pending !== undefined) pending.early = early;
      outcomes[at] ??= { status: 'duplicate' };
      continue;
    }
    const newAlarms = row.alarms.filter((alarm) => !before.alarms.includes(alarm));
    admitted.set(key, {
      vehicle,
      row: merged,
      received_ms: Math.max(pending?.received_ms ?? row.received_ms, row.received_ms),
      outcome: pending?.outcome ?? 'merged',
      newAlarms: [...(pending?.newAlarms ?? []), ...newAlarms],
      early,
    });
    outcomes[at] ??= { status: 'merged' };
  }
  return admitted;
}

function earlyWith(pending: Admitted | undefined, added: PlacedAlarms | undefined): Admitted['early'] {
  const before = pending?.early;
  if (added === undefined) return before && { ...before, isAll: false };
  return {
    messages: [...(before?.messages ?? []), added],
    isAll: pending === undefined || before?.isAll === true,
  };
}

/** Tells positions apart. */
export function keyOf(row: Pick<PositionRow, 'vehicle_id' | 'time_ms'>): string {
  return `${row.vehicle_id} ${row.time_ms}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Null for a message without a place, and for one at 0,0 or nowhere on earth, as receivers without a fix say. */
function placeOf({ place, valid }: Report): Report['place'] {
  if (place === null || (place.lat === 0 && place.lon === 0)) return null;
  return valid || isOnEarth(place) ? place : null;
}

/** What has no place is kept as status where the vehicle was last. */
function positionRow(
  { report, received_ms }: Arrival,
  place: Report['place'],
  vehicle: VehicleRecord,
  fleet: AdmissionParts['fleet'],
): PositionRow {
  const { time_ms, speed_kmh, alarms } = report;
  const offset_ms = report.isTimeRight === true ? 0 : vehicle.clock_offset_s * 1_000;
  const { newest } = fleet.state(vehicle.vehicle_id);
  // Field by field: for each fix of the fleet a rest and a spread cost more than all else here.
  return {
    vehicle_id: vehicle.vehicle_id,
    time_ms: Math.round(time_ms === null ? received_ms : time_ms - offset_ms),
    received_ms,
    lat: place?.lat ?? newest?.lat ?? 0,
    lon: place?.lon ?? newest?.lon ?? 0,
    altitude_m: report.altitude_m,
    speed_kmh: speed_kmh !== null && speed_kmh > fastestKmh ? null : speed_kmh,
    course_deg: report.course_deg,
    accuracy_m: report.accuracy_m,
    satellites: report.satellites,
    hdop: report.hdop,
    valid: report.valid && place !== null,
    ignition: report.ignition,
    odometer_m: report.odometer_m,
    battery_pct: report.battery_pct,
    alarms: alarms.length === 0 ? [] : [...new Set(alarms)].sort(),
    attributes: report.attributes,
  };
}

type Refusal = { code: 'in_the_future' | 'impossible_coordinate' | 'unreadable'; detail: string };

function refusalOf(row: PositionRow, { report, received_ms }: Arrival, future_s: number): Refusal | null {
  if (report.unreadable !== undefined)
    return { code: 'unreadable', detail: `It cannot be read: ${report.unreadable}.` };
  if (row.time_ms - received_ms > future_s * 1_000) {
    const ahead_s = Math.round((row.time_ms - received_ms) / 1_000);
    return {
      code: 'in_the_future',
      detail: `Its time is ${ahead_s} s in the future, ${future_s} s are allowed.`,
    };
  }
  if (!isOnEarth(row)) {
    return { code: 'impossible_coordinate', detail: `lat ${row.lat}, lon ${row.lon} is no place on earth.` };
  }
  return null;
}

const longestRaw = 4_000;

function refusedRow({ report, origin, received_ms }: Arrival, { code, detail }: Refusal): RefusedRow {
  return {
    terminal_id: report.terminal_id,
    received_ms,
    code,
    detail,
    protocol: origin.protocol,
    raw: JSON.stringify({ ...report, isTimeRight: undefined }).slice(0, longestRaw),
  };
}
