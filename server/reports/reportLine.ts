import { Worker } from 'node:worker_threads';
import { createWorkerLine, type WorkerLine } from '../workerLine.ts';
import { workerUrl } from '../workerUrl.ts';
import type { ReportOrder, ReportResult } from './reportOrder.ts';

/** One thread for all reports, which takes them one after the other: it must not take the map's core. */
export type ReportLine = WorkerLine<ReportOrder, ReportResult>;

/** @param file `telemetry.db`, which the host has opened and migrated */
export function createReportLine(file: string): ReportLine {
  return createWorkerLine<ReportOrder, ReportResult>(
    () => new Worker(workerUrl(import.meta.url, 'reports.worker'), { workerData: { file } }),
  );
}
