import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { causeOf, messageOf } from '../../../server/contract/causeTexts.ts';
import { geofenceRoutes, newGeofence } from '../../../server/contract/geofences.ts';
import { addGeofenceFileRoutes } from '../../../server/geofences/geofenceRoutes.ts';
import type { GeofenceRecord } from '../../../server/geofences/geofenceRecord.ts';
import type { Viewer } from '../../../server/http/viewer.ts';
import { groups, viewerOf, type Login } from '../notifications/depot.ts';
import { serveApi } from '../preview/apiServer.ts';
import { openPreviewDepot, yard, type PreviewResponse, type PreviewDepot } from '../preview/previewDepot.ts';

const kmlType = { 'content-type': 'application/vnd.google-earth.kml+xml' };
const geoJsonType = { 'content-type': 'application/geo+json' };

function resultOf({ body, text }: PreviewResponse) {
  const parsed = geofenceRoutes.import.reply.safeParse(body);
  if (!parsed.success) throw new Error(text);
  return parsed.data;
}

function placemarks(...inside: string[]): string {
  return `<kml>${inside.map((it) => `<Placemark>${it}</Placemark>`).join('')}</kml>`;
}

const point = (name: string) => `<name>${name}</name><Point><coordinates>13.4,52.5</coordinates></Point>`;

async function addYard(depot: PreviewDepot, more: object = {}, as: Login = 'dora') {
  return depot.geofences.add(newGeofence.parse({ ...yard, ...more }), viewerOf(depot.users[as]));
}

describe('an import of geofences', () => {
  it('an import of geofences adds what can be added and answers for each shape', async () => {
    const depot = await openPreviewDepot();
    const file = placemarks(
      point('Gate'),
      '<name>Note</name>',
      '<LineString><coordinates>1,1 2,2</coordinates></LineString>',
    );
    const answer = await depot.ask('dora', 'POST /geozones/import?radius_m=50', file, kmlType);
    expect(answer.status).toBe(200);
    const { created, invalid, results } = resultOf(answer);
    expect({ created, invalid }).toEqual({ created: 1, invalid: 2 });
    const [added] = depot.geofences.all();
    expect(depot.geofences.all()).toHaveLength(1);
    expect(added).toMatchObject({ name: 'Gate', shape: 'circle', radius_m: 50, group_ids: [] });
    expect(results).toEqual([
      { row: 1, name: 'Gate', status: 'created', geozone_id: added?.geozone_id, errors: [] },
      {
        row: 2,
        name: 'Note',
        status: 'invalid',
        geozone_id: null,
        errors: [{ path: 'geometry', ...messageOf(causeOf('geofence.no_shape')) }],
      },
      {
        row: 3,
        name: 'Shape 3',
        status: 'invalid',
        geozone_id: null,
        errors: [{ path: 'width_m', message: 'is needed for a line, and more than 0' }],
      },
    ]);
  });

  it('an import of geofences writes nothing when it is only tried, and says what it would do', async () => {
    const depot = await openPreviewDepot();
    const answer = await depot.ask(
      'dora',
      'POST /geozones/import?radius_m=50&dry_run=1',
      placemarks(point('Gate')),
      kmlType,
    );
    expect(resultOf(answer)).toMatchObject({
      created: 1,
      results: [{ status: 'created', geozone_id: null }],
    });
    expect(depot.geofences.all()).toEqual([]);
  });

  it('an import of geofences takes GeoJSON by either of its content types', async () => {
    const depot = await openPreviewDepot();
    const file = { type: 'Feature', properties: { name: 'Gate', radius: 80 }, geometry: yard.geometry };
    expect(resultOf(await depot.ask('dora', 'POST /geozones/import', file)).created).toBe(1);
    const text = `\uFEFF${JSON.stringify(file)}`;
    expect(resultOf(await depot.ask('dora', 'POST /geozones/import', text, geoJsonType)).created).toBe(1);
    expect(depot.geofences.all().map((it) => it.radius_m)).toEqual([80, 80]);
  });

  it('an import of geofences refuses a shape that crosses itself with the place of the error', async () => {
    const depot = await openPreviewDepot();
    const bow =
      '<Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 4,4 4,0 0,4 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon>';
    const { results } = resultOf(await depot.ask('dora', 'POST /geozones/import', placemarks(bow), kmlType));
    expect(results[0]?.errors[0]?.path).toBe('geometry.coordinates.0.0');
  });

  it('an import of geofences makes geofences of the groups that the caller names and may use', async () => {
    const depot = await openPreviewDepot();
    const file = placemarks(point('Gate'));
    const ask = (query: string) =>
      depot.ask('nora', `POST /geozones/import?radius_m=50${query}`, file, kmlType);
    expect(resultOf(await ask('')).results[0]?.errors[0]?.path).toBe('group_ids');
    expect(resultOf(await ask(`&group_ids=${groups.south}`)).invalid).toBe(1);
    expect(resultOf(await ask(`&group_ids=${groups.north}`)).created).toBe(1);
    expect(depot.geofences.all().map((it) => it.group_ids)).toEqual([[groups.north]]);
    expect((await depot.ask('rita', 'POST /geozones/import', file, kmlType)).status).toBe(403);
  });

  it('an import of geofences refuses whole files that are broken, of another coordinate system, or with too many shapes', async () => {
    const depot = await openPreviewDepot();
    const problem = z.object({ code: z.string(), detail: z.string() });
    const ask = async (body: unknown, headers: Record<string, string>) =>
      problem.parse((await depot.ask('dora', 'POST /geozones/import', body, headers)).body);
    expect(await ask('<kml>\n<x>', kmlType)).toMatchObject({
      code: 'validation_failed',
      detail: expect.stringMatching(
        /^The KML file cannot be imported[.] Line \d: <.*> is not closed/,
      ) as string,
    });
    expect((await ask('{', geoJsonType)).code).toBe('malformed_json');
    const crs = { type: 'name', properties: { name: 'EPSG:3857' } };
    expect((await ask({ ...yard.geometry, crs }, { 'content-type': 'application/json' })).detail).toContain(
      'EPSG:3857',
    );
    const many = Array.from({ length: 5_001 }, () => yard.geometry);
    expect((await ask({ type: 'GeometryCollection', geometries: many }, geoJsonType)).code).toBe('too_large');
    expect(depot.geofences.all()).toEqual([]);
  });

  it('an import of geofences adds thousands in one write', async () => {
    const depot = await openPreviewDepot();
    let announced = 0;
    depot.geofences.onChange(() => (announced += 1));
    const geometries = Array.from({ length: 3_000 }, (_, at) => ({
      type: 'Point',
      coordinates: [13 + at * 0.001, 52.5],
    }));
    const file = { type: 'GeometryCollection', geometries };
    expect(resultOf(await depot.ask('dora', 'POST /geozones/import?radius_m=9', file)).created).toBe(3_000);
    expect(announced).toBe(1);
  });
});

describe('an export of geofences', () => {
  it('an export of geofences holds those that the viewer sees, or those of them that are asked for', async () => {
    const depot = await openPreviewDepot();
    const own = await addYard(depot, { name: 'Own', group_ids: [groups.north] });
    const all = await addYard(depot, { name: 'All' });
    const hidden = await addYard(depot, { name: 'Hidden', group_ids: [groups.south] });
    const names = async (query: string) => {
      const { text } = await depot.ask('rita', `GET /geozones/export${query}`);
      return [...text.matchAll(/"name":"(\w+)"/g)].map((it) => it[1]).sort();
    };
    expect(await names('')).toEqual(['All', 'Own']);
    expect(await names(`?ids=${own.geozone_id}&ids=${hidden.geozone_id}`)).toEqual(['Own']);
    expect(await names(`?ids=${all.geozone_id}`)).toEqual(['All']);
  });

  it.each([
    ['geojson', 'application/geo+json', geoJsonType],
    ['kml', 'application/vnd.google-earth.kml+xml', kmlType],
  ])(
    'an export of geofences as %s is a file of its own type, which is taken back as it was',
    async (format, type, sent) => {
      const depot = await openPreviewDepot();
      await addYard(depot, { name: 'Yard & gate', color: '#12ab34', speed_limit_kmh: 20, min_inside_s: 30 });
      const { headers, text } = await depot.ask('dora', `GET /geozones/export?format=${format}`);
      expect(headers.get('content-type')).toMatch(type);
      expect(headers.get('content-disposition')).toBe(`attachment; filename=geofences.${format}`);
      expect(resultOf(await depot.ask('dora', 'POST /geozones/import', text, sent)).created).toBe(1);
      const [first, second] = depot.geofences.all().map((it) => newGeofence.strip().parse(it));
      expect(second).toEqual(first);
    },
  );

  it('an export of geofences of one user are written one file at a time, and the next begins when a client hangs up', async () => {
    const { url: path, begun } = await serveExport(manyGeofences);
    // More than the buffers of a connection take.
    const url = `${path}?format=kml`;
    const [first] = (await once(get(url), 'response')) as [IncomingMessage];
    await once(first, 'readable');
    const second = once(get(url), 'response');
    // Another call is answered meanwhile, so that both were taken in by now.
    await once(get(`${path}?format=none`), 'response');
    expect(begun()).toBe(1);
    first.destroy();
    const [next] = (await second) as [IncomingMessage];
    expect(begun()).toBe(2);
    next.destroy();
  });

  it.each(['kml', 'geojson'])(
    'an export of geofences as %s, of 5,000 circles, writes at most 300 of them in one turn of the event loop',
    async (format) => {
      const { url, written } = await serveExport(manyGeofences);
      const perTurn: number[] = [];
      let before = 0;
      const count = () => {
        perTurn.push(written() - before);
        before = written();
        turn = setImmediate(count);
      };
      let turn = setImmediate(count);
      const [answer] = (await once(get(`${url}?format=${format}`), 'response')) as [IncomingMessage];
      let text = '';
      for await (const chunk of answer) text += String(chunk);
      clearImmediate(turn);
      expect(text.match(/Yard \d+/g)).toEqual(manyGeofences.map(({ name }) => name));
      expect(written()).toBe(manyGeofences.length);
      expect(Math.max(...perTurn)).toBeLessThanOrEqual(300);
    },
  );
});

const manyGeofences: readonly GeofenceRecord[] = Array.from({ length: 5_000 }, (_, at) => ({
  ...newGeofence.parse({ ...yard, name: `Yard ${at}` }),
  geozone_id: randomUUID(),
  known_from: '2026-11-16T00:00:00.000Z',
  ...{ version: 1, created_at: '2026-11-16T00:00:00.000Z', updated_at: '2026-11-16T00:00:00.000Z' },
}));

/** Serves the routes of files alone, and counts exports that have begun, and geofences that were written. */
async function serveExport(geofences: readonly GeofenceRecord[]) {
  let [begun, written] = [0, 0];
  const counted = {
    visible() {
      begun += 1;
      return geofences;
    },
    notMonitored() {
      written += 1;
      return null;
    },
    addMany: () => Promise.reject(new Error('nothing is added')),
  };
  const work = { read: () => Promise.reject(new Error('nothing is read')) };
  const url = await serveApi(
    (api) => addGeofenceFileRoutes(api, counted, work),
    () => ({ user: { role: 'dealer' } }) as Viewer,
  );
  return { url: `${url}/api/v1/geozones/export`, begun: () => begun, written: () => written };
}
