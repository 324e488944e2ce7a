import type { Request } from 'express';
import { geofenceRoutes } from '../../contract/geofences.ts';
import type { Api } from '../../http/api.ts';
import { ApiError } from '../../http/apiError.ts';
import type { WorkAsk } from '../../workerLine.ts';
import { presentGeofence } from '../geofenceRecord.ts';
import type { Geofences } from '../geofences.ts';
import { FileFault, type FileFeature } from './feature.ts';
import { importGeofences } from './geofenceImport.ts';
import { featuresOfGeoJson, geoJsonOf } from './geojson.ts';
import type { KmlReader } from './kmlReader.ts';
import { kmlOf } from './kmlWriter.ts';

const geoJsonType = 'application/geo+json';
const kmlType = 'application/vnd.google-earth.kml+xml';

/** To be added before the route that takes a geofence by its id. */
export function addGeofenceFileRoutes(
  api: Api,
  geofences: Pick<Geofences, 'visible' | 'addMany' | 'notMonitored'>,
  kml: Pick<KmlReader, 'read'>,
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

  api.handle(geofenceRoutes.import, async ({ body, text, query, viewer, request, response }) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new Error('the client has closed the connection')));
    const features = await readFile(request, text ?? body, {
      user_id: viewer.user.user_id,
      signal: gone.signal,
    });
    const { dry_run, ...defaults } = query;
    return importGeofences(geofences, features, viewer, { ...defaults, dryRun: dry_run === '1' });
  });

  async function readFile(request: Request, file: unknown, ask: WorkAsk): Promise<FileFeature[]> {
    const isKml = typeof file === 'string' && request.is(kmlType) !== false;
    try {
      if (isKml) return await kml.read(file, ask);
      return featuresOfGeoJson(typeof file === 'string' ? parseJson(file) : file);
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      throw new ApiError('validation_failed', `${isKml ? 'KML' : 'GeoJSON'}: ${error.message}`, {
        cause: error,
      });
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const detail = error instanceof Error ? error.message : '';
    throw new ApiError('malformed_json', `The file is not JSON: ${detail}`, { cause: error });
  }
}
