import { createTextSearch, searchWords } from '../contract/searchText.ts';
import { geofenceRoutes, type Geofence, type GeofenceImportResult } from '../contract/geofences.ts';
import { callerOf, type Api } from '../http/api.ts';
import { paginate } from '../http/pagination.ts';
import { presentGeofence, type GeofenceRecord } from './geofenceRecord.ts';
import type { Geofences } from './geofences.ts';
import type { GeofenceWork } from './geofenceWork.ts';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../http/apiError.ts';
import { createLines } from '../http/lines.ts';
import { streamBytes } from '../http/unreadAnswers.ts';
import { errorCode } from '../store/documents/Files.ts';
import type { GeofenceWriter } from './files/feature.ts';
import { geoJsonWriter } from './files/geojson.ts';
import { kmlType, kmlWriter } from './files/kmlWriter.ts';
import type { Viewer } from '../http/viewer.ts';
import type { ReadShape } from './files/readGeofences.ts';

const findsGeofence = createTextSearch<{ name: string }>(({ name }) => [name]);

export function addGeofenceRoutes(api: Api, geofences: Geofences): void {
  api.handle(geofenceRoutes.list, ({ query, viewer }) => {
    const words = searchWords(query.q ?? '');
    const found = geofences.visible(viewer).filter((geofence) => findsGeofence(geofence, words));
    const { items, next_cursor } = paginate(found, (geofence) => [geofence.name, geofence.geozone_id], query);
    return { items: items.map((it) => presentGeofence(it, viewer, geofences)), next_cursor };
  });

  api.handle(geofenceRoutes.create, async (call) => {
    const { body, viewer, response } = call;
    const geofence = await geofences.add(body, viewer, callerOf(call).signal);
    response.set('Location', `/api/v1/geozones/${geofence.geozone_id}`);
    return presentGeofence(geofence, viewer, geofences);
  });

  api.handle(geofenceRoutes.get, ({ params, viewer }) =>
    presentGeofence(geofences.find(params.geozone_id, viewer), viewer, geofences),
  );

  api.handle(geofenceRoutes.patch, async (call) => {
    const { params, body, viewer, ifMatch } = call;
    const { signal } = callerOf(call);
    const changed = await geofences.patch(params.geozone_id, body, viewer, ifMatch, signal);
    return presentGeofence(changed, viewer, geofences);
  });

  api.handle(geofenceRoutes.remove, ({ params, viewer, ifMatch }) =>
    geofences.remove(params.geozone_id, viewer, ifMatch),
  );

  api.handle(geofenceRoutes.restore, async ({ params, viewer }) =>
    presentGeofence(await geofences.restore(params.geozone_id, viewer), viewer, geofences),
  );
}

/** So much of a file is written in one turn of the event loop: circles of so much text take some 5 ms as KML. */
const sliceChars = 65_536;

/**
 * To be added before the route that takes a geofence by its id. Of a user one file at a time is written, in slices: that
 * of a million corners is 45 MB.
 */
export function addGeofenceFileRoutes(
  api: Api,
  geofences: Pick<Geofences, 'visible' | 'addMany' | 'notMonitored'>,
  work: Pick<GeofenceWork, 'read'>,
): void {
  const perUser = createLines();
  api.handle(geofenceRoutes.export, async ({ query, viewer, response, holds }) => {
    const leave = await perUser.enter(viewer.user.user_id);
    try {
      if (response.closed) return;
      const ids = query.ids === undefined ? null : new Set(query.ids);
      const fences = geofences.visible(viewer).filter((it) => ids === null || ids.has(it.geozone_id));
      const writer = query.format === 'kml' ? kmlWriter(fences) : geoJsonWriter;
      const slices = slicesOf(writer, fences, (it) => presentGeofence(it, viewer, geofences));
      holds(streamBytes);
      response.attachment(`geofences.${query.format}`).type(writer.contentType);
      await pipeline(Readable.from(slices, { highWaterMark: 1 }), response);
    } catch (error) {
      if (errorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    } finally {
      leave();
    }
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

async function* slicesOf(
  writer: GeofenceWriter,
  fences: readonly GeofenceRecord[],
  present: (geofence: GeofenceRecord) => Geofence,
): AsyncGenerator<string> {
  let text = writer.head;
  for (const [at, geofence] of fences.entries()) {
    text += writer.geofence(present(geofence), at === 0);
    if (text.length < sliceChars) continue;
    yield text;
    text = '';
    await nextTurn();
  }
  yield text + writer.tail;
}

/** Adds what can be added, in one write, and answers for each shape. With `dryRun` nothing is written. */
async function importGeofences(
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
