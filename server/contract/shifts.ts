import { z } from 'zod';
import { auditAction, auditKind } from './audit.ts';
import { cause } from './causes.ts';
import { hiddenId } from './events.ts';
import { troubleCode } from './health.ts';
import { id, listQuery, page, stamps, time, timeZone } from './fields.ts';
import { incident } from './incidents.ts';
import { notification } from './notifications.ts';
import { route } from './route.ts';
import { severity } from './rules.ts';
import { task } from './video.ts';

const tag = 'Shifts';

/** A shift that nobody ends is ended by the server after so long. */
export const longestShiftS = 16 * 3_600;
/** A handover that nobody accepts lapses after so long. */
export const longestHandoverS = 72 * 3_600;
/** A report reaches back so far at the most. */
export const longestReportS = 7 * 86_400;
/** Of one shift. */
export const shiftNotes = { most: 50, chars: 20_000 } as const;

const person = z.object({ user_id: id, name: z.string().meta({ description: 'at that time' }) });

const shiftNote = person.extend({ at: time, text: z.string() }).meta({ id: 'ShiftNote' });

const handover = z
  .object({
    state: z.enum(['open', 'accepted', 'lapsed']),
    to: person.nullable().meta({ description: 'null: whoever comes' }),
    offered_at: time.meta({ description: 'when the report of the shift was recorded as it was handed over' }),
    accepted_by: person.nullable(),
    accepted_at: time.nullable(),
  })
  .meta({ id: 'Handover' });
export type Handover = z.infer<typeof handover>;

export const shift = z
  .object({
    shift_id: id,
    ...person.shape,
    started_at: time,
    report_from: time.meta({
      description: 'from when its report counts: after an accepted handover, from the moment it was offered',
    }),
    accepted_shift_id: id
      .nullable()
      .meta({ description: 'the shift whose handover was accepted at the start' }),
    ended_at: time.nullable().meta({ description: 'null: on duty' }),
    end_reason: z
      .enum(['ended', 'handed_over', 'forgotten', 'access_lost'])
      .nullable()
      .meta({
        description: `\`forgotten\`: ended by the server after ${longestShiftS / 3_600} hours; \`access_lost\`: its user may no longer be on duty`,
      }),
    handover: handover.nullable(),
    notes: z.array(shiftNote).meta({ description: 'for the next shift, oldest first' }),
    ...stamps,
  })
  .meta({ id: 'Shift' });
export type Shift = z.infer<typeof shift>;

const counts = z.object({ alarm: z.int(), warning: z.int(), info: z.int() });

const openAlarm = notification
  .pick({
    notification_id: true,
    rule_id: true,
    rule_name: true,
    event_kind: true,
    vehicle_id: true,
    severity: true,
    count: true,
    first_time: true,
    last_time: true,
  })
  .extend({ vehicle_name: z.string().nullable() });

const shiftIncident = incident
  .pick({
    incident_id: true,
    number: true,
    title: true,
    severity: true,
    status: true,
    close_reason: true,
    owner_id: true,
    owner_name: true,
    vehicle_id: true,
    created_at: true,
    closed_at: true,
  })
  .extend({ vehicle_name: z.string().nullable() });

const clip = task
  .pick({ task_id: true, vehicle_id: true, channel: true, from: true, to: true, status: true })
  .extend({
    vehicle_name: z.string().nullable(),
    ordered_by: person.nullable().meta({ description: 'null: ordered by a rule' }),
    ordered_at: time,
  });

const silentVehicle = z.object({
  vehicle_id: id,
  vehicle_name: z.string().nullable(),
  status: z.enum(['overdue', 'offline']),
  since: time.meta({ description: 'the last contact' }),
});

const trouble = z.object({
  event_id: id,
  cause: troubleCode,
  began_at: time,
  ended_at: time.nullable().meta({ description: 'null: it goes on' }),
});

const listOf = <T extends z.ZodType>(item: T, most: number) =>
  z.object({ total: z.int(), items: z.array(item).meta({ description: `at most ${most}` }) });

/** Of each list in a report. */
export const reportRows = 200;

/** What happened from one moment to another, as far as the caller may see it. */
export const shiftReport = z
  .object({
    from: time,
    to: time,
    is_cut: z.boolean().meta({
      description: `it reaches back ${longestReportS / 86_400} days only, or counts the newest rows only`,
    }),
    notifications: z.object({
      total: z.int(),
      by_severity: counts,
      by_rule: z
        .array(z.object({ rule_id: hiddenId, rule_name: z.string(), severity, count: z.int() }))
        .meta({ description: `those with the most first, at most ${reportRows}` }),
    }),
    acknowledgements: z.object({
      total: z.int(),
      median_s: z
        .number()
        .nullable()
        .meta({ description: 'from the event to the acknowledgement; without what vehicles sent late' }),
      by_user: z
        .array(person.extend({ count: z.int(), median_s: z.number().nullable() }))
        .meta({ description: 'those with the most first' }),
    }),
    open: listOf(openAlarm, reportRows).extend({ by_severity: counts }).meta({
      description:
        'not acknowledged at the end, whenever they came in; of severity `info` they are counted and not listed',
    }),
    incidents: listOf(shiftIncident, reportRows)
      .extend({ not_closed: z.int() })
      .meta({ description: 'opened or closed in this time, and all that are not closed at its end' }),
    clips: listOf(clip, reportRows)
      .nullable()
      .meta({ description: 'ordered in this time, with their state at its end; null without video:read' }),
    silent_vehicles: listOf(silentVehicle, reportRows).nullable().meta({
      description: 'overdue or offline at the end, the longest first; null without vehicles:read',
    }),
    troubles: listOf(trouble, reportRows)
      .nullable()
      .meta({ description: 'of the server and its listeners; null for users who are no dealers' }),
    changes: z
      .array(
        z.object({
          user_id: z.string().meta({ description: 'as `actor` of the audit log' }),
          ...{ name: z.string(), kind: auditKind, action: auditAction, count: z.int() },
        }),
      )
      .nullable()
      .meta({ description: 'who did what, by the audit log; null for users who are no dealers' }),
  })
  .meta({ id: 'ShiftReport' });
export type ShiftReport = z.infer<typeof shiftReport>;

const path = '/api/v1/shifts';
const params = z.object({ shift_id: id });
const read = { tag, access: { right: 'notifications', level: 'read' } } as const;
const write = { tag, access: { right: 'notifications', level: 'write' } } as const;

export const shiftRoutes = {
  list: route({
    ...read,
    id: 'listShifts',
    method: 'GET',
    path,
    summary:
      'List the shifts of users with whom the caller shares a group, and those handed over to the caller; those that began last first',
    query: z.strictObject({
      ...listQuery,
      active: z
        .enum(['true', 'false'])
        .optional()
        .meta({ description: '`true`: those on duty, and those whose handover is open' }),
    }),
    reply: page(shift),
  }),
  start: route({
    ...write,
    id: 'startShift',
    method: 'POST',
    path,
    summary: `Go on duty. A shift ends after ${longestShiftS / 3_600} hours by itself`,
    idempotent: true,
    reply: shift,
    status: 201,
    errors: ['already_exists'],
  }),
  dispatchers: route({
    ...write,
    id: 'listDispatchers',
    method: 'GET',
    path: `${path}/dispatchers`,
    summary:
      'List who may be handed a shift of the caller: dealers, and users with whom the caller shares a group',
    query: z.strictObject(listQuery),
    reply: page(person.meta({ id: 'Dispatcher' })),
  }),
  sinceLogin: route({
    ...read,
    id: 'reportSinceLogin',
    method: 'GET',
    path: `${path}/since-login`,
    summary:
      'Report what happened since the last sign of life of the earlier session of the caller. A session gives one when it begins and whenever its JWT is refreshed',
    reply: z
      .object({
        since: time.nullable().meta({ description: 'null: there was no earlier session' }),
        report: shiftReport.nullable(),
      })
      .meta({ id: 'SinceLogin' }),
    errors: ['queue_full'],
  }),
  get: route({
    ...read,
    id: 'getShift',
    method: 'GET',
    path: `${path}/{shift_id}`,
    summary: 'One shift',
    params,
    reply: shift,
    errors: ['not_found'],
  }),
  addNote: route({
    ...write,
    id: 'addShiftNote',
    method: 'POST',
    path: `${path}/{shift_id}/notes`,
    summary: 'Add a note for the next shift. Notes are neither changed nor deleted',
    idempotent: true,
    params,
    body: z
      .strictObject({ text: z.string().trim().min(1).max(2_000).meta({ pattern: '\\S' }) })
      .meta({ id: 'NewShiftNote' }),
    reply: shift,
    status: 201,
    errors: ['not_found', 'in_use', 'quota_exceeded'],
  }),
  handOver: route({
    ...write,
    id: 'handOverShift',
    method: 'POST',
    path: `${path}/{shift_id}/handover`,
    summary:
      'Hand over your shift. Its report is recorded as it is now; you stay on duty until it is accepted, or until you end the shift',
    params,
    body: z
      .strictObject({
        to_user_id: id.nullable().default(null).meta({ description: 'null: whoever comes' }),
      })
      .prefault({})
      .meta({ id: 'NewHandover' }),
    reply: shift,
    errors: ['not_found', 'in_use', 'queue_full'],
  }),
  withdraw: route({
    ...write,
    id: 'withdrawHandover',
    method: 'DELETE',
    path: `${path}/{shift_id}/handover`,
    summary: 'Withdraw the handover of your shift before it is accepted',
    params,
    reply: shift,
    errors: ['not_found', 'in_use'],
  }),
  accept: route({
    ...write,
    id: 'acceptShift',
    method: 'POST',
    path: `${path}/{shift_id}/accept`,
    summary:
      'Accept a handover, and go on duty unless you are. It ends the shift that was handed over. Of a handover to a named user: that user, or a dealer',
    params,
    reply: z
      .object({ accepted: shift, own: shift.meta({ description: 'the shift of the caller' }) })
      .meta({ id: 'AcceptedShift' }),
    errors: ['not_found', 'in_use'],
  }),
  end: route({
    ...write,
    id: 'endShift',
    method: 'POST',
    path: `${path}/{shift_id}/end`,
    summary:
      'End your shift; dealers end those of others too. Its report is recorded. A handover that was offered stays open',
    params,
    reply: shift,
    errors: ['not_found', 'in_use', 'queue_full'],
  }),
  report: route({
    ...read,
    id: 'getShiftReport',
    method: 'GET',
    path: `${path}/{shift_id}/report`,
    summary:
      'Report what happened in a shift: as recorded when it was handed over or ended, before that up to now',
    params,
    reply: shiftReport,
    errors: ['not_found', 'queue_full'],
  }),
  pdf: route({
    ...read,
    id: 'getShiftReportPdf',
    method: 'GET',
    path: `${path}/{shift_id}/report/pdf`,
    summary: 'Export the report of a shift as PDF',
    params,
    query: z.strictObject({ tz: timeZone.optional().meta({ description: 'left out: that of the depot' }) }),
    bytes: { contentTypes: ['application/pdf'] },
    exports: true,
    errors: ['not_found', 'queue_full'],
  }),
  mail: route({
    ...write,
    id: 'mailShiftReport',
    method: 'POST',
    path: `${path}/{shift_id}/report/mail`,
    summary: 'Send the report of a shift as PDF by email',
    params,
    body: z
      .strictObject({
        email_to: z
          .array(z.email().max(200))
          .min(1)
          .max(10)
          .meta({ description: 'addresses of users, and addresses approved by a dealer' }),
        tz: timeZone.optional(),
      })
      .meta({ id: 'ShiftReportMail' }),
    reply: z
      .object({
        sent: z.array(z.string()).meta({ description: 'a sentence for each address' }),
        failed: z.array(z.string()),
        failed_causes: z.array(z.array(cause)).meta({ description: 'of each of `failed`' }),
        not_reached: z.array(z.string()).meta({ description: 'the addresses, to be tried again' }),
      })
      .meta({ id: 'MailedShiftReport' }),
    errors: ['not_found', 'queue_full', 'rate_limited'],
  }),
};
