import type { Geofence } from '../contract/geofences.ts';
import { placeOf, type GeofenceShape, type ShapePlan } from './shapeTypes.ts';
import { planPolygon } from './polygonShape.ts';
import { planCircle, planLine } from './bufferShapes.ts';

export type { GeofenceShape as FenceShape, ShapePlan } from './shapeTypes.ts';

export type ShapedGeofence = Pick<Geofence, 'shape' | 'geometry' | 'radius_m' | 'width_m'>;

/** Throws when the geometry does not fit the shape: whoever stores geofences checks that first. */
export function planShape(geofence: ShapedGeofence): ShapePlan {
  const { shape, geometry } = geofence;
  if (shape === 'circle' && geometry.type === 'Point' && geofence.radius_m !== null) {
    return planCircle(placeOf(geometry.coordinates), geofence.radius_m);
  }
  if (shape === 'line' && geometry.type === 'LineString' && geofence.width_m !== null) {
    return planLine(geometry.coordinates, geofence.width_m / 2);
  }
  if (shape === 'polygon' && geometry.type === 'Polygon') return planPolygon([geometry.coordinates]);
  if (shape === 'polygon' && geometry.type === 'MultiPolygon') return planPolygon(geometry.coordinates);
  throw new Error(`a ${geometry.type} cannot be a ${shape}`);
}

/** Throws as `planShape`. */
export function geofenceShape(geofence: ShapedGeofence): GeofenceShape {
  return planShape(geofence).build();
}
