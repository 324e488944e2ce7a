import type { DepotTime } from '../format/depotTime.ts';
import { namedPeriod, type Period } from '../ui/period.ts';
import type { z } from 'zod';
import { reportRoutes, reportSchemas } from '../../server/contract/reports.ts';

/** The kinds of reports: each with its operation, and how its answer is read. */
export const reportKinds = {
  summary: { route: reportRoutes.summary, schema: reportSchemas.summary },
  trips: { route: reportRoutes.trips, schema: reportSchemas.trips },
  stops: { route: reportRoutes.stops, schema: reportSchemas.stops },
  visits: { route: reportRoutes['geofence-visits'], schema: reportSchemas['geofence-visits'] },
} as const;

export type ReportKind = keyof typeof reportKinds;

export const REPORT_KINDS = Object.keys(reportKinds) as ReportKind[];

type ReportOf<K extends ReportKind> = z.output<(typeof reportKinds)[K]['schema']>;

/** A report as it was answered, with its kind. */
export type Answered = { [K in ReportKind]: { kind: K; report: ReportOf<K> } }[ReportKind];

/** What a report is asked for; it stands in the address, so that it can be sent to a colleague. */
export interface ReportFilter {
  kind: ReportKind;
  period: Period;
  /** One vehicle, or all that the operator sees. */
  vehicleId: string | null;
  groupId: string | null;
  /** Of visits: one geofence, or all. */
  geozoneId: string | null;
}

/** Reads an address; what is missing or wrong there is the usual: trips of today. */
export function readFilter(
  query: Readonly<Record<string, string>>,
  now: number,
  time: Pick<DepotTime, 'dayStart'>,
): ReportFilter {
  const from = Date.parse(query['from'] ?? '');
  const to = Date.parse(query['to'] ?? '');
  return {
    kind: REPORT_KINDS.find((kind) => kind === query['kind']) ?? 'trips',
    period: from < to ? { from, to } : namedPeriod('today', now, time),
    vehicleId: query['vehicle'] ?? null,
    groupId: query['group'] ?? null,
    geozoneId: query['geofence'] ?? null,
  };
}

/** What the screen of reports is left with and comes back with. */
export interface ReportsView {
  /** As the form stands; null before the first visit. */
  filter: ReportFilter | null;
  /** The report that is shown, and what it was asked for. */
  shown: { answered: Answered; filter: ReportFilter } | null;
}

/** What the form begins with: what the address asks for, else what it was left with. */
export function firstFilter(
  view: ReportsView,
  query: Readonly<Record<string, string>>,
  now: number,
  time: Pick<DepotTime, 'dayStart'>,
): ReportFilter {
  const isAsked = Object.keys(query).length > 0;
  return isAsked ? readFilter(query, now, time) : (view.filter ?? readFilter({}, now, time));
}

export function writeFilter(filter: ReportFilter): Record<string, string | null> {
  return {
    kind: filter.kind,
    from: new Date(filter.period.from).toISOString(),
    to: new Date(filter.period.to).toISOString(),
    vehicle: filter.vehicleId,
    group: filter.groupId,
    geofence: filter.geozoneId,
  };
}

/** The query of the operation. */
export function askedOf({ kind, period, vehicleId, groupId, geozoneId }: ReportFilter) {
  return {
    from: new Date(period.from).toISOString(),
    to: new Date(period.to).toISOString(),
    ...(vehicleId === null ? {} : { vehicle: vehicleId }),
    ...(groupId === null ? {} : { group_id: groupId }),
    ...(kind === 'visits' && geozoneId !== null ? { geozone_id: geozoneId } : {}),
  };
}
