import type { LayerSpecification } from 'maplibre-gl';
import type { MapPalette } from '../mapPalette.ts';

/** The area of what is being drawn, and the handles of a circle. */
export const PREVIEW_SOURCE = 'drawing-preview';
export const HANDLE_RADIUS_PX = 6;

export function drawingLayers(palette: MapPalette): LayerSpecification[] {
  return [
    {
      id: 'drawing-fill',
      type: 'fill',
      source: PREVIEW_SOURCE,
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': palette.accent, 'fill-opacity': 0.14 },
    },
    {
      id: 'drawing-outline',
      type: 'line',
      source: PREVIEW_SOURCE,
      filter: ['!=', ['geometry-type'], 'Point'],
      paint: { 'line-color': palette.accent, 'line-width': 2 },
    },
    {
      id: 'drawing-handle',
      type: 'circle',
      source: PREVIEW_SOURCE,
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-radius': HANDLE_RADIUS_PX,
        'circle-color': palette.surface,
        'circle-stroke-color': palette.accent,
        'circle-stroke-width': 2,
      },
    },
  ];
}
