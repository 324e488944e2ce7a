import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import type { Desk } from '../../desk/desk.ts';
import type { VehicleForm } from './vehicleForm.ts';

/** A form that was not saved, with the vehicle that it began from. */
export interface Draft {
  base: Vehicle;
  form: VehicleForm;
}

export type DraftStore = StoreApi<{ byVehicle: ReadonlyMap<string, Draft> }>;

const stores = new WeakMap<Desk, DraftStore>();

/** What was typed and not saved stays for the session: another vehicle can be looked at meanwhile. */
export function draftsOf(desk: Desk): DraftStore {
  const known = stores.get(desk);
  if (known !== undefined) return known;
  const made: DraftStore = createStore<{ byVehicle: ReadonlyMap<string, Draft> }>(() => ({
    byVehicle: new Map(),
  }));
  stores.set(desk, made);
  return made;
}

export function keepDraft(desk: Desk, vehicleId: string, draft: Draft | null): void {
  draftsOf(desk).setState(({ byVehicle }) => {
    const next = new Map(byVehicle);
    if (draft === null) next.delete(vehicleId);
    else next.set(vehicleId, draft);
    return { byVehicle: next };
  });
}
