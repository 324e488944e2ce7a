import { servePreview } from '../preview/servePreview.ts';
import { computeReport, encodeReport, type EncodedReport } from './computeReport.ts';
import type { ReportJob } from './reportOrder.ts';

servePreview<ReportJob, EncodedReport>(
  (order, reader, onProgress) => encodeReport(computeReport(order, reader, onProgress)),
  (result) => (result.kind === 'bytes' ? [result.bytes.buffer] : []),
);
