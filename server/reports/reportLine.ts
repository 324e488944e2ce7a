import { previewLevelsMs } from '../preview/previewWork.ts';
import { startWorker } from '../startWorker.ts';
import { createWorkerChannel, type WorkerChannel, type WorkerChannelOptions } from '../workerChannel.ts';
import type { EncodedReport } from './computeReport.ts';
import type { ReportJob } from './reportOrder.ts';

export type ReportLine = WorkerChannel<ReportJob, EncodedReport>;

/** The vehicles and geofences of a large depot and the index of them take some 150 MB; rows are bytes outside the heap. */
const heap_mb = 512;
/** What a report makes is garbage at once; the default lets as much of it pile up as the rest of the host takes. */
const young_mb = 12;

/** More than a script asks for at once; 256 connections that wait hold a few MB. */
const waiting = { per_user: 64, all: 256 };

/**
 * @param file `telemetry.db`, which the host has opened and migrated
 * @param options others than its own, for tests
 */
export function createReportLine(file: string, options: Partial<WorkerChannelOptions> = {}): ReportLine {
  return createWorkerChannel<ReportJob, EncodedReport>({
    start: () => startWorker(import.meta.url, 'reports.worker', { heap_mb, young_mb, workerData: { file } }),
    waiting,
    levels_ms: previewLevelsMs,
    ...options,
  });
}
