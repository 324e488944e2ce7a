import type { Geofence } from '../contract/geofences.ts';
import { placeOf, type FenceShape } from './fenceForm.ts';
import { polygonShape } from './polygonShape.ts';
import { circleShape, lineShape } from './roundShapes.ts';

export type { FenceShape } from './fenceForm.ts';

/** Throws when the geometry does not fit the shape: whoever stores geofences checks that first. */
export function fenceShape(fence: Pick<Geofence, 'shape' | 'geometry' | 'radius_m' | 'width_m'>): FenceShape {
  const { shape, geometry } = fence;
  if (shape === 'circle' && geometry.type === 'Point' && fence.radius_m !== null) {
    return circleShape(placeOf(geometry.coordinates), fence.radius_m);
  }
  if (shape === 'line' && geometry.type === 'LineString' && fence.width_m !== null) {
    return lineShape(geometry.coordinates.map(placeOf), fence.width_m / 2);
  }
  if (shape === 'polygon' && geometry.type === 'Polygon') return polygonShape([geometry.coordinates]);
  if (shape === 'polygon' && geometry.type === 'MultiPolygon') return polygonShape(geometry.coordinates);
  throw new Error(`a ${geometry.type} cannot be a ${shape}`);
}
