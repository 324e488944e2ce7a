import { compassPoint } from '../format/compass.ts';
import { formatDistance } from '../format/numbers.ts';
import { type BaseMapIndex, cellName, parseBaseMapPart, type Place } from '../map/basemap/baseMapData.ts';
import { distanceM, type LatLon } from '../map/geodesy.ts';
import type { PlaceNames } from './placeFinder.ts';

/** A place inside a town is called by it alone. */
const IN_TOWN_M = 1_500;

export interface LandNames extends Pick<PlaceNames, 'nameOf' | 'townOf'> {
  /** Runs when more names have come. Returns its undo. */
  onChange(run: () => void): () => void;
}

/**
 * Names of the land: the nearest town of the bundled base map with its distance and direction. The base map's cells are
 * fetched as they are asked for.
 */
export function createPlaceNameFinder(
  index: BaseMapIndex,
  fetchJson: (url: string) => Promise<unknown>,
): LandNames {
  const listeners = new Set<() => void>();
  const cells = new Map<string, readonly Place[] | 'coming'>();
  const changed = () => listeners.forEach((run) => run());

  const fetchCell = async (name: string, url: string) => {
    cells.set(name, 'coming');
    const part = parseBaseMapPart(await fetchJson(url).catch(() => null));
    // A cell that could not be read has no names; coordinates are said instead.
    cells.set(name, part?.places ?? []);
    changed();
  };

  const placesNear = (at: LatLon): readonly Place[] => {
    const name = cellName(at.lon, at.lat);
    const known = cells.get(name);
    if (known === undefined) {
      const url = index.cells[name];
      if (url !== undefined) void fetchCell(name, url);
      else cells.set(name, []);
      return [];
    }
    return known === 'coming' ? [] : known;
  };

  const nearestTo = (here: LatLon): Place | null => {
    const shrink = Math.cos((here.lat * Math.PI) / 180);
    let nearest: Place | null = null;
    let least = Infinity;
    // Every row of the vehicle list asks again as its vehicle moves: within a cell, a plane finds the nearest as well
    // as the sphere does.
    for (const place of placesNear(here)) {
      const east = (place[1] - here.lon) * shrink;
      const north = place[2] - here.lat;
      const square = east * east + north * north;
      if (square < least) [nearest, least] = [place, square];
    }
    return nearest;
  };

  return {
    townOf: (lat, lon) => nearestTo({ lat, lon })?.[0] ?? null,
    nameOf(lat, lon) {
      const here = { lat, lon };
      const nearest = nearestTo(here);
      if (nearest === null) return null;
      const [name, placeLon, placeLat] = nearest;
      const at = { lat: placeLat, lon: placeLon };
      const m = distanceM(at, here);
      return m <= IN_TOWN_M ? name : `${formatDistance(m)} ${compassPoint(bearingDeg(at, here))} of ${name}`;
    },
    onChange(run) {
      listeners.add(run);
      return () => {
        listeners.delete(run);
      };
    },
  };
}

/** The course from one place to another, near enough to name a point of the compass. */
function bearingDeg(from: LatLon, to: LatLon): number {
  const east = (to.lon - from.lon) * Math.cos((from.lat * Math.PI) / 180);
  return (Math.atan2(east, to.lat - from.lat) * 180) / Math.PI;
}
