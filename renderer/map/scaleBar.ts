import { metresPerPixel } from './geodesy.ts';

/** A scale bar: so many pixels are so many metres, a round number of them. */
export interface ScaleBar {
  lengthPx: number;
  lengthM: number;
}

/** The longest bar of 1, 2 or 5 times a power of ten metres that is at most `maxPx` wide, true at the latitude given. */
export function scaleBar(lat: number, zoom: number, maxPx: number): ScaleBar {
  const perPixel = metresPerPixel(lat, zoom);
  const maxM = perPixel * maxPx;
  const power = 10 ** Math.floor(Math.log10(maxM));
  const lengthM = power * (maxM >= 5 * power ? 5 : maxM >= 2 * power ? 2 : 1);
  return { lengthM, lengthPx: lengthM / perPixel };
}
