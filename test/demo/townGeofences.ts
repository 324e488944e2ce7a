import type { Polygon } from 'geojson';
import { outerRing, smoothCurve, type PlanePoint } from './planeGeometry.ts';
import type { TownGeofence } from './townModel.ts';
import {
  DEPOT_FENCE,
  OLD_TOWN_FENCE,
  QUAY_FENCE,
  RING,
  RING_FENCE_WIDTH_M,
  RING_LIMIT_KMH,
  RING_NAME,
  SCHOOL_RADIUS_M,
  STREET_LIMIT_KMH,
} from './townPlan.ts';
import { toLonLat } from './townProjection.ts';

/** The ring's watched part, round the north of the town from the river to the railway. */
const WATCHED_RING = RING.slice(0, 10);

/** `school` is where the school stands. */
export function townGeofences(school: PlanePoint): TownGeofence[] {
  return [
    { name: 'Depot', shape: 'polygon', geometry: polygon(DEPOT_FENCE) },
    { name: 'Quay 4', shape: 'polygon', geometry: polygon(QUAY_FENCE) },
    {
      name: 'Fairfield school',
      shape: 'circle',
      geometry: { type: 'Point', coordinates: toLonLat(school) },
      radius_m: SCHOOL_RADIUS_M,
      speed_limit_kmh: STREET_LIMIT_KMH,
    },
    {
      name: RING_NAME,
      shape: 'line',
      geometry: { type: 'LineString', coordinates: watchedRing().map(toLonLat) },
      width_m: RING_FENCE_WIDTH_M,
      speed_limit_kmh: RING_LIMIT_KMH,
    },
    { name: 'Old Town', shape: 'polygon', geometry: polygon(OLD_TOWN_FENCE) },
  ];
}

/** Follows the road to a few metres with a fifth of its points: an operator has to be able to drag them. */
function watchedRing(): PlanePoint[] {
  return smoothCurve(RING, 130, true).slice(0, smoothCurve(WATCHED_RING, 130).length);
}

function polygon(outline: PlanePoint[]): Polygon {
  return { type: 'Polygon', coordinates: [outerRing(outline).map(toLonLat)] };
}
