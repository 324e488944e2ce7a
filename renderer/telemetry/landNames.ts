import { compassPoint } from '../format/compass.ts';
import { formatDistance } from '../format/numbers.ts';
import { type BaseMapIndex, cellName, parseBaseMapPart, type Place } from '../map/basemap/baseMapData.ts';
import { distanceM, distanceToSegmentM, type LatLon } from '../map/geodesy.ts';
import type { PlaceNames } from './placeFinder.ts';

/** A place inside a town is called by it alone. */
const IN_TOWN_M = 1_500;

export interface LandNames extends PlaceNames {
  /** Runs when more names have come. Returns its undo. */
  onChange(run: () => void): () => void;
  /** Takes the street map of a town. */
  setTown(map: GeoJSON.FeatureCollection): void;
}

/**
 * Names of the land: streets where a town's map is known, else the nearest town of the bundled base map with its
 * distance and direction. The base map's cells are fetched as they are asked for.
 */
export function createPlaceNameFinder(
  index: BaseMapIndex,
  fetchJson: (url: string) => Promise<unknown>,
): LandNames {
  const listeners = new Set<() => void>();
  const cells = new Map<string, readonly Place[] | 'coming'>();
  let streets: PlaceNames | null = null;
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

  return {
    nameOf(lat, lon) {
      const street = streets?.nameOf(lat, lon) ?? null;
      if (street !== null) return street;
      const here = { lat, lon };
      let nearest: { name: string; at: LatLon; m: number } | null = null;
      for (const [name, placeLon, placeLat] of placesNear(here)) {
        const at = { lat: placeLat, lon: placeLon };
        const m = distanceM(at, here);
        if (nearest === null || m < nearest.m) nearest = { name, at, m };
      }
      if (nearest === null) return null;
      if (nearest.m <= IN_TOWN_M) return nearest.name;
      return `${formatDistance(nearest.m)} ${compassPoint(bearingDeg(nearest.at, here))} of ${nearest.name}`;
    },
    onChange(run) {
      listeners.add(run);
      return () => {
        listeners.delete(run);
      };
    },
    setTown(map) {
      streets = createTownNames(map.features);
      changed();
    },
  };
}

/** The course from one place to another, near enough to name a point of the compass. */
function bearingDeg(from: LatLon, to: LatLon): number {
  const east = (to.lon - from.lon) * Math.cos((from.lat * Math.PI) / 180);
  return (Math.atan2(east, to.lat - from.lat) * 180) / Math.PI;
}

/** A vehicle this near to a street is on it: half a road and the error of a fix. */
const ON_STREET_M = 40;
/** Side of a cell of the index, degrees: about 550 m. */
const CELL_DEG = 0.005;

interface Segment {
  name: string;
  lonA: number;
  latA: number;
  lonB: number;
  latB: number;
}

/** Streets of a town by where they lie; null off the streets. */
export function createTownNames(features: readonly GeoJSON.Feature[]): PlaceNames {
  const cells = new Map<string, Segment[]>();
  for (const { geometry, properties } of features) {
    const name: unknown = properties?.['name'] ?? properties?.['ref'];
    const kind: unknown = properties?.['kind'];
    if (typeof name !== 'string' || (kind !== 'street' && kind !== 'arterial' && kind !== 'motorway'))
      continue;
    for (const line of linesOf(geometry)) {
      for (let i = 1; i < line.length; i++) {
        const [lonA = 0, latA = 0] = line[i - 1] ?? [];
        const [lonB = 0, latB = 0] = line[i] ?? [];
        const segment = { name, lonA, latA, lonB, latB };
        for (const cell of cellsOf(segment)) {
          const list = cells.get(cell) ?? [];
          list.push(segment);
          cells.set(cell, list);
        }
      }
    }
  }
  return {
    nameOf(lat, lon) {
      let nearest: { name: string; m: number } | null = null;
      for (const segment of cells.get(cellOf(lat, lon)) ?? []) {
        const m = distanceToSegmentM({ lat, lon }, segment);
        if (m <= ON_STREET_M && (nearest === null || m < nearest.m)) nearest = { name: segment.name, m };
      }
      return nearest?.name ?? null;
    },
  };
}

const cellOf = (lat: number, lon: number): string =>
  `${Math.floor(lat / CELL_DEG)} ${Math.floor(lon / CELL_DEG)}`;

/** The cells that a segment may lie in, with the next ones round it: a street at a border is asked for from both. */
function cellsOf({ lonA, latA, lonB, latB }: Segment): string[] {
  const margin = 0.001;
  const cells: string[] = [];
  const first = (value: number) => Math.floor((value - margin) / CELL_DEG);
  const last = (value: number) => Math.floor((value + margin) / CELL_DEG);
  for (let row = first(Math.min(latA, latB)); row <= last(Math.max(latA, latB)); row++) {
    for (let column = first(Math.min(lonA, lonB)); column <= last(Math.max(lonA, lonB)); column++) {
      cells.push(`${row} ${column}`);
    }
  }
  return cells;
}

function linesOf(geometry: GeoJSON.Geometry): GeoJSON.Position[][] {
  if (geometry.type === 'LineString') return [geometry.coordinates];
  return geometry.type === 'MultiLineString' ? geometry.coordinates : [];
}
