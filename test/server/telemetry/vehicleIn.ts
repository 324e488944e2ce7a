import { expect } from 'vitest';
import type { Geofence } from '../../../server/contract/geofences.ts';
import type { Rule } from '../../../server/contract/rules.ts';
import type { SettingsFields } from '../../../server/contract/settings.ts';
import type { FenceIndex } from '../../../server/geofences/fenceIndex.ts';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { elapse, nextMoment } from '../../../server/telemetry/elapse.ts';
import { evaluate, type Evaluated, type Surroundings } from '../../../server/telemetry/evaluate.ts';
import { noState, readState, writeState, type VehicleState } from '../../../server/telemetry/vehicleState.ts';
import type { VehicleRecord } from '../../../server/vehicles/vehicleRecord.ts';
import { indexOf } from '../geofences/fences.ts';
import { positionRow, settings, vehicleRecord } from './positions.ts';

export interface World {
  vehicle: VehicleRecord;
  fences: Geofence[];
  known_from_ms: number;
  rules: Rule[];
  settings: SettingsFields;
  started_ms: number;
}

/** One vehicle that reports: what happens with each position or as time passes, and the state after it. */
export function vehicleIn(more: Partial<World> = {}) {
  const world: World = {
    vehicle: vehicleRecord({ vehicle_id: 'v1' }),
    fences: [],
    known_from_ms: -1,
    rules: [],
    settings,
    started_ms: 0,
    ...more,
  };
  let state: VehicleState = noState;
  let ids = 0;
  let index: { of: readonly Geofence[]; from_ms: number; fences: FenceIndex } | null = null;
  const fencesNow = () => {
    if (index?.of !== world.fences || index.from_ms !== world.known_from_ms) {
      const fences = indexOf(world.fences, world.known_from_ms);
      index = { of: world.fences, from_ms: world.known_from_ms, fences };
    }
    return index.fences;
  };
  const around = (): Surroundings => ({
    fences: fencesNow(),
    measuredRules: world.rules,
    settings: world.settings,
    newId: () => `e${++ids}`,
    started_ms: world.started_ms,
  });
  const take = (step: Evaluated) => {
    if (step.state === state) return step.news;
    // Whatever is remembered must come through the store as it is.
    state = readState(writeState(step.state)) ?? expect.fail();
    expect(state).toEqual(step.state);
    return step.news;
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
    pass: (now_s: number) => take(elapse(state, world.vehicle, now_s * 1_000, around())),
    /** Seconds. */
    next: () => {
      const next_ms = nextMoment(state, world.vehicle, around());
      return next_ms === null ? null : next_ms / 1_000;
    },
    state: () => state,
    /** Goes on from another moment of its life. */
    become: (other: VehicleState) => {
      state = other;
    },
  };
}
