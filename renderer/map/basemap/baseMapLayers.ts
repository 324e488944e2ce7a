import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl';
import { streetMapMinZoom } from '../../../server/contract/mapLayers.ts';
import type { Map as MapFile, MapArea } from '../../../server/contract/maps.ts';
import { MEDIUM, REGULAR } from '../mapFonts.ts';
import type { MapPalette } from '../mapPalette.ts';
import { DETAIL_ZOOM } from './baseMapData.ts';

export const OVERVIEW_SOURCE = 'base-overview';
export const DETAIL_SOURCE = 'base-detail';

/** The layers that name places; map files take their areas out of them. */
export const PLACE_LAYERS = ['places-overview', 'places-detail'];

export type BaseKind = 'land' | 'sea' | 'border' | 'place';

const ofKind = (kind: BaseKind): ExpressionSpecification => ['==', ['get', 'kind'], kind];

/** From this zoom on a street map is drawn, and names its places itself. */
export const drawnFrom = ({ min_zoom }: Pick<MapFile, 'min_zoom'>): number =>
  Math.max(streetMapMinZoom, min_zoom);

/** Places that the zoom names; where one of these street maps names them itself, only from afar. */
export function placeFilter(maps: readonly Pick<MapFile, 'area' | 'min_zoom'>[]): FilterSpecification {
  const named: ExpressionSpecification = ['all', ofKind('place'), ['<=', ['get', 'minZoom'], ['zoom']]];
  const outside = [...new Set(maps.map(drawnFrom))].map((from): ExpressionSpecification => {
    const areas = maps.filter((it) => drawnFrom(it) === from).map(({ area }) => ringsOf(area));
    return ['any', ['<', ['zoom'], from], ['!', ['within', { type: 'MultiPolygon', coordinates: areas }]]];
  });
  return ['all', named, ...outside];
}

function ringsOf({ west, south, east, north }: MapArea): GeoJSON.Position[][] {
  const corners: GeoJSON.Position[] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
  return [[...corners, [west, south]]];
}

/** Water below, land over it; close up, each cell brings its own water, so that the coarse coast does not show. */
export function baseMapLayers(palette: MapPalette): LayerSpecification[] {
  return [
    { id: 'water', type: 'background', paint: { 'background-color': palette.water } },
    fill('land-overview', OVERVIEW_SOURCE, 'land', palette.land),
    { ...fill('sea-detail', DETAIL_SOURCE, 'sea', palette.water), minzoom: DETAIL_ZOOM },
    { ...fill('land-detail', DETAIL_SOURCE, 'land', palette.land), minzoom: DETAIL_ZOOM },
    { ...borders('borders-overview', OVERVIEW_SOURCE, palette), maxzoom: DETAIL_ZOOM },
    { ...borders('borders-detail', DETAIL_SOURCE, palette), minzoom: DETAIL_ZOOM },
  ];
}

/** The names of places, for above everything else of the ground. */
export function placeLayers(palette: MapPalette): LayerSpecification[] {
  return [
    places('places-overview', OVERVIEW_SOURCE, palette),
    { ...places('places-detail', DETAIL_SOURCE, palette), minzoom: DETAIL_ZOOM },
  ];
}

function fill(id: string, source: string, kind: BaseKind, colour: string): LayerSpecification {
  return {
    id,
    type: 'fill',
    source,
    filter: ofKind(kind),
    paint: { 'fill-color': colour, 'fill-antialias': false },
  };
}

function borders(id: string, source: string, palette: MapPalette): LayerSpecification {
  return {
    id,
    type: 'line',
    source,
    filter: ofKind('border'),
    layout: { 'line-join': 'round' },
    paint: { 'line-color': palette.label, 'line-opacity': 0.45, 'line-width': 1, 'line-dasharray': [4, 2] },
  };
}

function places(id: string, source: string, palette: MapPalette): LayerSpecification {
  return {
    id,
    type: 'symbol',
    source,
    filter: placeFilter([]),
    layout: {
      'text-field': ['get', 'name'],
      'text-font': ['case', ['<=', ['get', 'minZoom'], 4], ['literal', MEDIUM], ['literal', REGULAR]],
      'text-size': ['case', ['<=', ['get', 'minZoom'], 6], 12, 11],
      'text-max-width': 8,
      'text-padding': 6,
      'symbol-sort-key': ['-', ['get', 'population']],
    },
    paint: { 'text-color': palette.label, 'text-halo-color': palette.land, 'text-halo-width': 1.5 },
  };
}
