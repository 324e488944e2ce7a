import { servePast } from '../past/servePast.ts';
import { computeReport } from './computeReport.ts';
import { encodeReport, type EncodedReport } from './encodeReport.ts';
import type { ReportOrder } from './reportOrder.ts';

servePast<ReportOrder, EncodedReport>(
  (order, reader, onProgress) => encodeReport(computeReport(order, reader, onProgress)),
  (result) => (result.kind === 'bytes' ? [result.bytes.buffer] : []),
);
