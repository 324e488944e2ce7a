import type { Geofence } from '../contract/geofences.ts';
import { placeOf, type FenceShape, type ShapePlan } from './fenceForm.ts';
import { planPolygon } from './polygonShape.ts';
import { planCircle, planLine } from './roundShapes.ts';

export type { FenceShape, ShapePlan } from './fenceForm.ts';

export type ShapedFence = Pick<Geofence, 'shape' | 'geometry' | 'radius_m' | 'width_m'>;

/** Throws when the geometry does not fit the shape: whoever stores geofences checks that first. */
export function planShape(fence: ShapedFence): ShapePlan {
  const { shape, geometry } = fence;
  if (shape === 'circle' && geometry.type === 'Point' && fence.radius_m !== null) {
    return planCircle(placeOf(geometry.coordinates), fence.radius_m);
  }
  if (shape === 'line' && geometry.type === 'LineString' && fence.width_m !== null) {
    return planLine(geometry.coordinates, fence.width_m / 2);
  }
  if (shape === 'polygon' && geometry.type === 'Polygon') return planPolygon([geometry.coordinates]);
  if (shape === 'polygon' && geometry.type === 'MultiPolygon') return planPolygon(geometry.coordinates);
  throw new Error(`a ${geometry.type} cannot be a ${shape}`);
}

/** Throws as `planShape`. */
export function fenceShape(fence: ShapedFence): FenceShape {
  return planShape(fence).build();
}
