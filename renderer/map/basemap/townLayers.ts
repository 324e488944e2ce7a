import type { ExpressionSpecification, LayerSpecification, LineLayerSpecification } from 'maplibre-gl';
import { SHIELD_IMAGE } from './streetLayers.ts';
import { MEDIUM, REGULAR, SEMIBOLD, type MapPalette } from '../mapPalette.ts';

export const TOWN_SOURCE = 'town';

/**
 * What a feature of a town's street map is, by its property `kind`. Polygons: land, water, park, district (built-up
 * ground). Lines: water (a river), street, arterial, motorway, rail. Points: the names of districts and waters.
 * `name` is written along lines and at points, `ref` in a motorway's shield, `width_m` widens a river.
 */
export type TownKind = 'land' | 'water' | 'park' | 'district' | 'street' | 'arterial' | 'motorway' | 'rail';

// Widths in pixels at zoom 12, the zoom of a whole town; close up they grow towards the roads' own widths.
const WIDTH_PX = {
  street: 1.1,
  arterial: 2.6,
  arterialCasing: 4.6,
  motorway: 4.2,
  motorwayCasing: 7.5,
} as const;
const DEFAULT_RIVER_M = 200;

export function townLayers(palette: MapPalette): LayerSpecification[] {
  return [
    area('town-land', 'land', palette.land),
    area('town-district', 'district', palette.industry),
    area('town-park', 'park', palette.park),
    area('town-water', 'water', palette.water),
    {
      ...road('town-river', 'water', palette.water, 1),
      paint: { 'line-color': palette.water, 'line-width': riverWidth() },
    },
    ...railLayers(palette),
    road('town-street', 'street', palette.street, WIDTH_PX.street),
    road('town-arterial-casing', 'arterial', palette.arterialCasing, WIDTH_PX.arterialCasing),
    road('town-motorway-casing', 'motorway', palette.motorwayCasing, WIDTH_PX.motorwayCasing),
    road('town-arterial', 'arterial', palette.arterial, WIDTH_PX.arterial),
    road('town-motorway', 'motorway', palette.motorway, WIDTH_PX.motorway),
  ];
}

export function townLabelLayers(palette: MapPalette): LayerSpecification[] {
  return [
    {
      ...alongLine('town-street-name', ['street', 'arterial', 'motorway'], palette.label, palette.land),
      minzoom: 13,
    },
    alongLine('town-river-name', ['water'], palette.waterLabel, palette.water),
    {
      id: 'town-shield',
      type: 'symbol',
      source: TOWN_SOURCE,
      filter: ['all', ofKind('motorway', 'LineString'), ['has', 'ref']],
      layout: {
        'symbol-placement': 'line',
        'symbol-spacing': 320,
        'icon-image': SHIELD_IMAGE,
        'icon-text-fit': 'both',
        'icon-text-fit-padding': [1, 4, 1, 4],
        'icon-rotation-alignment': 'viewport',
        'text-rotation-alignment': 'viewport',
        'text-field': ['get', 'ref'],
        'text-font': SEMIBOLD,
        'text-size': 10,
      },
      paint: { 'text-color': palette.label },
    },
    atPoint('town-water-name', ['water'], palette.waterLabel, palette.water),
    atPoint('town-district-name', ['district', 'park', 'land'], palette.label, palette.land),
  ];
}

function ofKind(kind: TownKind, shape: 'Polygon' | 'LineString' | 'Point'): ExpressionSpecification {
  return ['all', ['==', ['get', 'kind'], kind], ['==', ['geometry-type'], shape]];
}

function area(id: string, kind: TownKind, colour: string): LayerSpecification {
  return {
    id,
    type: 'fill',
    source: TOWN_SOURCE,
    filter: [
      'all',
      ['==', ['get', 'kind'], kind],
      ['in', ['geometry-type'], ['literal', ['Polygon', 'MultiPolygon']]],
    ],
    paint: { 'fill-color': colour },
  };
}

function road(id: string, kind: TownKind, colour: string, widthPx: number): LineLayerSpecification {
  return {
    id,
    type: 'line',
    source: TOWN_SOURCE,
    filter: ['all', ['==', ['get', 'kind'], kind], isLine],
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: { 'line-color': colour, 'line-width': growing(widthPx) },
  };
}

function railLayers(palette: MapPalette): LayerSpecification[] {
  const filter: ExpressionSpecification = ['all', ['==', ['get', 'kind'], 'rail'], isLine];
  return [
    {
      id: 'town-rail',
      type: 'line',
      source: TOWN_SOURCE,
      filter,
      paint: { 'line-color': palette.rail, 'line-width': 1.6 },
    },
    {
      id: 'town-rail-ties',
      type: 'line',
      source: TOWN_SOURCE,
      filter,
      paint: { 'line-color': palette.rail, 'line-width': 4, 'line-dasharray': [0.25, 2.25] },
    },
  ];
}

function alongLine(id: string, kinds: TownKind[], colour: string, halo: string): LayerSpecification {
  const water = kinds.includes('water');
  return {
    id,
    type: 'symbol',
    source: TOWN_SOURCE,
    filter: ['all', ['in', ['get', 'kind'], ['literal', kinds]], isLine, ['has', 'name']],
    layout: {
      'symbol-placement': 'line',
      // A river bends more than a street: more places to try, and more bend within a word.
      'symbol-spacing': water ? 140 : 250,
      'text-max-angle': water ? 60 : 45,
      'text-field': ['get', 'name'],
      'text-font': REGULAR,
      'text-size': 11,
      'text-letter-spacing': water ? 0.06 : 0,
      'text-padding': 4,
    },
    paint: { 'text-color': colour, 'text-halo-color': halo, 'text-halo-width': 1.5 },
  };
}

function atPoint(id: string, kinds: TownKind[], colour: string, halo: string): LayerSpecification {
  const water = kinds.includes('water');
  return {
    id,
    type: 'symbol',
    source: TOWN_SOURCE,
    filter: [
      'all',
      ['in', ['get', 'kind'], ['literal', kinds]],
      ['==', ['geometry-type'], 'Point'],
      ['has', 'name'],
    ],
    layout: {
      'text-field': ['get', 'name'],
      'text-font': water ? MEDIUM : REGULAR,
      'text-size': water ? 13 : 12,
      'text-letter-spacing': water ? 0.12 : 0,
      'text-padding': 6,
    },
    paint: { 'text-color': colour, 'text-halo-color': halo, 'text-halo-width': 1.5 },
  };
}

const isLine: ExpressionSpecification = [
  'in',
  ['geometry-type'],
  ['literal', ['LineString', 'MultiLineString']],
];

function growing(widthPx: number): ExpressionSpecification {
  return ['interpolate', ['exponential', 1.5], ['zoom'], 9, widthPx / 3, 12, widthPx, 17, widthPx * 5];
}

/** A river keeps its true width: pixels double with each zoom. 50,000 m lie under a pixel at zoom 0 and 50 degrees. */
function riverWidth(): ExpressionSpecification {
  const widthAtZoom0: ExpressionSpecification = [
    '/',
    ['coalesce', ['get', 'width_m'], DEFAULT_RIVER_M],
    50_000,
  ];
  return ['interpolate', ['exponential', 2], ['zoom'], 0, widthAtZoom0, 22, ['*', widthAtZoom0, 2 ** 22]];
}
