import { z } from 'zod';
import { troubleCode } from './health.ts';
import { id, listedVehicles, listQuery, oneOrMany, orderError, page, time } from './fields.ts';
import { route } from './route.ts';

const tag = 'Events';

/** Alarms of a terminal that are event kinds of their own. */
export const alarmKinds = [
  'sos',
  'power_cut',
  'low_battery',
  'harsh_acceleration',
  'harsh_braking',
  'harsh_cornering',
] as const;

/** What can happen to a vehicle and is recorded. A new kind is one entry here and one pure rule in an engine. */
export const eventKind = z
  .enum([
    'geofence_enter',
    'geofence_exit',
    'geofence_dwell',
    'silent_inside',
    'overspeed',
    'moving',
    'stopped',
    'idling',
    'ignition_on',
    'ignition_off',
    'offline',
    'online',
    ...alarmKinds,
    'terminal_alarm',
    'video_done',
    'video_failed',
    'host_trouble',
  ])
  .meta({ id: 'EventKind' });
export type EventKind = z.infer<typeof eventKind>;

/** What happens to the host itself: only dealers see it, and no vehicle is named. */
export const kindsOfHost: readonly EventKind[] = ['host_trouble'];

/** They happen to video tasks and to the host: tracks do not contain them, and no video of them can be ordered. */
export const kindsBesideTracks: readonly EventKind[] = ['video_done', 'video_failed', ...kindsOfHost];

/** An id in a record that is shared by all who see its vehicle. */
export const hiddenId = id.nullable().meta({
  description: 'null: there is none, or the caller may not see it, e.g. a deleted geofence',
});

/** One fix that an event rests on. */
const evidenceFix = z.object({
  time,
  lat: z.number(),
  lon: z.number(),
  speed_kmh: z.number().nullable(),
});

/** The numbers behind an event: what was measured, what was allowed, for how long, and the fixes. */
export const eventDetails = z
  .object({
    measured: z.number().nullable(),
    threshold: z.number().nullable(),
    unit: z.string().nullable(),
    duration_s: z.number().nullable(),
    /** The name of a terminal's own alarm. */
    alarm: z.string().nullable(),
    /** Which limit was passed. */
    limit_source: z.enum(['rule', 'geofence', 'vehicle', 'setting']).nullable(),
    /** Of an episode, null while it goes on; a single moment has its own time. */
    ended_at: time.nullable(),
    fixes: z.array(evidenceFix),
    cause: troubleCode.optional().meta({ description: 'of `host_trouble`' }),
    task_id: id.optional().meta({
      description: 'the video task of `video_done` and `video_failed`; only for callers who may see video',
    }),
  })
  .meta({ id: 'EventDetails' });
export type EventDetails = z.infer<typeof eventDetails>;

export const event = z
  .object({
    event_id: id,
    kind: eventKind,
    vehicle_id: id.nullable().meta({ description: 'null: it happened to the host itself' }),
    time,
    received_at: time,
    late: z.boolean(),
    lat: z.number().nullable(),
    lon: z.number().nullable(),
    geozone_id: hiddenId,
    details: eventDetails,
    rule_id: hiddenId,
    rule_version: z.int().nullable(),
  })
  .meta({ id: 'Event' });
export type Event = z.infer<typeof event>;

export const eventRoutes = {
  list: route({
    id: 'listEvents',
    tag,
    method: 'GET',
    path: '/api/v1/events',
    access: { right: 'notifications', level: 'read' },
    summary: 'List recorded events, newest first, with or without a notification',
    query: z
      .strictObject({
        ...listQuery,
        vehicle: listedVehicles.optional(),
        geofence: id.optional().meta({
          description: 'of one that the caller may not see there are none, as of one that is unknown',
        }),
        kind: oneOrMany(eventKind).optional(),
        from: time.optional(),
        to: time.optional(),
        ids: oneOrMany(id).optional(),
      })
      .check(orderError),
    reply: page(event),
    errors: ['not_found'],
  }),
  get: route({
    id: 'getEvent',
    tag,
    method: 'GET',
    path: '/api/v1/events/{event_id}',
    summary: 'One event',
    access: { right: 'notifications', level: 'read' },
    params: z.object({ event_id: id }),
    reply: event,
    errors: ['not_found'],
  }),
};
