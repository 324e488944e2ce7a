import { z } from 'zod';
import { causes } from './causes.ts';
import { eitherOr, stating } from './conditions.ts';
import {
  channel,
  escalation,
  maxEscalationSteps,
  names,
  newEscalation,
  notifies,
  webhookUrl,
} from './escalation.ts';
import {
  eventDetails,
  type EventKind,
  eventKind,
  hiddenId,
  kindsBesideTracks,
  kindsOfHost,
} from './events.ts';
import { alarmName, id, listQuery, mergePatchOf, page, shortText, speedKmh, stamps, time } from './fields.ts';
import { previewError, previewPeriod, progressBytes } from './preview.ts';
import { route } from './route.ts';
import { schedule } from './schedule.ts';

const tag = 'Notification rules';

export const severity = z.enum(['info', 'warning', 'alarm']);
export type Severity = z.infer<typeof severity>;

/** Sounds that the console makes itself. */
export const builtInSounds = ['siren', 'beeps', 'bell', 'chime', 'rising', 'low'] as const;

/** Files that each computer has of its own; where there is none, the chime is heard. */
export const ownSounds = ['own_1', 'own_2', 'own_3'] as const;

/** What is heard when a rule fires: by the severity, nothing, a sound of the console, or a file of the computer. */
export const ruleSound = z.enum(['default', 'none', ...builtInSounds, ...ownSounds]);
export type RuleSound = z.infer<typeof ruleSound>;

const scope = z
  .union([
    z.strictObject({ all: z.literal(true) }),
    z.strictObject({
      vehicle_ids: z.array(id).max(10_000).default([]),
      group_ids: z.array(id).max(1_000).default([]),
    }),
  ])
  .meta({ id: 'RuleScope' });

/** What a rule measures by; each only where its event kind knows it. */
export const ruleParams = z
  .strictObject({
    limit_kmh: speedKmh.optional(),
    tolerance_kmh: speedKmh.optional(),
    min_duration_s: z.number().min(0).max(86_400).optional(),
    dwell_s: z.number().min(1).max(2_592_000).optional(),
    silent_s: z.number().min(1).max(2_592_000).optional(),
    alarms: z.array(alarmName).min(1).max(100).optional(),
  })
  .meta({ id: 'RuleParams' });
export type RuleParams = z.infer<typeof ruleParams>;

/** Which parameters an event kind knows; one that it does not know is refused. */
export const paramsOfKind: Record<EventKind, readonly (keyof RuleParams)[]> = {
  geofence_enter: [],
  geofence_exit: [],
  geofence_dwell: ['dwell_s'],
  silent_inside: ['silent_s'],
  overspeed: ['limit_kmh', 'tolerance_kmh', 'min_duration_s'],
  moving: [],
  stopped: [],
  idling: ['min_duration_s'],
  ignition_on: [],
  ignition_off: [],
  offline: ['min_duration_s'],
  online: [],
  sos: [],
  power_cut: [],
  low_battery: [],
  harsh_acceleration: [],
  harsh_braking: [],
  harsh_cornering: [],
  terminal_alarm: ['alarms'],
  video_done: [],
  video_failed: [],
  host_trouble: [],
};

/** A silence that nobody can mean: less than the settings allow for being off line. */
export const minOfflineS = 10;

/** The kinds whose rules may name geofences. */
export const kindsWithGeofences: readonly EventKind[] = [
  'geofence_enter',
  'geofence_exit',
  'geofence_dwell',
  'silent_inside',
  'overspeed',
];

/** The seconds of video to order around the moment on every channel of the vehicle. */
export const videoWindow = z
  .strictObject({ before_s: z.number().min(0).max(300), after_s: z.number().min(0).max(120) })
  .meta({ id: 'VideoWindow' });
export type VideoWindow = z.infer<typeof videoWindow>;

const fields = {
  name: shortText,
  event_kind: eventKind,
  scope,
  geozone_ids: z.array(id).max(10_000).default([]),
  params: ruleParams.default({}),
  schedule: schedule.nullable().default(null),
  severity: severity.default('warning'),
  quiet: z.boolean().default(false).meta({
    description:
      'its notifications go to the quiet list: no sound, no notice, nothing over the map. Those of severity `info` always do',
  }),
  sound: ruleSound.default('default').meta({
    description: '`default`: by the severity, as each user has set it',
  }),
  channels: z.array(channel).max(3).default(['desktop']),
  webhook_url: webhookUrl,
  email_to: z.array(z.email().max(200)).max(20).default([]).meta({
    description: 'addresses of users, and addresses approved by a dealer',
  }),
  video: videoWindow.nullable().optional().meta({
    description:
      'the video that it requests automatically from vehicles with cameras; null: none; left out of a new rule of severity `alarm`: the number of seconds in the settings',
  }),
  escalation: newEscalation.nullable().default(null).meta({
    description:
      'what follows while nobody acknowledges it: steps of its own, or those of the depot as they are when it fires; null: nothing',
  }),
  cooldown_s: z.number().min(0).max(86_400).default(300),
  opens_incident: z.boolean().default(false).meta({
    description:
      'whether an alarm of it opens an incident, or goes to the one of the same vehicle that is not closed; an SOS always does, as the settings say',
  }),
  enabled: z.boolean().default(true),
};

/** What a rule of one event kind may hold; kinds that may hold the same stand together. */
function kindConditions(): object[] {
  const kinds = new Map<string, { form: object; of: EventKind[] }>();
  for (const kind of eventKind.options) {
    const form = {
      params: {
        ...(paramsOfKind[kind].length === 0
          ? { maxProperties: 0 }
          : { propertyNames: { enum: paramsOfKind[kind] } }),
        ...(kind === 'offline' ? { properties: { min_duration_s: { minimum: minOfflineS } } } : {}),
      },
      ...(kindsWithGeofences.includes(kind) ? {} : { geozone_ids: { maxItems: 0 } }),
      ...(kindsBesideTracks.includes(kind) ? { video: { type: 'null' } } : {}),
      ...(kindsOfHost.includes(kind) ? { scope: { required: ['all'] } } : {}),
    };
    const key = JSON.stringify(form);
    kinds.set(key, { form, of: [...(kinds.get(key)?.of ?? []), kind] });
  }
  return [...kinds.values()].map(({ form, of }) => ({
    properties: { event_kind: { enum: of }, ...form },
  }));
}

const ruleConditions = [
  { oneOf: kindConditions() },
  {
    if: notifies('webhook'),
    then: { properties: { webhook_url: { type: 'string' } }, required: ['webhook_url'] },
  },
  { if: notifies('email'), then: names('email_to') },
  {
    anyOf: [
      { properties: { enabled: { const: false } }, required: ['enabled'] },
      { properties: { scope: { anyOf: [{ required: ['all'] }, names('vehicle_ids'), names('group_ids')] } } },
    ],
  },
];

export const newRule = stating(z.strictObject(fields), ...ruleConditions).meta({ id: 'NewRule' });
export type NewRule = z.infer<typeof newRule>;
export const rulePatch = mergePatchOf(fields).meta({ id: 'RulePatch' });
export type RulePatch = z.infer<typeof rulePatch>;

export const rule = z
  .object({
    rule_id: id,
    name: z.string(),
    event_kind: eventKind,
    scope,
    geozone_ids: z.array(id),
    params: ruleParams,
    schedule: schedule.nullable(),
    severity,
    quiet: z.boolean(),
    sound: ruleSound,
    channels: z.array(channel),
    webhook_url: z.string().nullable(),
    email_to: z.array(z.string()),
    video: videoWindow.nullable(),
    escalation: escalation.nullable(),
    cooldown_s: z.number(),
    opens_incident: z.boolean(),
    enabled: z.boolean(),
    disabled_reason: z
      .string()
      .nullable()
      .meta({ description: 'only for callers who may change the rule; else null' }),
    disabled_causes: causes,
    unapproved: z.array(z.string()).optional().meta({
      description:
        'addresses of the rule without approval by a dealer: nothing is sent to them; left out if there are none or the rule is not yours',
    }),
    owner_id: id
      .nullable()
      .meta({ description: 'the user whose rights bound the scope; null for a rule of the depot' }),
    ...stamps,
  })
  .meta({ id: 'Rule' });
export type Rule = z.infer<typeof rule>;

const params = z.object({ rule_id: id });

/** A rule tried on the past: one that is stored, or one as it would be made. */
const rulePreviewQuery = stating(
  eitherOr(
    z
      .strictObject({ ...previewPeriod, rule_id: id.optional(), rule: newRule.optional() })
      .check(previewError),
    ['rule_id', 'rule'],
    'names a rule by either rule_id or rule',
  ),
  { properties: { rule: { properties: { event_kind: { not: { enum: kindsBesideTracks } } } } } },
).meta({ id: 'RulePreviewQuery' });

/** A notification that a rule would have made. */
const previewedNotification = z
  .object({
    vehicle_id: id,
    geozone_id: hiddenId,
    count: z.int(),
    late: z.boolean(),
    first_time: time,
    last_time: time,
    ongoing_until: time.nullable(),
    lat: z.number().nullable(),
    lon: z.number().nullable(),
    details: eventDetails,
  })
  .meta({ id: 'PreviewedNotification' });

export const rulePreview = z
  .object({
    from: time,
    to: time,
    vehicles: z.int().meta({ description: 'number of vehicles evaluated' }),
    positions: z.int().meta({ description: 'number of positions evaluated' }),
    events: z.int(),
    notifications: z.int(),
    items: z.array(previewedNotification).meta({ description: 'the first 1,000, in order of time' }),
    truncated: z.boolean(),
  })
  .meta({ id: 'RulePreview' });
export type RulePreview = z.infer<typeof rulePreview>;

export const channelTest = z
  .object({
    results: z.array(
      z.object({
        channel,
        target: z.string().nullable(),
        ok: z.boolean(),
        detail: z.string(),
        causes,
      }),
    ),
  })
  .meta({ id: 'ChannelTest' });
export type ChannelTest = z.infer<typeof channelTest>;

export const ruleRoutes = {
  list: route({
    id: 'listRules',
    tag,
    method: 'GET',
    path: '/api/v1/notifications/rules',
    access: { right: 'notifications', level: 'read' },
    summary: 'Visible rules',
    query: z.strictObject(listQuery),
    reply: page(rule),
  }),
  create: route({
    id: 'createRule',
    tag,
    method: 'POST',
    path: '/api/v1/notifications/rules',
    summary: 'Add a rule',
    access: { right: 'notifications', level: 'write' },
    body: newRule,
    reply: rule,
    status: 201,
    errors: ['quota_exceeded'],
  }),
  get: route({
    id: 'getRule',
    tag,
    method: 'GET',
    path: '/api/v1/notifications/rules/{rule_id}',
    summary: 'One rule',
    access: { right: 'notifications', level: 'read' },
    params,
    reply: rule,
    errors: ['not_found'],
  }),
  patch: route({
    id: 'patchRule',
    tag,
    method: 'PATCH',
    path: '/api/v1/notifications/rules/{rule_id}',
    summary: 'Change a rule',
    access: { right: 'notifications', level: 'write' },
    versioned: true,
    params,
    body: rulePatch,
    reply: rule,
    errors: ['not_found', 'version_conflict', 'quota_exceeded'],
  }),
  remove: route({
    id: 'deleteRule',
    tag,
    method: 'DELETE',
    path: '/api/v1/notifications/rules/{rule_id}',
    summary: 'Delete a rule',
    access: { right: 'notifications', level: 'write' },
    versioned: true,
    params,
    errors: ['not_found', 'version_conflict'],
  }),
  preview: route({
    id: 'previewRule',
    tag,
    method: 'POST',
    path: '/api/v1/notifications/rules/preview',
    summary: 'Preview when and where a rule, saved or not, would have fired in a past period',
    access: { right: 'notifications', level: 'read' },
    body: rulePreviewQuery,
    bytes: progressBytes(rulePreview),
    errors: ['not_found', 'unavailable', 'too_large', 'queue_full'],
  }),
  test: route({
    id: 'testRule',
    tag,
    method: 'POST',
    path: '/api/v1/notifications/rules/{rule_id}/test',
    summary:
      'Send a marked test through the channels of a rule or of a step that it names, and return the results',
    access: { right: 'notifications', level: 'write' },
    params,
    query: z.strictObject({
      step: z.coerce.number().int().min(1).max(maxEscalationSteps).optional().meta({
        description:
          'through the channels of this step of its escalation, its own or that of the depot: to its addresses and the users it names, of whom a user who is no dealer tests itself alone, and of that of the depot no address',
      }),
    }),
    reply: channelTest,
    errors: ['not_found', 'rate_limited'],
  }),
};
