import type { Vehicle } from '../../../server/contract/vehicles.ts';
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

/** What others changed is taken over where the form left it as it was; its own changes stay. */
export function rebased(yours: VehicleForm, base: Vehicle, now: Vehicle): VehicleForm {
  const before = formOf(base);
  const theirs = formOf(now);
  const kept = FIELDS.filter((field) => !isSame(yours[field], before[field]));
  return { ...theirs, ...Object.fromEntries(kept.map((field) => [field, yours[field]])) };
}

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
