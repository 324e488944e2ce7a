import type { Geofence } from '../../server/contract/geofences.ts';
import { isInside } from '../geofences/isInside.ts';
import { formatNumber } from '../format/numbers.ts';

/** Names of the land: streets of a town that the map knows, towns of the base map. */
export interface PlaceNames {
  /** The name of where this is, null when it knows none. */
  nameOf(lat: number, lon: number): string | null;
}

/** Where a position is, in words: the geofence that it is in, else what the map calls it, else its coordinates. */
export function placeText(
  { lat, lon }: { lat: number; lon: number },
  geofences: Iterable<Geofence>,
  names: PlaceNames,
): string {
  let smallest: Geofence | null = null;
  for (const geofence of geofences) {
    // Of several, the one drawn last is the most particular.
    if (isInside(geofence, lat, lon) && (smallest === null || geofence.created_at > smallest.created_at))
      smallest = geofence;
  }
  return smallest?.name ?? names.nameOf(lat, lon) ?? coordinatesText(lat, lon);
}

export function coordinatesText(lat: number, lon: number): string {
  const half = (value: number, positive: string, negative: string) =>
    `${formatNumber(Math.abs(value), 4)}° ${value < 0 ? negative : positive}`;
  return `${half(lat, 'N', 'S')} ${half(lon, 'E', 'W')}`;
}
