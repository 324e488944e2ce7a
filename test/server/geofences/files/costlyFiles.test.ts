import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { geofenceLimits } from '../../../../server/contract/geofenceGeometry.ts';
import { geofenceRoutes } from '../../../../server/contract/geofences.ts';
import { createGeofenceWork } from '../../../../server/geofences/geofenceWork.ts';
import { openPreviewDepot, period, yard, type PreviewDepot } from '../../preview/previewDepot.ts';

const kml = { 'content-type': 'application/vnd.google-earth.kml+xml' };
const geoJson = { 'content-type': 'application/geo+json' };
const problem = z.object({ status: z.int(), code: z.string(), detail: z.string() });

async function refusalOf(depot: PreviewDepot, file: unknown, type: Record<string, string>, query = '') {
  const { body } = await depot.ask('nora', `POST /geozones/import${query}`, file, type);
  return problem.parse(body);
}

async function resultsOf(depot: PreviewDepot, file: unknown, type = geoJson) {
  const { status, body, text } = await depot.ask('dora', 'POST /geozones/import?dry_run=1', file, type);
  if (status !== 200) throw new Error(text);
  return geofenceRoutes.import.reply.parse(body).results;
}

/** West of the antimeridian a spine, from which teeth reach over it: two crossings each. */
function comb(teeth: number): number[][] {
  const step = 160 / teeth;
  const points = Array.from({ length: teeth }, (_, at) => [
    [179, at * step - 80],
    [181, at * step - 80],
    [181, at * step - 80 + step / 2],
    [179, at * step - 80 + step / 2],
  ]).flat();
  return [...points, [170, 80], [170, -80], ...points.slice(0, 1)];
}

/** A ring of many corners, and holes in rows within. */
function pierced(corners: number, holes: number, isInside = true): number[][][] {
  const border = Array.from({ length: corners - 1 }, (_, at) => {
    const angle = (2 * Math.PI * at) / (corners - 1);
    return [Number((5 * Math.cos(angle)).toFixed(5)), Number((5 * Math.sin(angle)).toFixed(5))];
  });
  const hole = (at: number) => {
    const [x, y] = [(at % 40) / 8 - 2 + (isInside ? 0 : 20), Math.floor(at / 40) / 8 - 2];
    return [
      [x, y],
      [x + 0.0625, y],
      [x, y + 0.0625],
      [x, y],
    ];
  };
  return [[...border, ...border.slice(0, 1)], ...Array.from({ length: holes }, (_, at) => hole(at))];
}

const crsNamed = (name: string) => ({ type: 'FeatureCollection', crs: { properties: { name } } });
const polygon = (...coordinates: unknown[]) => ({ type: 'Polygon', coordinates });

describe('a costly file of geofences', () => {
  it('a costly file of geofences whose polygon goes over the antimeridian 90,000 times is refused by its number of corners', async () => {
    const depot = await openPreviewDepot();
    const [result] = await resultsOf(depot, polygon(comb(45_000)));
    expect(result?.errors).toMatchObject([
      { path: 'geometry.coordinates', message: 'has 180003 corners, at most 20000 are taken' },
    ]);
  });

  it('a costly file of geofences whose polygon goes over the antimeridian 9,000 times is refused by their number', async () => {
    const depot = await openPreviewDepot();
    const [result] = await resultsOf(depot, polygon(comb(4_500)));
    expect(result?.errors).toEqual([
      {
        path: 'geometry.coordinates',
        message: 'goes over the antimeridian 9000 times, at most 1000 are taken',
        causes: [{ code: 'geofence.crossings', values: { crossings: '9000', most: '1000' } }],
      },
    ]);
    const coordinates = comb(4_500)
      .map(([lon = 0, lat = 0]) => `${lon > 180 ? lon - 360 : lon},${lat}`)
      .join(' ');
    const file = `<kml><Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>${coordinates}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></kml>`;
    expect((await resultsOf(depot, file, kml))[0]?.errors[0]?.message).toContain('9000 times, at most 1000');
  });

  it('a costly file of geofences of polygons with 990 holes is read without a check on the main thread', async () => {
    const depot = await openPreviewDepot();
    const geometries = Array.from({ length: 6 }, () => polygon(...pierced(15_000, 990)));
    const results = await resultsOf(depot, { type: 'GeometryCollection', geometries });
    expect(results.map((it) => it.status)).toEqual(geometries.map(() => 'created'));
    expect(depot.checkedHere).toEqual([]);
    expect(depot.geofences.all()).toEqual([]);
  });

  it('a costly file of geofences of more than 250,000 corners or 5,000 shapes is refused with the limit and what it holds', async () => {
    const depot = await openPreviewDepot();
    const line = { type: 'LineString', coordinates: Array.from({ length: 25_001 }, () => [1, 2]) };
    const collection = (count: number, geometry: object) => ({
      type: 'GeometryCollection',
      geometries: Array.from({ length: count }, () => geometry),
    });
    expect(await refusalOf(depot, collection(10, line), geoJson)).toMatchObject({
      status: 413,
      detail:
        'The GeoJSON file cannot be imported. An import takes at most 250,000 corners in all its shapes; this has at least 250,010.',
    });
    expect((await refusalOf(depot, collection(5_001, yard.geometry), geoJson)).detail).toBe(
      'The GeoJSON file cannot be imported. An import takes at most 5,000 shapes; this has at least 5,001.',
    );
    const empty = { type: 'MultiPoint', coordinates: Array.from({ length: 1_000_000 }, () => []) };
    expect((await refusalOf(depot, empty, geoJson)).detail).toContain('this has at least 1,000,000');
    const points = `<Point><coordinates>1,2</coordinates></Point>`.repeat(5_001);
    expect(
      await refusalOf(
        depot,
        `<kml><Placemark><MultiGeometry>${points}</MultiGeometry></Placemark></kml>`,
        kml,
      ),
    ).toMatchObject({ status: 413, code: 'too_large' });
    const many = `<kml><Placemark><LineString><coordinates>${'1,2 '.repeat(250_001)}</coordinates></LineString></Placemark></kml>`;
    expect((await refusalOf(depot, many, kml)).detail).toContain('at most 250,000 corners');
  });

  it.each([
    ['tag of KML', `<${'a'.repeat(400_000)}>`, kml],
    ['coordinate system of GeoJSON', { ...crsNamed('b'.repeat(400_000)), features: [] }, geoJson],
  ])(
    'a costly file of geofences with a name of 400 kB for a %s is refused by its start',
    async (_, file, type) => {
      const depot = await openPreviewDepot();
      const { status, text } = await depot.ask('nora', 'POST /geozones/import', file, type);
      expect([status, text.length < 10_000]).toEqual([400, true]);
      expect(text).toMatch(/(a{900,}|b{900,})…/);
    },
  );

  it('a costly file of geofences of 5,000 geofences with 20 corners each is taken', async () => {
    const depot = await openPreviewDepot();
    // Beside each other: only so many may lie over one place.
    const [ring = []] = pierced(20, 0);
    const geometries = Array.from({ length: 5_000 }, (_, at) =>
      polygon(
        ring.map(([lon = 0, lat = 0]) => [lon / 1_000 + (at % 100), lat / 1_000 + Math.floor(at / 100)]),
      ),
    );
    const results = await resultsOf(depot, { type: 'GeometryCollection', geometries });
    expect(results.filter((it) => it.status === 'created')).toHaveLength(5_000);
  });

  it.each([
    [
      'a million nested tags',
      `<kml>${'<Folder>'.repeat(1_000_000)}`,
      'Line 1: elements are nested more than 64 levels deep.',
    ],
    ['a million tags', `<kml>${'<a/>'.repeat(1_000_000)}</kml>`, 'It has more than 400,000 elements.'],
    [
      'a hundred thousand attributes',
      `<kml>\n<a ${Array.from({ length: 100_000 }, (_, at) => `xmlns:a${at}="x"`).join(' ')}/></kml>`,
      'Line 2: <a> has more than 64 attributes.',
    ],
    [
      'entities that swell',
      `<!DOCTYPE kml [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><kml>&b;</kml>`,
      'It has a document type (DOCTYPE), which is not allowed.',
    ],
    ['an unknown entity', '<kml>\n\n&b;</kml>', 'Line 3: the entity &b; is unknown.'],
    ['a comment that never ends', `<kml><!--${'-'.repeat(1_000_000)}</kml>`, 'Line 1: <!-- is not closed.'],
    ['a tag that never ends', `<kml><a${' '.repeat(1_000_000)}`, 'Line 1: the tag <a> is not well-formed.'],
    [
      'a tag that goes on in spaces that XML takes for letters',
      `<kml><a ${'\u00A0'.repeat(1_000_000)}`,
      'Line 1: the tag <a> is not well-formed.',
    ],
  ])(
    'a costly file of geofences of KML with %s is refused with the place, and the next file is read',
    async (_, file, detail) => {
      const depot = await openPreviewDepot();
      const [refused, next] = await Promise.all([
        refusalOf(depot, file, kml),
        depot.ask('dora', 'POST /geozones/import?dry_run=1&radius_m=9', yard.geometry, geoJson),
      ]);
      expect(refused.detail).toBe(`The KML file cannot be imported. ${detail}`);
      expect([400, 413]).toContain(refused.status);
      expect(next.status).toBe(200);
    },
  );

  it.each([
    ['brackets', '['.repeat(1_400_000)],
    ['objects', '{"a":'.repeat(200_000)],
    ['collections', `${'{"type":"GeometryCollection","geometries":['.repeat(10_000)}${']}'.repeat(10_000)}`],
  ])('a costly file of geofences of deeply nested %s is refused with the place', async (_, file) => {
    const depot = await openPreviewDepot();
    const { status, detail } = await refusalOf(depot, file, geoJson);
    expect([status, detail]).toEqual([
      400,
      expect.stringMatching(
        /^The GeoJSON file cannot be imported[.] The JSON is nested more than 64 levels deep, at character \d+[.]$/,
      ),
    ]);
    const { body } = await depot.ask('nora', 'POST /geozones', file.slice(0, 1_000_000));
    expect(problem.parse(body)).toMatchObject({ status: 400, code: 'malformed_json' });
  });

  it('a costly file of geofences of long runs of spaces is read in one pass', async () => {
    const depot = await openPreviewDepot();
    const spaces = ' '.repeat(1_000_000);
    const inside = `<Point><coordinates>1${spaces},${spaces}2</coordinates></Point>`;
    const speed = `<ExtendedData><Data name="maxspeed"><value>1${spaces}x</value></Data></ExtendedData>`;
    const [at, fast] = await resultsOf(
      depot,
      `<kml><Placemark><name>At</name>${inside}</Placemark><Placemark>${speed}${inside}</Placemark></kml>`,
      kml,
    );
    expect(at?.errors.map((it) => it.path)).toEqual(['radius_m']);
    expect(fast?.errors.map((it) => it.path)).toEqual(['speed_limit_kmh']);
  });

  it('a costly file of geofences whose shapes share 20,000 properties has them read once', async () => {
    const depot = await openPreviewDepot();
    const names = Array.from({ length: 20_000 }, (_, at) => [`key ${at}`, at]);
    const feature = {
      type: 'Feature',
      properties: { name: 'Stop', radius: 20, ...Object.fromEntries(names) },
      geometry: { type: 'MultiPoint', coordinates: Array.from({ length: 5_000 }, (_, at) => [at / 100, 2]) },
    };
    const results = await resultsOf(depot, feature);
    expect(results.at(-1)).toMatchObject({ name: 'Stop 5000', status: 'created' });
  });

  it('a costly file of geofences of KML with 1,600,000 references to entities is read within a heap of 48 MB', async () => {
    const program = new URL('../../../../server/geofences/geofence.worker.ts', import.meta.url);
    const limits = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8 };
    const work = createGeofenceWork({ start: () => new Worker(program, { resourceLimits: limits }) });
    onTestFinished(() => work.close());
    const text = `<kml><Placemark><name>${'&amp;'.repeat(1_600_000)}</name><Point><coordinates>1,2</coordinates></Point></Placemark></kml>`;
    const signal = new AbortController().signal;
    const [shape] = await work.read({ format: 'kml', text, defaults: {} }, { user_id: 'nora', signal });
    expect(shape?.faults.map((it) => it.path)).toEqual(['name']);
  });

  it('a costly file of geofences that ends the worker is refused with the reason, and the next file has a new one', async () => {
    const program = `
      const { parentPort } = require('node:worker_threads');
      parentPort.on('message', ({ file }) => {
        if (file.text === 'bomb') {
          const held = [];
          // A loop without a pause may outgrow the limit before V8 looks at it.
          const grow = () => { for (let i = 0; i < 50; i++) held.push(new Array(1_000).fill({})); setImmediate(grow); };
          return grow();
        }
        parentPort.postMessage({ kind: 'done', result: { kind: 'read', shapes: '[]' } });
      });
    `;
    const limits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 };
    const work = createGeofenceWork({
      start: () => new Worker(program, { eval: true, resourceLimits: limits }),
    });
    onTestFinished(() => work.close());
    const signal = new AbortController().signal;
    const read = (text: string, user_id: string) =>
      work.read({ format: 'kml', text, defaults: {} }, { user_id, signal });
    const [bomb, next] = await Promise.allSettled([read('bomb', 'nora'), read('fine', 'saul')]);
    expect(bomb).toMatchObject({
      status: 'rejected',
      reason: {
        code: 'too_large',
        message: 'The KML file cannot be imported. Reading it took more memory than a file may use.',
      },
    });
    expect(next).toEqual({ status: 'fulfilled', value: [] });
  });
});

describe('a costly geofence', () => {
  const costly = { name: 'Costly', shape: 'polygon', geometry: polygon(...pierced(15_000, 990)) };

  it('a costly geofence is checked in the thread when it is added, changed or tried', async () => {
    const depot = await openPreviewDepot();
    const added = await depot.ask('dora', 'POST /geozones', costly);
    expect(added.status).toBe(201);
    const id = z.object({ geozone_id: z.string() }).parse(added.body).geozone_id;
    const geometry = polygon(...pierced(15_000, 980));
    expect((await depot.ask('dora', `PATCH /geozones/${id}`, { geometry })).status).toBe(200);
    const tried = await depot.ask('rita', 'POST /geozones/preview', { ...period, geofence: costly });
    expect(tried.status).toBe(200);
    expect(depot.checkedHere).toEqual([]);
    expect(depot.geofences.get(id)?.geometry).toEqual(geometry);
  });

  it('a costly geofence is refused with the place of its error when it is added, changed or tried', async () => {
    const depot = await openPreviewDepot();
    const wrong = { ...costly, geometry: polygon(...pierced(15_000, 990, false)) };
    const saved = await depot.ask('dora', 'POST /geozones', yard);
    const id = z.object({ geozone_id: z.string() }).parse(saved.body).geozone_id;
    const { shape, geometry } = wrong;
    for (const answer of [
      await depot.ask('dora', 'POST /geozones', wrong),
      await depot.ask('dora', `PATCH /geozones/${id}`, { shape, geometry, radius_m: null }),
      await depot.ask('rita', 'POST /geozones/preview', { ...period, geofence: wrong }),
    ]) {
      expect(problem.parse(answer.body)).toMatchObject({
        status: 400,
        detail: 'geometry.coordinates.1: is a hole outside of the outer ring',
      });
    }
    expect(depot.checkedHere.map((it) => it.shape)).toEqual(['circle']);
  });

  it('a costly geofence of few corners is checked at once, without a queue', async () => {
    const depot = await openPreviewDepot();
    const small = { ...costly, geometry: polygon(...pierced(50, 20)) };
    expect((await depot.ask('dora', 'POST /geozones', small)).status).toBe(201);
    expect(depot.checkedHere).toHaveLength(1);
  });

  it('a costly geofence is refused for 170,000 wrong corners with one error', async () => {
    const depot = await openPreviewDepot();
    const rings = Array.from({ length: 9 }, () => Array.from({ length: 10_000 }, () => [999, 999]));
    const { body } = await depot.ask('nora', 'POST /geozones', { ...costly, geometry: polygon(...rings) });
    expect(z.object({ errors: z.array(z.unknown()) }).parse(body).errors).toMatchObject([
      { path: 'geometry.coordinates', message: 'has 90000 corners, at most 20000 are taken' },
    ]);
  });

  it('a costly geofence with thousands of unknown fields is answered with 100 of them', async () => {
    const depot = await openPreviewDepot();
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`field ${at}`, at]));
    const { body } = await depot.ask('nora', 'POST /geozones', { ...yard, ...fields(1_900) });
    expect(z.object({ errors: z.array(z.unknown()) }).parse(body).errors).toHaveLength(100);
    const many = await depot.ask('nora', 'POST /geozones', { ...yard, ...fields(50_000) });
    expect(problem.parse(many.body).detail).toMatch(/^An object in the JSON has more than 2,000 fields/);
  });
});

describe('the limits of files', () => {
  it('the limits of files allow a geofence of 20,000 corners, and 5,000 geofences of 50', () => {
    expect(geofenceLimits.corners).toBe(20_000);
    expect(geofenceLimits.shapes * 50).toBe(geofenceLimits.fileCorners);
  });
});
