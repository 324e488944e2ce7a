import type {
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  LineLayerSpecification,
} from 'maplibre-gl';
import type { KindOf, TileLayer } from '../../../server/contract/mapLayers.ts';
import type { MapPalette } from '../mapPalette.ts';
import { IMAGERY_SOURCE } from './mapTiles.ts';
import { among, byKind, isLine, isSo, layerOf } from './streetExpressions.ts';

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
/** From here on large roads have casings, before which they are lines of one colour. */
const CASING_ZOOM = 12;
/** From here on all streets have casings. */
const NEAR_ZOOM = 14;
/** A ramp is narrower than the road that it leads to. */
const LINK_SHARE = 0.6;

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
    {
      id: 'street-building',
      type: 'fill',
      ...layerOf('building'),
      minzoom: 13,
      paint: {
        'fill-color': palette.building,
        'fill-outline-color': ['step', ['zoom'], palette.building, 15, palette.buildingLine],
      },
    },
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
        'line-color': farColour(palette),
        'line-opacity': 0.6,
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
        'line-color': palette.rail,
        'line-width': growing([0.2, 0.8, 2.5]),
        'line-dasharray': [2.5, 1.5],
      },
    },
    { ...roads('street-casing', palette, onGround, true), minzoom: CASING_ZOOM },
    roads('street-road', palette, onGround, false),
    ...railLayers(palette),
    { ...roads('street-bridge-casing', palette, isSo('bridge'), true), minzoom: 12 },
    roads('street-bridge', palette, isSo('bridge'), false),
  ];
}

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
    paint: { 'fill-color': colour, 'fill-antialias': false },
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
    const extra = edge * [0, 2, 3][step]!; // oxlint-disable-line typescript/no-non-null-assertion -- three steps
    return ['+', ['*', own, ['case', isSo('link'), LINK_SHARE, 1]], ['case', ['>', own, 0.25], extra, 0]];
  }) as [ExpressionSpecification, ExpressionSpecification, ExpressionSpecification];
  return growing([at6, at12, at18]);
}

/** From afar lines of one colour; close up, where streets have casings, they stand out from the buildings. */
function roadColour(palette: MapPalette): ExpressionSpecification {
  const { motorway, arterial, street, streetNear } = palette;
  const large = { motorway, trunk: motorway, primary: arterial, secondary: arterial, aeroway: street };
  return [
    ...(['step', ['zoom'], farColour(palette)] as const),
    ...[CASING_ZOOM, byKind(large, street)],
    ...[NEAR_ZOOM, byKind(large, streetNear)],
  ] as unknown as ExpressionSpecification;
}

function farColour({ motorwayFar, arterialFar, street }: MapPalette): ExpressionSpecification {
  const large = { motorway: motorwayFar, trunk: motorwayFar, primary: arterialFar, secondary: arterialFar };
  return byKind(large, street);
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
      'line-opacity': ['case', isSo('disputed'), 0.25, byKind({ country: 0.5 }, 0.25)],
      'line-width': byKind({ country: 1.2 }, 0.8),
      'line-dasharray': [4, 2],
    },
  };
}
