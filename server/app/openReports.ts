import { join } from 'node:path';
import type { ApiTokens } from '../auth/apiTokens.ts';
import { createDeliverReport } from '../reports/schedules/deliverReport.ts';
import { createReportSchedules } from '../reports/schedules/reportSchedules.ts';
import type { ScheduleRecord } from '../reports/schedules/scheduleRecord.ts';
import type { SendReportMail } from '../notifications/channels/email.ts';
import { ApiError, invalid } from '../http/apiError.ts';
import type { Health } from '../settings/health.ts';
import { writableFolder } from '../settings/writableFolder.ts';
import type { Collection } from '../store/entity.ts';
import { openReportJobs } from '../reports/jobs/reportJobs.ts';
import { createReportLine } from '../reports/reportLine.ts';
import { createReportMaker, type ReportRouteDeps } from '../reports/reportRoutes.ts';
import type { Store } from '../store/operations.ts';
import { wordingOf } from '../users/userRecord.ts';
import type { Logger } from 'pino';
import type { Repositories } from './openRepositories.ts';

export type Reports = Awaited<ReturnType<typeof openReports>>;

/** The threads of reports, and what runs in them without a caller who waits. */
export async function openReports(deps: {
  /** The data folder. */
  folder: string;
  store: Pick<Store, 'keepDays' | 'clipSpans'>;
  depot: Repositories;
  apiTokens: Pick<ApiTokens, 'actingFor'>;
  placesWithin: ReportRouteDeps['placesWithin'];
  settings: ReportRouteDeps['settings'];
  maps: ReportRouteDeps['maps'];
  schedules: Collection<ScheduleRecord>;
  sendReportMail: SendReportMail;
  health: Pick<Health, 'set'>;
  freeBytes: () => Promise<number>;
  clock: ReportRouteDeps['clock'];
  log: Logger;
}) {
  const { folder, store, depot, apiTokens, freeBytes, settings, maps, placesWithin, clock, log } = deps;
  const line = createReportLine(join(folder, 'telemetry.db'), (days) => {
    store
      .keepDays(days)
      .catch((error: unknown) => log.warn({ err: error }, 'days of a report were not kept'));
  });
  const groupExists = (id: string) => depot.groups.exists(id);
  const maker = createReportMaker({
    ...depot,
    line,
    store,
    groupExists,
    placesWithin,
    settings,
    maps,
    clock,
  });

  const viewerFor = apiTokens.actingFor;

  const deliver = createDeliverReport({
    data: folder,
    sendMail: deps.sendReportMail,
    mayReceive: (target) => depot.recipients.mayReceive({ channel: 'email', target }),
    depot: settings,
    wordingOf: (userId) => wordingOf(depot.users.get(userId)),
    clock,
  });
  const schedules = createReportSchedules({
    collection: deps.schedules,
    maker,
    deliver,
    checkFolder: async (path) => {
      await writableFolder(path, folder).catch((error: unknown) => {
        if (!(error instanceof ApiError))
          throw invalid('folder', error instanceof Error ? error.message : String(error));
        throw invalid('folder', error.causes?.[0] ?? error.message);
      });
    },
    recipients: depot.recipients,
    ...{ viewerFor, timezone: () => settings().timezone, health: deps.health, clock, log },
  });
  const jobs = await openReportJobs({
    folder: join(folder, 'reports'),
    ...{ maker, viewerFor, freeBytes, clock, log },
  });
  schedules.start();
  return {
    line,
    deliver,
    jobs,
    schedules,
    async close(): Promise<void> {
      await schedules.close();
      await jobs.close();
      await line.close();
    },
  };
}
