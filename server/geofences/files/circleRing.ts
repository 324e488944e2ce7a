/** Mean radius of the earth, metres (IUGG). */
const earthRadiusM = 6_371_008.8;
const radians = Math.PI / 180;
/** So many make a circle of 10 km that is nowhere more than 12 m off. */
const corners = 64;

/** A circle as a closed ring of longitudes and latitudes, for what knows no circles. */
export function circleRing([lon = 0, lat = 0]: readonly number[], radius_m: number): number[][] {
  const ring = Array.from({ length: corners }, (_, at) => pointAt(lon, lat, (at * 360) / corners, radius_m));
  return [...ring, ...ring.slice(0, 1)];
}

/** So many metres away on a great circle that leaves in a direction; to seven decimals, a centimetre. */
function pointAt(lon: number, lat: number, bearingDeg: number, metres: number): number[] {
  const [phi, theta, delta] = [lat * radians, bearingDeg * radians, metres / earthRadiusM];
  const sin = Math.sin(phi) * Math.cos(delta) + Math.cos(phi) * Math.sin(delta) * Math.cos(theta);
  const east = Math.atan2(
    Math.sin(theta) * Math.sin(delta) * Math.cos(phi),
    Math.cos(delta) - Math.sin(phi) * sin,
  );
  const around = ((((lon + east / radians + 180) % 360) + 360) % 360) - 180;
  return [Number(around.toFixed(7)), Number((Math.asin(sin) / radians).toFixed(7))];
}
