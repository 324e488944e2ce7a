import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { placeFilter } from '../../../../renderer/map/basemap/baseMapLayers.ts';
import { serveTiles } from '../../../../renderer/map/basemap/mapTiles.ts';
import { creditOf } from '../../../../renderer/map/basemap/streetMaps.ts';
import { streetLabelLayers } from '../../../../renderer/map/basemap/streetLayers.ts';
import { consoleLayers, styleOf } from '../../../../renderer/map/mapLayers.ts';
import { mapPaletteFrom } from '../../../../renderer/map/mapPalette.ts';
import { tileLayers } from '../../../../server/contract/mapLayers.ts';
import type { Map as MapFile } from '../../../../server/contract/maps.ts';

const maplibre = vi.hoisted(() => ({ protocols: new Map<string, unknown>() }));
vi.mock('maplibre-gl', () => ({
  addProtocol: (name: string, handler: unknown) => maplibre.protocols.set(name, handler),
  removeProtocol: (name: string) => maplibre.protocols.delete(name),
}));
afterEach(() => maplibre.protocols.clear());

const palette = mapPaletteFrom(() => '#000000');
const options = {
  describe: () => ({ name: '', detail: null, alarm: null }),
  describeRest: () => '',
  insets: { top: 0, right: 0, bottom: 0, left: 0 },
};
const style = styleOf(consoleLayers(options), palette, (of) => [`tiles://${of}/{z}/{x}/{y}`]);

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

describe('the style of the map', () => {
  it('the style is valid by the specification of MapLibre', () => {
    expect(validateStyleMin(style).map(({ message }) => message)).toEqual([]);
  });

  it('every layer of streets draws from a layer that tiles have', () => {
    const drawn = style.layers.flatMap((it) => ('source-layer' in it ? [it['source-layer'] ?? ''] : []));
    expect(new Set(drawn)).toEqual(new Set(Object.keys(tileLayers)));
  });

  it('streets lie under geofences, and all names but those of places under their own', () => {
    const ids = style.layers.map(({ id }) => id);
    const order = [
      'street-land',
      'imagery',
      'street-road',
      'street-bridge',
      'geofence-fill',
      'label-street-major',
      'label-place',
      'vehicle-glyph',
    ];
    const places = order.map((id) => ids.indexOf(id));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('a name is drawn in the language of the console, else as people there call it', () => {
    const place = streetLabelLayers(palette, 'de').find(({ id }) => id === 'label-place');
    expect((place?.layout as { 'text-field': unknown })['text-field']).toEqual([
      'coalesce',
      ['get', 'name:de'],
      ['get', 'name:drawn'],
      ['get', 'name'],
      '',
    ]);
  });

  it('the world map names no places where a street map does, but from afar', () => {
    expect(JSON.stringify(placeFilter([andorra.area]))).toContain('[1.42,42.43]');
    expect(JSON.stringify(placeFilter([]))).not.toContain('within');
  });
});

describe('the credit of a view', () => {
  const near = { west: 1.5, south: 42.5, east: 1.6, north: 42.6 };
  const world = 'Natural Earth · GeoNames (CC BY 4.0)';
  it('the licence of each map in the view is shown, and that of no other', () => {
    expect(creditOf([andorra], near, 14)).toBe(`© OpenStreetMap contributors · ${world}`);
    expect(creditOf([andorra], { ...near, west: 3, east: 4 }, 14)).toBe(world);
  });
  it('from afar, where a map is not drawn, its licence is not shown', () => {
    expect(creditOf([andorra], near, 5)).toBe(world);
    expect(creditOf([imagery], near, 9)).toBe(world);
  });
  it('a map without a licence is named, and two of the same licence are credited once', () => {
    expect(creditOf([imagery, andorra, andorra], near, 12)).toBe(
      `Aerial · © OpenStreetMap contributors · ${world}`,
    );
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

  it('the tiles of a map that is gone from the page have no address any more', () => {
    const { tiles } = open([], () => new Response());
    expect(maplibre.protocols.size).toBe(1);
    tiles.stop();
    expect(maplibre.protocols.size).toBe(0);
  });
});
