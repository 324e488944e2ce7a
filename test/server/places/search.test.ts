import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mapRoutes } from '../../../server/contract/maps.ts';
import { placeRoutes, type FoundPlace } from '../../../server/contract/places.ts';
import { placeOfTilePoint } from '../../../server/maps/composeTile.ts';
import type { TileFeature } from '../../../server/maps/tileFeatures.ts';
import { makeMbtiles, realMap, street, tileOf } from '../../support/mapFiles.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

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
const at = (px: number, py: number, tileX = x) => placeOfTilePoint([px, py], z, tileX, y);

/** Two towns, 60 km apart, with a street of the same name in each. */
const far = x + 45;
const tiles = [
  tileOf(z, x, y, [
    line('Elm Street', [0, 2000, 4200, 2000], { 'name:de': 'Ulmenstraße' }),
    line("Rue de l'Église", [0, 1000, 1500, 1000]),
    line('Motorway', [0, 3000, 4096, 3000], { kind: 'motorway', ref: 'A 4' }),
    line('Elbe', [0, 100, 4096, 100], { kind: 'ferry' }),
    point('address', [1000, 2040], { number: '12a' }),
    point('address', [1500, 2040], { number: '7', street: 'Elm Street' }),
    point('address', [2000, 2040], { number: '3', street: 'Hidden Court' }),
    point('place', [2000, 2200], { kind: 'town', name: 'Elmswell', rank: 5 }),
    point('poi', [2100, 2300], { kind: 'fuel', name: 'Shell' }),
  ]),
  // The same street goes on in the next tile.
  tileOf(z, x + 1, y, [line('Elm Street', [-100, 2000, 300, 2000])]),
  tileOf(z, far, y, [
    line('Elm Street', [0, 2000, 4096, 2000]),
    line('中山路', [0, 900, 4096, 900]),
    point('place', [2000, 2200], { kind: 'city', name: 'Farville', rank: 2 }),
  ]),
];

let host: TestHost;
let dealer: Caller;
let folder: string;
beforeAll(async () => {
  host = await startTestHost();
  dealer = await host.login();
  folder = await mkdtemp(join(tmpdir(), 'fleetdeck-search-'));
  await addMap(makeMbtiles(join(folder, 'elm.mbtiles'), { tiles, bounds: '24,56,26,57.5' }));
});
afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

async function addMap(path: string): Promise<string> {
  const { map_id } = await dealer.ask(mapRoutes.add, { body: { path } });
  await vi.waitUntil(async () => (await indexes()).find((it) => it.map_id === map_id)?.state === 'ready', {
    timeout: 60_000,
  });
  return map_id;
}

async function indexes() {
  return (await dealer.ask(placeRoutes.indexes)).items;
}

async function found(q: string, near?: { lat: number; lon: number }): Promise<FoundPlace[]> {
  return (await dealer.ask(placeRoutes.search, { query: { q, ...near } })).items;
}

const names = async (q: string, near?: { lat: number; lon: number }) =>
  (await found(q, near)).map(({ text }) => text);

describe('the search for places', () => {
  it('a street is one entry per town, whatever its pieces, and the nearest comes first', async () => {
    expect(await names('elm street', at(0, 0))).toEqual(['Elm Street, Elmswell', 'Elm Street, Farville']);
    expect(await names('elm street', at(0, 0, far))).toEqual([
      'Elm Street, Farville',
      'Elm Street, Elmswell',
    ]);
    const [first] = await found('elm street', at(0, 0));
    expect(first).toMatchObject({ kind: 'street', name: 'Elm Street', town: 'Elmswell' });
    expect(Math.abs((first?.lat ?? 0) - at(0, 2000).lat)).toBeLessThan(0.0001);
  });

  it('words are found in any order, begun, without diacritics and in other languages of the map', async () => {
    expect(await names('farville elm')).toEqual(['Elm Street, Farville']);
    expect(await names('street, elmswell')).toEqual(['Elm Street, Elmswell']);
    expect(await names('eglise')).toEqual(["Rue de l'Église, Elmswell"]);
    expect(await names('RUE ÉGL')).toEqual(["Rue de l'Église, Elmswell"]);
    expect(await names('ulmenstrasse')).toEqual(['Elm Street, Elmswell']);
    for (const typed of ['a 4', 'A4', 'a4 elmswell']) {
      expect(await names(typed), typed).toEqual(['A 4, Elmswell']);
    }
    expect(await names('motorway')).toEqual(['Motorway, Elmswell']);
    expect(await names('lmswel')).toContain('Elmswell');
  });

  it('names of two letters are found by their beginning', async () => {
    expect(await names('中山')).toEqual(['中山路, Farville']);
    expect(await names('中山路')).toEqual(['中山路, Farville']);
  });

  it('a word with one error finds what it was meant for', async () => {
    for (const typed of ['elm stret', 'elm sreet', 'elm strreet', 'elm strete', 'elm strest', 'elm ztreet']) {
      expect(await names(`${typed} elmswell`), typed).toEqual(['Elm Street, Elmswell']);
    }
    expect(await names('elm stxxet elmswell')).toEqual([]);
    expect(await names('Farvile')).toContain('Farville');
  });

  it('a house number stands before or after its street; one that the map has not yields the street', async () => {
    for (const typed of [
      'elm street 12a',
      '12A elm street elmswell',
      'elmswell, elm street 12a',
      'elm strete 12a',
    ]) {
      const [first] = await found(typed);
      expect(first, typed).toMatchObject({ kind: 'address', text: 'Elm Street 12a, Elmswell' });
      expect(Math.abs((first?.lon ?? 0) - at(1000, 0).lon)).toBeLessThan(0.0001);
    }
    expect((await names('elm street 7'))[0]).toBe('Elm Street 7, Elmswell');
    expect((await names('elm street 99 elmswell'))[0]).toBe('Elm Street, Elmswell');
    // The tile has its houses, and not the street itself.
    expect((await names('hidden court 3'))[0]).toBe('Hidden Court 3, Elmswell');
  });

  it('places and points of interest are found, ferries are not', async () => {
    expect((await found('elmswell'))[0]).toMatchObject({ kind: 'place', text: 'Elmswell', town: null });
    expect((await found('shell'))[0]).toMatchObject({ kind: 'poi', text: 'Shell, Elmswell' });
    expect(await names('elbe')).toEqual([]);
  });

  it('a town is found among its many streets, and a part that many words have beside another part', async () => {
    const letter = (at: number) => String.fromCharCode(97 + (at % 26));
    const streets = Array.from(
      { length: 400 },
      (_, i) => `O${letter(i)}${letter(Math.floor(i / 26))}mereweg`,
    );
    const many = tileOf(z, x + 200, y, [
      ...[...streets, 'Krummholzweg'].map((name) => line(name, [0, 900, 4096, 900])),
      point('place', [2000, 2200], { kind: 'town', name: 'Longford', rank: 9 }),
    ]);
    await addMap(makeMbtiles(join(folder, 'many.mbtiles'), { tiles: [many] }));
    for (const near of [undefined, at(0, 0), at(0, 0, x + 200)]) {
      expect((await names('longford', near))[0]).toBe('Longford');
      expect(await names('krummholz weg', near)).toEqual(['Krummholzweg, Longford']);
      expect(await names('weg krumholz', near)).toEqual(['Krummholzweg, Longford']);
    }
    expect((await names('weg longf')).length).toBeGreaterThan(5);
  });

  it('coordinates are found as such, in each notation', async () => {
    for (const q of ['42.5078, 1.5251', '42°30′28.1″ N 1°31′30.4″ E', '8FH3GG5G+42']) {
      const [first] = await found(q);
      expect(first?.kind, q).toBe('coordinates');
    }
    expect((await found('GG5G+42', { lat: 42.5, lon: 1.5 }))[0]?.kind).toBe('coordinates');
  });

  it('a map that is hidden or removed is not searched, and its index goes with it', async () => {
    const map_id = await addMap(
      makeMbtiles(join(folder, 'other.mbtiles'), { tiles: [tileOf(z, 5, 5, [street('Only Here')])] }),
    );
    expect(await names('only here')).toEqual(['Only Here']);
    await dealer.ask(mapRoutes.patch, { params: { map_id }, body: { shown: false } });
    expect(await names('only here')).toEqual([]);
    await dealer.ask(mapRoutes.remove, { params: { map_id } });
    expect(await names('only here')).toEqual([]);
    await expect
      .poll(async () => (await readdir(join(host.data, 'maps'))).filter((it) => it.includes(map_id)))
      .toEqual([]);
  });

  it('what is no name of anything is found nowhere, at once', async () => {
    for (const q of [
      '%',
      '"',
      "'; DROP TABLE entries",
      'x'.repeat(200),
      '* AND (',
      '😀',
      ' 1 ',
      '1 2 3 4 5 6 7 8 9 10 11 12',
    ])
      expect(await names(q), q).toEqual([]);
  });

  it('after a restart the index is there, and is not built again', async () => {
    const own = await startTestHost();
    try {
      const caller = await own.login();
      const path = join(folder, 'elm.mbtiles');
      await caller.ask(mapRoutes.add, { body: { path } });
      const ready = async (of: Caller) => (await of.ask(placeRoutes.indexes)).items[0]?.state;
      await expect.poll(() => ready(caller), { timeout: 60_000 }).toBe('ready');
      await own.stop();
      const again = await startTestHost({ data: own.data });
      const after = await again.login();
      expect(await ready(after)).toBe('ready');
      const { items } = await after.ask(placeRoutes.search, { query: { q: 'elm street' } });
      expect(items).toHaveLength(2);
      await again.stop();
    } finally {
      await own.close();
    }
  });

  it('a map whose file is gone before it is indexed says so, and why', async () => {
    const own = await startTestHost();
    try {
      const caller = await own.login();
      const path = makeMbtiles(join(folder, 'gone.mbtiles'), { tiles, bounds: '24,56,26,57.5' });
      const { map_id } = await caller.ask(mapRoutes.add, { body: { path } });
      const indexOf = async (of: Caller) => (await of.ask(placeRoutes.indexes)).items[0];
      await expect.poll(async () => (await indexOf(caller))?.state, { timeout: 60_000 }).toBe('ready');
      await own.stop();
      await rm(path);
      const maps = join(own.data, 'maps');
      for (const name of await readdir(maps)) if (name.includes('.search')) await rm(join(maps, name));
      const again = await startTestHost({ data: own.data });
      const after = await again.login();
      await expect.poll(async () => (await indexOf(after))?.state, { timeout: 60_000 }).toBe('failed');
      expect(await indexOf(after)).toEqual({
        ...{
          map_id,
          state: 'failed',
          progress: 0,
          detail: 'it does not exist, or its disk is not connected',
        },
        causes: [{ code: 'map_file.missing', values: {} }],
      });
      await again.stop();
    } finally {
      await own.close();
    }
  });
});

const andorra = realMap('andorra.mbtiles');
describe.skipIf(andorra === null)("Andorra's map", () => {
  it('streets and places of Andorra are found', async () => {
    await addMap(andorra ?? '');
    const near = { lat: 42.5078, lon: 1.5211 };
    expect((await names('av meritxell', near))[0]).toMatch(/^Avinguda (de )?Meritxell, Andorra la Vella/);
    expect((await names('meritxel avinguda', near))[0]).toMatch(/Meritxell/);
    expect((await names('avinguda meritxzell', near))[0]).toMatch(/Meritxell/);
    expect((await names('Andorra la Vella', near))[0]).toBe('Andorra la Vella');
    expect((await names('encamp', near))[0]).toBe('Encamp');
    expect((await names('carrer escoles', near)).length).toBeGreaterThan(0);
  }, 240_000);
});
