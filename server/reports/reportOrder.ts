import type { Geofence } from '../contract/geofences.ts';
import type { GeofenceVisit, Stop, Trip, TripsReport, VehicleSummary } from '../contract/reports.ts';
import type { SettingsFields } from '../contract/settings.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import type { TimeSpan } from '../geofences/scheduleSpans.ts';

/** What is told of a vehicle in a report, and which geofences hold for it. */
export type ReportVehicle = Pick<
  VehicleRecord,
  'vehicle_id' | 'name' | 'plate' | 'terminal_id' | 'group_ids'
>;

/** The settings that trips, stops and visits are told apart by. */
export const numberNames = [
  'trip_radius_m',
  'trip_speed_kmh',
  'trip_stop_s',
  'trip_ignition_off_s',
  'trip_gap_s',
  'trip_min_m',
  'idle_kmh',
  'idle_s',
  'unseen_way_s',
] as const satisfies (keyof SettingsFields)[];
export type ReportNumbers = Pick<SettingsFields, (typeof numberNames)[number]>;

export type ReportKind = 'summary' | 'trips' | 'stops' | 'geofence-visits';

/** What the reports' thread is told to do. */
export interface ReportOrder {
  kind: ReportKind;
  format: 'json' | 'csv';
  period: TimeSpan;
  now_ms: number;
  tz: string;
  numbers: ReportNumbers;
  /** In the order of the rows. */
  vehicles: ReportVehicle[];
  /** Those that the viewer sees; of visits those that are asked for. */
  fences: Geofence[];
  /** Of visits. */
  min_duration_s: number;
}

export type ReportRow = VehicleSummary | Trip | Stop | GeofenceVisit;
export type Report = Omit<TripsReport, 'rows'> & { rows: ReportRow[] };

export type ReportResult =
  | { kind: 'report'; report: Report }
  | { kind: 'csv'; text: string }
  /** There are more rows than one answer holds. */
  | { kind: 'too_long'; most: number };
