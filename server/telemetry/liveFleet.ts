import type { VehicleStateRow } from '../store/telemetry/rows.ts';
import { initialVehicleState, readState, writeState, type VehicleState } from './vehicleState.ts';

/** The state of every vehicle as the last commit left it. */
export type LiveFleet = ReturnType<typeof loadLiveFleet>;

export function loadLiveFleet(stored: readonly VehicleStateRow[]) {
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
    state: (vehicleId: string): VehicleState => states.get(vehicleId) ?? initialVehicleState,
    /** Another number after each change of any state. */
    version: (): number => version,
    /** Takes over what a commit has stored. */
    apply(changed: ReadonlyMap<string, VehicleState>): void {
      version += 1;
      for (const [vehicleId, state] of changed) states.set(vehicleId, state);
    },
    /** Takes over what the store holds in the place of all that is remembered. */
    reload,
    forget(vehicleId: string): void {
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
