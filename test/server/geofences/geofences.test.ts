import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { geofenceRecord } from '../../../server/geofences/geofenceRecord.ts';
import { groups, openDepot, startText, viewerOf, type Depot, type Login } from '../notifications/depot.ts';

const yard = {
  name: 'Yard',
  shape: 'circle',
  geometry: { type: 'Point', coordinates: [13.4, 52.5] },
  radius_m: 100,
};

async function made(depot: Depot, as: Login, more: object = {}): Promise<string> {
  const { status, body } = await depot.call(as, 'POST /geozones', { ...yard, ...more });
  expect(status).toBe(201);
  return String(body.geozone_id);
}

describe('geofences', () => {
  it('geofences are added with their defaults, and answered as they were added', async () => {
    const depot = await openDepot();
    const { status, body, headers } = await depot.call('dora', 'POST /geozones', yard);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/v1/geozones/${String(body.geozone_id)}`);
    expect(headers.get('etag')).toBe('"1"');
    expect(body).toEqual({
      ...yard,
      geozone_id: body.geozone_id,
      width_m: null,
      color: null,
      speed_limit_kmh: null,
      hysteresis_m: 20,
      min_inside_s: 0,
      min_outside_s: 0,
      schedule: null,
      group_ids: [],
      not_monitored: null,
      version: 1,
      created_at: startText,
      updated_at: startText,
    });
    expect((await depot.call('rita', `GET /geozones/${String(body.geozone_id)}`)).body).toEqual(body);
  });

  it('geofences are refused with the place of the error in their geometry', async () => {
    const depot = await openDepot();
    const coordinates = [
      [
        [0, 0],
        [4, 4],
        [4, 0],
        [0, 4],
        [0, 0],
      ],
    ];
    const bow = { name: 'Bow', shape: 'polygon', geometry: { type: 'Polygon', coordinates } };
    const { status, body } = await depot.call('dora', 'POST /geozones', bow);
    expect(status).toBe(400);
    expect(body.code).toBe('validation_failed');
    expect(body.errors).toEqual([
      {
        path: 'geometry.coordinates.0.0',
        message: expect.stringContaining('lat 2.000000, lon 2.000000') as string,
        causes: [
          { code: 'geofence.crosses_itself', values: { corner: '2', lat: '2.000000', lon: '2.000000' } },
        ],
      },
    ]);
    const id = await made(depot, 'dora');
    const patched = await depot.call('dora', `PATCH /geozones/${id}`, { shape: 'line' });
    expect(patched.status).toBe(400);
    expect(patched.body.errors?.map((it) => it.path)).toEqual(['geometry.type', 'radius_m', 'width_m']);
    expect(
      (await depot.call('dora', 'POST /geozones', { ...yard, radius_m: 0 })).body.errors?.[0]?.path,
    ).toBe('radius_m');
  });

  it('geofences are listed by name, searched, and shown to those whose groups they hold for', async () => {
    const depot = await openDepot();
    await made(depot, 'dora', { name: 'South gate', group_ids: [groups.south] });
    await made(depot, 'dora', { name: 'North gate', group_ids: [groups.north, groups.west] });
    await made(depot, 'dora', { name: 'Harbour' });
    const names = async (as: Login, query = '') =>
      (await depot.call(as, `GET /geozones${query}`)).body.items?.map((it) => it.name);
    expect(await names('dora')).toEqual(['Harbour', 'North gate', 'South gate']);
    expect(await names('rita')).toEqual(['Harbour', 'North gate']);
    expect(await names('saul')).toEqual(['Harbour', 'South gate']);
    expect(await names('dora', '?q=GATE')).toEqual(['North gate', 'South gate']);
    const first = await depot.call('dora', 'GET /geozones?limit=2');
    expect(await names('dora', `?limit=2&cursor=${String(first.body.next_cursor)}`)).toEqual(['South gate']);
  });

  it('geofences answer one that is out of sight as one that is not there', async () => {
    const depot = await openDepot();
    const id = await made(depot, 'dora', { group_ids: [groups.south] });
    for (const [request, body] of [
      [`GET /geozones/${id}`],
      [`PATCH /geozones/${id}`, { name: 'Mine' }],
      [`DELETE /geozones/${id}`],
      [`GET /geozones/${randomUUID()}`],
    ] as const) {
      expect((await depot.call('nora', request, body)).body.code).toBe('not_found');
    }
  });

  it('geofences of a user hold for the groups of that user alone', async () => {
    const depot = await openDepot();
    for (const group_ids of [[], [groups.south], [groups.north, groups.south], [randomUUID()]]) {
      const { status, body } = await depot.call('nora', 'POST /geozones', { ...yard, group_ids });
      expect(status).toBe(400);
      expect(body.errors?.[0]?.path).toMatch(/^group_ids/);
    }
    const id = await made(depot, 'nora', { group_ids: [groups.north] });
    for (const group_ids of [[], [groups.south]]) {
      expect((await depot.call('nora', `PATCH /geozones/${id}`, { group_ids })).status).toBe(400);
    }
    expect((await depot.call('nora', `PATCH /geozones/${id}`, { name: 'Mine' })).body.name).toBe('Mine');
    expect((await depot.call('nora', `DELETE /geozones/${id}`)).status).toBe(204);
  });

  it('geofences that hold beyond the groups of a user are not for that user to change', async () => {
    const depot = await openDepot();
    for (const group_ids of [[], [groups.north, groups.south]]) {
      const id = await made(depot, 'dora', { group_ids });
      const takenOver = await depot.call('nora', `PATCH /geozones/${id}`, { group_ids: [groups.north] });
      expect(takenOver.body.code).toBe('forbidden');
      expect((await depot.call('nora', `DELETE /geozones/${id}`)).body.code).toBe('forbidden');
    }
    expect((await depot.call('rita', 'POST /geozones', yard)).status).toBe(403);
  });

  it('geofences name groups that are there', async () => {
    const depot = await openDepot();
    const { status, body } = await depot.call('dora', 'POST /geozones', {
      ...yard,
      group_ids: [groups.north, randomUUID()],
    });
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ path: 'group_ids.1', message: 'is not a group', kind: 'unknown' }]);
  });

  it('geofences are changed field by field, and only at the version that the caller has seen', async () => {
    const depot = await openDepot();
    const id = await made(depot, 'dora', { hysteresis_m: 5, color: '#112233' });
    const path = `PATCH /geozones/${id}`;
    const changed = await depot.call(
      'dora',
      path,
      { hysteresis_m: null, name: 'Court' },
      { 'if-match': '"1"' },
    );
    expect(changed.body).toMatchObject({
      version: 2,
      hysteresis_m: 20,
      color: '#112233',
      name: 'Court',
      radius_m: 100,
    });
    expect((await depot.call('dora', path, { name: 'Late' }, { 'if-match': '"1"' })).status).toBe(412);
    expect(
      (await depot.call('dora', `DELETE /geozones/${id}`, undefined, { 'if-match': '"1"' })).status,
    ).toBe(412);
    expect((await depot.call('dora', path, { known_from: startText })).status).toBe(400);
  });

  it('geofences stay while a rule names them', async () => {
    const depot = await openDepot();
    const id = await made(depot, 'dora');
    const rule = {
      name: 'Yard at night',
      event_kind: 'geofence_enter',
      scope: { all: true },
      geozone_ids: [id],
    };
    const { body } = await depot.call('dora', 'POST /notifications/rules', rule);
    const refused = await depot.call('dora', `DELETE /geozones/${id}`);
    expect(refused.body.code).toBe('in_use');
    expect(refused.body.detail).toContain('Yard at night');
    await depot.call('dora', `DELETE /notifications/rules/${String(body.rule_id)}`);
    expect((await depot.call('dora', `DELETE /geozones/${id}`)).status).toBe(204);
    expect(depot.geofences.all()).toEqual([]);
  });

  it('geofences know since when their shape, or for whom they hold, is as it is', async () => {
    const depot = await openDepot();
    const id = await made(depot, 'dora', { group_ids: [groups.north, groups.south] });
    const knownFrom = () => depot.geofences.get(id)?.known_from;
    expect(knownFrom()).toBe(startText);
    const isKnownAgain = async (patch: object) => {
      const before = knownFrom();
      depot.clock.move(1_000);
      expect((await depot.call('dora', `PATCH /geozones/${id}`, patch)).status).toBe(200);
      return knownFrom() !== before;
    };
    expect(await isKnownAgain({ name: 'Court', hysteresis_m: 3, min_inside_s: 9, speed_limit_kmh: 10 })).toBe(
      false,
    );
    expect(await isKnownAgain({ geometry: yard.geometry, radius_m: 100 })).toBe(false);
    expect(await isKnownAgain({ group_ids: [groups.south, groups.north] })).toBe(false);
    expect(await isKnownAgain({ radius_m: 101 })).toBe(true);
    expect(await isKnownAgain({ geometry: { type: 'Point', coordinates: [13.4, 52.6] } })).toBe(true);
    expect(await isKnownAgain({ group_ids: [groups.south] })).toBe(true);
    const way = {
      type: 'LineString',
      coordinates: [
        [13.4, 52.5],
        [13.5, 52.5],
      ],
    };
    expect(await isKnownAgain({ shape: 'line', geometry: way, radius_m: null, width_m: 10 })).toBe(true);
    expect(await isKnownAgain({ width_m: 12 })).toBe(true);
    expect(Date.parse(knownFrom() ?? '')).toBe(depot.clock.now());
  });

  it('geofences are indexed again only when one has changed', async () => {
    const depot = await openDepot();
    const id = await made(depot, 'dora');
    const index = depot.geofences.index();
    expect(depot.geofences.index()).toBe(index);
    expect(index.get(id)?.known_from_ms).toBe(depot.clock.now());
    depot.clock.move(5_000);
    await depot.call('dora', `PATCH /geozones/${id}`, { radius_m: 7 });
    expect(depot.geofences.index()).not.toBe(index);
    expect(depot.geofences.index().get(id)?.known_from_ms).toBe(depot.clock.now());
    await depot.call('dora', `DELETE /geozones/${id}`);
    expect(depot.geofences.index().get(id)).toBeUndefined();
  });

  it('geofences are given to listeners, and to callers about to delete a group', async () => {
    const depot = await openDepot();
    const changes: unknown[] = [];
    depot.geofences.onChange((them) =>
      changes.push(...them.map((it) => [it.before?.version, it.after?.version])),
    );
    const id = await made(depot, 'dora', { group_ids: [groups.west] });
    expect(depot.geofences.ofGroup(groups.west)?.geozone_id).toBe(id);
    expect(depot.geofences.ofGroup(groups.north)).toBeUndefined();
    await depot.geofences.patch(id, { name: 'New' }, viewerOf(depot.users.dora), null);
    await depot.geofences.remove(id, viewerOf(depot.users.dora), null);
    expect(changes).toEqual([
      [undefined, 1],
      [1, 2],
      [2, undefined],
    ]);
  });

  it('a geofence that was deleted is restored with its id, as a later version', async () => {
    const depot = await openDepot();
    const id = await made(depot, 'dora', { name: 'Gate' });
    await depot.call('dora', `DELETE /geozones/${id}`);
    const { status, body } = await depot.call('dora', `POST /geozones/${id}/restore`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ geozone_id: id, name: 'Gate', version: 3 });
    expect(depot.geofences.index().get(id)).toBeDefined();
    expect((await depot.call('dora', `POST /geozones/${id}/restore`)).status).toBe(404);
  });

  it('a geofence is restored only by those who may delete it, and only within an hour', async () => {
    const depot = await openDepot();
    const everywhere = await made(depot, 'dora');
    const own = await made(depot, 'dora', { group_ids: [groups.north] });
    for (const id of [everywhere, own]) await depot.call('dora', `DELETE /geozones/${id}`);
    for (const as of ['rita', 'nora'] as const)
      expect((await depot.call(as, `POST /geozones/${everywhere}/restore`)).status).toBe(403);
    expect((await depot.call('saul', `POST /geozones/${own}/restore`)).status).toBe(404);
    depot.clock.move(3_600_001);
    expect((await depot.call('dora', `POST /geozones/${own}/restore`)).status).toBe(404);
  });

  it('geofences count as damaged on the disk when the engine could not take them', async () => {
    const depot = await openDepot();
    const record = depot.geofences.get(await made(depot, 'dora'));
    expect(geofenceRecord.safeParse(record).success).toBe(true);
    expect(geofenceRecord.safeParse({ ...record, shape: 'line' }).success).toBe(false);
    expect(geofenceRecord.safeParse({ ...record, radius_m: null }).success).toBe(false);
  });
});
