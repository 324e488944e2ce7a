import type { VehicleStateRow } from '../store/telemetry/rows.ts';
import { initialVehicleState, readState, writeState, type VehicleState } from './vehicleState.ts';

/** The state of every vehicle as the last commit left it. */
export interface LiveFleet {
  state(vehicleId: string): VehicleState;
  /** Another number after each change of any state. */
  version(): number;
  /** Takes over what a commit has stored. */
  apply(states: ReadonlyMap<string, VehicleState>): void;
  forget(vehicleId: string): void;
  /** Takes over what the store holds in the place of all that is remembered. */
  reload(rows: readonly VehicleStateRow[]): void;
}

export function loadLiveFleet(stored: readonly VehicleStateRow[]): LiveFleet {
  const states = new Map<string, VehicleState>();
  let version = 0;

  function reload(rows: readonly VehicleStateRow[]): void {
    version += 1;
    states.clear();
    for (const row of rows) {
      const state = readState(row.state);
      if (state !== null) states.set(row.vehicle_id, state);
    }
  }

  reload(stored);
  return {
    state: (vehicleId) => states.get(vehicleId) ?? initialVehicleState,
    version: () => version,
    apply(changed) {
      version += 1;
      for (const [vehicleId, state] of changed) states.set(vehicleId, state);
    },
    reload,
    forget(vehicleId) {
      version += 1;
      states.delete(vehicleId);
    },
  };
}

/** @param texts what `writeState` has made of some of them already */
export function stateRows(
  states: ReadonlyMap<string, VehicleState>,
  texts: ReadonlyMap<VehicleState, string> = new Map(),
): VehicleStateRow[] {
  return Array.from(states, ([vehicle_id, state]) => ({
    vehicle_id,
    state: texts.get(state) ?? writeState(state),
  }));
}
