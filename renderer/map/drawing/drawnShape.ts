import { distanceM, latLon, lineLengthM, ringAreaM2 } from '../geodesy.ts';

/** A shape as the API takes it: geometry in GeoJSON order, sizes in metres. */
export type DrawnShape =
  | { shape: 'polygon'; geometry: GeoJSON.Polygon }
  | { shape: 'circle'; geometry: GeoJSON.Point; radius_m: number }
  | { shape: 'line'; geometry: GeoJSON.LineString; width_m: number };

/** What can be said of a shape while it is drawn; null where a shape has no such size. */
export interface Measure {
  areaM2: number | null;
  radiusM: number | null;
  lengthM: number | null;
  /** Corners of a polygon, points of a line, 1 for a circle's centre. */
  points: number;
}

export function measure(drawn: DrawnShape): Measure {
  if (drawn.shape === 'circle') {
    const { radius_m: radiusM } = drawn;
    return { areaM2: Math.PI * radiusM ** 2, radiusM, lengthM: null, points: 1 };
  }
  if (drawn.shape === 'line') {
    const line = drawn.geometry.coordinates;
    return { areaM2: null, radiusM: null, lengthM: lineLengthM(line), points: line.length };
  }
  const [outer = [], ...holes] = drawn.geometry.coordinates;
  const holesM2 = holes.reduce((sum, hole) => sum + ringAreaM2(hole), 0);
  return {
    areaM2: ringAreaM2(outer) - holesM2,
    radiusM: null,
    lengthM: lineLengthM(outer),
    points: Math.max(0, outer.length - 1),
  };
}

/** A shape that can be saved: three corners, two points, a radius. */
export function isComplete(drawn: DrawnShape): boolean {
  if (drawn.shape === 'circle') return drawn.radius_m >= 1;
  if (drawn.shape === 'line') return distinct(drawn.geometry.coordinates) >= 2;
  const outer = drawn.geometry.coordinates[0] ?? [];
  return distinct(outer) >= 3 && ringAreaM2(outer) > 1;
}

/** Metres to a whole number: a border is known no better than a fix. */
export function radiusBetween(centre: GeoJSON.Position, edge: GeoJSON.Position): number {
  return Math.round(distanceM(latLon(centre), latLon(edge)));
}

/** 1 cm at the equator; more digits say nothing, and the drawing tool refuses them. */
const DECIMALS = 7;

export function roundPosition([lon = 0, lat = 0]: GeoJSON.Position): GeoJSON.Position {
  return [Number(lon.toFixed(DECIMALS)), Number(lat.toFixed(DECIMALS))];
}

/** Rounded, and without points that repeat the one before. */
export function tidyLine(line: readonly GeoJSON.Position[]): GeoJSON.Position[] {
  return line.map(roundPosition).filter((point, i, all) => {
    const before = all[i - 1];
    return !before || before[0] !== point[0] || before[1] !== point[1];
  });
}

function distinct(points: readonly GeoJSON.Position[]): number {
  return new Set(points.map((point) => point.join())).size;
}
