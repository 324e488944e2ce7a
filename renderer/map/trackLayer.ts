import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl';
import type { VehicleStatus } from '../../server/contract/vehicles.ts';
import { SEMIBOLD } from './mapFonts.ts';
import type { MapPalette } from './mapPalette.ts';
import { geoJsonSource, type MapStage } from './mapStage.ts';

export const TRACK_SOURCE = 'track';

/** Speeds are drawn in these classes, each from so many km/h up. */
export const SPEED_CLASSES_KMH = [0, 30, 60, 90] as const;
type ByClass = readonly [number, number, number, number];
/** How strong the line of each class is. */
const OPACITIES: ByClass = [0.4, 0.6, 0.8, 1];
const WIDTHS_PX: ByClass = [2, 2.6, 3.4, 4.2];

/** A line of one class of speed, or over the limit; or of one status. */
export interface TrackLine {
  /** Index in `SPEED_CLASSES_KMH`. */
  speedClass: number;
  overLimit: boolean;
  /** Null where it is drawn by its speed. */
  status: VehicleStatus | null;
  /** Longitude, latitude. */
  coordinates: [number, number][];
}

export interface TrackStop {
  lat: number;
  lon: number;
  /** How long it was, in words. */
  label: string;
  status: VehicleStatus;
}

export function trackLayers(palette: MapPalette): LayerSpecification[] {
  const lines: FilterSpecification = ['==', ['geometry-type'], 'LineString'];
  const stops: FilterSpecification = ['==', ['geometry-type'], 'Point'];
  const byClass = ([slow, town, road, fast]: ByClass): ExpressionSpecification => [
    'match',
    ['get', 'class'],
    0,
    slow,
    1,
    town,
    2,
    road,
    fast,
  ];
  return [
    {
      id: 'track-casing',
      type: 'line',
      source: TRACK_SOURCE,
      filter: lines,
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': palette.land, 'line-width': 6 },
    },
    {
      id: 'track-line',
      type: 'line',
      source: TRACK_SOURCE,
      filter: lines,
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: {
        'line-color': ['case', ['get', 'over'], palette.alarm, statusColour(palette)],
        'line-width': byClass(WIDTHS_PX),
        'line-opacity': ['case', ['get', 'over'], 1, byClass(OPACITIES)],
      },
    },
    {
      id: 'track-stop',
      type: 'circle',
      source: TRACK_SOURCE,
      filter: stops,
      paint: {
        'circle-radius': 4.5,
        'circle-color': palette.surface,
        'circle-stroke-color': statusColour(palette),
        'circle-stroke-width': 2,
      },
    },
    {
      id: 'track-stop-label',
      type: 'symbol',
      source: TRACK_SOURCE,
      filter: stops,
      layout: {
        'text-field': ['get', 'label'],
        'text-font': SEMIBOLD,
        'text-size': 11,
        'text-anchor': 'top',
        'text-offset': [0, 0.6],
      },
      paint: { 'text-color': palette.text2, 'text-halo-color': palette.land, 'text-halo-width': 1.5 },
    },
  ];
}

const statusColour = ({ moving, idle, stopped, offline }: MapPalette): ExpressionSpecification => [
  'match',
  ['get', 'status'],
  'idle',
  idle,
  'stopped',
  stopped,
  'offline',
  offline,
  moving,
];

/** Where a vehicle went in a period, and where it stood. */
export function createTrackLayer(stage: MapStage, onFault: (error: Error) => void) {
  return {
    set(lines: readonly TrackLine[], stops: readonly TrackStop[]) {
      const features: GeoJSON.Feature[] = [
        ...lines.map(({ speedClass, overLimit, status, coordinates }): GeoJSON.Feature => ({
          type: 'Feature',
          properties: { class: speedClass, over: overLimit, status },
          geometry: { type: 'LineString', coordinates },
        })),
        ...stops.map(({ lat, lon, label, status }): GeoJSON.Feature => ({
          type: 'Feature',
          properties: { label, status },
          geometry: { type: 'Point', coordinates: [lon, lat] },
        })),
      ];
      stage.whenReady(() => {
        geoJsonSource(stage.map, TRACK_SOURCE)
          .setData({ type: 'FeatureCollection', features })
          .catch(onFault);
      });
    },
  };
}
