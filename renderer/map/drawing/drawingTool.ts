import type { LayerSpecification } from 'maplibre-gl';
import type { MapPalette } from '../mapPalette.ts';
import type { Undo } from '../mapStage.ts';
import type { DrawnShape } from './drawnShape.ts';

/** What a tool reports while the operator draws. */
export interface ToolEvents {
  /** Null while there is nothing to show yet. */
  onChange: (drawn: DrawnShape | null) => void;
  onFinish: (drawn: DrawnShape) => void;
  /** A corner, a centre or an edge was moved, put in or taken out: the pointer is up. */
  onStep: () => void;
  onFault: (error: Error) => void;
}

/** The hand that draws one shape. */
export interface DrawingTool {
  current: () => DrawnShape | null;
  /** Ends the drawing where it is, as Enter does; without effect while the shape is not complete. */
  finish: () => void;
  /** The radius of a circle, the width of a line; without effect on a polygon. */
  setSizeM: (sizeM: number) => void;
  /** One corner back, or the circle's centre, before the shape is finished; false when there is none. */
  undo: () => boolean;
  redo: () => boolean;
  canRedo: () => boolean;
  stop: Undo;
}

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
