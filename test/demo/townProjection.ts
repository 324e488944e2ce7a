import type { PlanePoint } from './planeGeometry.ts';

interface LatLon {
  lat: number;
  lon: number;
}

/** Pine forest on the Polish side of the Neisse: no town of the bundled map lies within 17 km. */
export const TOWN_CENTRE: LatLon = { lat: 51.4, lon: 15.4 };

// Lengths of a degree on the WGS 84 ellipsoid at the centre's latitude; over 4 km the plane is off by less than a metre.
const RADIANS = Math.PI / 180;
const latitude = TOWN_CENTRE.lat * RADIANS;
const M_PER_DEG_LAT = 111_132.954 - 559.822 * Math.cos(2 * latitude) + 1.175 * Math.cos(4 * latitude);
const M_PER_DEG_LON =
  111_412.84 * Math.cos(latitude) - 93.5 * Math.cos(3 * latitude) + 0.118 * Math.cos(5 * latitude);

// Six decimals are 0.1 m: finer than any receiver, and a third of the bytes.
const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

export function toLatLon({ x, y }: PlanePoint): LatLon {
  return {
    lat: rounded(TOWN_CENTRE.lat + y / M_PER_DEG_LAT),
    lon: rounded(TOWN_CENTRE.lon + x / M_PER_DEG_LON),
  };
}

export function toPlane({ lat, lon }: LatLon): PlanePoint {
  return { x: (lon - TOWN_CENTRE.lon) * M_PER_DEG_LON, y: (lat - TOWN_CENTRE.lat) * M_PER_DEG_LAT };
}

/** GeoJSON order: longitude first. */
export function toLonLat(point: PlanePoint): [lon: number, lat: number] {
  const { lat, lon } = toLatLon(point);
  return [lon, lat];
}
