import { z } from 'zod';
import { causes } from './causes.ts';
import { id, listQuery, mergePatchOf, page, shortText, stamps, time } from './fields.ts';
import { reportFileFormat, reportQueryFields } from './reportJobs.ts';
import { reportKinds } from './reportRows.ts';
import { route } from './route.ts';
import { timeOfDay } from './schedule.ts';

const tag = 'Reports';

const fields = {
  name: shortText,
  kind: z.enum(reportKinds),
  format: reportFileFormat,
  query: reportQueryFields.default({}).meta({
    description:
      'as of the operation of this kind, without `format`, `from` and `to`: the period is the day, week (from Monday) or month before, in the time zone of the depot',
  }),
  every: z.enum(['day', 'week', 'month']),
  at: timeOfDay.default('06:00').meta({ description: 'by the clock of the depot' }),
  weekday: z.int().min(1).max(7).default(1).meta({ description: 'of `week`: Monday is 1' }),
  monthday: z
    .int()
    .min(1)
    .max(31)
    .default(1)
    .meta({ description: 'of `month`; where a month has no such day, its last' }),
  email_to: z.array(z.email().max(200)).max(20).default([]).meta({
    description: 'addresses of users, and addresses approved by a dealer',
  }),
  folder: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .nullable()
    .default(null)
    .meta({ description: 'a folder on the server into which the file is written; set by dealers' }),
  enabled: z.boolean().default(true),
};

export const newReportSchedule = z.strictObject(fields).meta({
  id: 'NewReportSchedule',
  // It has to go somewhere.
  anyOf: [
    { properties: { email_to: { minItems: 1 } }, required: ['email_to'] },
    { properties: { folder: { type: 'string' } }, required: ['folder'] },
  ],
});
export type NewReportSchedule = z.infer<typeof newReportSchedule>;
const reportSchedulePatch = mergePatchOf(fields).meta({ id: 'ReportSchedulePatch' });
export type ReportSchedulePatch = z.infer<typeof reportSchedulePatch>;

export const scheduledRun = z
  .object({
    at: time,
    due_at: time.nullable().meta({ description: 'when it was due; null for one that was run by hand' }),
    state: z.enum(['delivered', 'failed']),
    detail: z.string(),
    causes,
  })
  .meta({ id: 'ScheduledRun' });
export type ScheduledRun = z.infer<typeof scheduledRun>;

export const reportSchedule = z
  .object({
    schedule_id: id,
    owner_id: id.meta({ description: 'whose rights bound what is in the reports' }),
    name: z.string(),
    kind: z.enum(reportKinds),
    format: reportFileFormat,
    query: reportQueryFields,
    every: z.enum(['day', 'week', 'month']),
    at: timeOfDay,
    weekday: z.int(),
    monthday: z.int(),
    email_to: z.array(z.string()),
    folder: z.string().nullable(),
    enabled: z.boolean(),
    disabled_reason: z.string().nullable().meta({ description: 'why it was switched off by the server' }),
    disabled_causes: causes,
    running: z.boolean(),
    last_run: scheduledRun.nullable(),
    next_run_at: time.nullable(),
    ...stamps,
  })
  .meta({ id: 'ReportSchedule' });
export type ReportSchedule = z.infer<typeof reportSchedule>;

const params = z.object({ schedule_id: id });
const path = '/api/v1/reports/schedules';
const read = { tag, access: { right: 'reports', level: 'read' } } as const;
const write = { tag, access: { right: 'reports', level: 'write' } } as const;

export const reportScheduleRoutes = {
  list: route({
    ...read,
    id: 'listReportSchedules',
    method: 'GET',
    path,
    summary: 'List your scheduled reports; dealers list those of all users',
    query: z.strictObject(listQuery),
    reply: page(reportSchedule),
  }),
  create: route({
    ...write,
    id: 'createReportSchedule',
    method: 'POST',
    path,
    summary:
      'Have a report made every day, week or month, and delivered by email or into a folder. One that was missed is run once after the server starts',
    body: newReportSchedule,
    reply: reportSchedule,
    status: 201,
    errors: ['not_found', 'quota_exceeded'],
  }),
  get: route({
    ...read,
    id: 'getReportSchedule',
    method: 'GET',
    path: `${path}/{schedule_id}`,
    summary: 'Get a scheduled report, with what became of its last run',
    params,
    reply: reportSchedule,
  }),
  patch: route({
    ...write,
    id: 'patchReportSchedule',
    method: 'PATCH',
    path: `${path}/{schedule_id}`,
    summary: 'Change a scheduled report',
    versioned: true,
    params,
    body: reportSchedulePatch,
    reply: reportSchedule,
    errors: ['not_found', 'version_conflict'],
  }),
  remove: route({
    ...write,
    id: 'deleteReportSchedule',
    method: 'DELETE',
    path: `${path}/{schedule_id}`,
    summary: 'Delete a scheduled report',
    versioned: true,
    params,
    errors: ['version_conflict'],
  }),
  run: route({
    ...write,
    id: 'runReportSchedule',
    method: 'POST',
    path: `${path}/{schedule_id}/run`,
    summary: 'Run a scheduled report now, as if it were due',
    params,
    reply: reportSchedule,
    errors: ['in_use', 'rate_limited'],
  }),
};
