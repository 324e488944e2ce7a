import type { Geofence } from '../../../server/contract/geofences.ts';
import type { Schedule } from '../../../server/contract/schedule.ts';
import type { DrawnShape, Measure } from '../../map/drawing/drawnShape.ts';

/** The fields of a geofence as they are typed. */
export interface FenceForm {
  name: string;
  color: string | null;
  speedLimit: string;
  hysteresis: string;
  minInside: string;
  minOutside: string;
  schedule: Schedule | null;
  groupIds: readonly string[];
  /** Corners as they are being typed; null while they are those of the map. */
  corners: string | null;
  /** Radius or width as it is being typed; null while it is that of the map. */
  size: string | null;
}

interface Drawing {
  form: FenceForm;
  /** What would be saved; null while the shape is not whole, or is one that the hand cannot edit. */
  drawn: DrawnShape | null;
  sizes: Measure | null;
}

/** A geofence in hand: a new one, or a change of one. It outlives the screen that it was begun on. */
export type FenceEdit =
  | (Drawing & { kind: 'new'; shape: DrawnShape['shape'] })
  | (Drawing & {
      kind: 'change';
      geozoneId: string;
      /** What the change is made from: a newer state that the stream tells of must not be overwritten unseen. */
      base: Geofence;
    });

export const emptyForm: FenceForm = {
  name: '',
  color: null,
  speedLimit: '',
  hysteresis: '20',
  minInside: '0',
  minOutside: '0',
  schedule: null,
  groupIds: [],
  corners: null,
  size: null,
};

export function formOf(fence: Geofence): FenceForm {
  return {
    name: fence.name,
    color: fence.color,
    speedLimit: fence.speed_limit_kmh?.toString() ?? '',
    hysteresis: fence.hysteresis_m.toString(),
    minInside: fence.min_inside_s.toString(),
    minOutside: fence.min_outside_s.toString(),
    schedule: fence.schedule,
    groupIds: fence.group_ids,
    corners: null,
    size: null,
  };
}

export function shapeOf(edit: FenceEdit): Geofence['shape'] {
  return edit.kind === 'new' ? edit.shape : edit.base.shape;
}
