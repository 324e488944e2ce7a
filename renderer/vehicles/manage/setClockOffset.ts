import type { Vehicle } from '../../../server/contract/vehicles.ts';
import type { Desk } from '../../desk/desk.ts';
import { typedSince } from '../../ui/typedSince.ts';
import { draftsOf, keepDraft } from './drafts.ts';
import { formOf, isChanged } from './vehicleForm.ts';

/**
 * Sets how far the clock of a vehicle's terminal is ahead, and leaves what else was typed in its form. Throws as
 * `vehicleActions.change` does.
 */
export async function setClockOffset(desk: Desk, vehicle: Vehicle, clock_offset_s: number): Promise<void> {
  const saved = await desk.vehicleActions.change(vehicle, { clock_offset_s });
  const id = vehicle.vehicle_id;
  const draft = draftsOf(desk).getState().byVehicle.get(id);
  // A form that was behind already goes on to show what others changed.
  if (draft?.base.version === vehicle.version) {
    const typed = typedSince(draft.form, formOf(draft.base), formOf(saved));
    const form = { ...typed, clock_offset_s: String(saved.clock_offset_s) };
    keepDraft(desk, id, isChanged(form, saved) ? { base: saved, form } : null);
  }
  desk.vehicles.put([saved]);
}
