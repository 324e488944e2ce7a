import type { VehicleState } from '../glyphs/glyphShapes.ts';

/** A vehicle as the map needs it. Stores hand over what they have, as soon as it changes. */
export interface MapVehicle {
  id: string;
  name: string;
  lat: number;
  lon: number;
  /** Degrees from north, clockwise. */
  course_deg: number | null;
  speed_kmh: number | null;
  state: VehicleState;
  /** The highest severity that is going on; null when there is none. */
  severity: 'alarm' | 'warning' | null;
  /** Somebody has taken the alarm; it may still be going on. */
  acknowledged: boolean;
  /** The server is lost: what is shown is the last that was known. */
  stale: boolean;
}

export interface VehicleDiff {
  changed: readonly MapVehicle[];
  removed: readonly string[];
}

/** A past position of the trail behind a vehicle. */
export interface TrailPoint {
  lat: number;
  lon: number;
  overLimit: boolean;
}

/** An alarm that nobody has taken yet. */
export const hasOpenAlarm = (vehicle: MapVehicle): boolean =>
  vehicle.severity !== null && !vehicle.acknowledged;
