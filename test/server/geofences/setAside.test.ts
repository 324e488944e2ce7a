import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { serviceRoutes } from '../../../server/contract/settings.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { folderOf010 } from '../../support/folderOf010.ts';
import { startTestHost } from '../../support/testHost.ts';
import { zigzag, type Ring } from './densePolygons.ts';

const created_at = '2026-10-01T00:00:00.000Z';

/** A geofence as 0.1.0 stored it. */
function storedAt010(name: string, ring: Ring) {
  return {
    geozone_id: randomUUID(),
    name,
    shape: 'polygon',
    geometry: { type: 'Polygon', coordinates: [ring] },
    radius_m: null,
    width_m: null,
    color: null,
    speed_limit_kmh: null,
    hysteresis_m: 20,
    min_inside_s: 0,
    min_outside_s: 0,
    schedule: null,
    group_ids: [],
    known_from: created_at,
    version: 1,
    created_at,
    updated_at: created_at,
  };
}

/** A host on a data folder of 0.1.0 in which these geofences lie. */
async function startOn(geofences: readonly ReturnType<typeof storedAt010>[]) {
  const data = await folderOf010();
  const items = Object.fromEntries(geofences.map((it) => [it.geozone_id, it]));
  await writeFile(join(data, 'geofences.json'), JSON.stringify({ schema: 1, data: { items } }));
  const host = await startTestHost({ data });
  onTestFinished(() => host.close());
  return { host, dealer: await host.login() };
}

const yard: Ring = [
  [10, 45],
  [10.1, 45],
  [10.1, 45.1],
  [10, 45],
];

it('a host of 0.1.0 with two upright zigzags of 19,993 corners starts, monitors them, and lets a dealer delete them', async () => {
  const geofences = [zigzag(19_993, 0), zigzag(19_993, 0.001, 1e-3)].map((it, at) =>
    storedAt010(`Zigzag ${at}`, it),
  );
  const { host, dealer } = await startOn(geofences);
  const { items } = await dealer.ask(geofenceRoutes.list, { query: {} });
  expect(items.map(({ name, not_monitored }) => [name, not_monitored])).toEqual([
    ['Zigzag 0', null],
    ['Zigzag 1', null],
  ]);
  expect((await dealer.ask(serviceRoutes.status)).geofences_not_monitored).toEqual([]);
  for (const { geozone_id } of geofences) {
    expect(await dealer.outcome(geofenceRoutes.remove, { params: { geozone_id } })).toBe(204);
  }
  expect(host.logged.filter(({ msg }) => msg === 'geofence is not monitored')).toEqual([]);
});

it('a host of 0.1.0 with geofences that cannot be indexed starts, names them, and lets a dealer delete or redraw them', async () => {
  const good = storedAt010('Yard', yard);
  const bad = [Math.PI / 4, 1].map((angle, at) => storedAt010(`Zigzag ${at}`, zigzag(19_993, angle)));
  const { host, dealer } = await startOn([good, ...bad]);
  const published = host.logged.filter(({ msg }) => msg === 'geofence is not monitored');
  // Those of one moment have no order.
  expect(published.map(({ name, geozone_id }) => [name, geozone_id]).sort()).toEqual(
    bad.map(({ name, geozone_id }) => [name, geozone_id]),
  );
  const reason = expect.stringMatching(
    /^has [\d,]+ sides side by side at .*, at most 512 are taken$/,
  ) as string;
  const { items } = await dealer.ask(geofenceRoutes.list, { query: {} });
  const why = { reason, causes: [expect.objectContaining({ code: 'geofence.too_dense' })] };
  expect(items.map(({ name, not_monitored }) => [name, not_monitored])).toEqual([
    ['Yard', null],
    ['Zigzag 0', why],
    ['Zigzag 1', why],
  ]);
  const { geofences_not_monitored } = await dealer.ask(serviceRoutes.status);
  expect(geofences_not_monitored.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual(
    bad.map(({ geozone_id, name }) => ({ geozone_id, name, ...why })),
  );

  const [first, second] = bad.map(({ geozone_id }) => ({ geozone_id }));
  if (first === undefined || second === undefined) throw new Error('there are two');
  const period = { from: created_at, to: '2026-10-02T00:00:00.000Z' };
  const preview = await dealer.outcome(geofenceRoutes.preview, { body: { ...first, ...period } });
  expect(preview).toBe('400 validation_failed');
  const van = { terminal_id: '1', name: 'Van' };
  const { vehicle_id: vehicle } = await dealer.ask(vehicleRoutes.create, { body: van });
  const shareBy = ({ geozone_id }: { geozone_id: string }) =>
    dealer.post(`/api/v1/vehicles/${vehicle}/shares`, {
      ...{ name: 'Acme', expires_at: new Date(Date.now() + 3_600_000).toISOString() },
      where: { geozone_id, side: 'inside' },
    });
  expect((await shareBy(good)).status).toBe(201);
  const link = await shareBy(first);
  expect([link.status, link.code]).toEqual([400, 'validation_failed']);
  expect(link.text).toContain('where.geozone_id: is not monitored');

  expect(await dealer.outcome(geofenceRoutes.remove, { params: first })).toBe(204);
  const renamed = await dealer.ask(geofenceRoutes.patch, { params: second, body: { name: 'Still there' } });
  expect(renamed).toMatchObject({ name: 'Still there', not_monitored: { reason } });
  const geometry = { type: 'Polygon' as const, coordinates: [yard] };
  const redrawn = await dealer.ask(geofenceRoutes.patch, { params: second, body: { geometry } });
  expect(redrawn.not_monitored).toBeNull();
  expect((await dealer.ask(serviceRoutes.status)).geofences_not_monitored).toEqual([]);

  const again = { name: 'Again', shape: 'polygon' as const, geometry: bad[0]?.geometry as typeof geometry };
  const refused = await dealer.post('/api/v1/geozones', again);
  expect(refused.code).toBe('validation_failed');
  expect(refused.body.errors).toEqual([
    { path: 'geometry.coordinates', message: reason, causes: why.causes },
  ]);

  const tried = await dealer.outcome(geofenceRoutes.preview, { body: { geofence: again, ...period } });
  expect(tried).toBe('400 validation_failed');
  const features = [again.geometry, geometry].map((it) => ({
    type: 'Feature',
    geometry: it,
    properties: {},
  }));
  const file = { type: 'FeatureCollection' as const, features };
  const imported = await dealer.ask(geofenceRoutes.import, { query: {}, body: file });
  expect(imported.results.map(({ status, errors }) => [status, errors])).toEqual([
    ['invalid', [{ path: 'geometry.coordinates', message: reason, causes: why.causes }]],
    ['created', []],
  ]);
});
