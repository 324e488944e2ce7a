import type { Geofence } from '../../../server/contract/geofences.ts';
import { shownInForm } from '../../format/units.ts';
import type { Schedule } from '../../../server/contract/schedule.ts';
import type { DrawnShape, Measure } from '../../map/drawing/drawnShape.ts';
import type { ShapeHistory } from './shapeHistory.ts';

/** The fields of a geofence as they are typed. */
export interface GeofenceForm {
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
  form: GeofenceForm;
  /** What would be saved; null while the shape is not whole, or is one that the hand cannot edit. */
  drawn: DrawnShape | null;
  sizes: Measure | null;
  history: ShapeHistory;
}

/** A geofence in hand: a new one, or a change of one. It outlives the screen that it was begun on. */
export type GeofenceEdit =
  | (Drawing & { kind: 'new'; shape: DrawnShape['shape'] })
  | (Drawing & {
      kind: 'change';
      geozoneId: string;
      /** What the change is made from: a newer state from the stream must not be overwritten unseen. */
      base: Geofence;
    });

export const emptyForm: GeofenceForm = {
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

export function formOf(geofence: Geofence): GeofenceForm {
  return {
    name: geofence.name,
    color: geofence.color,
    speedLimit:
      geofence.speed_limit_kmh === null ? '' : shownInForm('speed_limit_kmh', geofence.speed_limit_kmh),
    hysteresis: shownInForm('hysteresis_m', geofence.hysteresis_m),
    minInside: geofence.min_inside_s.toString(),
    minOutside: geofence.min_outside_s.toString(),
    schedule: geofence.schedule,
    groupIds: geofence.group_ids,
    corners: null,
    size: null,
  };
}

export function shapeOf(edit: GeofenceEdit): Geofence['shape'] {
  return edit.kind === 'new' ? edit.shape : edit.base.shape;
}
