import type { Geofence } from '../../server/contract/geofences.ts';

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** By name, Gate 2 before Gate 10. */
export function sortedGeofences(geofences: Iterable<Geofence>): Geofence[] {
  return [...geofences].sort(
    (a, b) => byName.compare(a.name, b.name) || byName.compare(a.geozone_id, b.geozone_id),
  );
}
