import { previewLevelsMs } from '../preview/previewWork.ts';
import { startWorker } from '../startWorker.ts';
import { createWorkerChannel, type WorkerChannel, type WorkerChannelOptions } from '../workerChannel.ts';
import type { NewDays } from '../store/telemetry/dayRecordsTable.ts';
import type { EncodedReport } from './computeReport.ts';
import type { ReportJob } from './reportOrder.ts';

export type ReportLine = WorkerChannel<ReportJob, EncodedReport>;

/** The vehicles and geofences of a large depot and the index of them take some 150 MB; rows are bytes outside the heap. */
const heap_mb = 512;
/** What a report makes is garbage at once; the default lets as much of it pile up as the rest of the host takes. */
const young_mb = 12;

/** More than a script asks for at once; 256 connections that wait hold a few MB. */
const waiting = { per_user: 64, all: 256 };

/** What the thread hands over: the report, and the days that it worked out on the way. */
export interface WorkedReport {
  report: EncodedReport;
  days: NewDays[];
}

/**
 * @param file `telemetry.db`, which the host has opened and migrated
 * @param keepDays keeps days for later reports; a report does not wait for it
 * @param options others than its own, for tests
 */
export function createReportLine(
  file: string,
  keepDays: (days: NewDays) => void,
  options: Partial<WorkerChannelOptions> = {},
): ReportLine {
  const channel = createWorkerChannel<ReportJob, WorkedReport>({
    start: () => startWorker(import.meta.url, 'reports.worker', { heap_mb, young_mb, workerData: { file } }),
    waiting,
    levels_ms: previewLevelsMs,
    ...options,
  });
  return {
    ...channel,
    async run(makeOrder, ask) {
      const { report, days } = await channel.run(makeOrder, ask);
      days.forEach(keepDays);
      return report;
    },
  };
}
