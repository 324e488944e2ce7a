import { z } from 'zod';
import { eventKind } from './events.ts';
import { id, oneOrMany, time, timeZone } from './fields.ts';
import { periodError, previewPeriod, progressBytes } from './preview.ts';
import {
  geofenceVisit,
  overspeed,
  reportedEvent,
  reportedVideo,
  stop,
  trip,
  vehicleDay,
  vehicleHours,
  vehicleSummary,
  vehicleUtilisation,
  maxReportVehicles,
  type ReportKind,
} from './reportRows.ts';
import { reportColumns } from './reportColumns.ts';
import { reportGroupings } from './reportLayouts.ts';
import { route, type Route } from './route.ts';
import { timeOfDay } from './schedule.ts';
import { taskStatus } from './video.ts';

const tag = 'Reports';

/** Of a year and a day, so that a leap year is one report. */
export const maxReportDays = 366;

export const reportFormats = ['json', 'csv', 'xlsx', 'pdf'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** As what reports are sent. */
export const reportTypes: Readonly<Record<ReportFormat, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
};

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
  vehicle: oneOrMany(z.string().max(64))
    .check(z.maxLength(maxReportVehicles))
    .optional()
    .meta({ description: 'UUIDs or terminal IDs; left out: all that the caller sees' }),
  group_id: id.optional(),
  driver_id: id.optional().meta({
    description:
      'only what this driver drove: of sums, times and hours what lies within its drives; of all else the rows that it drove for the most',
  }),
  group: z.enum(reportGroupings).optional().meta({
    description:
      'by what the rows of a file stand under headings with totals. `driver` also cuts sums by days where another driver takes over, in JSON too',
  }),
  tz: timeZone.optional().meta({ description: 'the time zone of the days; left out: that of the depot' }),
  format: z.enum(reportFormats).default('json').meta({
    description:
      '`csv`: the fields of JSON, for programs; `xlsx`: columns by name, with totals; `pdf`: to be printed, with a chart and, of trips, maps',
  }),
};

/** Which columns of a kind a file has, and by which its rows are ordered: what the screen shows, and JSON has in full. */
function shownOf(kind: ReportKind) {
  const keys = reportColumns[kind].map(({ key }) => key);
  return {
    columns: oneOrMany(z.enum(keys)).optional().meta({
      description:
        'of files: keys of the columns in their order; left out: those that are usual in the format. A CSV has places and addresses last',
    }),
    sort: z
      .enum(keys.flatMap((key) => [key, `-${key}`]))
      .optional()
      .meta({
        description:
          'of files: the key of the column that rows are ordered by, after `-` in descending order; groups are ordered by their totals in it, where it has any, else by their names',
      }),
  };
}

const isPeriod = periodError(maxReportDays);

const tripQuery = (kind: ReportKind) =>
  z.strictObject({ ...shared, ...shownOf(kind), ...tripNumbers }).check(isPeriod);

const visitQuery = z
  .strictObject({
    ...shared,
    ...shownOf('geofence-visits'),
    geozone_id: id.optional(),
    min_duration_s: number(0, 86_400).meta({ description: 'shorter visits are left out' }),
  })
  .check(isPeriod);

const hoursQuery = z
  .strictObject({
    ...shared,
    ...shownOf('hours'),
    ...tripNumbers,
    work_days: oneOrMany(
      z
        .string()
        .max(1)
        .regex(/^[1-7]$/, 'is not a day of the week, 1 to 7')
        .transform(Number),
    )
      .optional()
      .meta({ description: 'days of the week that are worked on, Monday is 1; left out: 1,2,3,4,5' }),
    work_from: timeOfDay.default('06:00').meta({ description: 'by the clock of the time zone' }),
    work_to: timeOfDay.default('18:00').meta({
      description: 'not after `work_from`: on the next day',
    }),
  })
  .check(isPeriod);

const overspeedQuery = z
  .strictObject({
    ...shared,
    ...shownOf('overspeed'),
    limit_kmh: number(1, 400).meta({
      description:
        'one limit everywhere; left out: the lowest limit of the geofences, as they are now, that the vehicle is in, else its own',
    }),
    overspeed_tolerance_kmh: number(0, 100).meta({
      description: 'a stretch begins above the limit and this',
    }),
    overspeed_min_duration_s: number(0, 3_600).meta({ description: 'shorter stretches are left out' }),
    overspeed_clear_s: number(0, 3_600).meta({
      description: 'a stretch has ended after so long at or below the limit',
    }),
    overspeed_gap_s: number(10, 86_400).meta({ description: 'so long without data ends a stretch' }),
  })
  .check(isPeriod);

const eventQuery = z
  .strictObject({
    ...shared,
    ...shownOf('events'),
    kind: oneOrMany(eventKind).optional(),
    rule_id: id.optional(),
    acknowledged: z.enum(['0', '1']).optional().meta({
      description: '1: only events whose notification was acknowledged; 0: only those whose was not',
    }),
  })
  .check(isPeriod);

const videoQuery = z
  .strictObject({ ...shared, ...shownOf('video'), status: oneOrMany(taskStatus).optional() })
  .check(isPeriod)
  .meta({ description: 'the period is that of the requests' });

/** What a report of any kind may be asked with. */
export type ReportQuery = z.infer<ReturnType<typeof tripQuery>> &
  Partial<
    z.infer<typeof visitQuery> &
      z.infer<typeof hoursQuery> &
      z.infer<typeof overspeedQuery> &
      z.infer<typeof eventQuery> &
      z.infer<typeof videoQuery>
  >;

const workingHours = z
  .object({ days: z.array(z.int()), from: timeOfDay, to: timeOfDay })
  .meta({ id: 'WorkingHours' });
export type WorkingHours = z.infer<typeof workingHours>;

function report<T extends z.ZodType>(name: string, row: T) {
  return z
    .object({
      from: time,
      to: time,
      tz: z.string(),
      numbers: z
        .record(z.string(), z.number())
        .meta({ description: 'the thresholds that it was computed with' }),
      working_hours: workingHours.optional().meta({ description: 'of the report `hours`' }),
      vehicles: z.int().meta({ description: 'number of vehicles evaluated' }),
      positions: z.int().meta({ description: 'number of positions evaluated' }),
      rows: z.array(row),
    })
    .meta({ id: name });
}

/** What each kind of report answers. */
export const reportSchemas = {
  summary: report('SummaryReport', vehicleSummary),
  daily: report('DailyReport', vehicleDay),
  utilisation: report('UtilisationReport', vehicleUtilisation),
  hours: report('HoursReport', vehicleHours),
  trips: report('TripsReport', trip),
  stops: report('StopsReport', stop),
  'geofence-visits': report('GeofenceVisitsReport', geofenceVisit),
  overspeed: report('OverspeedReport', overspeed),
  events: report('EventsReport', reportedEvent),
  video: report('VideoReport', reportedVideo),
} as const satisfies Record<ReportKind, z.ZodType>;

export type ReportOf<Kind extends ReportKind> = z.infer<(typeof reportSchemas)[Kind]>;

function reportRoute<Query extends z.ZodType>(
  kind: ReportKind,
  own: { id: string; summary: string; query: Query; alsoNeeds?: NonNullable<Route['alsoNeeds']> },
) {
  return route({
    ...own,
    tag,
    method: 'GET',
    path: `/api/v1/reports/${kind}`,
    access: { right: 'reports', level: 'read' },
    exports: true,
    bytes: progressBytes(reportSchemas[kind], reportTypes.csv, reportTypes.xlsx, reportTypes.pdf),
    errors: ['not_found', 'unavailable', 'too_large', 'queue_full'],
  });
}

export const reportRoutes = {
  summary: reportRoute('summary', {
    id: 'getSummaryReport',
    summary: 'Report distance, driving and standing time, one row per vehicle with its days',
    query: tripQuery('summary'),
  }),
  daily: reportRoute('daily', {
    id: 'getDailyReport',
    summary: 'Report each day of each vehicle: sums, first departure, last arrival, gaps',
    query: tripQuery('daily'),
  }),
  utilisation: reportRoute('utilisation', {
    id: 'getUtilisationReport',
    summary: 'Report how long each vehicle drove, stood and sent nothing on each day',
    query: tripQuery('utilisation'),
  }),
  hours: reportRoute('hours', {
    id: 'getHoursReport',
    summary: 'Report driving and standing by the hour of the clock, and driving outside of working hours',
    query: hoursQuery,
  }),
  trips: reportRoute('trips', {
    id: 'getTripsReport',
    summary: 'Trips, computed from the stored track',
    query: tripQuery('trips'),
  }),
  stops: reportRoute('stops', {
    id: 'getStopsReport',
    summary: 'Stops between trips',
    query: tripQuery('stops'),
  }),
  'geofence-visits': reportRoute('geofence-visits', {
    id: 'getGeofenceVisitsReport',
    summary: 'Visits of geofences as they are now, computed from the stored track',
    query: visitQuery,
  }),
  overspeed: reportRoute('overspeed', {
    id: 'getOverspeedReport',
    summary: 'Stretches above a speed limit, computed from the stored track',
    query: overspeedQuery,
  }),
  events: reportRoute('events', {
    id: 'getEventsReport',
    summary:
      'Recorded events with what became of their notifications; needs the right to read notifications, too',
    alsoNeeds: { right: 'notifications', level: 'read' },
    query: eventQuery,
  }),
  video: reportRoute('video', {
    id: 'getVideoReport',
    summary: 'Requested videos and what became of them; needs the right to read video, too',
    alsoNeeds: { right: 'video', level: 'read' },
    query: videoQuery,
  }),
} as const satisfies Record<ReportKind, unknown>;
