import { z } from 'zod';
import { listQuery, orderError, page, time } from './fields.ts';
import { periodError } from './preview.ts';
import { route } from './route.ts';

const tag = 'Audit';

export const auditKind = z
  .enum([
    'user',
    'group',
    'vehicle',
    'driver',
    'assignment',
    'geofence',
    'rule',
    'recipient',
    'report_schedule',
    'api_token',
    'share',
    'settings',
    'profile',
    'notification',
    'incident',
    'snooze',
    'shift',
    'command',
    'task',
    'export',
    'vehicle_data',
  ])
  .meta({ id: 'AuditKind' });
export type AuditKind = z.infer<typeof auditKind>;

export const auditAction = z.enum(['created', 'changed', 'deleted', 'exported']).meta({ id: 'AuditAction' });
export type AuditAction = z.infer<typeof auditAction>;

const auditFields = z.record(z.string(), z.unknown()).nullable();

export const auditEntry = z
  .object({
    audit_id: z.int(),
    time,
    actor: z.object({
      user_id: z
        .string()
        .meta({ description: 'or `host-machine`, for commands on the machine of the server' }),
      login: z.string().meta({ description: 'at that time' }),
    }),
    token: z
      .object({ token_id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'the API token that was used' }),
    address: z.string().nullable(),
    action: auditAction,
    kind: auditKind,
    entity_id: z.string().meta({ description: 'of an export: the operation' }),
    entity_name: z.string().nullable(),
    before: auditFields.meta({
      description: 'the fields that changed; of secrets it is only said that they changed',
    }),
    after: auditFields.meta({ description: 'the same, after the change; of an export: what was asked for' }),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof auditEntry>;

const filters = {
  actor: z.string().min(1).max(64).optional().meta({ description: 'the user_id of who acted' }),
  kind: auditKind.optional(),
  action: auditAction.optional(),
  entity_id: z.string().min(1).max(64).optional(),
};

/** Of one file. */
export const longestAuditDays = 366;

export const auditRoutes = {
  list: route({
    id: 'listAuditLog',
    tag,
    method: 'GET',
    path: '/api/v1/audit',
    summary: 'List who changed or exported what, newest first',
    access: 'dealer',
    query: z
      .strictObject({ ...listQuery, ...filters, from: time.optional(), to: time.optional() })
      .check(orderError),
    reply: page(auditEntry),
  }),
  export: route({
    id: 'exportAuditLog',
    tag,
    method: 'GET',
    path: '/api/v1/audit/csv',
    summary: `Export the audit log of a period as CSV, newest first; at most ${longestAuditDays} days`,
    access: 'dealer',
    query: z.strictObject({ ...filters, from: time, to: time }).check(periodError(longestAuditDays)),
    bytes: { contentTypes: ['text/csv'] },
    exports: true,
  }),
};
