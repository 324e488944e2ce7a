import { fromGeojsonVt } from '@maplibre/vt-pbf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tileLayerNames, tileLayers } from '../../../server/contract/mapLayers.ts';
import { encodeTile } from '../../../server/maps/composeTile.ts';
import { mappings, tileFeatures, type VectorSchema } from '../../../server/maps/tileFeatures.ts';
import { readVectorTile, type Properties } from '../../../server/maps/vectorTile.ts';
import { street } from '../../support/mapFiles.ts';

const shapes = {
  point: { type: 1, geometry: [[10, 20]] },
  line: { type: 2, geometry: [[[0, 0], [100, 100]]] }, // prettier-ignore
  polygon: { type: 3, geometry: [[[0, 0], [100, 0], [100, 100], [0, 0]]] }, // prettier-ignore
} as const;

/** What a feature of a schema becomes, or nothing. */
function mapOne(schema: VectorSchema, layer: string, type: keyof typeof shapes, tags: Properties) {
  const tile = { [layer]: { features: [{ ...shapes[type], tags }] } };
  const bytes = fromGeojsonVt(tile as unknown as Parameters<typeof fromGeojsonVt>[0], {
    version: 2,
    extent: 4_096,
  });
  return tileFeatures(bytes, schema).map((it) => ({ layer: it.layer, ...it.properties }))[0];
}

describe('the schema Protomaps 4 in the vocabulary of tiles', () => {
  it('a motorway of Protomaps 4 is a motorway with its shield, its bridge and its names', () => {
    const tags = {
      ...{ kind: 'highway', kind_detail: 'motorway', is_bridge: true, oneway: 'yes', shield_text: 'A 24' },
      ...{ name: 'Hansalinie', 'name:en': 'Hansa Line', 'name:xx': 'left out' },
    };
    expect(mapOne('protomaps', 'roads', 'line', tags)).toEqual({
      ...{ layer: 'road', kind: 'motorway', ref: 'A 24', bridge: true, oneway: true },
      ...{ name: 'Hansalinie', 'name:en': 'Hansa Line' },
    });
  });

  it('a road of Protomaps 4 without its detail is drawn by its class', () => {
    expect(mapOne('protomaps', 'roads', 'line', { kind: 'minor_road' })).toMatchObject({ kind: 'minor' });
    expect(mapOne('protomaps', 'roads', 'line', { kind: 'rail', kind_detail: 'tram' })).toEqual({
      layer: 'rail',
      kind: 'tram',
    });
  });

  it('an address point of Protomaps 4 has its number and street', () => {
    const tags = { kind: 'address', addr_housenumber: '12a', addr_street: 'Elm Street' };
    expect(mapOne('protomaps', 'buildings', 'point', tags)).toEqual({
      ...{ layer: 'address', number: '12a', street: 'Elm Street' },
    });
  });

  it('a town of Protomaps 4 has its kind, its rank and its inhabitants', () => {
    const tags = {
      kind: 'locality',
      kind_detail: 'town',
      name: 'Elmswell',
      population: 40_000,
      population_rank: 8,
    };
    expect(mapOne('protomaps', 'places', 'point', tags)).toEqual({
      ...{ layer: 'place', kind: 'town', name: 'Elmswell', population: 40_000, rank: 8 },
    });
  });
});

describe('what Protomaps 4 has of its own', () => {
  it.each([
    [
      'a large road by its class',
      'roads',
      'line',
      { kind: 'major_road', kind_detail: 'secondary', ref: 'SP 12;SP 13' },
      { layer: 'road', kind: 'secondary', ref: 'SP 12' },
    ],
    [
      'a ramp',
      'roads',
      'line',
      { kind: 'highway', kind_detail: 'motorway_link', is_link: true },
      { layer: 'road', kind: 'motorway', link: true },
    ],
    [
      'a tunnel',
      'roads',
      'line',
      { kind: 'minor_road', kind_detail: 'service', is_tunnel: true },
      { layer: 'road', kind: 'service', tunnel: true },
    ],
    [
      'a runway',
      'roads',
      'line',
      { kind: 'aeroway', kind_detail: 'runway' },
      { layer: 'road', kind: 'aeroway' },
    ],
    [
      'a siding',
      'roads',
      'line',
      { kind: 'rail', kind_detail: 'rail', service: 'siding' },
      { layer: 'rail', kind: 'service' },
    ],
    ['ferries', 'roads', 'line', { kind: 'ferry' }, { layer: 'road', kind: 'ferry' }],
    ['land from afar', 'landcover', 'polygon', { kind: 'barren' }, { layer: 'ground', kind: 'rock' }],
    ['glaciers', 'landcover', 'polygon', { kind: 'glacier' }, { layer: 'ground', kind: 'ice' }],
    ['a naval base', 'landuse', 'polygon', { kind: 'naval_base' }, { layer: 'ground', kind: 'industrial' }],
    ['dry ground', 'earth', 'polygon', { kind: 'earth' }, { layer: 'land', kind: 'land' }],
    [
      'the area of a river',
      'water',
      'polygon',
      { kind: 'water', kind_detail: 'river' },
      { layer: 'water', kind: 'river' },
    ],
    [
      'the name of a lake',
      'water',
      'point',
      { kind: 'lake', name: 'Mere' },
      { layer: 'waterway', kind: 'water', name: 'Mere' },
    ],
    ['a ditch', 'water', 'line', { kind: 'ditch' }, { layer: 'waterway', kind: 'stream' }],
    [
      'a quarter of a town',
      'places',
      'point',
      { kind: 'macrohood', name: 'Quays' },
      { layer: 'place', kind: 'suburb', name: 'Quays', rank: 15 },
    ],
    [
      'a border that few recognise',
      'boundaries',
      'line',
      { kind: 'unrecognized_country' },
      { layer: 'boundary', kind: 'country', disputed: true },
    ],
    [
      'a supermarket',
      'pois',
      'point',
      { kind: 'supermarket', name: 'Shop' },
      { layer: 'poi', kind: 'shop', name: 'Shop' },
    ],
    ['a marina', 'pois', 'point', { kind: 'marina' }, { layer: 'poi', kind: 'harbour' }],
    [
      'a building',
      'buildings',
      'polygon',
      { kind: 'building_part' },
      { layer: 'building', kind: 'building' },
    ],
  ] as const)('Protomaps 4 has %s, which has a word of ours', (_, layer, type, tags, expected) => {
    expect(mapOne('protomaps', layer, type, tags)).toEqual(expected);
  });
});

describe('what Shortbread has of its own', () => {
  it.each([
    [
      'several numbers of a road, line by line',
      'street_labels',
      'line',
      { kind: 'trunk', ref: 'E 40\nA 4' },
      { layer: 'road', kind: 'trunk', ref: 'E 40', name_only: true },
    ],
    [
      'ramps by a property',
      'streets',
      'line',
      { kind: 'trunk', link: true, bridge: true, tunnel: false },
      { layer: 'road', kind: 'trunk', link: true, bridge: true },
    ],
    [
      'a runway among the streets',
      'streets',
      'line',
      { kind: 'runway', rail: false },
      { layer: 'road', kind: 'aeroway' },
    ],
    ['guideways of buses', 'streets', 'line', { kind: 'bus_guideway' }, { layer: 'road', kind: 'service' }],
    ['funiculars', 'streets', 'line', { kind: 'funicular', rail: true }, { layer: 'rail', kind: 'rail' }],
    [
      'glaciers among the water',
      'water_polygons',
      'polygon',
      { kind: 'glacier' },
      { layer: 'ground', kind: 'ice' },
    ],
    ['canals as areas', 'water_polygons', 'polygon', { kind: 'canal' }, { layer: 'water', kind: 'river' }],
    [
      'waterways in tunnels',
      'water_lines',
      'line',
      { kind: 'ditch', tunnel: true },
      { layer: 'waterway', kind: 'stream', tunnel: true },
    ],
    [
      'the names of lakes',
      'water_polygons_labels',
      'point',
      { kind: 'water', name: 'Mere', name_de: 'Meer' },
      { layer: 'waterway', kind: 'water', name: 'Mere', 'name:de': 'Meer' },
    ],
    ['sports centres', 'sites', 'polygon', { kind: 'sports_center' }, { layer: 'ground', kind: 'pitch' }],
    ['wet meadows', 'land', 'polygon', { kind: 'wet_meadow' }, { layer: 'ground', kind: 'wetland' }],
    [
      'capitals of states',
      'place_labels',
      'point',
      { kind: 'state_capital', name: 'Graz', population: 290_000 },
      { layer: 'place', kind: 'city', name: 'Graz', population: 290_000, rank: 5 },
    ],
    [
      'the names of countries',
      'boundary_labels',
      'point',
      { admin_level: 2, name: 'Italia', name_en: 'Italy' },
      { layer: 'place', kind: 'country', name: 'Italia', 'name:en': 'Italy', rank: 1 },
    ],
    [
      'borders along the coast',
      'boundaries',
      'line',
      { admin_level: 4, maritime: true, disputed: false },
      { layer: 'boundary', kind: 'region', maritime: true },
    ],
    [
      'stops',
      'public_transport',
      'point',
      { kind: 'tram_stop', name: 'Quay' },
      { layer: 'poi', kind: 'bus', name: 'Quay' },
    ],
    [
      'fuel by its amenity',
      'pois',
      'point',
      { amenity: 'fuel', name: 'Fuel' },
      { layer: 'poi', kind: 'fuel', name: 'Fuel' },
    ],
  ] as const)('Shortbread has %s, which has a word of ours', (_, layer, type, tags, expected) => {
    expect(mapOne('shortbread', layer, type, tags)).toEqual(expected);
  });
});

describe('the schema Shortbread in the vocabulary of tiles', () => {
  it('a street of Shortbread is drawn without its name, which stands in a layer of its own', () => {
    expect(mapOne('shortbread', 'streets', 'line', { kind: 'residential', tunnel: true })).toEqual({
      ...{ layer: 'road', kind: 'minor', tunnel: true },
    });
    const label = { kind: 'primary', name: 'Hauptstraße', name_en: 'Main Street', ref: 'B 5;B 6' };
    expect(mapOne('shortbread', 'street_labels', 'line', label)).toEqual({
      ...{ layer: 'road', kind: 'primary', ref: 'B 5', name_only: true },
      ...{ name: 'Hauptstraße', 'name:en': 'Main Street' },
    });
  });

  it('rails, water, addresses and places of Shortbread have their kinds', () => {
    expect(mapOne('shortbread', 'streets', 'line', { kind: 'rail', rail: true, service: 'yard' })).toEqual({
      ...{ layer: 'rail', kind: 'service' },
    });
    expect(mapOne('shortbread', 'ocean', 'polygon', {})).toEqual({ layer: 'water', kind: 'ocean' });
    expect(mapOne('shortbread', 'addresses', 'point', { housenumber: 7 })).toEqual({
      ...{ layer: 'address', number: '7' },
    });
    expect(mapOne('shortbread', 'place_labels', 'point', { kind: 'capital', name: 'Wien' })).toMatchObject({
      ...{ layer: 'place', kind: 'city', name: 'Wien' },
    });
  });
});

describe('the schema OpenMapTiles in the vocabulary of tiles', () => {
  it('a road of OpenMapTiles and its name are two features, of which the name is not drawn as a line', () => {
    expect(
      mapOne('openmaptiles', 'transportation', 'line', { class: 'primary', brunnel: 'tunnel', ramp: 1 }),
    ).toEqual({
      ...{ layer: 'road', kind: 'primary', tunnel: true, link: true },
    });
    expect(
      mapOne('openmaptiles', 'transportation_name', 'line', { class: 'minor', 'name:latin': 'Elm Street' }),
    ).toEqual({
      ...{ layer: 'road', kind: 'minor', name: 'Elm Street', name_only: true },
    });
  });

  it('a border that is disputed says so, and one of a parish is not drawn', () => {
    expect(mapOne('openmaptiles', 'boundary', 'line', { admin_level: 2, disputed: 1, maritime: 0 })).toEqual({
      ...{ layer: 'boundary', kind: 'country', disputed: true },
    });
    expect(mapOne('openmaptiles', 'boundary', 'line', { admin_level: 9 })).toBeUndefined();
  });
});

describe('the old schema of Protomaps in the vocabulary of tiles', () => {
  it('the tags of OpenStreetMap become our kinds', () => {
    expect(
      mapOne('protomaps_old', 'roads', 'line', { highway: 'primary_link', bridge: 'no', tunnel: 'yes' }),
    ).toEqual({
      ...{ layer: 'road', kind: 'primary', tunnel: true, link: true },
    });
    expect(mapOne('protomaps_old', 'transit', 'line', { railway: 'rail', service: 'siding' })).toEqual({
      ...{ layer: 'rail', kind: 'service' },
    });
    expect(mapOne('protomaps_old', 'boundaries', 'line', { 'pmap:min_admin_level': 4 })).toEqual({
      ...{ layer: 'boundary', kind: 'region' },
    });
  });
});

describe('any schema', () => {
  it('a name in a script that the map cannot draw has its Latin one beside it, and one in Devanagari has none', () => {
    const place = (name: string, more: Properties = {}) =>
      mapOne('openmaptiles', 'place', 'point', { class: 'city', name, ...more });
    expect(place('ঢাকা', { 'name:latin': 'Dhaka' })).toMatchObject({ name: 'ঢাকা', 'name:drawn': 'Dhaka' });
    expect(place('ঢাকা')).toMatchObject({ 'name:drawn': '' });
    for (const name of ['दिल्ली', 'القاهرة', 'ירושלים', '東京', '서울', 'Αθήνα', 'Київ'])
      expect(place(name, { 'name:latin': 'Latin' })).not.toHaveProperty('name:drawn');
  });

  it('layers that a schema does not know are left out, whatever they are called', () => {
    for (const schema of Object.keys(mappings) as VectorSchema[]) {
      for (const layer of ['constructor', 'toString', 'unknown']) {
        expect(mapOne(schema, layer, 'line', { kind: 'x' })).toBeUndefined();
      }
    }
  });

  it('whatever the properties of a feature are, what it becomes is of the vocabulary', () => {
    const word = fc.constantFrom('rail', 'primary', 'lake', 'yes', 'no', '', 'city', 'toString', '__proto__');
    const keys = [
      'kind',
      'kind_detail',
      'class',
      'subclass',
      'highway',
      'railway',
      'natural',
      'place',
      'name',
      'ref',
    ];
    const tags = fc.dictionary(fc.constantFrom(...keys), fc.oneof(word, fc.integer(), fc.boolean()));
    const cases = Object.entries(mappings).flatMap(([schema, { layers }]) =>
      Object.keys(layers).map((layer) => [schema as VectorSchema, layer] as const),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...cases),
        fc.constantFrom('point', 'line', 'polygon'),
        tags,
        ([schema, layer], type, given) => {
          const found = mapOne(schema, layer, type, given);
          if (found === undefined) return;
          expect(tileLayerNames).toContain(found.layer);
          const kinds: readonly string[] = tileLayers[found.layer];
          if (kinds.length > 0) expect(kinds).toContain((found as Properties)['kind']);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a vector tile', () => {
  const good = encodeTile([
    street('Elm Street', { oneway: true }),
    {
      ...street('B'),
      layer: 'water',
      type: 'polygon',
      parts: [[0, 0, 9, 0, 9, 9, 0, 0]],
      properties: { kind: 'lake', depth: -3.5 },
    },
  ]);

  it('a tile that was written is read as it was', () => {
    expect(tileFeatures(good, 'fleetdeck')).toEqual([
      {
        layer: 'water',
        type: 'polygon',
        parts: [[0, 0, 9, 0, 9, 9, 0, 0]],
        properties: { kind: 'lake', depth: -3.5 },
      },
      {
        layer: 'road',
        type: 'line',
        parts: [[0, 2048, 4096, 2048]],
        properties: { kind: 'minor', name: 'Elm Street', oneway: true },
      },
    ]);
  });

  it('bytes that are no tile, or a tile that was damaged, are read or refused, and never for long', () => {
    const damaged = fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 })).map(([at, byte]) => {
      const bytes = good.slice();
      bytes[at] = byte;
      return bytes;
    });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), damaged), (bytes) => {
        try {
          for (const layer of readVectorTile(bytes)) for (const it of layer.features()) it.parts();
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('a geometry that claims more points than it has brings those that it has', () => {
    // One layer, one feature: a line of "2^29 - 1 points", and no more bytes.
    const geometry = [0x22, 0x06, 0x09, 0x00, 0x00, 0xfa, 0xff, 0x7f];
    const feature = [0x12, geometry.length + 2, 0x18, 0x02, ...geometry];
    const layer = [0x0a, 0x01, 0x61, ...feature];
    const [read] = readVectorTile(new Uint8Array([0x1a, layer.length, ...layer]));
    expect([...(read?.features() ?? [])].map((it) => it.parts())).toEqual([[[0, 0]]]);
  });
});
