import type { z } from 'zod';
import {
  reportRoutes,
  stopsReport,
  summaryReport,
  tripsReport,
  visitsReport,
} from '../../server/contract/reports.ts';

/** The kinds of reports: each with its operation, and how its answer is read. */
export const reportKinds = {
  summary: { route: reportRoutes.summary, schema: summaryReport },
  trips: { route: reportRoutes.trips, schema: tripsReport },
  stops: { route: reportRoutes.stops, schema: stopsReport },
  visits: { route: reportRoutes.visits, schema: visitsReport },
} as const;

export type ReportKind = keyof typeof reportKinds;

export const REPORT_KINDS = Object.keys(reportKinds) as ReportKind[];

export type ReportOf<K extends ReportKind> = z.output<(typeof reportKinds)[K]['schema']>;

/** A report as it was answered, with its kind. */
export type Answered = { [K in ReportKind]: { kind: K; report: ReportOf<K> } }[ReportKind];
