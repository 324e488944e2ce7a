import type { Vehicle } from '../../../server/contract/vehicles.ts';
import type { AppContext } from '../../appContext/appContext.ts';
import { formatAge } from '../../format/age.ts';
import type { Translate } from '../../i18n/text.ts';
import { rebaseForm } from '../../resources/rebaseForm.ts';
import { formOf, isChanged, vehicleDrafts } from './vehicleForm.ts';

/** How far a clock is ahead, in its two largest units: 8 h, 5 h 30 min, −3 h, 0 s. */
export function offsetText(s: number): string {
  return `${s < 0 ? '−' : ''}${formatAge(Math.abs(s) * 1_000)}`;
}

/** What a terminal's stamps say of its clock. */
export function clockWords(suggestion_s: number, t: Translate): string {
  if (suggestion_s === 0) return t('intake.clock.right');
  return t(suggestion_s > 0 ? 'intake.clock.ahead' : 'intake.clock.behind', {
    age: offsetText(Math.abs(suggestion_s)),
  });
}

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
  const drafts = vehicleDrafts(app);
  const draft = drafts.get(id);
  // A form that was behind already goes on to show what others changed.
  if (draft?.base?.version === vehicle.version) {
    const typed = rebaseForm(draft.form, formOf(draft.base), formOf(saved));
    const form = { ...typed, clock_offset_s: String(saved.clock_offset_s) };
    drafts.keep(id, isChanged(form, saved) ? { base: saved, form } : null);
  }
  app.vehicles.put([saved]);
}
