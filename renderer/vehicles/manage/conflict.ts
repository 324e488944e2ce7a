import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { isSame } from '../../ui/typedSince.ts';
import { formOf, type VehicleForm } from './vehicleForm.ts';

export interface FieldDifference {
  field: keyof VehicleForm;
  /** What the field held when the form was opened. */
  before: VehicleForm;
  theirs: VehicleForm;
  yours: VehicleForm;
}

const FIELDS = [
  'terminal_id',
  'name',
  'plate',
  'type',
  'color',
  'driver',
  'phone',
  'vin',
  'speed_limit_kmh',
  'clock_offset_s',
  'group_ids',
  'attributes',
] as const satisfies (keyof VehicleForm)[];

/** The fields that somebody else changed since the form was opened, or the form changes, in the form's order. */
export function differences(yours: VehicleForm, base: Vehicle, now: Vehicle): FieldDifference[] {
  const before = formOf(base);
  const theirs = formOf(now);
  return FIELDS.filter(
    (field) => !isSame(theirs[field], before[field]) || !isSame(yours[field], before[field]),
  )
    .filter((field) => !isSame(theirs[field], yours[field]))
    .map((field) => ({ field, before, theirs, yours }));
}
