import type { FieldFault } from '../contract/problem.ts';
import { geometryFaults, type FenceForm } from './geometryFaults.ts';
import { indexFault } from './indexLimits.ts';

/** All that may be wrong with the form of a geofence before it is stored or tried; of n corners in n log n steps. */
export function fenceFaults(form: FenceForm): FieldFault[] {
  const faults = geometryFaults(form);
  if (faults.length > 0) return faults;
  const fault = indexFault(form);
  return fault === null ? [] : [fault];
}
