import { setTimeout } from 'node:timers/promises';
import { reportJobRoutes } from '../../../server/contract/reportJobs.ts';
import { always, type Field, type OperationAttack } from '../attack.ts';
import { unknownId } from '../depot.ts';
import { lastDays } from './accounts.ts';
import { tightest, year } from './pastAndVideo.ts';

const longest = Object.fromEntries(Array.from({ length: 3 }, (_, at) => [`field${at}`, 'x'.repeat(4_000)]));
const schedule = (at: number) => ({
  ...{ name: `Report ${at}`.padEnd(120, 'x'), kind: 'trips', format: 'csv', every: 'day' },
  query: tightest,
  email_to: Array.from({ length: 20 }, (_, to) => `${at}-${to}@port.example`),
});

const approveDomain = (keeper: Field['keeper']) =>
  keeper.post('/api/v1/notifications/recipients', { kind: 'mail_domain', address: 'port.example' });

/** Adds one that belongs to the attacker. */
async function aSchedule({ attacker, keeper }: Field): Promise<string> {
  await approveDomain(keeper);
  const made = await attacker.post('/api/v1/reports/schedules', {
    ...schedule(0),
    email_to: ['boss@port.example'],
  });
  return (made.body as { schedule_id?: string }).schedule_id ?? unknownId;
}

/** Reports in the background, and scheduled ones. */
export const laterReportAttacks: readonly OperationAttack[] = [
  {
    operation: 'createReportJob',
    does: 'as many reports of a year of all as may wait, by the tightest numbers',
    calls: always((field) => ({
      body: { kind: 'trips', format: 'csv', query: { ...year(field), ...tightest } },
    })),
  },
  {
    operation: 'createReportJob',
    variant: 'long',
    does: 'the longest queries, each refused',
    calls: always((field) => ({
      body: { kind: 'trips', format: 'csv', query: { ...year(field), vehicle: 'x'.repeat(4_000) } },
    })),
  },
  { operation: 'listReportJobs', does: 'as often as may be', calls: always({}) },
  ...(['getReportJob', 'deleteReportJob'] as const).map((operation): OperationAttack => ({
    operation,
    does: 'one that is not there',
    calls: always({ params: { job_id: unknownId } }),
  })),
  {
    operation: 'getReportJobResult',
    does: 'the result of a week of all, which is never read',
    unread: true,
    connections: 180,
    async calls({ depot, attacker }) {
      const params = {
        job_id: (
          await attacker.ask(reportJobRoutes.create, {
            body: { kind: 'stops', format: 'csv', query: lastDays(depot.now_ms, 7) },
          })
        ).job_id,
      };
      while (['queued', 'running'].includes((await attacker.ask(reportJobRoutes.get, { params })).state))
        await setTimeout(1_000);
      return () => ({ params });
    },
  },
  { operation: 'listReportSchedules', does: 'all of them', calls: always({ query: { limit: 1_000 } }) },
  {
    operation: 'createReportSchedule',
    does: 'as many as a user may have, to twenty addresses each',
    async calls({ keeper }) {
      await approveDomain(keeper);
      return (at) => ({ body: schedule(at) });
    },
  },
  {
    operation: 'createReportSchedule',
    variant: 'long',
    does: 'the longest queries, each refused',
    calls: () => (at) => ({ body: { ...schedule(at), query: longest } }),
  },
  {
    operation: 'patchReportSchedule',
    does: 'its time to and fro',
    async calls(field) {
      const schedule_id = await aSchedule(field);
      return (at) => ({ params: { schedule_id }, body: { at: at % 2 === 0 ? '05:00' : '06:00' } });
    },
  },
  ...(['getReportSchedule', 'deleteReportSchedule'] as const).map((operation): OperationAttack => ({
    operation,
    does: 'one that is not there',
    calls: always({ params: { schedule_id: unknownId } }),
  })),
  {
    operation: 'runReportSchedule',
    does: 'as often as may be, each time by email',
    async calls(field) {
      const schedule_id = await aSchedule(field);
      return () => ({ params: { schedule_id } });
    },
  },
];
