import type { Geofence } from '../contract/geofences.ts';
import type { GeofenceVisit, Stop, Trip, TripsReport, VehicleSummary } from '../contract/reports.ts';
import { tripThresholds, type SettingsFields } from '../contract/settings.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import type { LatLon } from '../geofences/geodesy.ts';
import type { TimeRange } from '../geofences/scheduleClock.ts';

/** What a report shows of a vehicle, and which geofences apply to it. */
export type ReportVehicle = Pick<
  VehicleRecord,
  'vehicle_id' | 'name' | 'plate' | 'terminal_id' | 'group_ids'
>;

/** The thresholds of trips, stops and visits. */
export const numberNames = [
  ...tripThresholds,
  'idle_speed_kmh',
  'idle_s',
  'crossing_max_gap_s',
] as const satisfies (keyof SettingsFields)[];
export type ReportThresholds = Pick<SettingsFields, (typeof numberNames)[number]>;

export type ReportKind = 'summary' | 'trips' | 'stops' | 'geofence-visits';

/** A job of the reports' thread. */
export interface ReportJob {
  kind: ReportKind;
  format: 'json' | 'csv';
  period: TimeRange;
  now_ms: number;
  tz: string;
  numbers: ReportThresholds;
  /** In the order of the rows. */
  vehicles: ReportVehicle[];
  /** Those that the viewer sees; of visits those that are asked for. */
  geofences: Geofence[];
  /** Of visits. */
  min_duration_s: number;
}

export type ReportRow = VehicleSummary | Trip | Stop | GeofenceVisit;
export type Report = Omit<TripsReport, 'rows'> & { rows: ReportRow[] };

/** Where in the bytes of a report the address of a place belongs. */
export interface AddressSlot {
  at: number;
  point: LatLon;
}

export type ReportResult =
  | { kind: 'report'; report: Report }
  | { kind: 'csv'; text: string; slots: AddressSlot[] }
  /** There are more rows than one answer holds. */
  | { kind: 'too_long'; max: number };
