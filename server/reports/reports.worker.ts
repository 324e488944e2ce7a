import { servePast } from '../past/servePast.ts';
import { computeReport } from './computeReport.ts';
import type { ReportOrder, ReportResult } from './reportOrder.ts';

servePast<ReportOrder, ReportResult>(computeReport);
