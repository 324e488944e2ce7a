import type { LayerSpecification } from 'maplibre-gl';
import type { LatLon } from '../geodesy.ts';
import type { MapPalette } from '../mapPalette.ts';
import { geoJsonSource, type MapStage } from '../mapStage.ts';

export const DOT_SOURCE = 'dots';

export function dotLayers(palette: MapPalette): LayerSpecification[] {
  return [
    {
      id: 'dot',
      type: 'circle',
      source: DOT_SOURCE,
      filter: ['!', ['get', 'marked']],
      paint: {
        'circle-radius': 3,
        'circle-color': palette.accent,
        'circle-stroke-color': palette.land,
        'circle-stroke-width': 1,
      },
    },
    {
      id: 'dot-mark',
      type: 'circle',
      source: DOT_SOURCE,
      filter: ['get', 'marked'],
      paint: {
        'circle-radius': 10,
        'circle-opacity': 0,
        'circle-stroke-color': palette.accent,
        'circle-stroke-width': 2,
      },
    },
  ];
}

/** Places of the past that a pane speaks of. */
export function createDotLayer(stage: MapStage, onFault: (error: Error) => void) {
  let dots: readonly LatLon[] = [];
  let markedPlace: LatLon | null = null;

  const draw = (): void => {
    const features = dots.map((place) => feature(place, false));
    if (markedPlace !== null) features.push(feature(markedPlace, true));
    geoJsonSource(stage.map, DOT_SOURCE).setData({ type: 'FeatureCollection', features }).catch(onFault);
  };
  return {
    /** Draws these in place of those before. */
    set(places: readonly LatLon[]) {
      dots = places;
      stage.whenReady(draw);
    },
    /** Rings one of them, or none. */
    mark(place: LatLon | null) {
      markedPlace = place;
      stage.whenReady(draw);
    },
  };
}

function feature({ lat, lon }: LatLon, marked: boolean): GeoJSON.Feature {
  return { type: 'Feature', properties: { marked }, geometry: { type: 'Point', coordinates: [lon, lat] } };
}
