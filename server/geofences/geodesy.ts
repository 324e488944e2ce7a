/** A place on WGS 84, in degrees. */
export interface Place {
  lat: number;
  lon: number;
}

/** West, south, east, north in degrees. */
export type Box = readonly [number, number, number, number];

/** Mean radius of the earth, metres (IUGG). */
const earthRadiusM = 6_371_008.8;
const radians = Math.PI / 180;

/** Great-circle distance in metres (haversine). */
export function distanceM(a: Place, b: Place): number {
  const dLat = (b.lat - a.lat) * radians;
  const dLon = (b.lon - a.lon) * radians;
  const h =
    Math.sin(dLat / 2) ** 2 + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * Math.sin(dLon / 2) ** 2;
  return 2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Metres east and north of an origin. */
export interface Plane {
  x: number;
  y: number;
}

/** The shorter way round the earth, in degrees from -180 to 180. */
export function lonDifference(to: number, from: number): number {
  const difference = (to - from) % 360;
  if (difference > 180) return difference - 360;
  return difference < -180 ? difference + 360 : difference;
}

/** Puts a place on the plane that touches the earth at `origin`; true to a few metres within some tens of kilometres. */
export function onPlane(place: Place, origin: Place): Plane {
  return {
    x: lonDifference(place.lon, origin.lon) * radians * earthRadiusM * Math.cos(origin.lat * radians),
    y: (place.lat - origin.lat) * radians * earthRadiusM,
  };
}

/** A corner of a ring of at most 180 degrees of longitude, with the longitude at which the ring begins. */
export interface RingCorner extends Place {
  ringLon: number;
}

/** As `onPlane` for a ring's corner: the ring stays whole, from wherever it is looked at. */
export function cornerOnPlane({ lon, lat, ringLon }: RingCorner, origin: Place): Plane {
  const metresOfLon = radians * earthRadiusM * Math.cos(origin.lat * radians);
  return {
    x: (lonDifference(ringLon, origin.lon) + (lon - ringLon)) * metresOfLon,
    y: (lat - origin.lat) * radians * earthRadiusM,
  };
}

/** About a tenth of a millimetre: more than what rounding moves. */
const slackDegrees = 1e-9;

/**
 * Holds whatever is at most `metres` away from a place on the straight way from `a` to `b`, as seen on the plane of
 * that place. May reach beyond 180 degrees.
 */
export function boxAlong(a: Place, b: Place, metres: number): Box {
  const lonEnd = a.lon + lonDifference(b.lon, a.lon);
  const lat = metres / earthRadiusM / radians;
  const shrink = Math.cos(Math.max(Math.abs(a.lat), Math.abs(b.lat)) * radians);
  const marginLat = lat + slackDegrees;
  const marginLon = Math.min(360, lat / shrink) + slackDegrees;
  return [
    Math.min(a.lon, lonEnd) - marginLon,
    Math.min(a.lat, b.lat) - marginLat,
    Math.max(a.lon, lonEnd) + marginLon,
    Math.max(a.lat, b.lat) + marginLat,
  ];
}

/** Distance in metres from `point` to the segment from `a` to `b`, on a plane. */
export function segmentDistance(point: Plane, a: Plane, b: Plane): number {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const length2 = dx * dx + dy * dy;
  const along = length2 === 0 ? 0 : ((point.x - a.x) * dx + (point.y - a.y) * dy) / length2;
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(point.x - a.x - t * dx, point.y - a.y - t * dy);
}

/** Degrees of latitude, and of longitude at `lat`, that `metres` span; generous near the poles. */
export function degreesOf(metres: number, lat: number): { lat: number; lon: number } {
  const latDegrees = metres / earthRadiusM / radians;
  const shrink = Math.max(Math.cos(Math.min(89.9, Math.abs(lat) + latDegrees) * radians), 1e-3);
  return { lat: latDegrees, lon: Math.min(360, latDegrees / shrink) };
}

export function between(a: Place, b: Place, t: number): Place {
  const lon = a.lon + lonDifference(b.lon, a.lon) * t;
  return { lat: a.lat + (b.lat - a.lat) * t, lon: lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon };
}
