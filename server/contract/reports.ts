import { z } from 'zod';
import { id, time, timeZone } from './fields.ts';
import { periodError, previewPeriod, progressBytes } from './preview.ts';
import { route } from './route.ts';

const tag = 'Reports';

/** Of a year and a day, so that a leap year is one report. */
export const maxReportDays = 366;

const number = (least: number, most: number) => z.coerce.number().min(least).max(most).optional();

/** Thresholds of trips and stops; one that is left out is taken from the settings. */
const tripNumbers = {
  trip_radius_m: number(10, 10_000),
  trip_speed_kmh: number(0, 100),
  trip_stop_s: number(10, 86_400),
  trip_ignition_off_s: number(0, 86_400),
  trip_gap_s: number(60, 604_800),
  trip_min_m: number(0, 100_000),
  idle_speed_kmh: number(0, 100),
  idle_s: number(0, 86_400),
};

const shared = {
  ...previewPeriod,
  vehicle: z.string().max(64).optional().meta({ description: 'the UUID or the terminal ID' }),
  group_id: id.optional(),
  tz: timeZone.optional().meta({ description: 'the time zone of the days; left out: that of the depot' }),
  format: z.enum(['json', 'csv']).default('json'),
};

const tripQuery = z.strictObject({ ...shared, ...tripNumbers }).check(periodError(maxReportDays));
export type TripQuery = z.infer<typeof tripQuery>;

const visitQuery = z
  .strictObject({
    ...shared,
    geozone_id: id.optional(),
    min_duration_s: number(0, 86_400).meta({ description: 'shorter visits are left out' }),
  })
  .check(periodError(maxReportDays));
export type VisitQuery = z.infer<typeof visitQuery>;

/** A stretch without data, longer than `trip_gap_s` or, in a visit, than `crossing_max_gap_s`. */
const gap = z.object({ from: time, to: time });

/** Of the places of one report, in the order of its rows, so many have their address, as far as it comes in this time. */
export const reportAddresses = { points: 10_000, wait_ms: 5_000 };

/** Where something began or ended: the place, and the geofences that the vehicle was in. */
const place = z
  .object({
    lat: z.number(),
    lon: z.number(),
    geozone_ids: z.array(id),
    address: z
      .string()
      .nullable()
      .meta({
        description: `“Elm Street 12, Elmswell”, by the map files; null where no street is near, and beyond the first ${reportAddresses.points} places of a report or ${reportAddresses.wait_ms / 1_000} s. POST /api/v1/places/reverse gives those, and the parts`,
      }),
  })
  .meta({ id: 'ReportPlace' });

const ends = {
  vehicle_id: id,
  start_time: time,
  end_time: time,
  open_start: z.boolean().meta({ description: 'it began before the period' }),
  open_end: z.boolean().meta({ description: 'it had not ended when the period, or the data, did' }),
  duration_s: z.number(),
};

export const trip = z
  .object({
    ...ends,
    start: place,
    end: place,
    distance_m: z.number(),
    odometer_m: z.number().nullable().meta({ description: 'the distance by the odometer of the vehicle' }),
    average_speed_kmh: z.number(),
    max_speed_kmh: z.number().nullable(),
    max_speed_time: time.nullable(),
    idle_s: z.number(),
    positions: z.int(),
  })
  .meta({ id: 'Trip' });
export type Trip = z.infer<typeof trip>;

export const stop = z
  .object({
    ...ends,
    place,
    idle_s: z.number(),
    ignition_on_s: z.number(),
    gaps: z.array(gap),
    positions: z.int(),
  })
  .meta({ id: 'Stop' });
export type Stop = z.infer<typeof stop>;

const daySums = {
  distance_m: z.number(),
  driving_s: z.number(),
  stopped_s: z.number(),
  idle_s: z.number(),
  gap_s: z.number().meta({ description: 'how long there was no data' }),
  trips: z.int().meta({ description: 'those that began in it' }),
  stops: z.int().meta({ description: 'those that began in it' }),
  max_speed_kmh: z.number().nullable(),
  positions: z.int(),
};

export const vehicleSummary = z
  .object({
    vehicle_id: id,
    ...daySums,
    odometer_m: z.number().nullable().meta({ description: 'the distance by the odometer of the vehicle' }),
    first_time: time.nullable().meta({ description: 'of the first position' }),
    last_time: time.nullable(),
    days: z.array(z.object({ date: z.iso.date(), ...daySums })),
  })
  .meta({ id: 'VehicleSummary' });
export type VehicleSummary = z.infer<typeof vehicleSummary>;

export const geofenceVisit = z
  .object({
    vehicle_id: id,
    geozone_id: id,
    enter_time: time,
    exit_time: time,
    open_start: z.boolean(),
    open_end: z.boolean(),
    duration_s: z.number(),
    distance_m: z.number().meta({ description: 'driven inside' }),
    max_speed_kmh: z.number().nullable(),
    gaps: z.array(gap),
  })
  .meta({ id: 'GeofenceVisit' });
export type GeofenceVisit = z.infer<typeof geofenceVisit>;

function report<T extends z.ZodType>(name: string, row: T) {
  return z
    .object({
      from: time,
      to: time,
      tz: z.string(),
      numbers: z
        .record(z.string(), z.number())
        .meta({ description: 'the thresholds that it was computed with' }),
      vehicles: z.int().meta({ description: 'number of vehicles evaluated' }),
      positions: z.int().meta({ description: 'number of positions evaluated' }),
      rows: z.array(row),
    })
    .meta({ id: name });
}

export const summaryReport = report('SummaryReport', vehicleSummary);
export type SummaryReport = z.infer<typeof summaryReport>;
export const tripsReport = report('TripsReport', trip);
export type TripsReport = z.infer<typeof tripsReport>;
export const stopsReport = report('StopsReport', stop);
export type StopsReport = z.infer<typeof stopsReport>;
export const visitsReport = report('GeofenceVisitsReport', geofenceVisit);
export type VisitsReport = z.infer<typeof visitsReport>;

const common = {
  tag,
  method: 'GET',
  access: { right: 'reports', level: 'read' },
  errors: ['not_found', 'unavailable', 'too_large', 'queue_full'],
} as const;

export const reportRoutes = {
  summary: route({
    ...common,
    id: 'getSummaryReport',
    path: '/api/v1/reports/summary',
    summary: 'Report distance, driving and standing time, one row per vehicle with its days',
    query: tripQuery,
    exports: true,
    bytes: progressBytes(summaryReport, 'text/csv'),
  }),
  trips: route({
    ...common,
    id: 'getTripsReport',
    path: '/api/v1/reports/trips',
    summary: 'Trips, computed from the stored track',
    query: tripQuery,
    exports: true,
    bytes: progressBytes(tripsReport, 'text/csv'),
  }),
  stops: route({
    ...common,
    id: 'getStopsReport',
    path: '/api/v1/reports/stops',
    summary: 'Stops between trips',
    query: tripQuery,
    exports: true,
    bytes: progressBytes(stopsReport, 'text/csv'),
  }),
  visits: route({
    ...common,
    id: 'getGeofenceVisitsReport',
    path: '/api/v1/reports/geofence-visits',
    summary: 'Visits of geofences as they are now, computed from the stored track',
    query: visitQuery,
    exports: true,
    bytes: progressBytes(visitsReport, 'text/csv'),
  }),
};
