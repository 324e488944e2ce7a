import { expect } from 'vitest';
import type { Geofence } from '../../../server/contract/geofences.ts';
import type { Rule } from '../../../server/contract/rules.ts';
import type { SettingsFields } from '../../../server/contract/settings.ts';
import type { GeofenceIndex } from '../../../server/geofences/geofenceIndex.ts';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { runVehicleTimers, nextDeadline } from '../../../server/telemetry/vehicleTimers.ts';
import { evaluate, type Evaluated, type Surroundings } from '../../../server/telemetry/evaluate.ts';
import {
  initialVehicleState,
  readState,
  writeState,
  type VehicleState,
} from '../../../server/telemetry/vehicleState.ts';
import type { VehicleRecord } from '../../../server/vehicles/vehicleRecord.ts';
import { indexOf } from '../geofences/geofences.ts';
import { positionRow, settings, vehicleRecord } from './positions.ts';

export interface World {
  vehicle: VehicleRecord;
  geofences: Geofence[];
  known_from_ms: number;
  rules: Rule[];
  settings: SettingsFields;
  started_ms: number;
}

/** One vehicle that reports: what happens with each position or as time passes, and the state after it. */
export function vehicleIn(more: Partial<World> = {}) {
  const world: World = {
    vehicle: vehicleRecord({ vehicle_id: 'v1' }),
    geofences: [],
    known_from_ms: -1,
    rules: [],
    settings,
    started_ms: 0,
    ...more,
  };
  let state: VehicleState = initialVehicleState;
  let ids = 0;
  let index: { of: readonly Geofence[]; from_ms: number; geofences: GeofenceIndex } | null = null;
  const geofencesNow = () => {
    if (index?.of !== world.geofences || index.from_ms !== world.known_from_ms) {
      const geofences = indexOf(world.geofences, world.known_from_ms);
      index = { of: world.geofences, from_ms: world.known_from_ms, geofences };
    }
    return index.geofences;
  };
  const around = (): Surroundings => ({
    geofences: geofencesNow(),
    measuredRules: world.rules,
    settings: world.settings,
    newId: () => `e${++ids}`,
    started_ms: world.started_ms,
  });
  const take = (step: Evaluated) => {
    if (step.state === state) return step.updates;
    // Whatever is remembered must come through the store as it is.
    state = readState(writeState(step.state)) ?? expect.fail();
    expect(state).toEqual(step.state);
    return step.updates;
  };
  const seen = (row: PositionRow, newAlarms = row.alarms, received_ms = row.received_ms) =>
    take(
      evaluate(state, { vehicle: world.vehicle, row, received_ms, outcome: 'stored', newAlarms }, around()),
    );
  const at = (time_s: number, rest: Partial<PositionRow> = {}) =>
    seen(positionRow({ time_ms: time_s * 1_000, ...rest }));
  return {
    world,
    seen,
    at,
    kinds: (time_s: number, rest: Partial<PositionRow> = {}) =>
      at(time_s, rest).map(({ event }) => event.kind),
    /** What the passing of time until then brings. */
    pass: (now_s: number) => take(runVehicleTimers(state, world.vehicle, now_s * 1_000, around())),
    /** Seconds. */
    next: () => {
      const next_ms = nextDeadline(state, world.vehicle, around());
      return next_ms === null ? null : next_ms / 1_000;
    },
    state: () => state,
    /** Goes on from another moment of its life. */
    become: (other: VehicleState) => {
      state = other;
    },
  };
}
