import { servePreview } from '../preview/servePreview.ts';
import { computeReport, encodeReport, type EncodedReport } from './computeReport.ts';
import type { ReportJob } from './reportOrder.ts';

servePreview<ReportJob, EncodedReport>(
  async (order, reader, onProgress) => {
    if (order.format === 'json' || order.format === 'csv') {
      return encodeReport(computeReport(order, reader, onProgress));
    }
    // Loaded by the first order that needs them: fonts and pages are a MB of code.
    const { exportReport } = await import('./export/exportReport.ts');
    return exportReport(order, reader, onProgress);
  },
  (result) => (result.kind === 'bytes' ? [result.bytes.buffer] : []),
);
