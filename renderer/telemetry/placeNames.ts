import type { Geofence } from '../../server/contract/geofences.ts';
import { isInside } from '../geofences/isInside.ts';
import { numberText } from '../format/numbers.ts';

/** Names of the land: streets of a town that the map knows, towns of the base map. */
export interface PlaceNames {
  /** The name of where this is, null when it knows none. */
  nameOf(lat: number, lon: number): string | null;
}

/** Where a position is, in words: the geofence that it is in, else what the map calls it, else its coordinates. */
export function placeText(
  { lat, lon }: { lat: number; lon: number },
  fences: Iterable<Geofence>,
  names: PlaceNames,
): string {
  let smallest: Geofence | null = null;
  for (const fence of fences) {
    // Of several, the one drawn last is the most particular.
    if (isInside(fence, lat, lon) && (smallest === null || fence.created_at > smallest.created_at))
      smallest = fence;
  }
  return smallest?.name ?? names.nameOf(lat, lon) ?? coordinatesText(lat, lon);
}

export function coordinatesText(lat: number, lon: number): string {
  const half = (value: number, positive: string, negative: string) =>
    `${numberText(Math.abs(value), 4)}° ${value < 0 ? negative : positive}`;
  return `${half(lat, 'N', 'S')} ${half(lon, 'E', 'W')}`;
}
