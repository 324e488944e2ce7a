import type { z } from 'zod';
import { reportRoutes, reportSchemas } from '../../server/contract/reports.ts';
import { reportKinds, type ReportKind } from '../../server/contract/reportRows.ts';
import { tripThresholds } from '../../server/contract/settings.ts';
import type { DepotTime } from '../format/depotTime.ts';
import { namedPeriod, type Period } from '../ui/period.ts';

/** How a kind of report is asked for, and how its answer is read. */
export const reportSource = (kind: ReportKind) => ({
  route: reportRoutes[kind],
  schema: reportSchemas[kind],
});

/** A report as it was answered, with its kind. */
export type Answered = {
  [Kind in ReportKind]: { kind: Kind; report: z.output<(typeof reportSchemas)[Kind]> };
}[ReportKind];

/** What some kinds of reports can be asked with beyond vehicles and a period: parameters of the operation, as typed. */
export const reportParameters = {
  'geofence-visits': ['min_duration_s'],
  overspeed: ['limit_kmh', 'overspeed_min_duration_s'],
  hours: ['work_days', 'work_from', 'work_to'],
} as const satisfies { [Kind in ReportKind]?: readonly string[] };
type OwnParameterName = (typeof reportParameters)[keyof typeof reportParameters][number];

export const parametersOf = (kind: ReportKind): readonly OwnParameterName[] =>
  kind in reportParameters ? reportParameters[kind as keyof typeof reportParameters] : [];

const tripNames = [...tripThresholds, 'idle_speed_kmh', 'idle_s'] as const;

/** Thresholds by which the rows of a kind are found, parameters of the operation too. */
const reportThresholds = {
  summary: tripNames,
  daily: tripNames,
  utilisation: tripNames,
  hours: tripNames,
  trips: tripNames,
  stops: tripNames,
  overspeed: ['overspeed_tolerance_kmh', 'overspeed_clear_s', 'overspeed_gap_s'],
} as const satisfies { [Kind in ReportKind]?: readonly string[] };
type ThresholdName = (typeof reportThresholds)[keyof typeof reportThresholds][number];

export const thresholdsOf = (kind: ReportKind): readonly ThresholdName[] =>
  kind in reportThresholds ? reportThresholds[kind as keyof typeof reportThresholds] : [];

export type ParameterName = OwnParameterName | ThresholdName;

/** What a report is asked for; it stands in the address, so that it can be sent to a colleague. */
export interface ReportFilter {
  kind: ReportKind;
  period: Period;
  /** None: all that the operator sees. */
  vehicleIds: readonly string[];
  groupId: string | null;
  /** One driver, or all. */
  driverId: string | null;
  /** Of visits: one geofence, or all. */
  geozoneId: string | null;
  /** Those that are left out are as the settings say. */
  parameters: Readonly<Partial<Record<ParameterName, string>>>;
}

const allParameters: readonly ParameterName[] = [
  ...Object.values(reportParameters).flat(),
  ...tripNames,
  ...reportThresholds.overspeed,
];

/** Of addresses that were sent to a colleague before: kinds by other names. */
const FORMER_KINDS: Readonly<Record<string, ReportKind>> = { visits: 'geofence-visits' };

/** Reads an address; what is missing or wrong there is the usual: trips of today. */
export function readFilter(
  query: Readonly<Record<string, string>>,
  now: number,
  time: Pick<DepotTime, 'dayStart'>,
): ReportFilter {
  const from = Date.parse(query['from'] ?? '');
  const to = Date.parse(query['to'] ?? '');
  const kind = query['kind'] ?? '';
  return {
    kind: FORMER_KINDS[kind] ?? reportKinds.find((it) => it === kind) ?? 'trips',
    period: from < to ? { from, to } : namedPeriod('today', now, time),
    vehicleIds: (query['vehicle'] ?? '').split(',').filter((it) => it !== ''),
    groupId: query['group'] ?? null,
    driverId: query['driver'] ?? null,
    geozoneId: query['geofence'] ?? null,
    parameters: Object.fromEntries(
      allParameters.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
    ),
  };
}

/** What the form begins with: what the address asks for, else what it was left with. */
export function firstFilter(
  view: { filter: ReportFilter | null },
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
    vehicle: filter.vehicleIds.length === 0 ? null : filter.vehicleIds.join(','),
    group: filter.groupId,
    driver: filter.driverId,
    geofence: filter.geozoneId,
    ...Object.fromEntries(allParameters.map((name) => [name, filter.parameters[name] ?? null])),
  };
}

/** Whether an address asks for what the form has already. */
export function isNamedBy(filter: ReportFilter, query: Readonly<Record<string, string>>): boolean {
  return Object.entries(writeFilter(filter)).every(([name, value]) => (query[name] ?? null) === value);
}

/** The query of the operation. */
export function askedOf({
  kind,
  period,
  vehicleIds,
  groupId,
  driverId,
  geozoneId,
  parameters,
}: ReportFilter) {
  return {
    from: new Date(period.from).toISOString(),
    to: new Date(period.to).toISOString(),
    ...(vehicleIds.length === 0 ? {} : { vehicle: vehicleIds.join(',') }),
    ...(groupId === null ? {} : { group_id: groupId }),
    ...(driverId === null ? {} : { driver_id: driverId }),
    ...(kind === 'geofence-visits' && geozoneId !== null ? { geozone_id: geozoneId } : {}),
    ...Object.fromEntries(
      [...parametersOf(kind), ...thresholdsOf(kind)].flatMap((name) =>
        (parameters[name] ?? '').trim() === '' ? [] : [[name, parameters[name]]],
      ),
    ),
  };
}
