import { newGeofence, type GeofenceImportResult, type NewGeofence } from '../../contract/geofences.ts';
import type { FieldFault } from '../../contract/problem.ts';
import { ApiError, invalidBy } from '../../http/apiError.ts';
import type { Viewer } from '../../http/viewer.ts';
import type { Geofences } from '../geofences.ts';
import type { FileFeature } from './feature.ts';
import { wantedGeofence, type ImportDefaults } from './wantedGeofence.ts';

const mostShapes = 5_000;

interface Read {
  name: string | null;
  wanted: NewGeofence | null;
  faults: FieldFault[];
}

/**
 * Adds what can be added, in one write, and answers for each shape. With `dryRun` nothing is written.
 *
 * @throws ApiError 413 for more shapes than are taken
 */
export async function importGeofences(
  geofences: Pick<Geofences, 'addMany'>,
  features: readonly FileFeature[],
  viewer: Viewer,
  options: ImportDefaults & { dryRun: boolean },
): Promise<{ created: number; invalid: number; results: GeofenceImportResult[] }> {
  if (features.length > mostShapes) {
    throw new ApiError(
      'too_large',
      `An import takes at most ${mostShapes} shapes; this is ${features.length}.`,
    );
  }
  const read = features.map((feature, at) => readShape(feature, at + 1, options));
  const wanted = read.flatMap((it) => it.wanted ?? []);
  const outcomes = await geofences.addMany(wanted, viewer, options.dryRun);
  let next = 0;
  const results = read.map(({ name, wanted, faults }, at): GeofenceImportResult => {
    const outcome = wanted === null ? { faults } : (outcomes[next++] ?? { faults });
    return 'fence' in outcome
      ? {
          row: at + 1,
          name,
          status: 'created',
          geozone_id: options.dryRun ? null : outcome.fence.geozone_id,
          errors: [],
        }
      : { row: at + 1, name, status: 'invalid', geozone_id: null, errors: outcome.faults };
  });
  const created = results.filter((it) => it.status === 'created').length;
  return { created, invalid: results.length - created, results };
}

function readShape(feature: FileFeature, row: number, defaults: ImportDefaults): Read {
  const wanted = wantedGeofence(feature, row, defaults);
  const name =
    typeof feature.properties['name'] === 'string' ? feature.properties['name'].trim() || null : null;
  if (wanted === null) {
    return {
      name,
      wanted: null,
      faults: [{ path: 'geometry', message: 'is missing, or of a kind that is no geofence' }],
    };
  }
  const parsed = newGeofence.safeParse(wanted);
  return parsed.success
    ? { name: parsed.data.name, wanted: parsed.data, faults: [] }
    : { name, wanted: null, faults: invalidBy(parsed.error, 'body').faults ?? [] };
}
