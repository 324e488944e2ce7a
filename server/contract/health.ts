import { z } from 'zod';
import { causes } from './causes.ts';
import { time } from './fields.ts';
import { route } from './route.ts';

/** What keeps the host from working fully. Those of `failing` keep it from storing what terminals send. */
export const troubleCodes = {
  disk_full: 'failing',
  store_failed: 'failing',
  disk_low: 'degraded',
  document_failed: 'degraded',
  restored_from_backup: 'degraded',
  secrets_unreadable: 'degraded',
  intake_stopped: 'degraded',
  intake_silent: 'degraded',
  channel_failing: 'degraded',
  clock_jump: 'degraded',
  host_asleep: 'degraded',
  backup_overdue: 'degraded',
  report_failing: 'degraded',
  incidents_full: 'degraded',
  unresponsive: 'degraded',
  unexpected_restart: 'degraded',
} as const;
export type TroubleCode = keyof typeof troubleCodes;

export const troubleCode = z.enum(Object.keys(troubleCodes) as [TroubleCode, ...TroubleCode[]]);

const healthStatus = z.enum(['ok', 'degraded', 'failing']);

const healthReason = z
  .object({
    code: troubleCode,
    since: time,
    detail: z.string().nullable().meta({ description: 'only for dealers; else null' }),
    causes,
  })
  .meta({ id: 'HealthReason' });

/** How the host does, as users see it. */
export const health = z
  .object({
    status: healthStatus,
    reasons: z.array(healthReason).meta({ description: 'the worst first' }),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof health>;

const tag = 'Service';

export const healthRoutes = {
  health: route({
    id: 'getHealth',
    tag,
    method: 'GET',
    path: '/api/v1/health',
    summary:
      'Check whether the server works; `failing` is answered with 503. Without a JWT only the status is in the answer',
    access: 'anybody',
    reply: z.object({
      status: healthStatus,
      version: z.string().optional(),
      reasons: z.array(healthReason).optional(),
    }),
    otherStatuses: [503],
    errors: ['jwt_invalid', 'jwt_expired', 'session_revoked', 'session_expired', 'rate_limited'],
  }),
  metrics: route({
    id: 'getMetrics',
    tag,
    method: 'GET',
    path: '/metrics',
    summary: 'Metrics of the server for Prometheus',
    access: 'dealer',
    bytes: { contentTypes: ['text/plain'] },
  }),
};
