import type { LayerSpecification } from 'maplibre-gl';
import { destination, type LatLon } from './geodesy.ts';
import type { MapPalette } from './mapPalette.ts';
import { geoJsonSource, type MapStage } from './mapStage.ts';

export const POINT_SOURCE = 'point';

export function pointLayers(palette: MapPalette): LayerSpecification[] {
  return [
    {
      id: 'point-reach',
      type: 'line',
      source: POINT_SOURCE,
      filter: ['==', ['geometry-type'], 'LineString'],
      paint: { 'line-color': palette.accent, 'line-width': 1.5, 'line-dasharray': [3, 2] },
    },
    {
      id: 'point-ring',
      type: 'circle',
      source: POINT_SOURCE,
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-radius': 9,
        'circle-opacity': 0,
        'circle-stroke-color': palette.accent,
        'circle-stroke-width': 2,
      },
    },
    {
      id: 'point',
      type: 'circle',
      source: POINT_SOURCE,
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-radius': 3.5,
        'circle-color': palette.accent,
        'circle-stroke-color': palette.land,
        'circle-stroke-width': 1.5,
      },
    },
  ];
}

const CIRCLE_CORNERS = 96;

/** The place that something is asked of, and the distance round it that is looked at. */
export function createPointLayer(stage: MapStage, onFault: (error: Error) => void) {
  let point: LatLon | null = null;
  let radiusM: number | null = null;

  const draw = (): void => {
    const features: GeoJSON.Feature[] = [];
    const add = (geometry: GeoJSON.Geometry) => features.push({ type: 'Feature', properties: {}, geometry });
    if (point !== null) {
      const centre = point;
      add({ type: 'Point', coordinates: [centre.lon, centre.lat] });
      if (radiusM !== null) {
        const reach = radiusM;
        const coordinates = Array.from({ length: CIRCLE_CORNERS + 1 }, (_, at) => {
          const { lat, lon } = destination(centre, (at * 360) / CIRCLE_CORNERS, reach);
          return [lon, lat];
        });
        add({ type: 'LineString', coordinates });
      }
    }
    geoJsonSource(stage.map, POINT_SOURCE).setData({ type: 'FeatureCollection', features }).catch(onFault);
  };
  return {
    set(next: LatLon | null) {
      point = next;
      stage.whenReady(draw);
    },
    /** Metres; null for no circle. */
    setRadius(next: number | null) {
      radiusM = next;
      stage.whenReady(draw);
    },
  };
}
