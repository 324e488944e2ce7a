import { createStore } from 'zustand/vanilla';
import type { Geofence } from '../../server/contract/geofences.ts';
import { formatNumber } from '../format/numbers.ts';
import { isInside } from '../geofences/insideWatch.ts';
import { distanceM, type LatLon } from '../map/geodesy.ts';
import type { Addresses } from './addresses.ts';
import type { PositionStore } from './positionStore.ts';

/** A vehicle that moved less than this is still where it was, in words. */
const STEP_M = 25;

/** Where vehicles are, in words. Worked out for those that are looked at, and again only when they have moved. */
export function createPlaceFinder(
  positions: PositionStore,
  geofences: () => Iterable<Geofence>,
  names: PlaceNames,
  load: Addresses['load'] = () => Promise.resolve(),
) {
  const known = new Map<string, { lat: number; lon: number; text: string }>();
  const edition = createStore(() => ({ number: 0 }));
  const at = (lat: number, lon: number) => formatPlace({ lat, lon }, geofences(), names);
  return {
    at,
    /** The geofence there, else the nearest town; null where neither is known. */
    areaAt: (lat: number, lon: number): string | null =>
      geofenceAt({ lat, lon }, geofences())?.name ?? names.townOf(lat, lon),
    /** The same of a place of which the server says the geofences and, where it knows it, the address. */
    of: (place: LatLon & { address: string | null }, geofenceNames: string) =>
      formatWithin(place, geofenceNames === '' ? null : geofenceNames, {
        ...names,
        addressOf: (lat, lon) => place.address ?? names.addressOf(lat, lon),
      }),
    /** Resolves when the addresses of these have come, or do not come: for what is written once. */
    load,
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

export interface PlaceNames {
  /** The address by the depot's map files, null when none is known. */
  addressOf(lat: number, lon: number): string | null;
  /** What the land is called there, by the towns of the base map; null when it knows none. */
  nameOf(lat: number, lon: number): string | null;
  /** The nearest town of the base map alone; null when it knows none. */
  townOf(lat: number, lon: number): string | null;
}

/**
 * Where a position is, in words: the geofence that it is in and its address, as far as there are such; else what the
 * land is called, else its coordinates.
 */
export function formatPlace(
  place: LatLon,
  geofences: Iterable<Geofence>,
  names: Omit<PlaceNames, 'townOf'>,
): string {
  return formatWithin(place, geofenceAt(place, geofences)?.name ?? null, names);
}

function geofenceAt({ lat, lon }: LatLon, geofences: Iterable<Geofence>): Geofence | null {
  let smallest: Geofence | null = null;
  for (const geofence of geofences) {
    // Of several, the one drawn last is the most particular.
    if (isInside(geofence, lat, lon) && (smallest === null || geofence.created_at > smallest.created_at))
      smallest = geofence;
  }
  return smallest;
}

function formatWithin(
  { lat, lon }: LatLon,
  geofence: string | null,
  names: Omit<PlaceNames, 'townOf'>,
): string {
  const address = names.addressOf(lat, lon);
  if (geofence !== null) return address === null ? geofence : `${geofence}, ${address}`;
  return address ?? names.nameOf(lat, lon) ?? formatCoordinates(lat, lon);
}

export function formatCoordinates(lat: number, lon: number): string {
  const half = (value: number, positive: string, negative: string) =>
    `${formatNumber(Math.abs(value), 4)}° ${value < 0 ? negative : positive}`;
  return `${half(lat, 'N', 'S')} ${half(lon, 'E', 'W')}`;
}
