/** A place on WGS 84, in degrees. */
export interface LatLon {
  lat: number;
  lon: number;
}

/** West, south, east, north in degrees. */
export type Box = readonly [number, number, number, number];

/** Mean radius of the earth, metres (IUGG). */
const earthRadiusM = 6_371_008.8;
const radians = Math.PI / 180;

/** Great-circle distance in metres (haversine). */
export function distanceM(a: LatLon, b: LatLon): number {
  const dLat = (b.lat - a.lat) * radians;
  const dLon = (b.lon - a.lon) * radians;
  const h =
    Math.sin(dLat / 2) ** 2 + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * Math.sin(dLon / 2) ** 2;
  return 2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** What `createWithin` compares: the square of half the chord of so many metres along the earth, of radius 1. */
export function chordShare(metres: number): number {
  return Math.sin(Math.min(Math.PI / 2, metres / 2 / earthRadiusM)) ** 2;
}

/** Whether a place lies within a distance of a point, as `distanceM` says, without working the distance out. */
export function createWithin({ lat, lon }: LatLon): (place: LatLon, limit: number) => boolean {
  const cosLat = Math.cos(lat * radians);
  return (place, limit) => {
    const sinLat = Math.sin((place.lat - lat) * (radians / 2));
    const rest = limit - sinLat * sinLat;
    if (rest < 0) return false;
    const sinLon = Math.sin((place.lon - lon) * (radians / 2));
    return Math.cos(place.lat * radians) * cosLat * sinLon * sinLon <= rest;
  };
}

/** Metres east and north of an origin. */
export interface Plane {
  x: number;
  y: number;
}

/** The shorter way round the earth, in degrees from -180 to 180. */
export function lonDifference(to: number, from: number): number {
  const plain = to - from;
  if (plain <= 180 && plain >= -180) return plain;
  const difference = plain % 360;
  if (difference > 180) return difference - 360;
  return difference < -180 ? difference + 360 : difference;
}

/** Puts a place on the plane that touches the earth at `origin`; true to a few metres within some tens of kilometres. */
export function onPlane(place: LatLon, origin: LatLon): Plane {
  return {
    x: lonDifference(place.lon, origin.lon) * metresOfLon(origin.lat),
    y: (place.lat - origin.lat) * metresOfDegree,
  };
}

/** Degrees that hold whatever is at most `metres` away from a place on the straight way from `a` to `b`. */
export function marginAlong(a: LatLon, b: LatLon, metres: number): { lon: number; lat: number } {
  const lat = metres / earthRadiusM / radians;
  const shrink = Math.cos(Math.max(Math.abs(a.lat), Math.abs(b.lat)) * radians);
  return { lat, lon: Math.min(360, lat / shrink) };
}

/** Distance in metres from `point` to the segment from `a` to `b`, on a plane. */
export function segmentDistance(point: Plane, a: Plane, b: Plane): number {
  return originDistance(a.x - point.x, a.y - point.y, b.x - point.x, b.y - point.y);
}

/** Distance from the origin of a plane to the segment between two points of it. */
export function originDistance(ax: number, ay: number, bx: number, by: number): number {
  const dx = bx - ax;
  const dy = by - ay;
  const length2 = dx * dx + dy * dy;
  const along = length2 === 0 ? 0 : -(ax * dx + ay * dy) / length2;
  const t = along < 0 ? 0 : along > 1 ? 1 : along;
  const x = ax + t * dx;
  const y = ay + t * dy;
  return Math.sqrt(x * x + y * y);
}

/** Metres that a degree of latitude spans, and one of longitude on the equator. */
export const metresOfDegree = radians * earthRadiusM;

/** Metres that a degree of longitude spans at a latitude. */
export function metresOfLon(lat: number): number {
  return metresOfDegree * Math.cos(lat * radians);
}

/** Degrees of latitude, and of longitude at `lat`, that `metres` span; generous near the poles. */
export function degreesOf(metres: number, lat: number): { lat: number; lon: number } {
  const latDegrees = metres / earthRadiusM / radians;
  const shrink = Math.max(Math.cos(Math.min(89.9, Math.abs(lat) + latDegrees) * radians), 1e-3);
  return { lat: latDegrees, lon: Math.min(360, latDegrees / shrink) };
}

export function interpolate(a: LatLon, b: LatLon, t: number): LatLon {
  const lon = a.lon + lonDifference(b.lon, a.lon) * t;
  return { lat: a.lat + (b.lat - a.lat) * t, lon: lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon };
}
