import { pastLevels_ms } from '../past/pastWork.ts';
import { startWorker } from '../startWorker.ts';
import { createWorkerLine, type WorkerLine, type WorkerLineOptions } from '../workerLine.ts';
import type { EncodedReport } from './encodeReport.ts';
import type { ReportOrder } from './reportOrder.ts';

export type ReportLine = WorkerLine<ReportOrder, EncodedReport>;

/** The vehicles and geofences of a large depot and the index of them take some 150 MB; rows are bytes outside the heap. */
const heap_mb = 512;

/** More than a script asks for at once; 256 connections that wait hold a few MB. */
const waiting = { per_user: 64, all: 256 };

/**
 * @param file `telemetry.db`, which the host has opened and migrated
 * @param options others than its own, for tests
 */
export function createReportLine(file: string, options: Partial<WorkerLineOptions> = {}): ReportLine {
  return createWorkerLine<ReportOrder, EncodedReport>({
    start: () => startWorker(import.meta.url, 'reports.worker', { heap_mb, workerData: { file } }),
    waiting,
    levels_ms: pastLevels_ms,
    ...options,
  });
}
