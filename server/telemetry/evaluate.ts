import * as fixEvents from './fixEvents.ts';
import { advanceGeofences, type GeofenceSteps } from '../geofences/geofenceEngine.ts';
import type { EventRow, PositionRow } from '../store/telemetry/rows.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import type { Admitted } from './admission.ts';
import { dueDwells, dwellEvent, withDwells, type DueDwell, type Stay } from './dwells.ts';
import { advanceHarsh, isSameManoeuvre, type Harsh, type HarshKind } from './harshEngine.ts';
import { advanceIdle, endIdle, type IdleMeasure } from './idleEngine.ts';
import { advanceOverspeed } from './overspeedEngine.ts';
import { advanceSignals } from './signals.ts';
import { withGap } from './overdue.ts';
import { endSilences } from './silences.ts';
import { overspeedEvent, speedLimits } from './speedLimits.ts';
import {
  baseKey,
  inServiceFrom,
  ruleEffectiveFrom,
  type EngineContext,
  isEmpty,
  appliesTo,
  isNewTo,
} from './engineContext.ts';
import { advanceTrip } from './tripDetector.ts';
import { isLatest, type Evaluated, type VehicleState, idleSince, speedAfter } from './vehicleState.ts';

export type { EngineContext as Surroundings } from './engineContext.ts';
export type { Evaluated } from './vehicleState.ts';

/**
 * Takes one admitted position into a vehicle's state and returns what happened. Pure but for `newId`. Late positions
 * and those out of order move no engine, but their alarms count all the same; those without a fix move ignition,
 * battery and the last contact alone.
 */
export function evaluate(before: VehicleState, admitted: Admitted, around: EngineContext): Evaluated {
  const { row, vehicle, received_ms } = admitted;
  const { settings, newId } = around;
  // A merged row keeps when it first came; what is new in it came now.
  const arrived = row.received_ms === received_ms ? row : { ...row, received_ms };
  const isLate = received_ms - row.time_ms > settings.late_after_s * 1_000;
  const isLive = !isLate && row.time_ms >= (before.signals.time_ms ?? row.time_ms);
  const isNext = before.evaluated === null || row.time_ms > before.evaluated.time_ms;
  const heard = noted(before, admitted, around);
  const { state, updates } = endSilences(heard, before.newest, vehicle, newId);
  const emit = (event: EventRow, isNew = true) => updates.push({ event, isNew });

  const moves = row.valid && isNext && !isLate;
  const harsh = moves
    ? advanceHarsh(before.manoeuvres, before.evaluated, row, settings)
    : { after: before.manoeuvres, found: [] };
  state.manoeuvres = harsh.after;
  const alarms = tellingAlarms(before, admitted.newAlarms, isLate);
  for (const alarm of alarms) {
    if (isSaidOtherwise(alarm, state, arrived, harsh.found, { isLive, isLate })) continue;
    emit(fixEvents.alarmEvent(placedAlarm(arrived, alarm, admitted), alarm, isLate, newId()));
  }
  if (isLive) signalStep(before, state, arrived, alarms, around, emit);
  // A fix that comes next may be some seconds older than the receipt of these alarms, and is live all the same.
  if (admitted.early?.isAll === true) state.signals = { ...state.signals, time_ms: before.signals.time_ms };
  if (!moves) return { state, updates };

  for (const one of harsh.found) {
    const alarm = alarms.includes(one.kind) ? one.kind : null;
    emit(fixEvents.harshEvent(before.evaluated ?? row, row, one, alarm, newId()));
  }
  state.evaluated = row;
  geofenceStep(before, state, row, vehicle, around, emit);
  speedStep(before, state, row, vehicle, around, emit);
  idleStep(before, state, row, vehicle, around, emit);
  const trip = advanceTrip(before.trip, row, settings);
  state.trip = trip.state;
  for (const change of trip.changes) emit(fixEvents.tripEvent(change, row, settings, newId()));
  return { state, updates };
}

type Emit = (event: EventRow, isNew?: boolean) => void;

/** Writes to `state` what a fix changes, and emits the events of it. */
type Step = (
  before: VehicleState,
  state: VehicleState,
  row: PositionRow,
  vehicle: VehicleRecord,
  around: EngineContext,
  emit: Emit,
) => void;

/** A new state, which the steps may write to, with all that holds for late messages as well. */
function noted(
  before: VehicleState,
  { row, received_ms, early }: Admitted,
  { settings, started_ms }: Pick<EngineContext, 'settings' | 'started_ms'>,
): VehicleState {
  const isNewest = row.valid && (before.newest === null || row.time_ms >= before.newest.time_ms);
  const state = { ...before };
  if (isNewest) state.newest = row;
  state.last_contact_ms = Math.max(before.last_contact_ms ?? received_ms, received_ms);
  state.gaps = withGap(before, received_ms, started_ms);
  if (early?.isAll === true) {
    state.alarms = row.alarms;
    return state;
  }
  if (!isLatest(before, row.time_ms)) return state;
  state.last_stored_ms = row.time_ms;
  state.idle_since_ms = idleSince(before, row, settings.idle_speed_kmh);
  state.alarms = row.alarms;
  state.ignition = row.ignition ?? before.ignition;
  state.speed_kmh = speedAfter(before, row);
  state.battery_pct = row.battery_pct ?? before.battery_pct;
  return state;
}

/** The emergency button is reported each time; any other alarm only if the message before did not carry it. */
function tellingAlarms(
  before: VehicleState,
  newAlarms: readonly string[],
  isLate: boolean,
): readonly string[] {
  if (newAlarms.length === 0 || isLate) return newAlarms;
  return newAlarms.filter((alarm) => alarm === 'sos' || !before.alarms.includes(alarm));
}

/** Whether a measured event already reports an alarm of the terminal. Notes the manoeuvres that it reports. */
function isSaidOtherwise(
  alarm: string,
  state: VehicleState,
  row: PositionRow,
  found: readonly Harsh[],
  { isLive, isLate }: { isLive: boolean; isLate: boolean },
): boolean {
  const kind = fixEvents.kindOfAlarm(alarm);
  if (kind === 'low_battery') return isLive;
  if (isLate || !isHarsh(kind)) return false;
  if (found.some((one) => one.kind === kind)) return true;
  const known = state.manoeuvres[kind];
  if (known?.isMeasured === true && isSameManoeuvre(known, row.time_ms)) return true;
  if (isLive) state.manoeuvres = { ...state.manoeuvres, [kind]: { last_ms: row.time_ms, isMeasured: false } };
  return false;
}

/** A message from the future shows where help is needed, although it does not move the vehicle. */
function placedAlarm(row: PositionRow, alarm: string, { early }: Admitted): PositionRow {
  const place = early?.messages.findLast((it) => it.alarms.includes(alarm))?.place ?? null;
  return row.valid || place === null ? row : { ...row, ...place, valid: true };
}

function isHarsh(kind: ReturnType<typeof fixEvents.kindOfAlarm>): kind is HarshKind {
  return kind === 'harsh_acceleration' || kind === 'harsh_braking' || kind === 'harsh_cornering';
}

function signalStep(
  before: VehicleState,
  state: VehicleState,
  row: PositionRow,
  alarms: readonly string[],
  { settings, newId }: EngineContext,
  emit: Emit,
): void {
  const saysLow = alarms.includes('low_battery');
  const { after, switched, low } = advanceSignals({
    before: before.signals,
    row,
    known_pct: before.battery_pct,
    saysLow,
    numbers: settings,
  });
  state.signals = after;
  if (switched !== null) emit(fixEvents.switchEvent(row, switched, newId()));
  if (low !== null) emit(fixEvents.lowBatteryEvent(row, low, saysLow ? 'low_battery' : null, newId()));
  if (row.valid || row.ignition !== false || before.idling === null) return;
  state.idling = null;
  for (const it of endIdle(before.idling, Math.max(row.time_ms, before.idling.last_ms)))
    emit(fixEvents.idleEvent(it, row.vehicle_id), false);
}

const geofenceStep: Step = (before, state, row, vehicle, around, emit) => {
  const evaluated_ms = before.evaluated?.received_ms ?? Number.NEGATIVE_INFINITY;
  const steps = advanceGeofences({
    index: around.geofences,
    before: before.sides,
    previous: before.evaluated,
    fix: row,
    appliesTo: (geofence) => appliesTo(geofence, vehicle),
    isFirstLook: (geofence) => isNewTo(geofence, vehicle, evaluated_ms),
    crossing_max_gap_s: around.settings.crossing_max_gap_s,
  });
  state.sides = steps.after;
  const { after } = steps;
  if (isEmpty(after) && steps.visits.length === 0 && isEmpty(before.dwells)) return;
  const dwells = dwellsPassed(before, steps, row, vehicle, around);
  if (dwells.length > 0 || !isEmpty(before.dwells)) {
    const isOver = (id: string, since_ms: number) =>
      after[id]?.inside !== true || after[id].since_ms !== since_ms;
    state.dwells = withDwells(before.dwells, dwells, isOver);
  }
  if (dwells.length === 0 && steps.crossings.length === 0) return;
  const events = [
    ...dwells.map((it) => dwellEvent(it, row.vehicle_id, row, row.received_ms, around.newId())),
    ...steps.crossings.map((it) => fixEvents.crossingEvent(it, row, around.newId())),
  ];
  // A dwell comes before the exit of the same moment.
  for (const event of events.sort((a, b) => a.time_ms - b.time_ms)) emit(event);
};

/** The stays that became long by this fix, those that ended with it too. */
function dwellsPassed(
  { dwells }: VehicleState,
  { after, visits }: GeofenceSteps,
  row: PositionRow,
  vehicle: VehicleRecord,
  around: EngineContext,
): DueDwell[] {
  const found: DueDwell[] = [];
  const look = (geozoneId: string, stay: Omit<Stay, 'geofence'>) => {
    const geofence = around.geofences.get(geozoneId);
    if (geofence !== undefined) found.push(...dueDwells({ ...stay, geofence }, dwells, vehicle, around));
  };
  for (const { geozone_id, since_ms, until_ms } of visits) look(geozone_id, { since_ms, until_ms });
  for (const id in after) {
    const side = after[id];
    if (side?.inside === true)
      look(id, { since_ms: side.since_ms, until_ms: side.turning?.time_ms ?? row.time_ms });
  }
  return found;
}

const speedStep: Step = (before, state, row, vehicle, around, emit) => {
  const { after, updates } = advanceOverspeed({
    limits: speedLimits(vehicle, state.sides, row.time_ms, around),
    before: before.episodes,
    previous: before.evaluated,
    fix: row,
    quiet_s: around.settings.overspeed_clear_s,
    gap_s: around.settings.overspeed_gap_s,
    newId: around.newId,
  });
  state.episodes = after;
  for (const it of updates) emit(overspeedEvent(it, row), it.change === 'began');
};

const idleStep: Step = (before, state, row, vehicle, around, emit) => {
  const { ignition } = state.signals;
  if (before.idling === null && ignition !== true) return;
  const { after, updates } = advanceIdle({
    before: before.idling,
    previous: before.evaluated,
    fix: row,
    ignition,
    idle_speed_kmh: around.settings.idle_speed_kmh,
    gap_s: around.settings.trip_gap_s,
    measures: () => idleMeasures(vehicle, around),
    newId: around.newId,
  });
  state.idling = after;
  for (const it of updates) emit(fixEvents.idleEvent(it, row.vehicle_id), !it.isOver);
};

function idleMeasures(vehicle: VehicleRecord, { measuredRules, settings }: EngineContext): IdleMeasure[] {
  const measures: IdleMeasure[] = [
    {
      key: baseKey,
      rule_version: null,
      min_duration_s: settings.idle_s,
      from_ms: inServiceFrom(vehicle),
    },
  ];
  for (const rule of measuredRules) {
    if (rule.event_kind !== 'idling') continue;
    const { rule_id: key, version: rule_version, params } = rule;
    const min_duration_s = params.min_duration_s ?? settings.idle_s;
    measures.push({ key, rule_version, min_duration_s, from_ms: ruleEffectiveFrom(rule, vehicle) });
  }
  return measures;
}
