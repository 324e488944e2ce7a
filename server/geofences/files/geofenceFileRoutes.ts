import { geofenceRoutes } from '../../contract/geofences.ts';
import type { Api } from '../../http/api.ts';
import { ApiError } from '../../http/apiError.ts';
import { presentGeofence } from '../geofenceRecord.ts';
import type { Geofences } from '../geofences.ts';
import { callerOf, type GeofenceWork } from '../geofenceWork.ts';
import { importGeofences } from './geofenceImport.ts';
import { geoJsonOf } from './geojson.ts';
import { kmlOf } from './kmlWriter.ts';

const geoJsonType = 'application/geo+json';
const kmlType = 'application/vnd.google-earth.kml+xml';

/** To be added before the route that takes a geofence by its id. */
export function addGeofenceFileRoutes(
  api: Api,
  geofences: Pick<Geofences, 'visible' | 'addMany' | 'notMonitored'>,
  work: Pick<GeofenceWork, 'read'>,
): void {
  api.handle(geofenceRoutes.export, ({ query, viewer, response, holds }) => {
    const ids = query.ids === undefined ? null : new Set(query.ids);
    const fences = geofences
      .visible(viewer)
      .filter((it) => ids === null || ids.has(it.geozone_id))
      .map((it) => presentGeofence(it, viewer, geofences));
    const isKml = query.format === 'kml';
    const text = isKml ? kmlOf(fences) : geoJsonOf(fences);
    holds(text.length);
    response
      .attachment(isKml ? 'geofences.kml' : 'geofences.geojson')
      .type(isKml ? kmlType : geoJsonType)
      .send(text);
    return Promise.resolve();
  });

  api.handle(geofenceRoutes.import, async (call) => {
    const { text, query, viewer, request } = call;
    if (text === null) throw new ApiError('validation_failed', 'The body is missing: it is the file.');
    const { dry_run, group_ids, ...sizes } = query;
    const format = request.is(kmlType) === false ? 'geojson' : 'kml';
    // Named twice, a group would be stored twice with each shape.
    const defaults = { ...sizes, group_ids: group_ids === undefined ? undefined : [...new Set(group_ids)] };
    const shapes = await work.read({ format, text, defaults }, callerOf(call));
    return importGeofences(geofences, shapes, viewer, dry_run === '1');
  });
}
