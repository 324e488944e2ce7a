import type { GeofenceImportResult } from '../../contract/geofences.ts';
import type { Viewer } from '../../http/viewer.ts';
import type { Geofences } from '../geofences.ts';
import type { ReadShape } from './readGeofences.ts';

/** Adds what can be added, in one write, and answers for each shape. With `dryRun` nothing is written. */
export async function importGeofences(
  geofences: Pick<Geofences, 'addMany'>,
  shapes: readonly ReadShape[],
  viewer: Viewer,
  dryRun: boolean,
): Promise<{ created: number; invalid: number; results: GeofenceImportResult[] }> {
  const input = shapes.flatMap((it) => it.wanted ?? []);
  const outcomes = await geofences.addMany(input, viewer, dryRun);
  let next = 0;
  const results = shapes.map(({ name, wanted, faults }, at): GeofenceImportResult => {
    const outcome = wanted === null ? { faults } : (outcomes[next++] ?? { faults });
    return 'geofence' in outcome
      ? {
          row: at + 1,
          name,
          status: 'created',
          geozone_id: dryRun ? null : outcome.geofence.geozone_id,
          errors: [],
        }
      : { row: at + 1, name, status: 'invalid', geozone_id: null, errors: outcome.faults };
  });
  const created = results.filter((it) => it.status === 'created').length;
  return { created, invalid: results.length - created, results };
}
