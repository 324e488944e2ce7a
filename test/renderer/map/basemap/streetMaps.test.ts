import { expression } from '@maplibre/maplibre-gl-style-spec';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { placeFilter } from '../../../../renderer/map/basemap/baseMapLayers.ts';
import { serveTiles } from '../../../../renderer/map/basemap/mapTiles.ts';
import { creditOf, namesPlaces } from '../../../../renderer/map/basemap/streetMaps.ts';
import type { Map as MapFile } from '../../../../server/contract/maps.ts';

const maplibre = vi.hoisted(() => {
  // Other tests of the same process may have loaded MapLibre itself.
  vi.resetModules();
  return { protocols: new Map<string, unknown>() };
});
vi.mock('maplibre-gl', () => ({
  addProtocol: (name: string, handler: unknown) => maplibre.protocols.set(name, handler),
  removeProtocol: (name: string) => maplibre.protocols.delete(name),
}));
afterEach(() => maplibre.protocols.clear());

const andorra: MapFile = {
  map_id: '00000000-0000-4000-8000-000000000001',
  name: 'Andorra',
  kind: 'streets',
  format: 'mbtiles',
  schema: 'openmaptiles',
  area: { west: 1.42, south: 42.43, east: 1.79, north: 42.66 },
  min_zoom: 0,
  max_zoom: 14,
  bytes: 1,
  licence: '© OpenStreetMap contributors',
  shown: true,
  path: null,
  url: null,
  fault: null,
  version: 1,
  created_at: '2026-11-23T00:00:00.000Z',
  updated_at: '2026-11-23T00:00:00.000Z',
};
const imagery: MapFile = {
  ...andorra,
  kind: 'imagery',
  schema: 'raster',
  licence: '',
  name: 'Aerial',
  min_zoom: 10,
};

describe('the names of the world map', () => {
  it('the world map names no places where a street map does, but from afar', () => {
    const filter = (maps: Parameters<typeof placeFilter>[0], zoom: number, lon: number) => {
      const made = expression.createExpression(placeFilter(maps), 'test');
      if (made.result === 'error') throw new Error(made.value.join());
      const place = {
        type: 1 as const,
        properties: { kind: 'place', minZoom: 5 },
        geometry: [[pointAt(lon)]],
      };
      return made.value.evaluate({ zoom }, place, undefined, { z: 0, x: 0, y: 0 } as never);
    };
    expect(filter([andorra], 5, 1.5)).toBe(true);
    expect(filter([andorra], 7, 1.5)).toBe(false);
    expect(filter([andorra], 7, 3)).toBe(true);
    expect(filter([{ ...andorra, min_zoom: 10 }], 7, 1.5)).toBe(true);
    expect(filter([{ ...andorra, min_zoom: 10 }], 10, 1.5)).toBe(false);
  });
});

describe('an online source', () => {
  const online: MapFile = {
    ...andorra,
    ...{ format: 'online', licence: '© Elm', url: 'https://elm.example/style.json', min_zoom: 6 },
  };
  it('an online source names the places in its area while it is there, and the world map does while it is away', () => {
    expect([andorra, { ...andorra, fault: 'ENOENT' }, online, imagery].map(namesPlaces)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(namesPlaces({ ...online, fault: 'it answered 503' })).toBe(false);
  });
  it('the attribution of an online source is shown where it is drawn, also from its cache', () => {
    const view = { west: 1.5, south: 42.5, east: 1.6, north: 42.6 };
    const away = { ...online, fault: 'it answered 503' };
    expect(creditOf([away], view, 8)).toMatch(/^© Elm · /);
    expect(creditOf([away], view, 5)).not.toContain('Elm');
  });
});

/** In the tile of the whole world, at 42.5 degrees north. */
function pointAt(lon: number): { x: number; y: number } {
  const sine = Math.sin((42.5 * Math.PI) / 180);
  return {
    x: ((lon + 180) / 360) * 8_192,
    y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 8_192,
  };
}

describe('the credit of a view', () => {
  const near = { west: 1.5, south: 42.5, east: 1.6, north: 42.6 };
  const border = { ...near, west: 1.3 };
  const elsewhere = { ...near, west: 3, east: 4 };
  const world = 'Natural Earth · GeoNames (CC BY 4.0)';
  const own = '© OpenStreetMap contributors';

  it('the licence of each map in the view is shown, and that of no other', () => {
    expect(creditOf([andorra], border, 14)).toBe(`${own} · ${world}`);
    expect(creditOf([andorra], elsewhere, 14)).toBe(world);
  });

  it('the world map is credited where its names are drawn: not within a street map, and always over imagery', () => {
    expect(creditOf([andorra], near, 14)).toBe(own);
    expect(creditOf([andorra], near, 22)).toBe(own);
    expect(creditOf([imagery], near, 14)).toBe(`Aerial · ${world}`);
  });

  it('from afar, where a map is not drawn, its licence is not shown', () => {
    expect(creditOf([andorra], near, 5)).toBe(world);
    expect(creditOf([{ ...andorra, min_zoom: 10 }], near, 9)).toBe(world);
    expect(creditOf([imagery], near, 9)).toBe(world);
  });

  it('a map without a licence is named, and two of the same licence are credited once', () => {
    expect(creditOf([imagery, andorra, andorra], border, 12)).toBe(`Aerial · ${own} · ${world}`);
  });

  it('a map behind a deeper one is credited, whose tiles may not fill its area', () => {
    const town = { ...andorra, max_zoom: 16, licence: 'Town survey' };
    expect(creditOf([town, andorra], near, 15)).toBe(`Town survey · ${own}`);
  });
});

describe('the tiles of a map', () => {
  type Handler = (request: { url: string }, abort: AbortController) => Promise<{ data: ArrayBuffer }>;
  function open(maps: MapFile[], answer: () => Response) {
    const asked: unknown[] = [];
    const api = {
      open: (_route: unknown, request: { params: unknown; query: unknown }) => {
        asked.push({ ...(request.params as object), ...(request.query as object) });
        return Promise.resolve(answer());
      },
    };
    const tiles = serveTiles({ api: api as never, list: () => ({ maps, version: 7 }) });
    const [address = ''] = tiles.tilesOf('streets');
    const handler = maplibre.protocols.get(address.split(':')[0] ?? '') as Handler;
    const read = (of: string, at: string) =>
      handler({ url: address.replace('streets', of).replace('{z}/{x}/{y}', at) }, new AbortController());
    return { asked, tiles, read };
  }

  it('a tile within a map is asked for by the version of the maps', async () => {
    const { asked, read } = open([andorra], () => new Response(new Uint8Array([1, 2])));
    const { data } = await read('streets', '14/8261/6050');
    expect(asked).toEqual([{ map_id: 'streets', z: '14', x: '8261', y: '6050', v: 7 }]);
    expect(new Uint8Array(data)).toEqual(new Uint8Array([1, 2]));
  });

  it('outside of all maps, and of one that is hidden, nothing is asked for', async () => {
    const { asked, read } = open([{ ...andorra, shown: false }], () => new Response());
    expect((await read('streets', '14/8261/6050')).data.byteLength).toBe(0);
    const other = open([andorra], () => new Response());
    expect((await other.read('streets', '14/0/0')).data.byteLength).toBe(0);
    expect([...asked, ...other.asked]).toEqual([]);
  });

  it('a tile that is not there is empty, and a picture that is not there is taken from above', async () => {
    const none = () => new Response(null, { status: 204 });
    expect((await open([andorra], none).read('streets', '14/8261/6050')).data.byteLength).toBe(0);
    await expect(open([imagery], none).read('imagery', '14/8261/6050')).rejects.toMatchObject({
      status: 404,
    });
  });

  it('a tile that soon may be another one is announced, and one that may be kept is not', async () => {
    const passing: string[] = [];
    const answer = (control: string) => () =>
      new Response(new Uint8Array([1]), { headers: { 'Cache-Control': control } });
    for (const control of ['private, no-cache', 'private, max-age=60, immutable']) {
      const { tiles, read } = open([andorra], answer(control));
      tiles.onPassing((of) => passing.push(`${of}: ${control}`));
      await read('streets', '14/8261/6050');
    }
    expect(passing).toEqual(['streets: private, no-cache']);
  });

  it('the tiles of a map that is gone from the page have no address any more', () => {
    const { tiles } = open([], () => new Response());
    expect(maplibre.protocols.size).toBe(1);
    tiles.stop();
    expect(maplibre.protocols.size).toBe(0);
  });
});
