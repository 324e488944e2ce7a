import { servePreview } from '../preview/servePreview.ts';
import { computeReport } from './computeReport.ts';
import { encodeReport, type EncodedReport } from './encodeReport.ts';
import type { ReportJob } from './reportOrder.ts';

servePreview<ReportJob, EncodedReport>(
  (order, reader, onProgress) => encodeReport(computeReport(order, reader, onProgress)),
  (result) => (result.kind === 'bytes' ? [result.bytes.buffer] : []),
);
