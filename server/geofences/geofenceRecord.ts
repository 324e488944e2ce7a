import { z } from 'zod';
import type { GeofenceGeometry } from '../contract/geofenceGeometry.ts';
import { stamps } from '../contract/fields.ts';
import { newGeofence, type Geofence } from '../contract/geofences.ts';
import type { Measure } from '../http/quotas.ts';
import { withOwnGroups, type Viewer } from '../http/viewer.ts';
import { formFaults } from './geometryErrors.ts';

/** A geofence as the store keeps it. */
export const geofenceRecord = z
  .object({
    ...newGeofence.shape,
    geozone_id: z.string(),
    /** Since then the shape, or for whom it holds, is as it is now; what vehicles did before says nothing of it. */
    known_from: z.string(),
    /** The user who added it; null for a dealer's, left out for one of 0.1.0. */
    owner_id: z.string().nullable().optional(),
    ...stamps,
  })
  // The engine stops at a fence whose geometry is not that of its shape, so such a file must count as damaged.
  .refine((fence) => formFaults(fence).length === 0, 'has a geometry that is not of its shape');
export type GeofenceRecord = z.infer<typeof geofenceRecord>;

export function geofenceOf({ known_from: _, owner_id: __, ...geofence }: GeofenceRecord): Geofence {
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

const ownerOf = ({ owner_id = null }: GeofenceRecord) => owner_id;

export const geofenceMeasures: readonly Measure<GeofenceRecord>[] = [
  { quota: 'geofences', of: () => 1 },
  { quota: 'geofences_of_user', of: () => 1, ownerOf },
  { quota: 'corners', of: ({ geometry }) => cornersOf(geometry) },
  { quota: 'corners_of_user', of: ({ geometry }) => cornersOf(geometry), ownerOf },
  { quota: 'geofence_groups', of: ({ group_ids }) => group_ids.length },
];

export function cornersOf(geometry: GeofenceGeometry): number {
  const ofRings = (rings: readonly (readonly unknown[])[]) =>
    rings.reduce((sum, ring) => sum + ring.length, 0);
  switch (geometry.type) {
    case 'Point':
      return 1;
    case 'LineString':
      return geometry.coordinates.length;
    case 'Polygon':
      return ofRings(geometry.coordinates);
    case 'MultiPolygon':
      return geometry.coordinates.reduce((sum, rings) => sum + ofRings(rings), 0);
  }
}
