import type { DrawnShape } from '../../map/drawing/drawnShape.ts';
import { isComplete } from '../../map/drawing/drawnShape.ts';
import { numberOf } from './geofenceDraft.ts';

/** A place as a hand types it: 52.52, 13.405 or 52.52 13.405; latitude first. */
const PLACE = /^([-−]?\d{1,2}(?:\.\d+)?)\s*[,;\s]\s*([-−]?\d{1,3}(?:\.\d+)?)$/;

/** What is wrong with typed corners: the line (from 1) that is no place, or that they are too few. */
export type CornersFault = { kind: 'line'; line: number } | { kind: 'few' };

/** Reads one corner to a line, `lat, lon`. Positions come in GeoJSON order. */
export function readCorners(text: string): GeoJSON.Position[] | CornersFault {
  const places: GeoJSON.Position[] = [];
  for (const [at, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '') continue;
    const hit = PLACE.exec(line);
    const [lat, lon] = [numberOf(hit?.[1] ?? ''), numberOf(hit?.[2] ?? '')];
    if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180)) return { kind: 'line', line: at + 1 };
    places.push([lon, lat]);
  }
  return places;
}

/**
 * The shape that typed corners and a typed size (radius or width, metres) make. `holes` are kept inside of a polygon;
 * its ring need not be closed.
 */
export function readShape(
  shape: DrawnShape['shape'],
  corners: string,
  sizeM: number,
  holes: readonly GeoJSON.Position[][] = [],
): DrawnShape | CornersFault {
  const places = readCorners(corners);
  if (!Array.isArray(places)) return places;
  const drawn = shapeFrom(shape, places, sizeM, holes);
  return drawn !== null && isComplete(drawn) ? drawn : { kind: 'few' };
}

function shapeFrom(
  shape: DrawnShape['shape'],
  places: GeoJSON.Position[],
  sizeM: number,
  holes: readonly GeoJSON.Position[][],
): DrawnShape | null {
  const [first] = places;
  const last = places.at(-1);
  if (first === undefined || last === undefined) return null;
  if (shape === 'polygon') {
    const isClosed = first[0] === last[0] && first[1] === last[1];
    const ring = isClosed && places.length > 1 ? places : [...places, first];
    return { shape, geometry: { type: 'Polygon', coordinates: [ring, ...holes] } };
  }
  if (!(sizeM >= 1)) return null;
  if (shape === 'line')
    return { shape, geometry: { type: 'LineString', coordinates: places }, width_m: sizeM };
  return places.length === 1
    ? { shape, geometry: { type: 'Point', coordinates: first }, radius_m: sizeM }
    : null;
}

/** The corners of a shape, one to a line; without the closing one, and without the holes of a polygon. */
export function cornersText(drawn: DrawnShape): string {
  switch (drawn.shape) {
    case 'circle':
      return placeText(drawn.geometry.coordinates);
    case 'line':
      return drawn.geometry.coordinates.map(placeText).join('\n');
    case 'polygon':
      return (drawn.geometry.coordinates[0] ?? []).slice(0, -1).map(placeText).join('\n');
  }
}

const placeText = ([lon = 0, lat = 0]: GeoJSON.Position): string =>
  `${degreesText(lat)}, ${degreesText(lon)}`;

/** To a centimetre, never with an exponent. */
const degreesText = (degrees: number): string => degrees.toFixed(7).replace(/\.?0+$/, '');

/** Radius or width, metres; null for a polygon. */
export function sizeOf(drawn: DrawnShape): number | null {
  return drawn.shape === 'polygon' ? null : drawn.shape === 'circle' ? drawn.radius_m : drawn.width_m;
}
