import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { SELECTION_RADIUS_PX, SELECTION_WIDTH_PX } from '../glyphs/glyphShapes.ts';
import { MEDIUM, SEMIBOLD } from '../mapFonts.ts';
import type { MapPalette } from '../mapPalette.ts';
import type { FeatureKind } from './vehicleFeatures.ts';

export const VEHICLE_SOURCE = 'vehicles';
export const TRAIL_SOURCE = 'vehicle-trails';
/**
 * What reaches over the edge of a tile is in both tiles, up to so many pixels: more than the widest circle, the ring round
 * a selected cluster. By default a fleet in view would be worked through more than twice.
 */
export const VEHICLE_BUFFER_PX = 32;
export const VEHICLE_SOURCES = [VEHICLE_SOURCE, TRAIL_SOURCE];

const QUIET_LAYER = 'vehicle-glyph';
const TOP_LAYER = 'vehicle-glyph-top';
/** The layers whose features are vehicles; their property `id` names them. */
export const VEHICLE_LAYERS = [TOP_LAYER, QUIET_LAYER];
export const CLUSTER_LAYER = 'vehicle-cluster';

// The images are 24 px wide and the shapes in them 17 at most: the collision box shrinks to the shape.
const GLYPH_PADDING_PX = -6;

/** Between the ring of a cluster and the one that says that some of it is selected. */
const CLUSTER_RING_GAP_PX = 4;

export function vehicleLayers(palette: MapPalette): LayerSpecification[] {
  const tone = toneColour(palette);
  return [
    {
      id: 'vehicle-trail',
      type: 'circle',
      source: TRAIL_SOURCE,
      paint: {
        'circle-radius': ['case', ['get', 'over'], 2.2, 1.8],
        'circle-color': ['case', ['get', 'over'], palette.alarm, palette.text2],
      },
    },
    {
      id: 'vehicle-vector',
      type: 'line',
      source: VEHICLE_SOURCE,
      filter: is('vector'),
      paint: { 'line-color': tone, 'line-width': 1.2, 'line-opacity': 0.75 },
    },
    {
      // Below the glyphs' layers, so that it is placed after them: a name never covers a glyph.
      id: 'vehicle-name',
      type: 'symbol',
      source: VEHICLE_SOURCE,
      filter: is('vehicle', ['get', 'named']),
      layout: {
        'text-field': ['get', 'name'],
        'text-font': MEDIUM,
        'text-size': 11,
        'text-variable-anchor': ['left', 'right', 'bottom', 'top'],
        'text-radial-offset': 0.95,
        'text-justify': 'auto',
        'text-padding': 1,
        'text-max-width': 40,
      },
      paint: { 'text-color': palette.text, 'text-halo-color': palette.land, 'text-halo-width': 1.5 },
    },
    glyph('vehicle-ground', false, 'ground', palette.surface, 0, palette),
    glyph(QUIET_LAYER, false, 'icon', tone, 1.1, palette),
    {
      id: CLUSTER_LAYER,
      type: 'symbol',
      source: VEHICLE_SOURCE,
      filter: is('cluster'),
      layout: {
        'icon-image': ['get', 'image'],
        'icon-allow-overlap': true,
        'text-field': ['to-string', ['get', 'count']],
        'text-font': SEMIBOLD,
        'text-size': 12,
        'text-allow-overlap': true,
        'text-ignore-placement': true,
      },
      paint: { 'text-color': palette.text },
    },
    // Over the clusters: no ring hides an alarm.
    glyph('vehicle-ground-top', true, 'ground', palette.surface, 0, palette),
    glyph(TOP_LAYER, true, 'icon', tone, 1.1, palette),
    {
      id: 'vehicle-brackets',
      type: 'symbol',
      source: VEHICLE_SOURCE,
      filter: is('vehicle', ['has', 'brackets']),
      layout: { 'icon-image': ['get', 'brackets'], 'icon-allow-overlap': true, 'icon-padding': 0 },
      paint: {
        'icon-color': ['case', ['get', 'open'], tone, palette.text3],
        'icon-halo-color': palette.land,
        'icon-halo-width': 0.8,
      },
    },
    {
      id: 'vehicle-selected',
      type: 'circle',
      source: VEHICLE_SOURCE,
      filter: is('vehicle', ['get', 'ringed']),
      paint: ring(palette, SELECTION_RADIUS_PX),
    },
    {
      id: 'vehicle-cluster-selected',
      type: 'circle',
      source: VEHICLE_SOURCE,
      filter: is('cluster', ['get', 'ringed']),
      paint: ring(palette, ['+', ['get', 'radius'], CLUSTER_RING_GAP_PX]),
    },
  ];
}

const is = (kind: FeatureKind, ...more: ExpressionSpecification[]): ExpressionSpecification => [
  'all',
  ['==', ['get', 'kind'], kind],
  ...more,
];

/** The accent ring round what is selected. */
const ring = (palette: MapPalette, radius: number | ExpressionSpecification) =>
  ({
    'circle-radius': radius,
    'circle-opacity': 0,
    'circle-stroke-width': SELECTION_WIDTH_PX,
    'circle-stroke-color': palette.accent,
  }) as const;

function glyph(
  id: string,
  top: boolean,
  image: 'icon' | 'ground',
  colour: ExpressionSpecification | string,
  haloPx: number,
  palette: MapPalette,
): LayerSpecification {
  return {
    id,
    type: 'symbol',
    source: VEHICLE_SOURCE,
    filter: is('vehicle', top ? ['get', 'top'] : ['!', ['get', 'top']]),
    layout: {
      'icon-image': ['get', image],
      'icon-rotate': ['get', 'course'],
      'icon-rotation-alignment': 'map',
      'icon-allow-overlap': true,
      'icon-ignore-placement': image === 'ground',
      'icon-padding': GLYPH_PADDING_PX,
    },
    paint: { 'icon-color': colour, 'icon-halo-color': palette.land, 'icon-halo-width': haloPx },
  };
}

/** The colour of a feature's `tone`: its state, or the severity of its open alarm. */
function toneColour(palette: MapPalette): ExpressionSpecification {
  return [
    'match',
    ['get', 'tone'],
    'moving',
    palette.moving,
    'idle',
    palette.idle,
    'stopped',
    palette.stopped,
    'overdue',
    palette.overdue,
    'alarm',
    palette.alarm,
    'warning',
    palette.warning,
    palette.offline,
  ];
}
