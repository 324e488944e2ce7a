import type { Vehicle } from '../../../server/contract/vehicles.ts';
import type { AppContext } from '../../appContext/appContext.ts';
import { rebaseForm } from '../../ui/typedSince.ts';
import { draftsOf, keepDraft } from './drafts.ts';
import { formOf, isChanged } from './vehicleForm.ts';

/**
 * Sets how far the clock of a vehicle's terminal is ahead, and leaves what else was typed in its form. Throws as
 * `vehicleActions.change` does.
 */
export async function setClockOffset(
  app: AppContext,
  vehicle: Vehicle,
  clock_offset_s: number,
): Promise<void> {
  const saved = await app.vehicleActions.change(vehicle, { clock_offset_s });
  const id = vehicle.vehicle_id;
  const draft = draftsOf(app).getState().byVehicle.get(id);
  // A form that was behind already goes on to show what others changed.
  if (draft?.base.version === vehicle.version) {
    const typed = rebaseForm(draft.form, formOf(draft.base), formOf(saved));
    const form = { ...typed, clock_offset_s: String(saved.clock_offset_s) };
    keepDraft(app, id, isChanged(form, saved) ? { base: saved, form } : null);
  }
  app.vehicles.put([saved]);
}
