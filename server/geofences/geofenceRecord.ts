import { z } from 'zod';
import { stamps } from '../contract/fields.ts';
import { newGeofence, type Geofence } from '../contract/geofences.ts';
import { withOwnGroups, type Viewer } from '../http/viewer.ts';
import { formFaults } from './geometryFaults.ts';

/** A geofence as the store keeps it. */
export const geofenceRecord = z
  .object({
    ...newGeofence.shape,
    geozone_id: z.string(),
    /** Since then the shape, or for whom it holds, is as it is now; what vehicles did before says nothing of it. */
    known_from: z.string(),
    ...stamps,
  })
  // The engine stops at a fence whose geometry is not that of its shape, so such a file must count as damaged.
  .refine((fence) => formFaults(fence).length === 0, 'has a geometry that is not of its shape');
export type GeofenceRecord = z.infer<typeof geofenceRecord>;

export const geofencesDocument = z.object({ items: z.record(z.string(), geofenceRecord) });

export function geofenceOf({ known_from: _, ...geofence }: GeofenceRecord): Geofence {
  return geofence;
}

/** With those of its groups that the viewer is in, and why it is not monitored. */
export function presentGeofence(
  record: GeofenceRecord,
  viewer: Viewer,
  geofences: { notMonitored(geozoneId: string): Geofence['not_monitored'] },
): Geofence {
  const not_monitored = geofences.notMonitored(record.geozone_id) ?? null;
  return withOwnGroups({ ...geofenceOf(record), not_monitored }, viewer);
}
