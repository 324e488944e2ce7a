import { createStore } from 'zustand/vanilla';
import type { Geofence } from '../../server/contract/geofences.ts';
import { formatNumber } from '../format/numbers.ts';
import { isInside } from '../geofences/insideWatch.ts';
import { distanceM } from '../map/geodesy.ts';
import type { PositionStore } from './positionStore.ts';

/** A vehicle that moved less than this is still where it was, in words. */
const STEP_M = 25;

/** Where vehicles are, in words. Worked out for those that are looked at, and again only when they have moved. */
export function createPlaceFinder(
  positions: PositionStore,
  geofences: () => Iterable<Geofence>,
  names: PlaceNames,
) {
  const known = new Map<string, { lat: number; lon: number; text: string }>();
  const edition = createStore(() => ({ number: 0 }));
  const at = (lat: number, lon: number) => formatPlace({ lat, lon }, geofences(), names);
  return {
    at,
    /** Moves on when the same place may have another name: a geofence was drawn, names were read. */
    edition,
    /** '' for a vehicle that has no place. */
    ofVehicle(vehicleId: string) {
      const fix = positions.get(vehicleId)?.fix;
      if (fix === undefined || fix === null) return '';
      const before = known.get(vehicleId);
      if (before !== undefined && distanceM(before, fix) < STEP_M) return before.text;
      const text = at(fix.lat, fix.lon);
      known.set(vehicleId, { lat: fix.lat, lon: fix.lon, text });
      return text;
    },
    renew() {
      known.clear();
      edition.setState(({ number }) => ({ number: number + 1 }));
    },
  };
}

export type PlaceFinder = ReturnType<typeof createPlaceFinder>;

/** Names of the land: streets of a town that the map knows, towns of the base map. */
export interface PlaceNames {
  /** The name of where this is, null when it knows none. */
  nameOf(lat: number, lon: number): string | null;
}

/** Where a position is, in words: the geofence that it is in, else what the map calls it, else its coordinates. */
export function formatPlace(
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
  return smallest?.name ?? names.nameOf(lat, lon) ?? formatCoordinates(lat, lon);
}

export function formatCoordinates(lat: number, lon: number): string {
  const half = (value: number, positive: string, negative: string) =>
    `${formatNumber(Math.abs(value), 4)}° ${value < 0 ? negative : positive}`;
  return `${half(lat, 'N', 'S')} ${half(lon, 'E', 'W')}`;
}
