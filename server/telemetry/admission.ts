import { withDriverCard } from './driverCard.ts';
import type { SettingsFields } from '../contract/settings.ts';
import type { PositionRow, RejectedPositionRow } from '../store/telemetry/rows.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import { VehicleTimeMap } from './vehicleTimeMap.ts';
import type { Outcome, Origin, TerminalReport } from './terminalReport.ts';
import type { LiveFleet } from './liveFleet.ts';
import { mergePositions } from './mergePositions.ts';
import { createAlarmsOfRefused, isOnEarth, type PlacedAlarms } from './rejectedAlarms.ts';
import { isLatest, maybeStored, type Contact, type VehicleState } from './vehicleState.ts';

/** One report on its way in. */
export interface IncomingReport {
  report: TerminalReport;
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
  /** The messages from the future, rejected as such, whose alarms are among them; `isAll`: nothing else came. */
  early?: { messages: readonly PlacedAlarms[]; isAll: boolean } | undefined;
}

interface Admission {
  /** In the order of the arrivals. */
  outcomes: Outcome[];
  /** By vehicle, in order of time. */
  admitted: Admitted[];
  rejected: RejectedPositionRow[];
  unknown: IncomingReport[];
  /** By vehicle. */
  contacts: ReadonlyMap<string, Contact>;
}

export interface AdmissionDeps {
  vehicleOf: (terminalId: string) => VehicleRecord | undefined;
  fleet: Pick<LiveFleet, 'state'>;
  positionsAt: (keys: { vehicle_id: string; time_ms: number }[]) => Promise<PositionRow[]>;
  settings: Pick<SettingsFields, 'max_future_s'>;
}

/** Speeds beyond this are a broken sensor's, not a vehicle's. */
const fastestKmh = 1_000;

/** Whom reports are of. They come in packets: it is looked up once for all of one. */
interface Sender {
  terminal_id: string;
  vehicle: VehicleRecord;
  state: VehicleState;
  heard: Heard;
}

/** What is to be stored of an arrival, beside what there is at its vehicle and time. */
interface Candidate {
  at: number;
  sender: Sender;
  row: PositionRow;
  hasPlace: boolean;
  early?: PlacedAlarms | undefined;
}

/**
 * Decides for each report whether it is unknown, rejected for good, a repeat, or new. A vehicle and time that is stored
 * already, or that comes twice in one batch, is one position; what the reports say of it is merged. Of one that is
 * rejected the alarms are stored, without a place: nobody would hear of an emergency in the log of what was rejected.
 */
export async function admit(arrivals: readonly IncomingReport[], deps: AdmissionDeps): Promise<Admission> {
  const outcomes: Outcome[] = [];
  const rejected: RejectedPositionRow[] = [];
  const unknown: IncomingReport[] = [];
  const contacts = new Map<string, Heard>();
  const rows: Candidate[] = [];
  const alarmsOfRefused = createAlarmsOfRefused((id) => deps.fleet.state(id).early);
  let known = null as Sender | null;
  for (const arrival of arrivals) {
    const at = outcomes.length;
    const { terminal_id } = arrival.report;
    const sender = known?.terminal_id === terminal_id ? known : senderNamed(terminal_id, contacts, deps);
    if (sender === null) {
      unknown.push(arrival);
      outcomes.push(unknownOutcome);
      continue;
    }
    known = sender;
    const { state, heard } = sender;
    heard.received_ms = Math.max(heard.received_ms, arrival.received_ms);
    if (arrival.report.isSignOfLife === true) {
      outcomes.push(duplicate);
      continue;
    }
    const place = placeOf(arrival.report);
    const row = positionRow(arrival, place, sender);
    const isNewest = isLatest(state, row.time_ms);
    const refusal = refusalOf(row, arrival, deps.settings.max_future_s);
    if (refusal === null) {
      outcomes.push(stored);
      rows.push({ at, sender, row, hasPlace: place !== null, early: undefined });
      if (isNewest) heard.alarms = undefined;
      continue;
    }
    rejected.push(rejectedRow(arrival, refusal));
    outcomes.push({ status: 'rejected', ...refusal });
    const isFromTheFuture = ahead_ms(row, arrival) > deps.settings.max_future_s * 1_000;
    const alarms = alarmsOfRefused.of(arrival.report, row, isFromTheFuture);
    if (alarms === null) {
      // A message whose alarms were all reported is a repeat, and does not describe the present.
      const isClear = row.alarms.length === 0 && refusal.code !== 'undecodable';
      if (isClear && isNewest) heard.alarms = row.alarms;
      continue;
    }
    const { report, early } = alarms;
    const alone = positionRow({ ...arrival, report }, null, sender);
    rows.push({ at, sender, row: alone, hasPlace: false, early });
    if (early !== undefined) {
      heard.early.push(early);
      heard.alarms = row.alarms;
    } else if (isNewest) heard.alarms = undefined;
  }
  const admitted = await joinRows(rows, outcomes, deps);
  return { outcomes, admitted: inOrder(admitted), rejected, unknown, contacts };
}

const stored: Outcome = { status: 'stored' };
const merged: Outcome = { status: 'merged' };
const duplicate: Outcome = { status: 'duplicate' };
const unknownOutcome: Outcome = { status: 'unknown' };

/** Null: no vehicle has this terminal. */
function senderNamed(
  terminal_id: string,
  contacts: Map<string, Heard>,
  { vehicleOf, fleet }: Pick<AdmissionDeps, 'vehicleOf' | 'fleet'>,
): Sender | null {
  const vehicle = vehicleOf(terminal_id);
  if (vehicle === undefined) return null;
  const { vehicle_id } = vehicle;
  let heard = contacts.get(vehicle_id);
  if (heard === undefined) {
    heard = { received_ms: Number.NEGATIVE_INFINITY, early: [] };
    contacts.set(vehicle_id, heard);
  }
  return { terminal_id, vehicle, state: fleet.state(vehicle_id), heard };
}

/** As they come by vehicle, each vehicle's most often in order already. */
function inOrder(admitted: VehicleTimeMap<Admitted>): Admitted[] {
  return admitted.byVehicle().flatMap((some) => (isInOrder(some) ? some : some.sort(byTime)));
}

function isInOrder(some: readonly Admitted[]): boolean {
  let last_ms = Number.NEGATIVE_INFINITY;
  for (const { row } of some) {
    if (row.time_ms < last_ms) return false;
    last_ms = row.time_ms;
  }
  return true;
}

function byTime(a: Admitted, b: Admitted): number {
  return a.row.time_ms - b.row.time_ms;
}

/** A contact while its batch is looked through. */
interface Heard extends Contact {
  early: PlacedAlarms[];
}

/** Joins each row with what there is at its vehicle and time, and notes those that are not new. */
async function joinRows(
  rows: readonly Candidate[],
  outcomes: Outcome[],
  { positionsAt }: Pick<AdmissionDeps, 'positionsAt'>,
): Promise<VehicleTimeMap<Admitted>> {
  const maybeKnown = rows.flatMap(({ sender, row }) => (maybeStored(sender.state, row.time_ms) ? [row] : []));
  const known = new VehicleTimeMap<PositionRow>();
  if (maybeKnown.length > 0)
    for (const row of await positionsAt(maybeKnown)) known.set(row.vehicle_id, row.time_ms, row);
  const admitted = new VehicleTimeMap<Admitted>();
  for (const { at, sender, row, hasPlace, early: added } of rows) {
    const { vehicle_id, time_ms } = row;
    const { vehicle } = sender;
    const pending = admitted.get(vehicle_id, time_ms);
    const before = pending?.row ?? known.get(vehicle_id, time_ms);
    const early = earlyWith(pending, added);
    if (before === undefined) {
      const { received_ms, alarms: newAlarms } = row;
      admitted.set(vehicle_id, time_ms, { vehicle, row, received_ms, outcome: 'stored', newAlarms, early });
      continue;
    }
    // Where the vehicle was last may have changed since: a repeat must not look like news for that.
    const whole = mergePositions(before, hasPlace ? row : { ...row, lat: before.lat, lon: before.lon });
    // What was rejected stays so, whatever becomes of its alarms.
    if (outcomes[at] === stored) outcomes[at] = whole === null ? duplicate : merged;
    if (whole === null) {
      if (pending !== undefined) pending.early = early;
      continue;
    }
    const newAlarms = row.alarms.filter((alarm) => !before.alarms.includes(alarm));
    admitted.set(vehicle_id, time_ms, {
      vehicle,
      row: whole,
      received_ms: Math.max(pending?.received_ms ?? row.received_ms, row.received_ms),
      outcome: pending?.outcome ?? 'merged',
      newAlarms: [...(pending?.newAlarms ?? []), ...newAlarms],
      early,
    });
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

/** Null for a message without a place, and for one at 0,0 or nowhere on earth, as receivers without a fix say. */
function placeOf({ place, valid }: TerminalReport): TerminalReport['place'] {
  if (place === null || (place.lat === 0 && place.lon === 0)) return null;
  return valid || isOnEarth(place) ? place : null;
}

/** What has no place is kept as status where the vehicle was last. */
function positionRow(
  { report, received_ms }: IncomingReport,
  place: TerminalReport['place'],
  { vehicle, state: { newest } }: Pick<Sender, 'vehicle' | 'state'>,
): PositionRow {
  const { time_ms, speed_kmh, alarms } = report;
  const offset_ms = report.isTimeRight === true ? 0 : vehicle.clock_offset_s * 1_000;
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
    attributes: withDriverCard(report.attributes),
  };
}

type Refusal = { code: 'time_in_future' | 'invalid_coordinates' | 'undecodable'; detail: string };

/** How far its time is after its receipt. */
function ahead_ms({ time_ms }: PositionRow, { received_ms }: IncomingReport): number {
  return time_ms - received_ms;
}

function refusalOf(row: PositionRow, arrival: IncomingReport, max_future_s: number): Refusal | null {
  const { undecodable } = arrival.report;
  if (undecodable !== undefined) return { code: 'undecodable', detail: `It cannot be read: ${undecodable}.` };
  const ahead = ahead_ms(row, arrival);
  if (ahead > max_future_s * 1_000) {
    return {
      code: 'time_in_future',
      detail: `Its time is ${Math.round(ahead / 1_000)} s in the future, ${max_future_s} s are allowed.`,
    };
  }
  if (!isOnEarth(row)) {
    return {
      code: 'invalid_coordinates',
      detail: `lat ${row.lat}, lon ${row.lon} is not a valid position.`,
    };
  }
  return null;
}

const maxRaw = 4_000;

function rejectedRow(
  { report, origin, received_ms }: IncomingReport,
  { code, detail }: Refusal,
): RejectedPositionRow {
  return {
    terminal_id: report.terminal_id,
    received_ms,
    code,
    detail,
    protocol: origin.protocol,
    raw: JSON.stringify({ ...report, isTimeRight: undefined }).slice(0, maxRaw),
  };
}
