/** A place on the Earth, in degrees (WGS 84). */
export interface LatLon {
  lat: number;
  lon: number;
}

/** IUGG mean radius (2 a + b) / 3 of WGS 84, metres. */
export const EARTH_RADIUS_M = 6_371_008.8;

/** MapLibre's world is 512 px wide at zoom 0. */
const WORLD_PX = 512;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (radians: number): number => (radians * 180) / Math.PI;

/** Great-circle distance, metres (haversine: exact enough down to centimetres). */
export function distanceM(a: LatLon, b: LatLon): number {
  const dLat = radians(b.lat - a.lat);
  const dLon = radians(b.lon - a.lon);
  const h =
    Math.sin(dLat / 2) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(dLon / 2) ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Where one arrives after `lengthM` metres along the great circle that starts at `courseDeg` (0 north, 90 east). */
export function destination(from: LatLon, courseDeg: number, lengthM: number): LatLon {
  const angle = lengthM / EARTH_RADIUS_M;
  const course = radians(courseDeg);
  const lat = radians(from.lat);
  const sinLat = Math.sin(lat) * Math.cos(angle) + Math.cos(lat) * Math.sin(angle) * Math.cos(course);
  const dLon = Math.atan2(
    Math.sin(course) * Math.sin(angle) * Math.cos(lat),
    Math.cos(angle) - Math.sin(lat) * sinLat,
  );
  return { lat: degrees(Math.asin(sinLat)), lon: from.lon + degrees(dLon) };
}

/** Length of a line, metres; points in GeoJSON order. */
export function lineLengthM(line: readonly GeoJSON.Position[]): number {
  let lengthM = 0;
  for (let i = 1; i < line.length; i++) lengthM += distanceM(latLon(line[i - 1]), latLon(line[i]));
  return lengthM;
}

/**
 * Area within a ring on the sphere, square metres, whatever way round it runs.
 * Chamberlain and Duquette, Some Algorithms for Polygons on a Sphere (JPL 07-03), equation 7.
 */
export function ringAreaM2(ring: readonly GeoJSON.Position[]): number {
  let sum = 0;
  for (let i = 0; i < ring.length; i++) {
    const a = latLon(ring[i]);
    const b = latLon(ring[(i + 1) % ring.length]);
    sum += radians(b.lon - a.lon) * (2 + Math.sin(radians(a.lat)) + Math.sin(radians(b.lat)));
  }
  return Math.abs((sum * EARTH_RADIUS_M ** 2) / 2);
}

/** Web Mercator ends here, degrees: its world is a square. */
const MOST_LAT = 85.0511;

/** Web Mercator, both axes 0 to 1 over the world, y growing southwards. */
export function toMercator({ lat, lon }: LatLon): { x: number; y: number } {
  const sin = Math.sin(radians(Math.max(-MOST_LAT, Math.min(MOST_LAT, lat))));
  return { x: (lon + 180) / 360, y: 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI) };
}

export function fromMercator(x: number, y: number): LatLon {
  return { lat: degrees(Math.atan(Math.sinh(Math.PI * (1 - 2 * y)))), lon: x * 360 - 180 };
}

/** Pixels that the whole world is wide at a zoom. */
export const worldWidthPx = (zoom: number): number => WORLD_PX * 2 ** zoom;

/** What finds out whether a place lies in a view of the map, or so near to it. */
export function viewTest(
  view: LatLon & { zoom: number },
  { width, height }: { width: number; height: number },
  reachPx = 0,
): (place: LatLon) => boolean {
  const worldPx = worldWidthPx(view.zoom);
  const { y } = toMercator(view);
  const halfWidthDeg = ((width / 2 + reachPx) / worldPx) * 360;
  const halfHeight = (height / 2 + reachPx) / worldPx;
  // Its edges as latitudes, so that nothing is left to project of the thousands of places that are tried.
  const { lat: north } = fromMercator(0, y - halfHeight);
  const { lat: south } = fromMercator(0, y + halfHeight);
  return ({ lat, lon }) => {
    const across = Math.abs(lon - view.lon);
    const onMap = Math.max(-MOST_LAT, Math.min(MOST_LAT, lat));
    // The shorter way round the world.
    return Math.min(across, 360 - across) <= halfWidthDeg && onMap <= north && onMap >= south;
  };
}

/** Metres under one pixel of the map at a latitude and zoom. */
export function metresPerPixel(lat: number, zoom: number): number {
  return (2 * Math.PI * EARTH_RADIUS_M * Math.cos(radians(lat))) / worldWidthPx(zoom);
}

/** A GeoJSON position as a named place. */
export function latLon(position: GeoJSON.Position | undefined): LatLon {
  const lon = position?.[0];
  const lat = position?.[1];
  if (lon === undefined || lat === undefined)
    throw new RangeError('a position needs a longitude and a latitude');
  return { lat, lon };
}

/** From a place to a line between two others, in the plane that touches the sphere there: exact over a road's width. */
export function distanceToSegmentM(
  { lat, lon }: LatLon,
  { lonA, latA, lonB, latB }: { lonA: number; latA: number; lonB: number; latB: number },
): number {
  const north = (EARTH_RADIUS_M * Math.PI) / 180;
  const east = north * Math.cos((lat * Math.PI) / 180);
  const ax = (lonA - lon) * east;
  const ay = (latA - lat) * north;
  const dx = (lonB - lonA) * east;
  const dy = (latB - latA) * north;
  const along =
    dx === 0 && dy === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / (dx * dx + dy * dy)));
  return Math.hypot(ax + along * dx, ay + along * dy);
}
