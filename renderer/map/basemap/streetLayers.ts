import type {
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  LineLayerSpecification,
  SymbolLayerSpecification,
} from 'maplibre-gl';
import type { KindOf, TileLayer } from '../../../server/contract/mapLayers.ts';
import { MEDIUM, REGULAR, SEMIBOLD, type MapPalette } from '../mapPalette.ts';
import { IMAGERY_SOURCE, STREETS_SOURCE } from './mapTiles.ts';

/** The shield that is widened to the number of a road. */
export const SHIELD_IMAGE = 'road-shield';
/** Stands at a point of interest, over its name. */
export const POI_IMAGE = 'poi-dot';

type RoadKind = KindOf<'road'>;

/** Pixels at zooms 6, 12 and 18; between them they grow as the map does. */
const ROAD_WIDTHS: Partial<Record<RoadKind, readonly [at6: number, at12: number, at18: number]>> = {
  motorway: [1, 3.4, 28],
  trunk: [0.9, 3, 26],
  primary: [0.6, 2.6, 24],
  secondary: [0.4, 2, 20],
  tertiary: [0.2, 1.4, 17],
  minor: [0, 0.8, 14],
  service: [0, 0.3, 8],
  aeroway: [0.3, 2, 40],
};
const roadKinds = Object.keys(ROAD_WIDTHS) as RoadKind[];
/** What is drawn first lies below. */
const ROAD_ORDER: readonly RoadKind[] = [
  'service',
  'minor',
  'tertiary',
  'secondary',
  'primary',
  'trunk',
  'motorway',
];
/** From here on all streets have casings. */
const NEAR_ZOOM = 14;
/** A ramp is narrower than the road that it leads to. */
const LINK_SHARE = 0.6;

const kind: ExpressionSpecification = ['get', 'kind'];
const isSo = (name: string): ExpressionSpecification => ['==', ['get', name], true];
const among = (...kinds: readonly string[]): ExpressionSpecification => ['in', kind, ['literal', [...kinds]]];

function byKind<T extends string | number>(
  values: Partial<Record<string, T>>,
  otherwise: T,
): ExpressionSpecification {
  return ['match', kind, ...Object.entries(values).flat(), otherwise] as unknown as ExpressionSpecification;
}

function layerOf(layer: TileLayer) {
  return { source: STREETS_SOURCE, 'source-layer': layer };
}

/** The ground of streets, from the land up to the rails: everything but names. */
export function streetLayers(palette: MapPalette): LayerSpecification[] {
  return [
    fill('street-land', 'land', palette.land),
    {
      ...fill('street-ground', 'ground', groundColour(palette)),
      filter: among(...Object.keys(groundColours)),
    },
    {
      id: 'street-waterway',
      type: 'line',
      ...layerOf('waterway'),
      filter: ['all', isLine, ['!', isSo('name_only')], ['!', isSo('tunnel')]],
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: {
        'line-color': palette.water,
        'line-width': growing([
          byKind({ river: 0.6 }, 0.2),
          byKind({ river: 2, canal: 1.6 }, 0.8),
          byKind({ river: 14, canal: 10 }, 5),
        ]),
      },
    },
    fill('street-water', 'water', palette.water),
    {
      id: 'imagery',
      type: 'raster',
      source: IMAGERY_SOURCE,
      paint: { 'raster-fade-duration': 0, 'raster-opacity': 1 },
    },
    { ...fill('street-building', 'building', palette.building), minzoom: 13 },
    borderLayer(palette),
    {
      id: 'street-ferry',
      type: 'line',
      ...layerOf('road'),
      filter: ['all', among('ferry'), drawn],
      paint: {
        'line-color': palette.waterLabel,
        'line-opacity': 0.5,
        'line-width': 1,
        'line-dasharray': [4, 3],
      },
    },
    {
      ...roads('street-tunnel', palette, isSo('tunnel'), false),
      paint: {
        'line-color': roadColour(palette),
        'line-opacity': 0.4,
        'line-width': roadWidth(0),
        'line-dasharray': [1.5, 0.8],
      },
    },
    {
      id: 'street-path',
      type: 'line',
      ...layerOf('road'),
      minzoom: 13,
      filter: ['all', among('path', 'track'), drawn, ['!', isSo('tunnel')]],
      paint: {
        'line-color': palette.street,
        'line-width': growing([0.2, 0.8, 3]),
        'line-dasharray': [2.5, 1.5],
      },
    },
    roads('street-casing', palette, onGround, true),
    roads('street-road', palette, onGround, false),
    ...railLayers(palette),
    { ...roads('street-bridge-casing', palette, isSo('bridge'), true), minzoom: 12 },
    roads('street-bridge', palette, isSo('bridge'), false),
  ];
}

/** Names and numbers, the most important last: MapLibre places from the top down. */
export function streetLabelLayers(palette: MapPalette, language = 'en'): LayerSpecification[] {
  const name = nameIn(language);
  const label = (
    id: string,
    layer: TileLayer,
    more: Partial<SymbolLayerSpecification>,
  ): SymbolLayerSpecification => ({
    id,
    type: 'symbol',
    ...layerOf(layer),
    ...more,
    layout: { 'text-field': name, 'text-font': REGULAR, 'text-size': 11, 'text-padding': 4, ...more.layout },
    paint: {
      'text-color': palette.label,
      'text-halo-color': palette.land,
      'text-halo-width': 1.4,
      ...more.paint,
    },
  });
  const along: SymbolLayerSpecification['layout'] = {
    'symbol-placement': 'line',
    'symbol-spacing': 320,
    'text-max-angle': 40,
  };
  const water = { 'text-color': palette.waterLabel, 'text-halo-color': palette.water };
  return [
    label('label-address', 'address', {
      minzoom: 17,
      layout: { 'text-field': ['get', 'number'], 'text-size': 10, 'text-padding': 2 },
    }),
    label('poi-name', 'poi', {
      minzoom: 16,
      filter: ['all', ['has', 'name'], ['!', among('bus', 'parking', 'other')]],
      layout: {
        'icon-image': POI_IMAGE,
        'text-size': 10,
        'text-anchor': 'top',
        'text-offset': [0, 0.4],
        'text-max-width': 8,
        'text-optional': false,
      },
    }),
    label('label-waterway', 'waterway', {
      minzoom: 11,
      filter: ['all', isLine, ['has', 'name']],
      layout: { ...along, 'text-letter-spacing': 0.06, 'text-max-angle': 60 },
      paint: water,
    }),
    label('label-street-minor', 'road', {
      minzoom: 15,
      filter: ['all', isLine, ['has', 'name'], among('minor', 'service', 'track', 'path')],
      layout: along,
    }),
    label('label-street-major', 'road', {
      minzoom: 13,
      filter: [
        'all',
        isLine,
        ['has', 'name'],
        among('motorway', 'trunk', 'primary', 'secondary', 'tertiary'),
      ],
      layout: along,
    }),
    label('label-shield', 'road', {
      minzoom: 9,
      filter: ['all', isLine, ['has', 'ref'], among('motorway', 'trunk', 'primary', 'secondary')],
      layout: {
        'symbol-placement': 'line',
        'symbol-spacing': 380,
        'icon-image': SHIELD_IMAGE,
        'icon-text-fit': 'both',
        'icon-text-fit-padding': [1, 4, 1, 4],
        'icon-rotation-alignment': 'viewport',
        'text-rotation-alignment': 'viewport',
        'text-field': ['get', 'ref'],
        'text-font': SEMIBOLD,
        'text-size': 10,
        'symbol-sort-key': byKind({ motorway: 0, trunk: 1, primary: 2 }, 3),
      },
      paint: { 'text-halo-width': 0 },
    }),
    label('label-water', 'waterway', {
      filter: ['all', ['!', isLine], ['has', 'name']],
      layout: { 'text-font': MEDIUM, 'text-size': 12, 'text-letter-spacing': 0.1, 'text-max-width': 7 },
      paint: water,
    }),
    label('label-place-small', 'place', {
      minzoom: 11,
      filter: among('hamlet', 'suburb', 'neighbourhood', 'locality', 'island'),
      layout: {
        'text-size': byKind({ suburb: 12, island: 12 }, 11),
        'text-letter-spacing': byKind({ suburb: 0.04, neighbourhood: 0.04 }, 0),
        'text-max-width': 7,
        'symbol-sort-key': ['coalesce', ['get', 'rank'], 15],
      },
    }),
    label('label-place', 'place', {
      filter: [
        'all',
        among('city', 'town', 'village', 'region', 'country'),
        ['any', among('city', 'region', 'country'), ['>=', ['zoom'], 8]],
        ['any', ['!', among('village')], ['>=', ['zoom'], 11]],
      ],
      layout: {
        'text-font': ['case', among('city', 'country'), ['literal', MEDIUM], ['literal', REGULAR]],
        'text-size': [
          'interpolate',
          ['linear'],
          ['zoom'],
          ...[6, byKind({ city: 12, country: 14 }, 11)],
          ...[14, byKind({ city: 18, town: 16, country: 18 }, 13)],
        ] as unknown as ExpressionSpecification,
        'text-max-width': 8,
        'text-padding': 6,
        'symbol-sort-key': ['coalesce', ['get', 'rank'], 15],
      },
      paint: { 'text-color': palette.label, 'text-halo-width': 1.8 },
    }),
  ];
}

/** In the console's language, else as people there call it; not in a script that the map cannot draw. */
function nameIn(language: string): ExpressionSpecification {
  return ['coalesce', ['get', `name:${language}`], ['get', 'name:drawn'], ['get', 'name'], ''];
}

const isLine: ExpressionSpecification = [
  'in',
  ['geometry-type'],
  ['literal', ['LineString', 'MultiLineString']],
];
const drawn: ExpressionSpecification = ['!', isSo('name_only')];
const onGround: ExpressionSpecification = ['all', ['!', isSo('tunnel')], ['!', isSo('bridge')]];

const groundColours = {
  wood: 'wood',
  grass: 'park',
  park: 'park',
  wetland: 'park',
  cemetery: 'park',
  pitch: 'park',
  industrial: 'industry',
  commercial: 'industry',
  residential: 'industry',
  aerodrome: 'industry',
  hospital: 'industry',
  school: 'industry',
} as const satisfies Partial<Record<KindOf<'ground'>, keyof MapPalette>>;

function groundColour(palette: MapPalette): ExpressionSpecification {
  const colours = Object.entries(groundColours).map(([of, use]) => [of, palette[use]] as const);
  return byKind(Object.fromEntries(colours), palette.land);
}

function fill(
  id: string,
  layer: TileLayer,
  colour: string | ExpressionSpecification,
): LayerSpecification & { type: 'fill' } {
  return {
    id,
    type: 'fill',
    ...layerOf(layer),
    paint: { 'fill-color': colour, 'fill-antialias': layer === 'building' },
  };
}

/** Grows by half with each zoom, as roads do close up. */
function growing([at6, at12, at18]: readonly [
  number | ExpressionSpecification,
  number | ExpressionSpecification,
  number | ExpressionSpecification,
]): ExpressionSpecification {
  return ['interpolate', ['exponential', 1.5], ['zoom'], 6, at6, 12, at12, 18, at18];
}

/** `edge` pixels wider on both sides, at zoom 12. */
function roadWidth(edge: number): ExpressionSpecification {
  const [at6, at12, at18] = [0, 1, 2].map((step): ExpressionSpecification => {
    const widths = roadKinds.map((of) => [of, ROAD_WIDTHS[of]?.[step] ?? 0] as const);
    const own = byKind(Object.fromEntries(widths), 0);
    const extra = edge * [0, 2, 3][step]!; // eslint-disable-line @typescript-eslint/no-non-null-assertion -- three steps
    return ['+', ['*', own, ['case', isSo('link'), LINK_SHARE, 1]], ['case', ['>', own, 0.25], extra, 0]];
  }) as [ExpressionSpecification, ExpressionSpecification, ExpressionSpecification];
  return growing([at6, at12, at18]);
}

/** Close up, where streets have casings, they stand out from the buildings. */
function roadColour(palette: MapPalette): ExpressionSpecification {
  const { motorway, arterial, street, streetNear, industry } = palette;
  const large = { motorway, trunk: motorway, primary: arterial, secondary: arterial, aeroway: industry };
  return ['step', ['zoom'], byKind(large, street), NEAR_ZOOM, byKind(large, streetNear)];
}

function casingColour(palette: MapPalette): ExpressionSpecification {
  return byKind({ motorway: palette.motorwayCasing, trunk: palette.motorwayCasing }, palette.arterialCasing);
}

function roads(
  id: string,
  palette: MapPalette,
  which: FilterSpecification,
  isCasing: boolean,
): LineLayerSpecification {
  // Casings of streets would blacken a town that is seen from afar.
  const shown = isCasing ? ['motorway', 'trunk', 'primary', 'secondary'] : roadKinds;
  const close = isCasing ? among(...shown, 'tertiary', 'minor') : among(...shown);
  return {
    id,
    type: 'line',
    ...layerOf('road'),
    filter: [
      'all',
      drawn,
      which,
      isCasing ? ['any', among(...shown), ['all', close, ['>=', ['zoom'], NEAR_ZOOM]]] : close,
      ['any', ['!', among('minor', 'service')], ['>=', ['zoom'], 11]],
    ] as FilterSpecification,
    layout: {
      'line-join': 'round',
      'line-cap': id.includes('bridge') || id.includes('tunnel') ? 'butt' : 'round',
      'line-sort-key': byKind(Object.fromEntries(ROAD_ORDER.map((of, at) => [of, at])), 0),
    },
    paint: {
      'line-color': isCasing ? casingColour(palette) : roadColour(palette),
      'line-width': roadWidth(isCasing ? 0.8 : 0),
    },
  };
}

function railLayers(palette: MapPalette): LayerSpecification[] {
  const of: FilterSpecification = ['all', among('rail', 'tram', 'service'), ['!', isSo('tunnel')]];
  const wide: ExpressionSpecification = ['all', among('rail'), ['!', isSo('tunnel')]];
  return [
    {
      id: 'street-rail',
      type: 'line',
      ...layerOf('rail'),
      minzoom: 9,
      filter: ['all', of, ['any', wide, ['>=', ['zoom'], 14]]] as FilterSpecification,
      paint: {
        'line-color': palette.rail,
        'line-width': growing([0.3, byKind({ rail: 1.2 }, 0.6), byKind({ rail: 3 }, 2)]),
      },
    },
    {
      id: 'street-rail-ties',
      type: 'line',
      ...layerOf('rail'),
      minzoom: 13,
      filter: wide,
      paint: { 'line-color': palette.rail, 'line-width': growing([0, 3, 9]), 'line-dasharray': [0.25, 2.25] },
    },
  ];
}

function borderLayer(palette: MapPalette): LayerSpecification {
  return {
    id: 'street-border',
    type: 'line',
    ...layerOf('boundary'),
    filter: [
      'all',
      ['!', isSo('maritime')],
      ['any', among('country'), ['>=', ['zoom'], 8]],
    ] as FilterSpecification,
    layout: { 'line-join': 'round' },
    paint: {
      'line-color': palette.label,
      'line-opacity': byKind({ country: 0.45 }, 0.22),
      'line-width': byKind({ country: 1.2 }, 0.8),
      'line-dasharray': [4, 2],
    },
  };
}
