import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import { dueDwells, dwellEvent, withDwells, type DueDwell } from './dwells.ts';
import { dueSilences, endSilences, isHeardAgain, reportSilence, type DueSilence } from './silences.ts';
import { type EventUpdate, type EngineContext, appliesTo, isNewTo } from './engineContext.ts';
import type { Evaluated, VehicleState } from './vehicleState.ts';

/**
 * What the mere passing of time makes happen to a vehicle by `now_ms` (Unix ms): it goes off line, is silent inside a
 * geofence, or stays in one for long. Each event has the moment at which it was due, however late this is called. Pure
 * but for `newId`. The same state object and no news when nothing is due.
 */
export function runVehicleTimers(
  before: VehicleState,
  vehicle: VehicleRecord,
  now_ms: number,
  around: EngineContext,
): Evaluated {
  const ended = endSilences(before, before.newest, vehicle, around.newId);
  const updates: EventUpdate[] = [...ended.updates];
  let { state } = ended;
  const due = duesOf(state, vehicle, around)
    .filter(({ at_ms }) => at_ms <= now_ms)
    .sort((a, b) => a.at_ms - b.at_ms);
  for (const one of due) {
    if ('geofence' in one) {
      const fix = state.evaluated;
      const event = dwellEvent(one, vehicle.vehicle_id, fix, one.at_ms, around.newId());
      updates.push({ isNew: true, event });
      state = { ...state, dwells: withDwells(state.dwells, [one], () => false) };
      continue;
    }
    const reported = reportSilence(state, vehicle, one, around.newId());
    updates.push({ isNew: true, event: reported.event });
    ({ state } = reported);
  }
  return { state, updates };
}

/**
 * When `runVehicleTimers` has something to report next, Unix ms, which may have passed; null when only a message, or a
 * change of the surroundings, can bring anything.
 */
export function nextDeadline(
  state: VehicleState,
  vehicle: VehicleRecord,
  around: EngineContext,
): number | null {
  if (isHeardAgain(state)) return state.last_contact_ms;
  let next: number | null = null;
  for (const { at_ms } of duesOf(state, vehicle, around)) if (next === null || at_ms < next) next = at_ms;
  return next;
}

function duesOf(
  state: VehicleState,
  vehicle: VehicleRecord,
  around: EngineContext,
): (DueSilence | DueDwell)[] {
  return [...dueSilences(state, vehicle, around), ...presentDwells(state, vehicle, around)];
}

function presentDwells(state: VehicleState, vehicle: VehicleRecord, around: EngineContext): DueDwell[] {
  const found: DueDwell[] = [];
  const evaluated_ms = state.evaluated?.received_ms ?? Number.NEGATIVE_INFINITY;
  for (const [geozoneId, { inside, since_ms, turning }] of Object.entries(state.sides)) {
    if (!inside) continue;
    const geofence = around.geofences.get(geozoneId);
    if (geofence === undefined || !appliesTo(geofence, vehicle) || isNewTo(geofence, vehicle, evaluated_ms))
      continue;
    // A vehicle that may be leaving is inside for certain only until it was first seen outside.
    const until_ms = turning?.time_ms ?? Number.POSITIVE_INFINITY;
    found.push(...dueDwells({ geofence, since_ms, until_ms }, state.dwells, vehicle, around));
  }
  return found;
}
