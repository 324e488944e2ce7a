import { z } from 'zod';
import { eventKind } from './events.ts';
import { id, listQuery, mergePatchOf, page, shortText, speedKmh, stamps } from './fields.ts';
import { route } from './route.ts';
import { schedule } from './schedule.ts';

const tag = 'Notification rules';

export const severity = z.enum(['info', 'warning', 'alarm']);
export type Severity = z.infer<typeof severity>;

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
  })
  .meta({ id: 'RuleParams' });
export type RuleParams = z.infer<typeof ruleParams>;

/** Which parameters an event kind knows; one that it does not know is refused. */
export const paramsOfKind: Record<z.infer<typeof eventKind>, readonly (keyof RuleParams)[]> = {
  geofence_enter: [],
  geofence_exit: [],
  overspeed: ['limit_kmh', 'tolerance_kmh', 'min_duration_s'],
  sos: [],
  terminal_alarm: [],
};

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
  channels: z
    .array(z.enum(['desktop']))
    .max(1)
    .default(['desktop']),
  video: videoWindow.nullable().default(null),
  cooldown_s: z.number().min(0).max(86_400).default(300),
  enabled: z.boolean().default(true),
};

export const newRule = z.strictObject(fields).meta({ id: 'NewRule' });
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
    channels: z.array(z.enum(['desktop'])),
    video: videoWindow.nullable(),
    cooldown_s: z.number(),
    enabled: z.boolean(),
    disabled_reason: z.string().nullable(),
    owner_id: id
      .nullable()
      .meta({ description: 'the user whose rights bound the scope; null for a rule of the depot' }),
    ...stamps,
  })
  .meta({ id: 'Rule' });
export type Rule = z.infer<typeof rule>;

const params = z.object({ rule_id: id });

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
    errors: ['not_found', 'version_conflict'],
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
};
