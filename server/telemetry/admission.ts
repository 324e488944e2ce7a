import type { SettingsFields } from '../contract/settings.ts';
import type { PositionRow, RefusedRow } from '../store/telemetry/rows.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import type { Outcome } from './gateway/accept.ts';
import type { LiveFleet } from './liveFleet.ts';
import { mergePositions } from './mergePositions.ts';
import type { Origin, Report } from './report.ts';

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
}

export interface Admission {
  /** In the order of the arrivals. */
  outcomes: Outcome[];
  /** By vehicle, in order of time. */
  admitted: Admitted[];
  refused: RefusedRow[];
  unknown: Arrival[];
  /** When each vehicle that reported was heard last, whatever became of its reports; by vehicle, Unix ms. */
  contacts: Map<string, number>;
}

export interface AdmissionParts {
  vehicleOf: (terminalId: string) => VehicleRecord | undefined;
  fleet: LiveFleet;
  positionsAt: (keys: { vehicle_id: string; time_ms: number }[]) => Promise<PositionRow[]>;
  settings: Pick<SettingsFields, 'future_s'>;
}

/** Speeds beyond this are a broken sensor's, not a vehicle's. */
const fastestKmh = 1_000;

/**
 * Decides for each report whether it is unknown, refused for good, a repeat, or new. A vehicle and time that is stored
 * already, or that comes twice in one batch, is one position; what the reports say of it is merged.
 */
export async function admit(arrivals: readonly Arrival[], parts: AdmissionParts): Promise<Admission> {
  const outcomes: Outcome[] = [];
  const refused: RefusedRow[] = [];
  const unknown: Arrival[] = [];
  const contacts = new Map<string, number>();
  const rows: { at: number; vehicle: VehicleRecord; row: PositionRow; hasPlace: boolean }[] = [];
  for (const [at, arrival] of arrivals.entries()) {
    const vehicle = parts.vehicleOf(arrival.report.terminal_id);
    if (vehicle === undefined) {
      unknown.push(arrival);
      outcomes[at] = { status: 'unknown' };
      continue;
    }
    const { vehicle_id } = vehicle;
    contacts.set(vehicle_id, Math.max(contacts.get(vehicle_id) ?? -Infinity, arrival.received_ms));
    const place = placeOf(arrival.report);
    const row = positionRow(arrival, place, vehicle, parts.fleet);
    const refusal = refusalOf(row, arrival, parts.settings.future_s);
    if (refusal === null) rows.push({ at, vehicle, row, hasPlace: place !== null });
    else {
      refused.push(refusedRow(arrival, refusal));
      outcomes[at] = { status: 'refused', ...refusal };
    }
  }

  // Only what is not newer than everything stored of its vehicle can be stored already.
  const maybeKnown = rows.filter(
    ({ row }) => row.time_ms <= (parts.fleet.state(row.vehicle_id).last_stored_ms ?? -Infinity),
  );
  const stored = maybeKnown.length === 0 ? [] : await parts.positionsAt(maybeKnown.map(({ row }) => row));
  const known = new Map(stored.map((row) => [keyOf(row), row]));
  const admitted = new Map<string, Admitted>();
  for (const { at, vehicle, row, hasPlace } of rows) {
    const key = keyOf(row);
    const pending = admitted.get(key);
    const before = pending?.row ?? known.get(key);
    if (before === undefined) {
      const { received_ms, alarms: newAlarms } = row;
      admitted.set(key, { vehicle, row, received_ms, outcome: 'stored', newAlarms });
      outcomes[at] = { status: 'stored' };
      continue;
    }
    // Where the vehicle was last may have changed since: a repeat must not look like news for that.
    const merged = mergePositions(before, hasPlace ? row : { ...row, lat: before.lat, lon: before.lon });
    if (merged === null) {
      outcomes[at] = { status: 'duplicate' };
      continue;
    }
    const newAlarms = row.alarms.filter((alarm) => !before.alarms.includes(alarm));
    admitted.set(key, {
      vehicle,
      row: merged,
      received_ms: Math.max(pending?.received_ms ?? row.received_ms, row.received_ms),
      outcome: pending?.outcome ?? 'merged',
      newAlarms: [...(pending?.newAlarms ?? []), ...newAlarms],
    });
    outcomes[at] = { status: 'merged' };
  }
  const inOrder = [...admitted.values()].sort(
    (a, b) => compare(a.row.vehicle_id, b.row.vehicle_id) || a.row.time_ms - b.row.time_ms,
  );
  return { outcomes, admitted: inOrder, refused, unknown, contacts };
}

function keyOf(row: PositionRow): string {
  return `${row.vehicle_id} ${row.time_ms}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Null for a message without a place, and for one at 0,0, which is what a receiver without a fix says. */
function placeOf({ place }: Report): Report['place'] {
  return place === null || (place.lat === 0 && place.lon === 0) ? null : place;
}

/** What has no place is kept as status where the vehicle was last. */
function positionRow(
  { report, received_ms }: Arrival,
  place: Report['place'],
  vehicle: VehicleRecord,
  fleet: LiveFleet,
): PositionRow {
  const { terminal_id: _, place: __, unreadable: ___, time_ms, ...measured } = report;
  const { newest } = fleet.state(vehicle.vehicle_id);
  return {
    ...measured,
    vehicle_id: vehicle.vehicle_id,
    time_ms: Math.round(time_ms === null ? received_ms : time_ms - vehicle.clock_offset_s * 1_000),
    received_ms,
    lat: place?.lat ?? newest?.lat ?? 0,
    lon: place?.lon ?? newest?.lon ?? 0,
    valid: measured.valid && place !== null,
    speed_kmh: measured.speed_kmh !== null && measured.speed_kmh > fastestKmh ? null : measured.speed_kmh,
    alarms: [...new Set(measured.alarms)].sort(),
  };
}

type Refusal = { code: 'in_the_future' | 'impossible_coordinate' | 'unreadable'; detail: string };

function refusalOf(row: PositionRow, { report, received_ms }: Arrival, future_s: number): Refusal | null {
  if (report.unreadable !== undefined)
    return { code: 'unreadable', detail: `It cannot be read: ${report.unreadable}.` };
  if (!(Math.abs(row.lat) <= 90) || !(Math.abs(row.lon) <= 180)) {
    return { code: 'impossible_coordinate', detail: `lat ${row.lat}, lon ${row.lon} is no place on earth.` };
  }
  if (row.time_ms - received_ms > future_s * 1_000) {
    const ahead_s = Math.round((row.time_ms - received_ms) / 1_000);
    return {
      code: 'in_the_future',
      detail: `Its time is ${ahead_s} s in the future, ${future_s} s are allowed.`,
    };
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
    raw: JSON.stringify(report).slice(0, longestRaw),
  };
}
