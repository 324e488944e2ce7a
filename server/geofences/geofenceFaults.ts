import type { FieldError } from '../contract/problem.ts';
import { geometryErrors, type GeofenceForm } from './geometryErrors.ts';
import { indexFault } from './indexLimits.ts';

/** All that may be wrong with the form of a geofence before it is stored or tried; of n corners in n log n steps. */
export function geofenceFaults(form: GeofenceForm): FieldError[] {
  const faults = geometryErrors(form);
  if (faults.length > 0) return faults;
  const fault = indexFault(form);
  return fault === null ? [] : [fault];
}
