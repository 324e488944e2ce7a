import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mapRoutes } from '../../../server/contract/maps.ts';
import { placeRoutes } from '../../../server/contract/places.ts';
import { placeOfTilePoint } from '../../../server/maps/composeTile.ts';
import type { TileFeature } from '../../../server/maps/tileFeatures.ts';
import { makeMbtiles, realMap, street, tileOf } from '../../support/mapFiles.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

/** Two tiles side by side at zoom 14, some 1.3 km wide each, and the one above them that names the town. */
const [z, x, y] = [14, 9288, 5025];
const line = (name: string, points: number[], more: TileFeature['properties'] = {}): TileFeature => ({
  ...street(name, more),
  parts: [points],
});
const point = (
  layer: TileFeature['layer'],
  at: number[],
  properties: TileFeature['properties'],
): TileFeature => ({
  ...{ layer, type: 'point', parts: [at], properties },
});
const west = tileOf(z, x, y, [
  line('Elm Street', [0, 2000, 3900, 2000]),
  line('Ferry', [0, 2010, 4096, 2010], { kind: 'ferry' }),
  line('A 1', [0, 3000, 4096, 3000], { kind: 'motorway' }),
  point('address', [1000, 2040], { number: '12a' }),
  point('address', [2000, 2040], { number: '7', street: 'Oak Lane' }),
]);
const east = tileOf(z, x + 1, y, [line('Birch Road', [100, 0, 100, 4096])]);
const above = (zoom: number, features: TileFeature[]) =>
  tileOf(zoom, x >> (z - zoom), y >> (z - zoom), features);
const towns = [
  above(9, [point('place', [3000, 2000], { kind: 'city', name: 'Farville', rank: 1 })]),
  above(12, [
    point('place', [1024, 2500], { kind: 'town', name: 'Elmswell', rank: 5 }),
    point('place', [1000, 2400], { kind: 'suburb', name: 'North End', rank: 9 }),
  ]),
];
const at = (px: number, py: number, tileX = x) => placeOfTilePoint([px, py], z, tileX, y);

let host: TestHost;
let dealer: Caller;
let user: Caller;
let folder: string;
beforeAll(async () => {
  host = await startTestHost({ users: [{ login: 'user', rights: { vehicles: 'none' } }] });
  dealer = await host.login();
  user = await host.login('user');
  folder = await mkdtemp(join(tmpdir(), 'fleetdeck-places-'));
  const path = makeMbtiles(join(folder, 'elm.mbtiles'), {
    tiles: [west, east, ...towns],
    bounds: '24,56,25,57.5',
  });
  await dealer.ask(mapRoutes.add, { body: { path } });
});
afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});
const placeAt = async (query: { lat: number; lon: number }) =>
  (await user.ask(placeRoutes.reverse, { query })).place;

describe('the address of a point', () => {
  it('a point on a street without houses is named by the street and the town', async () => {
    expect(await placeAt(at(500, 2003))).toMatchObject({
      ...{ text: 'Elm Street, Elmswell', street: 'Elm Street', house_number: null },
      ...{ town: 'Elmswell', district: 'North End' },
    });
  });

  it('a point at a house has its number, with the street that the house names or the nearest one', async () => {
    expect((await placeAt(at(1000, 2030)))?.text).toBe('Elm Street 12a, Elmswell');
    expect((await placeAt(at(2000, 2030)))?.text).toBe('Oak Lane 7, Elmswell');
  });

  it('a ferry is no street, and a motorway is one', async () => {
    expect((await placeAt(at(3000, 2012)))?.street).toBe('Elm Street');
    expect((await placeAt(at(3000, 2900)))?.street).toBe('A 1');
  });

  it('the nearest street may lie in the next tile', async () => {
    const place = await placeAt(at(4080, 2200));
    expect(place?.street).toBe('Birch Road');
    // 116 units of 2.4 km × cos 56.8° / 4096.
    expect(place?.distance_m).toBeCloseTo(
      (116 * 40_075_016.686 * Math.cos((at(0, 2200).lat * Math.PI) / 180)) / 2 ** 14 / 4096,
      0,
    );
  });

  it('a point that is more than 200 m from any street has no address, nor one outside of all maps', async () => {
    expect(await placeAt(at(2000, 1000))).toBeNull();
    expect(await placeAt({ lat: -33, lon: 151 })).toBeNull();
  });

  it('a thousand points are named by one call, in their order, and one more is refused', async () => {
    const points = Array.from({ length: 1_000 }, (_, i) =>
      i % 2 === 0 ? at(500, 2003) : { lat: 0, lon: 0 },
    );
    const { places } = await user.ask(placeRoutes.reverseMany, { body: { points } });
    expect(places.map((it) => it?.street ?? null)).toEqual(
      points.map((_, i) => (i % 2 === 0 ? 'Elm Street' : null)),
    );
    const more = [...points, { lat: 0, lon: 0 }];
    expect(await user.outcome(placeRoutes.reverseMany, { body: { points: more } })).toBe(
      '400 validation_failed',
    );
  });
});

it.skipIf(realMap('andorra.mbtiles') === null)('streets and towns of real files are named', async () => {
  await dealer.ask(mapRoutes.add, { body: { path: realMap('andorra.mbtiles') ?? '' } });
  await dealer.ask(mapRoutes.add, { body: { path: realMap('firenze.pmtiles') ?? '' } });
  expect((await placeAt({ lat: 42.5078, lon: 1.5251 }))?.text).toBe('Avinguda Meritxell, Andorra la Vella');
  expect((await placeAt({ lat: 43.7696, lon: 11.2558 }))?.text).toBe('Piazza della Signoria, Firenze');
});
