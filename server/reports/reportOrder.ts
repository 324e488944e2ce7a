import type { EventKind } from '../contract/events.ts';
import type { Geofence } from '../contract/geofences.ts';
import type { ReportLayout } from '../contract/reportLayouts.ts';
import type { ReportKind, ReportRows } from '../contract/reportRows.ts';
import type { ReportFormat, ReportOf, WorkingHours } from '../contract/reports.ts';
import type { ReadableMap } from '../maps/readTiles.ts';
import type { Wording } from '../contract/texts/serverWords.ts';
import { tripThresholds, type SettingsFields } from '../contract/settings.ts';
import type { TaskStatus } from '../contract/video.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import type { LatLon } from '../geofences/geodesy.ts';
import type { TimeRange } from '../geofences/scheduleClock.ts';

/** What a report shows of a vehicle, which geofences apply to it, and its speed limit. */
export type ReportVehicle = Pick<
  VehicleRecord,
  'vehicle_id' | 'name' | 'plate' | 'terminal_id' | 'group_ids' | 'speed_limit_kmh'
> & {
  /** Who drove it in the period, in order of time; left out where nobody is known. */
  drives?: readonly ReportDrive[];
};

/** From when to when somebody drove; null: goes on. */
export interface ReportDrive {
  from_ms: number;
  to_ms: number | null;
  /** Null: a card that no driver has, or a driver whom the caller does not see. */
  driver_id: string | null;
  name: string;
}

/** The thresholds of trips, stops, visits and overspeed. */
export const numberNames = [
  ...tripThresholds,
  'idle_speed_kmh',
  'idle_s',
  'crossing_max_gap_s',
  'overspeed_tolerance_kmh',
  'overspeed_min_duration_s',
  'overspeed_clear_s',
  'overspeed_gap_s',
] as const satisfies (keyof SettingsFields)[];
export type ReportThresholds = Pick<SettingsFields, (typeof numberNames)[number]>;

/** Which events or video tasks are reported on; null: all. */
export interface RecordFilter {
  kinds: EventKind[] | null;
  rule_id: string | null;
  acknowledged: boolean | null;
  statuses: TaskStatus[] | null;
  /** What of them the caller may see; null: all. */
  seen: { geozone_ids: string[]; rule_ids: string[] } | null;
}

/** A job of the reports' thread. */
export interface ReportJob {
  kind: ReportKind;
  format: ReportFormat;
  period: TimeRange;
  now_ms: number;
  tz: string;
  /** Of files for people: as whoever asked for it reads. */
  wording: Wording;
  numbers: ReportThresholds;
  /** In the order of the rows. */
  vehicles: ReportVehicle[];
  /** Those that the viewer sees; of visits those that are asked for. */
  geofences: Geofence[];
  /** Of visits. */
  min_duration_s: number;
  /** Of overspeed; null: that of the place. */
  limit_kmh: number | null;
  /** Of hours. */
  working_hours: WorkingHours;
  filter: RecordFilter;
  /** Only what this driver drove. */
  driver_id?: string;
  /** Sums are cut where another driver takes over. */
  by_driver: boolean;
  /** The columns, the order and the groups of rows in files. */
  layout: ReportLayout;
  /** Of rules, users and the groups of vehicles, by their ids in files. */
  names: {
    rules: ReadonlyMap<string, string>;
    users: ReadonlyMap<string, string>;
    groups: ReadonlyMap<string, string>;
  };
  /** By rank, for the addresses and maps of files; empty for JSON and CSV. */
  maps: readonly (ReadableMap & { licence: string })[];
}

export type ReportRow = ReportRows[ReportKind];
export type Report = Omit<ReportOf<'trips'>, 'rows'> & { rows: ReportRow[] };

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
