import { servePast } from '../preview/servePast.ts';
import { computeReport } from './computeReport.ts';
import { encodeReport, type EncodedReport } from './encodeReport.ts';
import type { ReportJob } from './reportOrder.ts';

servePast<ReportJob, EncodedReport>(
  (order, reader, onProgress) => encodeReport(computeReport(order, reader, onProgress)),
  (result) => (result.kind === 'bytes' ? [result.bytes.buffer] : []),
);
