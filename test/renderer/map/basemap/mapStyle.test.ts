import { expression, validateStyleMin, type FilterSpecification } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it } from 'vitest';
import { streetLabelLayers } from '../../../../renderer/map/basemap/streetLabels.ts';
import { streetLayers } from '../../../../renderer/map/basemap/streetLayers.ts';
import { loadFontFaces, MEDIUM, REGULAR, SEMIBOLD } from '../../../../renderer/map/mapFonts.ts';
import { consoleLayers, styleOf } from '../../../../renderer/map/mapLayers.ts';
import { tileLayers, type TileLayer } from '../../../../server/contract/mapLayers.ts';
import { paletteOf, themes } from '../../../support/themePalette.ts';

const options = {
  describe: () => ({ name: '', detail: null, alarm: null }),
  describeRest: () => '',
  insets: { top: 0, right: 0, bottom: 0, left: 0 },
};
const palette = paletteOf('dark');
const styleIn = (theme: (typeof themes)[number], language = 'en') =>
  styleOf(consoleLayers(options), { palette: paletteOf(theme), language }, (of) => [
    `tiles://${of}/{z}/{x}/{y}`,
  ]);

type Shape = 'Point' | 'LineString' | 'Polygon';
const shapeTypes = { Point: 1, LineString: 2, Polygon: 3 } as const;

function evaluate(value: unknown, zoom: number, shape: Shape, properties: object): unknown {
  const made = expression.createExpression(value, 'test');
  if (made.result === 'error') throw new Error(made.value.map(({ message }) => message).join());
  return made.value.evaluate({ zoom }, { type: shapeTypes[shape], properties: { ...properties } });
}

/** The style layers that draw a feature of a tile at a zoom, from the ground up. */
function drawnBy(layer: TileLayer, shape: Shape, properties: object, zoom: number): string[] {
  return [...streetLayers(palette), ...streetLabelLayers(palette, 'en')]
    .filter(
      (it) =>
        'source-layer' in it &&
        it['source-layer'] === layer &&
        zoom >= (it.minzoom ?? 0) &&
        zoom < (it.maxzoom ?? 25) &&
        (it.filter === undefined ||
          evaluate(it.filter satisfies FilterSpecification, zoom, shape, properties) === true),
    )
    .map(({ id }) => id);
}

const nameFor = (language: string, properties: object) => {
  const place = streetLabelLayers(palette, language).find(({ id }) => id === 'label-place');
  return String(
    evaluate(
      (place?.layout as { 'text-field': unknown } | undefined)?.['text-field'],
      14,
      'Point',
      properties,
    ),
  );
};

describe('the style of the map', () => {
  it.each(themes)('the style of the %s map is valid by the specification of MapLibre', (theme) => {
    expect(validateStyleMin(styleIn(theme)).map(({ message }) => message)).toEqual([]);
  });

  it('every layer of streets draws from a layer that tiles have', () => {
    const drawn = styleIn('dark').layers.flatMap((it) =>
      'source-layer' in it ? [it['source-layer'] ?? ''] : [],
    );
    expect(new Set(drawn)).toEqual(new Set(Object.keys(tileLayers)));
  });

  it('streets lie under geofences, bridges over roads, and the names of the ground under vehicles', () => {
    const ids = styleIn('light').layers.map(({ id }) => id);
    const order = [
      ...['street-land', 'imagery', 'street-building', 'street-tunnel', 'street-casing', 'street-road'],
      ...['street-rail', 'street-bridge-casing', 'street-bridge', 'geofence-fill', 'label-street-major'],
      ...['label-place', 'vehicle-glyph'],
    ];
    const places = order.map((id) => ids.indexOf(id));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });
});

describe('what of the streets is drawn', () => {
  it('a motorway has a casing close up, a bridge one of its own, and a tunnel neither', () => {
    const road = { kind: 'motorway' };
    expect(drawnBy('road', 'LineString', road, 10)).toEqual(['street-road']);
    expect(drawnBy('road', 'LineString', road, 13)).toEqual(['street-casing', 'street-road']);
    expect(drawnBy('road', 'LineString', { ...road, bridge: true }, 13)).toEqual([
      'street-bridge-casing',
      'street-bridge',
    ]);
    expect(drawnBy('road', 'LineString', { ...road, tunnel: true }, 13)).toEqual(['street-tunnel']);
  });

  it('a street is drawn from zoom 11, has a casing from 14 and its name from 15', () => {
    const street = { kind: 'minor', name: 'Elm Street' };
    const at = (zoom: number) => drawnBy('road', 'LineString', street, zoom);
    expect(at(10)).toEqual([]);
    expect(at(12)).toEqual(['street-road']);
    expect(at(14)).toEqual(['street-casing', 'street-road']);
    expect(at(15)).toEqual(['street-casing', 'street-road', 'label-street-minor']);
  });

  it('a road that stands once more for its name is labelled, and not drawn again', () => {
    const label = { kind: 'primary', name: 'Ring', ref: 'A 1', name_only: true };
    expect(drawnBy('road', 'LineString', label, 15)).toEqual(['label-street-major', 'label-shield']);
  });

  it('motorways have their shields from zoom 9, main roads from 11, streets none', () => {
    const shields = (kind: string, zoom: number) =>
      drawnBy('road', 'LineString', { kind, ref: 'A 1' }, zoom).includes('label-shield');
    expect([shields('motorway', 8), shields('motorway', 9)]).toEqual([false, true]);
    expect([shields('secondary', 10), shields('secondary', 11), shields('minor', 15)]).toEqual([
      ...[false, true, false],
    ]);
  });

  it('house numbers are drawn from zoom 17', () => {
    expect(drawnBy('address', 'Point', { number: '7' }, 16.9)).toEqual([]);
    expect(drawnBy('address', 'Point', { number: '7' }, 17)).toEqual(['label-address']);
  });

  it('a hospital is named before a police station, and both before a shop', () => {
    const zooms = [13, 14, 15, 16, 17, 18];
    const first = (kind: string) =>
      zooms.find((zoom) => drawnBy('poi', 'Point', { kind, name: 'It' }, zoom).length > 0);
    expect(['hospital', 'police', 'school', 'shop', 'other'].map(first)).toEqual([14, 16, 17, 18, undefined]);
  });

  it('close up the name of a country and then that of the town are gone', () => {
    const at = (kind: string, zoom: number) => drawnBy('place', 'Point', { kind, name: 'It' }, zoom).length;
    expect([at('country', 8), at('country', 9)]).toEqual([1, 0]);
    expect([at('city', 15), at('city', 16)]).toEqual([1, 0]);
    expect([at('village', 10), at('village', 11)]).toEqual([0, 1]);
  });

  it('borders at sea are not drawn, and those of regions from zoom 8', () => {
    const at = (border: object, zoom: number) => drawnBy('boundary', 'LineString', border, zoom).length;
    expect([at({ kind: 'country' }, 6), at({ kind: 'country', maritime: true }, 6)]).toEqual([1, 0]);
    expect([at({ kind: 'region' }, 7), at({ kind: 'region' }, 8)]).toEqual([0, 1]);
  });
});

describe('the names of the map', () => {
  it('a name is drawn in the language of the console, else as people there call it', () => {
    const place = { name: 'Firenze', 'name:en': 'Florence', 'name:de': 'Florenz' };
    expect(nameFor('de', place)).toBe('Florenz');
    expect(nameFor('en-GB', place)).toBe('Florence');
    expect(nameFor('fr', place)).toBe('Firenze');
    expect(nameFor('fi', { ...place, 'name:fi': 'not of the vocabulary' })).toBe('Firenze');
  });

  it('a name in a script that the map cannot draw is drawn in Latin letters, or not at all', () => {
    expect(nameFor('de', { name: 'ঢাকা', 'name:drawn': 'Dhaka' })).toBe('Dhaka');
    expect(nameFor('de', { name: 'ঢাকা', 'name:drawn': '' })).toBe('');
    expect(nameFor('en', {})).toBe('');
  });

  it('every label can be written in each script that the console brings a font of, and in no other font', async () => {
    const fontFaces = await loadFontFaces();
    const faces = Object.values(fontFaces).flat();
    const ranges = faces.flatMap((face) =>
      typeof face === 'string' ? [] : (face['unicode-range'] ?? []).map((range) => range.slice(2).split('-')),
    );
    const hasFont = (letter: string) => {
      const code = letter.codePointAt(0) ?? 0;
      return ranges.some(
        ([first = '', last = first]) => code >= parseInt(first, 16) && code <= parseInt(last, 16),
      );
    };
    for (const name of [
      'القاهرة',
      'تهران',
      'ירושלים',
      'दिल्ली',
      '北京市臺灣',
      '東京都あいカナ',
      '서울특별시강남구',
    ])
      expect(
        Array.from(name).filter((letter) => !hasFont(letter)),
        name,
      ).toEqual([]);
    expect(Array.from('Zürich – Łódź’s №·Москва Αθήνα').filter(hasFont)).toEqual([]);
    // A file of no range would stand for all letters.
    expect(faces.every((face) => typeof face !== 'string' && (face['unicode-range'] ?? []).length > 0)).toBe(
      true,
    );
    for (const stack of [REGULAR, MEDIUM, SEMIBOLD]) expect(Object.keys(fontFaces)).toContain(stack.at(-1));
  });
});
