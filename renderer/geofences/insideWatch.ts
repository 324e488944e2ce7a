import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Geofence } from '../../server/contract/geofences.ts';
import type { PositionStore } from '../telemetry/positionStore.ts';
import { borderOf } from './frameGeofence.ts';
import { distanceM, distanceToSegmentM } from '../map/geodesy.ts';

export interface InsideWatch {
  /** Ids of the vehicles that are inside; the same object until one comes or goes. */
  store: StoreApi<{ ids: ReadonlySet<string> }>;
  /** Looks at all vehicles, then at those that move. Returns its end. */
  start(): () => void;
}

/** Who is inside of one geofence now, by the newest positions. */
export function createInsideWatch(
  geofence: Pick<Geofence, 'shape' | 'geometry' | 'radius_m' | 'width_m'>,
  positions: PositionStore,
  /** Whether the geofence holds for a vehicle. */
  holdsFor: (vehicleId: string) => boolean,
): InsideWatch {
  const store = createStore<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));
  const isNear = boxOf(geofence);

  const isIn = (id: string): boolean => {
    const fix = positions.get(id)?.fix;
    if (fix === undefined || fix === null || !isNear(fix.lat, fix.lon)) return false;
    return isInside(geofence, fix.lat, fix.lon) && holdsFor(id);
  };
  const look = (changed: Iterable<string>) => {
    const before = store.getState().ids;
    let after: Set<string> | null = null;
    for (const id of changed) {
      if (isIn(id) === before.has(id)) continue;
      after ??= new Set(before);
      if (before.has(id)) after.delete(id);
      else after.add(id);
    }
    if (after !== null) store.setState({ ids: after });
  };
  return {
    store,
    start() {
      look(positions.all().keys());
      return positions.onFrame(look);
    },
  };
}

/** Sorts out most of ten thousand vehicles without looking at the border. */
function boxOf(geofence: Parameters<typeof borderOf>[0]): (lat: number, lon: number) => boolean {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { lat, lon } of borderOf(geofence)) {
    west = Math.min(west, lon);
    east = Math.max(east, lon);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  return (lat, lon) => lat >= south && lat <= north && lon >= west && lon <= east;
}

type Fence = Pick<Geofence, 'geometry' | 'radius_m' | 'width_m'>;

/**
 * Whether a place lies in a geofence, to say where a vehicle is. Alarms are the server's: it keeps to the
 * hysteresis, this does not.
 */
export function isInside({ geometry, radius_m, width_m }: Fence, lat: number, lon: number): boolean {
  switch (geometry.type) {
    case 'Point': {
      const [geofenceLon, geofenceLat] = geometry.coordinates;
      return distanceM({ lat, lon }, { lat: geofenceLat, lon: geofenceLon }) <= (radius_m ?? 0);
    }
    case 'LineString':
      return distanceToLineM(geometry.coordinates, lat, lon) <= (width_m ?? 0) / 2;
    case 'Polygon':
      return isInRings(geometry.coordinates, lat, lon);
    case 'MultiPolygon':
      return geometry.coordinates.some((rings) => isInRings(rings, lat, lon));
  }
}

/** Even-odd over all rings, so that holes are outside. */
function isInRings(rings: readonly (readonly number[][])[], lat: number, lon: number): boolean {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [lonA = 0, latA = 0] = ring[i] ?? [];
      const [lonB = 0, latB = 0] = ring[j] ?? [];
      if (latA > lat !== latB > lat && lon < ((lonB - lonA) * (lat - latA)) / (latB - latA) + lonA)
        inside = !inside;
    }
  }
  return inside;
}

function distanceToLineM(line: readonly number[][], lat: number, lon: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 1; i < line.length; i++) {
    const [lonA = 0, latA = 0] = line[i - 1] ?? [];
    const [lonB = 0, latB = 0] = line[i] ?? [];
    nearest = Math.min(nearest, distanceToSegmentM({ lat, lon }, { lonA, latA, lonB, latB }));
  }
  return nearest;
}
