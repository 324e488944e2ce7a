import { z } from 'zod';
import { eventKind } from './events.ts';
import { id, time } from './fields.ts';
import { severity } from './rules.ts';
import { taskErrorCode, taskStatus } from './video.ts';
import { streamKind } from './videoProfiles.ts';

/** Vehicles that a report names; more are asked for by their group, or all. */
export const maxReportVehicles = 200;

/** The kinds of reports, by the last part of their paths. */
export const reportKinds = [
  'summary',
  'daily',
  'utilisation',
  'hours',
  'trips',
  'stops',
  'geofence-visits',
  'overspeed',
  'events',
  'video',
] as const;
export type ReportKind = (typeof reportKinds)[number];

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
export type ReportPlace = z.infer<typeof place>;

const distanceBy = z.enum(['odometer', 'track', 'mixed']).nullable().meta({
  id: 'DistanceBy',
  description:
    'how `distance_m` was measured: by the odometer where both of two neighbouring positions bear its reading, else along the track; `mixed`: in part by either; null: nothing was driven',
});
export type DistanceBy = z.infer<typeof distanceBy>;

/** A driven distance. */
const way = {
  distance_m: z.number(),
  distance_by: distanceBy,
  track_m: z.number().meta({ description: 'the same distance along the track' }),
};

const odometer_m = z.number().nullable().meta({ description: 'the distance by the odometer of the vehicle' });

const ends = {
  vehicle_id: id,
  start_time: time,
  end_time: time,
  open_start: z.boolean().meta({ description: 'it began before the period' }),
  open_end: z.boolean().meta({ description: 'it had not ended when the period, or the data, did' }),
  duration_s: z.number(),
};

/** Who drove; left out where nobody is known. */
const drivenBy = {
  driver_id: id.optional().meta({
    description:
      'who drove for the most of it; left out: nobody is known, no driver has the card, or the caller does not see the driver',
  }),
  driver: z.string().optional().meta({ description: 'the name, or a card that no driver has' }),
};

/** The same of rows that are cut where another driver takes over. */
const cutByDriver = {
  driver_id: drivenBy.driver_id.meta({
    description:
      'with `group=driver` or `driver_id`: the row is what this driver drove; left out: nobody is known, no driver has the card, or the caller does not see the driver',
  }),
  driver: drivenBy.driver,
};

/** Whose rows say who drove, and where they begin and end. */
export const drivenRows = {
  trips: ['start_time', 'end_time'],
  stops: ['start_time', 'end_time'],
  'geofence-visits': ['enter_time', 'exit_time'],
  overspeed: ['start_time', 'end_time'],
  events: ['time', 'time'],
  video: ['start_time', 'end_time'],
} as const satisfies { [Kind in ReportKind]?: readonly [string, string] };
export type DrivenKind = keyof typeof drivenRows;

export const isDriven = (kind: ReportKind): kind is DrivenKind => kind in drivenRows;

/** Kinds whose rows add up time: they are cut where another driver takes over, if drivers are asked for. */
export const isCutByDriver = (kind: ReportKind): boolean => !isDriven(kind);

const maxSpeed = { max_speed_kmh: z.number().nullable(), max_speed_time: time.nullable() };

export const trip = z
  .object({
    ...ends,
    ...drivenBy,
    start: place,
    end: place,
    ...way,
    odometer_m,
    average_speed_kmh: z.number(),
    ...maxSpeed,
    idle_s: z.number(),
    positions: z.int(),
  })
  .meta({ id: 'Trip' });
export type Trip = z.infer<typeof trip>;

export const stop = z
  .object({
    ...ends,
    ...drivenBy,
    place,
    idle_s: z.number(),
    ignition_on_s: z.number(),
    gaps: z.array(gap),
    positions: z.int(),
  })
  .meta({ id: 'Stop' });
export type Stop = z.infer<typeof stop>;

const sums = {
  ...way,
  driving_s: z.number(),
  stopped_s: z.number(),
  idle_s: z.number(),
  gap_s: z.number().meta({ description: 'how long there was no data' }),
  trips: z.int().meta({ description: 'those that began in it' }),
  stops: z.int().meta({ description: 'those that began in it' }),
  max_speed_kmh: z.number().nullable(),
  positions: z.int(),
};

const date = z.iso.date().meta({ description: 'by the clock of the time zone' });

export const vehicleSummary = z
  .object({
    vehicle_id: id,
    ...cutByDriver,
    ...sums,
    odometer_m,
    first_time: time.nullable().meta({ description: 'of the first position' }),
    last_time: time.nullable(),
    days: z.array(z.object({ date, ...sums })),
  })
  .meta({ id: 'VehicleSummary' });
export type VehicleSummary = z.infer<typeof vehicleSummary>;

export const vehicleDay = z
  .object({
    vehicle_id: id,
    ...cutByDriver,
    date,
    first_departure: time.nullable().meta({ description: 'when it first drove; null: it did not' }),
    last_arrival: time.nullable().meta({ description: 'when it last stopped driving' }),
    open_start: z.boolean().meta({ description: 'it drove already when the day, or the data, began' }),
    open_end: z.boolean().meta({ description: 'it still drove when the day, or the data, ended' }),
    ...sums,
    odometer_m,
    gaps: z.array(gap),
  })
  .meta({ id: 'VehicleDay' });
export type VehicleDay = z.infer<typeof vehicleDay>;

export const vehicleUtilisation = z
  .object({
    vehicle_id: id,
    ...cutByDriver,
    date,
    day_s: z.number().meta({
      description:
        'how long the day is, as far as it lies in the period and has passed, or how long of it the driver drove: driving, standing and time without data together',
    }),
    driving_s: z.number(),
    stopped_s: z.number(),
    gap_s: z.number().meta({ description: 'how long there was no data' }),
  })
  .meta({ id: 'VehicleUtilisation' });
export type VehicleUtilisation = z.infer<typeof vehicleUtilisation>;

export const vehicleHours = z
  .object({
    vehicle_id: id,
    ...cutByDriver,
    ...way,
    driving_s: z.number(),
    stopped_s: z.number(),
    out_of_hours_s: z.number().meta({ description: 'driving outside of the working hours' }),
    out_of_hours_m: z.number().meta({
      description:
        'distance of it: of an hour of the clock that is a working hour in part, the share of the driving time',
    }),
    hours: z
      .array(z.object({ driving_s: z.number(), stopped_s: z.number() }))
      .length(24)
      .meta({ description: 'of each hour of the clock, from 00:00 on, all days together' }),
  })
  .meta({ id: 'VehicleHours' });
export type VehicleHours = z.infer<typeof vehicleHours>;

export const geofenceVisit = z
  .object({
    vehicle_id: id,
    ...drivenBy,
    geozone_id: id,
    enter_time: time,
    exit_time: time,
    open_start: z.boolean(),
    open_end: z.boolean(),
    duration_s: z.number(),
    ...way,
    max_speed_kmh: z.number().nullable(),
    gaps: z.array(gap),
  })
  .meta({ id: 'GeofenceVisit' });
export type GeofenceVisit = z.infer<typeof geofenceVisit>;

export const overspeed = z
  .object({
    ...ends,
    ...drivenBy,
    place: place.meta({ description: 'where it was fastest' }),
    limit_kmh: z.number(),
    limit_source: z.enum(['query', 'geofence', 'vehicle']),
    geozone_id: id.nullable().meta({ description: 'the geofence whose limit it is' }),
    ...way,
    average_speed_kmh: z.number(),
    max_speed_kmh: z.number(),
    max_speed_time: time,
    positions: z.int().meta({ description: 'number of positions above the limit' }),
  })
  .meta({ id: 'Overspeed' });
export type Overspeed = z.infer<typeof overspeed>;

export const reportedEvent = z
  .object({
    event_id: id,
    vehicle_id: id,
    ...drivenBy,
    kind: eventKind,
    time,
    end_time: time.nullable().meta({ description: 'null: it is a moment, or goes on' }),
    duration_s: z.number().nullable(),
    place: place.nullable(),
    geozone_id: id.nullable().meta({ description: 'null: there is none, or the caller may not see it' }),
    rule_id: id.nullable().meta({ description: 'null: there is none, or the caller may not see it' }),
    measured: z.number().nullable(),
    threshold: z.number().nullable(),
    unit: z.string().nullable(),
    alarm: z.string().nullable().meta({ description: 'the name of a terminal’s own alarm' }),
    late: z.boolean(),
    notification_id: id.nullable().meta({ description: 'the notification that it is part of' }),
    severity: severity.nullable(),
    acknowledged_at: time.nullable(),
    acknowledged_by: id.nullable(),
    acknowledged_after_s: z.number().nullable().meta({ description: 'seconds from the event on' }),
    note: z.string().nullable().meta({ description: 'of the acknowledgement' }),
  })
  .meta({ id: 'ReportedEvent' });
export type ReportedEvent = z.infer<typeof reportedEvent>;

export const reportedVideo = z
  .object({
    task_id: id,
    vehicle_id: id,
    ...drivenBy,
    channel: z.int(),
    requested_at: time,
    start_time: time.meta({ description: 'of the requested clip' }),
    end_time: time,
    duration_s: z.number().meta({ description: 'of the file; before it is there, of the request' }),
    status: taskStatus,
    stream: streamKind.nullable(),
    done_at: time.nullable(),
    took_s: z.number().nullable().meta({ description: 'from the request to the file' }),
    attempts: z.int(),
    error: taskErrorCode.nullable(),
    size_bytes: z.int().nullable(),
    event_id: id.nullable(),
    rule_id: id.nullable().meta({ description: 'the rule that requested it, if the caller may see it' }),
    created_by: id,
  })
  .meta({ id: 'ReportedVideo' });
export type ReportedVideo = z.infer<typeof reportedVideo>;

/** A row of each kind of report. */
export interface ReportRows {
  summary: VehicleSummary;
  daily: VehicleDay;
  utilisation: VehicleUtilisation;
  hours: VehicleHours;
  trips: Trip;
  stops: Stop;
  'geofence-visits': GeofenceVisit;
  overspeed: Overspeed;
  events: ReportedEvent;
  video: ReportedVideo;
}
