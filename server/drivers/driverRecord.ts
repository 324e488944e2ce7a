import { z } from 'zod';
import {
  assignment,
  driver,
  newAssignment,
  newDriver,
  type Assignment,
  type Driver,
} from '../contract/drivers.ts';
import type { Measure } from '../http/quotas.ts';

/** The user who added it; null for a dealer's. */
const owner_id = z.string().nullable();

/** A driver as the store keeps it. */
export const driverRecord = z.object({ ...driver.shape, ...newDriver.shape, owner_id });
export type DriverRecord = z.infer<typeof driverRecord>;

export const assignmentRecord = z.object({ ...assignment.shape, ...newAssignment.shape, owner_id });
export type AssignmentRecord = z.infer<typeof assignmentRecord>;

const ownerOf = (record: { owner_id: string | null }) => record.owner_id;

export const driverMeasures: readonly Measure<DriverRecord>[] = [
  { quota: 'drivers', of: () => 1 },
  { quota: 'drivers_of_user', of: () => 1, ownerOf },
  { quota: 'driver_groups', of: ({ group_ids }) => group_ids.length },
];

export const assignmentMeasures: readonly Measure<AssignmentRecord>[] = [
  { quota: 'assignments', of: () => 1 },
  { quota: 'assignments_of_user', of: () => 1, ownerOf },
];

export function presentDriver({ owner_id: _, ...shown }: DriverRecord): Driver {
  return shown;
}

export function presentAssignment({ owner_id: _, ...shown }: AssignmentRecord): Assignment {
  return shown;
}
