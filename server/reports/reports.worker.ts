import { servePreview } from '../preview/servePreview.ts';
import type { NewDays } from '../store/telemetry/dayRecordsTable.ts';
import { computeReport, encodeReport } from './computeReport.ts';
import type { WorkedReport } from './reportLine.ts';
import type { ReportJob } from './reportOrder.ts';

servePreview<ReportJob, WorkedReport>(
  async (order, reader, onProgress) => {
    const days: NewDays[] = [];
    const keep = (it: NewDays) => void days.push(it);
    if (order.format === 'json' || order.format === 'csv') {
      return { report: encodeReport(computeReport(order, reader, onProgress, keep)), days };
    }
    // Loaded by the first order that needs them: fonts and pages are a MB of code.
    const { exportReport } = await import('./export/exportReport.ts');
    return { report: await exportReport(order, reader, onProgress, keep), days };
  },
  ({ report, days }) => [
    ...(report.kind === 'bytes' ? [report.bytes.buffer] : []),
    ...days.map((it) => it.days.buffer),
  ],
);
