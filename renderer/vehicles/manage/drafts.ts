import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import type { AppContext } from '../../appContext/appContext.ts';
import type { VehicleForm } from './vehicleForm.ts';

/** A form that was not saved, with the vehicle that it began from. */
export interface Draft {
  base: Vehicle;
  form: VehicleForm;
}

export type DraftStore = StoreApi<{ byVehicle: ReadonlyMap<string, Draft> }>;

const stores = new WeakMap<AppContext, DraftStore>();

/** What was typed and not saved stays for the session: another vehicle can be looked at meanwhile. */
export function draftsOf(app: AppContext): DraftStore {
  const known = stores.get(app);
  if (known !== undefined) return known;
  const made: DraftStore = createStore<{ byVehicle: ReadonlyMap<string, Draft> }>(() => ({
    byVehicle: new Map(),
  }));
  stores.set(app, made);
  return made;
}

export function keepDraft(app: AppContext, vehicleId: string, draft: Draft | null): void {
  draftsOf(app).setState(({ byVehicle }) => {
    const next = new Map(byVehicle);
    if (draft === null) next.delete(vehicleId);
    else next.set(vehicleId, draft);
    return { byVehicle: next };
  });
}
