import { z } from 'zod';
import { eventKind, eventValues } from './events.ts';
import { id, listQuery, longText, oneOrMany, page, time } from './fields.ts';
import { route } from './route.ts';
import { severity } from './rules.ts';

const tag = 'Notifications';

const notificationState = z.enum(['open', 'acknowledged']);

export const notification = z
  .object({
    notification_id: id,
    rule_id: id,
    rule_name: z.string(),
    rule_version: z.int(),
    event_kind: eventKind,
    vehicle_id: id,
    geozone_id: id.nullable(),
    severity,
    state: notificationState,
    count: z.int().min(1),
    late: z.boolean(),
    first_time: time,
    last_time: time,
    ongoing_until: time.nullable().meta({ description: 'null while it goes on' }),
    values: eventValues,
    lat: z.number().nullable(),
    lon: z.number().nullable(),
    event_ids: z.array(id).meta({ description: 'the newest 100' }),
    ack: z.object({ user_id: id, at: time, note: z.string().nullable() }).nullable(),
    updated_at: time,
  })
  .meta({ id: 'Notification' });
export type Notification = z.infer<typeof notification>;

const note = longText.nullable().default(null);

export const notificationRoutes = {
  list: route({
    id: 'listNotifications',
    tag,
    method: 'GET',
    path: '/api/v1/notifications',
    summary: 'The queue, newest first',
    access: { right: 'notifications', level: 'read' },
    query: z.strictObject({
      ...listQuery,
      state: notificationState.optional(),
      severity: oneOrMany(severity).optional(),
      vehicle: z.string().max(64).optional(),
      from: time.optional(),
      to: time.optional(),
    }),
    reply: page(notification),
  }),
  ack: route({
    id: 'acknowledgeNotification',
    tag,
    method: 'POST',
    path: '/api/v1/notifications/{notification_id}/ack',
    access: { right: 'notifications', level: 'write' },
    summary: 'Acknowledge one; shared by all who see it',
    params: z.object({ notification_id: id }),
    body: z.strictObject({ note }).prefault({}),
    reply: notification,
    errors: ['not_found'],
  }),
  ackMany: route({
    id: 'acknowledgeNotifications',
    tag,
    method: 'POST',
    path: '/api/v1/notifications/ack',
    summary: 'Acknowledge many',
    access: { right: 'notifications', level: 'write' },
    body: z.strictObject({ notification_ids: z.array(id).min(1).max(1_000), note }),
    reply: z.object({ notifications: z.array(notification) }),
    errors: ['not_found'],
  }),
};
