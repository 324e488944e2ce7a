import type { StyleImageMetadata } from 'maplibre-gl';
import type { MapPalette } from '../mapPalette.ts';

const PIXEL_RATIO = 2;
const WIDTH_PX = 24;
const HEIGHT_PX = 15;
const RADIUS_PX = 3;

/** How MapLibre may widen the shield to the road's number. */
export const SHIELD_STRETCH: Partial<StyleImageMetadata> & { pixelRatio: number } = {
  pixelRatio: PIXEL_RATIO,
  stretchX: [[8, 40]],
  stretchY: [[8, 22]],
  content: [4, 4, 44, 26],
};

export function drawShield(palette: MapPalette): ImageData {
  const canvas = new OffscreenCanvas(WIDTH_PX * PIXEL_RATIO, HEIGHT_PX * PIXEL_RATIO);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('this browser draws no canvas');
  context.scale(PIXEL_RATIO, PIXEL_RATIO);
  context.beginPath();
  context.roundRect(0.5, 0.5, WIDTH_PX - 1, HEIGHT_PX - 1, RADIUS_PX);
  context.fillStyle = palette.shield;
  context.fill();
  context.strokeStyle = palette.label;
  context.lineWidth = 0.8;
  context.stroke();
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
