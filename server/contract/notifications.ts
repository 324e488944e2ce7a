import { z } from 'zod';
import { bulkResult, bulkVehicleIds, maxBulk } from './bulk.ts';
import { eitherOr } from './conditions.ts';
import {
  channel,
  escalationHistory,
  escalationSteps,
  notificationEscalation,
  ownEscalation,
} from './escalation.ts';
import { event, eventKind, eventDetails, hiddenId } from './events.ts';
import { id, listedVehicles, listQuery, longText, oneOrMany, orderError, page, time } from './fields.ts';
import { route } from './route.ts';
import { rule, ruleSound, severity } from './rules.ts';

const tag = 'Notifications';

const notificationState = z.enum(['open', 'acknowledged']);

export const notification = z
  .object({
    notification_id: id,
    rule_id: hiddenId,
    rule_name: z.string(),
    rule_version: z.int(),
    event_kind: eventKind,
    vehicle_id: event.shape.vehicle_id,
    geozone_id: hiddenId,
    severity,
    quiet: z.boolean().meta({ description: 'belongs to the quiet list: by its rule, or by its severity' }),
    sound: ruleSound.meta({ description: 'as its rule had it' }),
    state: notificationState,
    count: z.int().min(1),
    late: z.boolean(),
    first_time: time,
    last_time: time,
    ongoing_until: time.nullable().meta({ description: 'null while it is ongoing' }),
    details: eventDetails,
    lat: z.number().nullable(),
    lon: z.number().nullable(),
    event_ids: z.array(id).meta({ description: 'the newest 100' }),
    ack: z
      .object({ user_id: id, at: time, note: z.string().nullable() })
      .nullable()
      .meta({ description: 'null while it is open, and for a quiet one that was closed by its age' }),
    shelved_until: time.nullable().meta({
      description: 'the end of the snooze of its vehicle or rule; an open notification reappears then',
    }),
    escalation: notificationEscalation.nullable().meta({
      description: 'null: once it is acknowledged, and where its rule has none',
    }),
    updated_at: time,
  })
  .meta({ id: 'Notification' });
export type Notification = z.infer<typeof notification>;

/** The result of a delivery by a channel outside the console. */
const delivery = z
  .object({
    channel,
    target: z.string(),
    step: z.int().nullable().meta({ description: 'the step of the escalation that sent it; null: none' }),
    status: z.enum(['waiting', 'sent', 'failed']),
    attempts: z.int(),
    last_error: z.string().nullable(),
    next_attempt_at: time.nullable(),
    sent_at: time.nullable(),
  })
  .meta({ id: 'Delivery' });

/** Why it fired: the rule as it was then, and the newest of its events with their numbers and fixes. */
export const notificationWhy = z
  .object({
    notification,
    rule: rule.nullable().meta({ description: 'the rule as it was when it fired' }),
    rule_now: z
      .enum(['same', 'changed', 'deleted'])
      .meta({ description: 'whether the rule has changed since' }),
    events: z.array(event).meta({ description: 'oldest first, at most the newest 100' }),
    deliveries: z.array(delivery),
    escalation: escalationHistory.nullable().meta({ description: 'null: its rule had none' }),
  })
  .meta({ id: 'NotificationWhy' });
export type NotificationWhy = z.infer<typeof notificationWhy>;

/** A vehicle or a rule that is silenced until a time. Its notifications are recorded and stay visible. */
export const snooze = z
  .object({
    snooze_id: id,
    vehicle_id: id.nullable(),
    rule_id: id.nullable(),
    until: time,
    note: z.string().nullable(),
    created_by: id,
    created_at: time,
  })
  .meta({ id: 'Snooze' });
export type Snooze = z.infer<typeof snooze>;

export const maxSnoozeS = 7 * 86_400;

const snoozeSpan = {
  duration_s: z.number().min(1).max(maxSnoozeS).optional(),
  until: time.optional(),
  note: longText.nullable().default(null),
};
const snoozeOfOne = eitherOr(
  z.strictObject({ vehicle_id: id.optional(), rule_id: id.optional(), ...snoozeSpan }),
  ['vehicle_id', 'rule_id'],
  'names either a vehicle or a rule',
);
const ends = ['until', 'duration_s'] as const;
const endsOnce = 'is given by either duration_s or until';
export const newSnooze = eitherOr(snoozeOfOne, ends, endsOnce).meta({ id: 'NewSnooze' });
const newVehicleSnoozes = eitherOr(
  z.strictObject({ vehicle_ids: bulkVehicleIds, ...snoozeSpan }),
  ends,
  endsOnce,
).meta({ id: 'NewVehicleSnoozes' });

/** How the depot reaches the world beyond the console. Secrets are never read back. */
export const channelSettings = z
  .object({
    smtp: z
      .object({
        host: z.string(),
        port: z.int(),
        security: z.enum(['none', 'starttls', 'tls']),
        username: z.string().nullable(),
        from: z.string(),
        has_password: z.boolean(),
      })
      .nullable(),
    webhook: z.object({
      has_secret: z.boolean(),
      signature: z.string().meta({ description: 'the header with the signature, and how it is computed' }),
    }),
    alarm_escalation: ownEscalation.nullable().meta({
      description: 'of the rules that use the escalation of the depot; null: they have none',
    }),
  })
  .meta({ id: 'ChannelSettings' });
export type ChannelSettings = z.infer<typeof channelSettings>;

export const channelPatch = z
  .strictObject({
    smtp: z
      .strictObject({
        host: z.string().trim().min(1).max(253).meta({ pattern: '\\S' }),
        port: z.int().min(1).max(65_535).default(587),
        security: z.enum(['none', 'starttls', 'tls']).default('starttls'),
        username: z.string().max(200).nullable().default(null),
        password: z.string().max(1_000).nullable().optional().meta({ description: 'left out: as before' }),
        from: z.email().max(200),
      })
      .nullable()
      .optional(),
    webhook_secret: z
      .string()
      .min(16)
      .max(200)
      .nullable()
      .optional()
      .meta({ description: 'the key of HMAC-SHA256; null: calls are not signed' }),
    alarm_escalation: z
      .strictObject({ steps: escalationSteps })
      .nullable()
      .optional()
      .meta({ description: 'it names only users, and recipients that are approved' }),
  })
  .meta({ id: 'ChannelPatch' });

const note = longText.nullable().default(null);

/** The most that one call acknowledges. */
const maxAckedAtOnce = 1_000;

/** What became of one of many that were to be acknowledged. */
const ackResult = z
  .object({
    notification_id: id,
    result: z.enum(['acknowledged', 'already_acknowledged', 'not_found']).meta({
      description:
        '`already_acknowledged`: somebody did it before, and that stays; `not_found`: it is not there, or the caller does not see it',
    }),
    notification: notification.nullable(),
  })
  .meta({ id: 'AckResult' });

export const notificationRoutes = {
  list: route({
    id: 'listNotifications',
    tag,
    method: 'GET',
    path: '/api/v1/notifications',
    summary: 'List notifications, newest first',
    access: { right: 'notifications', level: 'read' },
    query: z
      .strictObject({
        ...listQuery,
        state: notificationState.optional(),
        shelved: z.enum(['true', 'false']).optional(),
        quiet: z.enum(['true', 'false']).optional(),
        severity: oneOrMany(severity).optional(),
        vehicle: listedVehicles.optional(),
        rule: id.optional().meta({
          description: 'of one that the caller may not see there are none, as of one that is unknown',
        }),
        from: time.optional(),
        to: time.optional(),
      })
      .check(orderError),
    reply: page(notification),
    errors: ['not_found'],
  }),
  ack: route({
    id: 'acknowledgeNotification',
    tag,
    method: 'POST',
    path: '/api/v1/notifications/{notification_id}/ack',
    access: { right: 'notifications', level: 'write' },
    summary: 'Acknowledge a notification, for all who see it',
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
    summary: 'Acknowledge many with one note; the answer says of each what became of it',
    access: { right: 'notifications', level: 'write' },
    body: z.strictObject({ notification_ids: z.array(id).min(1).max(maxAckedAtOnce), note }),
    reply: z.object({ results: z.array(ackResult).meta({ description: 'in the order of the ids' }) }),
  }),
  get: route({
    id: 'getNotification',
    tag,
    method: 'GET',
    path: '/api/v1/notifications/{notification_id}',
    summary: 'One notification',
    access: { right: 'notifications', level: 'read' },
    params: z.object({ notification_id: id }),
    reply: notification,
    errors: ['not_found'],
  }),
  why: route({
    id: 'explainNotification',
    tag,
    method: 'GET',
    path: '/api/v1/notifications/{notification_id}/why',
    summary: 'Explain why it fired: the measured values, the fixes, and the rule as it was then',
    access: { right: 'notifications', level: 'read' },
    params: z.object({ notification_id: id }),
    reply: notificationWhy,
    errors: ['not_found'],
  }),
  snoozes: route({
    id: 'listSnoozes',
    tag,
    method: 'GET',
    path: '/api/v1/notifications/snoozes',
    summary: 'List active snoozes',
    access: { right: 'notifications', level: 'read' },
    query: z.strictObject(listQuery),
    reply: page(snooze),
  }),
  snooze: route({
    id: 'createSnooze',
    tag,
    method: 'POST',
    path: '/api/v1/notifications/snoozes',
    summary: 'Snooze a vehicle or a rule for a time. An SOS still notifies, unless its own rule is snoozed',
    access: { right: 'notifications', level: 'write' },
    body: newSnooze,
    reply: snooze,
    status: 201,
    errors: ['not_found', 'quota_exceeded'],
  }),
  snoozeVehicles: route({
    id: 'snoozeVehicles',
    tag,
    method: 'POST',
    path: '/api/v1/notifications/snoozes/vehicles',
    summary: `Snooze up to ${maxBulk} vehicles for a time`,
    access: { right: 'notifications', level: 'write' },
    body: newVehicleSnoozes,
    reply: bulkResult,
  }),
  unsnooze: route({
    id: 'deleteSnooze',
    tag,
    method: 'DELETE',
    path: '/api/v1/notifications/snoozes/{snooze_id}',
    summary: 'End a snooze at once',
    access: { right: 'notifications', level: 'write' },
    params: z.object({ snooze_id: id }),
    errors: ['not_found'],
  }),
  channels: route({
    id: 'getChannels',
    tag,
    method: 'GET',
    path: '/api/v1/notifications/channels',
    summary: 'Get the mail server and the signature of webhooks',
    access: 'dealer',
    reply: channelSettings,
  }),
  patchChannels: route({
    id: 'patchChannels',
    tag,
    method: 'PATCH',
    path: '/api/v1/notifications/channels',
    summary: 'Change the mail server and the signature of webhooks',
    access: 'dealer',
    body: channelPatch,
    reply: channelSettings,
  }),
};
