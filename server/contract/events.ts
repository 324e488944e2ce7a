import { z } from 'zod';
import { id, listQuery, oneOrMany, page, time } from './fields.ts';
import { route } from './route.ts';

const tag = 'Events';

/** What can happen to a vehicle and is recorded. A new kind is one entry here and one pure rule in an engine. */
export const eventKind = z
  .enum(['geofence_enter', 'geofence_exit', 'overspeed', 'sos', 'terminal_alarm'])
  .meta({ id: 'EventKind' });
export type EventKind = z.infer<typeof eventKind>;

/** One fix that an event rests on. */
const evidenceFix = z.object({
  time,
  lat: z.number(),
  lon: z.number(),
  speed_kmh: z.number().nullable(),
});

/** The numbers behind an event: what was measured, what was allowed, for how long, and the fixes. */
export const eventValues = z
  .object({
    measured: z.number().nullable(),
    threshold: z.number().nullable(),
    unit: z.string().nullable(),
    duration_s: z.number().nullable(),
    /** The name of a terminal's own alarm. */
    alarm: z.string().nullable(),
    /** Which limit was passed. */
    limit_from: z.enum(['rule', 'geofence', 'vehicle']).nullable(),
    /** While an episode goes on this is null. */
    ended_at: time.nullable(),
    fixes: z.array(evidenceFix),
  })
  .meta({ id: 'EventValues' });
export type EventValues = z.infer<typeof eventValues>;

export const event = z
  .object({
    event_id: id,
    kind: eventKind,
    vehicle_id: id,
    time,
    received_at: time,
    late: z.boolean(),
    lat: z.number().nullable(),
    lon: z.number().nullable(),
    geozone_id: id.nullable(),
    values: eventValues,
    rule_id: id.nullable(),
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
    summary: 'Recorded events, newest first, whether or not a rule made a notification of them',
    query: z.strictObject({
      ...listQuery,
      vehicle: z.string().max(64).optional(),
      kind: oneOrMany(eventKind).optional(),
      from: time.optional(),
      to: time.optional(),
      ids: oneOrMany(id).optional(),
    }),
    reply: page(event),
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
