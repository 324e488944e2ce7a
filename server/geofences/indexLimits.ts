import { causeOf, messageOf } from '../contract/causeTexts.ts';
import { edgeNumbers, type Sides } from './shapeTypes.ts';
import type { FieldError } from '../contract/problem.ts';
import { planShape, type ShapedGeofence, type ShapePlan } from './geofenceShape.ts';
import { densestCell, heaviestOverlap, type Overlap } from './overlap.ts';
import { geometryErrors, type GeofenceForm } from './geometryErrors.ts';

/**
 * So many sides of one shape may have their boxes over one place. Borders and tracks of 20,000 corners have some dozens
 * there; the 20,000 slanted sides of a dense zigzag would each be read by every question asked between them.
 */
export const maxSidesOverPlace = 512;

/** What all geofences together may take; for tests to make smaller. */
export interface IndexLimits {
  /**
   * Of the typed arrays of all shapes: these lie outside of the heap, whose limit does not hold for them. A border of
   * 20,000 corners takes one to three megabytes, one of 100 corners some kilobytes.
   */
  bytes: number;
  /**
   * Sides that are read at most for one position where many geofences lie over each other, `readsOfFence` for each
   * beside: about a thousand geofences of ordinary size, or a hundred borders of 20,000 corners.
   */
  readsOverPlace: number;
}

export const indexLimits: IndexLimits = { bytes: 256 * 2 ** 20, readsOverPlace: 65_536 };

/** To find a geofence and ask whether it holds for a vehicle costs no more than reading so many sides. */
export const readsOfGeofence = 64;

/** Fewer sides are never too many over one place, and not worth counting there. */
const fewSides = 64;

/** Sides whose boxes lie over one place: the most, or where it is few enough, somewhat more than that; and the place. */
function densest({ edges }: ShapePlan): Overlap {
  const count = edges.length / edgeNumbers;
  if (count <= fewSides) return { lat: edges[1] ?? 0, lon: edges[0] ?? 0, weight: count };
  const boxes = boxesOf(edges);
  const about = densestCell(boxes);
  if (about.weight <= maxSidesOverPlace) return about;
  return heaviestOverlap(boxes, () => 1) ?? about;
}

function boxesOf(edges: Sides): Float64Array {
  const boxes = new Float64Array(edges.length);
  for (let at = 0; at < edges.length; at += edgeNumbers) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [edges[at], edges[at + 1], edges[at + 2], edges[at + 3]];
    boxes[at] = Math.min(x1, x2);
    boxes[at + 1] = Math.min(y1, y2);
    boxes[at + 2] = Math.max(x1, x2);
    boxes[at + 3] = Math.max(y1, y2);
  }
  return boxes;
}

/** A shape with what it costs to ask it. */
export interface MeasuredShape {
  plan: ShapePlan;
  /** The most sides that are read for a place, `readsOfFence` among them. */
  reads: number;
  /** Why it cannot be indexed; null when it can. */
  fault: FieldError | null;
}

/** Of a form without faults (`geometryFaults`): n corners take about n log n steps. */
export function measureShape(geofence: ShapedGeofence): MeasuredShape {
  const plan = planShape(geofence);
  const { weight, lat, lon } = densest(plan);
  const { maxReadInside } = plan;
  const path = 'geometry.coordinates';
  const at = { lat: lat.toFixed(6), lon: lon.toFixed(6) };
  const fault =
    weight > maxSidesOverPlace
      ? {
          path,
          ...messageOf(causeOf('geofence.too_dense', { sides: weight, ...at, most: maxSidesOverPlace })),
        }
      : maxReadInside > maxReadOfParts
        ? {
            path,
            ...messageOf(causeOf('geofence.parts_overlap', { sides: maxReadInside, most: maxReadOfParts })),
          }
        : null;
  return { plan, reads: readsOfGeofence + weight + maxReadInside, fault };
}

/** One polygon of 20,000 corners needs at most some 400; parts beside each other need no more than the one. */
const maxReadOfParts = 1_024;

/** Why a shape cannot be indexed; null when it can. Of a form without faults (`geometryFaults`). */
export function indexError(geofence: ShapedGeofence): FieldError | null {
  return measureShape(geofence).fault;
}

/** All that may be wrong with the form of a geofence before it is stored or tried; of n corners in n log n steps. */
export function geofenceErrors(form: GeofenceForm): FieldError[] {
  const faults = geometryErrors(form);
  if (faults.length > 0) return faults;
  const fault = indexError(form);
  return fault === null ? [] : [fault];
}
