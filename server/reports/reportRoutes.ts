import type { Clock } from '../clock.ts';
import { isCutByDriver, reportAddresses, reportKinds, type ReportKind } from '../contract/reportRows.ts';
import { maxReportDays, reportRoutes, reportTypes, type ReportQuery } from '../contract/reports.ts';
import type { Route } from '../contract/route.ts';
import type { SettingsFields } from '../contract/settings.ts';
import type { DriveHistory } from '../drivers/driveHistory.ts';
import type { Drivers } from '../drivers/drivers.ts';
import { geofenceOf } from '../geofences/geofenceRecord.ts';
import { checkMonitored, type Geofences } from '../geofences/geofences.ts';
import type { Groups } from '../groups/groups.ts';
import type { Api, Call } from '../http/api.ts';
import { forbidden, invalid, invalidBy, notFound } from '../http/apiError.ts';
import { holds, isDealer, missingRight, sharesGroup, type Viewer } from '../http/viewer.ts';
import type { Maps } from '../maps/maps.ts';
import type { Rules } from '../notifications/rules.ts';
import { respondWithProgress } from '../preview/answerWork.ts';
import type { PlacesWithin } from '../places/boundedPlaces.ts';
import type { WorkAsk } from '../workerChannel.ts';
import type { Store } from '../store/operations.ts';
import { resolveVehicles, type VehicleLookup } from '../telemetry/positionRoutes.ts';
import { fillSlots } from './addressSlots.ts';
import { wallClock } from './localDays.ts';
import type { ReportLine } from './reportLine.ts';
import { wordingOf } from '../users/userRecord.ts';
import type { Users } from '../users/users.ts';
import {
  numberNames,
  type RecordFilter,
  type ReportDrive,
  type ReportJob,
  type ReportThresholds,
} from './reportOrder.ts';

export interface ReportRouteDeps extends VehicleLookup {
  line: Pick<ReportLine, 'run'>;
  placesWithin: PlacesWithin;
  geofences: Pick<Geofences, 'find' | 'visible' | 'notMonitored'>;
  groups: Pick<Groups, 'all'>;
  rules: Pick<Rules, 'visible'>;
  drivers: Pick<Drivers, 'get' | 'find' | 'sees'>;
  drives: Pick<DriveHistory, 'ofVehicles'>;
  store: Pick<Store, 'clipSpans'>;
  users: Pick<Users, 'all' | 'get'>;
  settings: () => SettingsFields;
  maps: Pick<Maps, 'streetFiles'>;
  clock: Clock;
}

interface Asked extends Pick<Call<Route>, 'request' | 'response' | 'log' | 'viewer' | 'holds'> {
  query: ReportQuery;
}

type AskedBy = Pick<Asked, 'query' | 'viewer'>;

export function addReportRoutes(api: Api, deps: ReportRouteDeps): void {
  for (const kind of reportKinds) {
    // What the query of one kind has no field for is left out in it.
    const route: Route = reportRoutes[kind];
    api.handle(route, (call) => answerReport(kind, call as Asked, deps));
  }
}

async function answerReport(kind: ReportKind, call: Asked, deps: ReportRouteDeps): Promise<void> {
  checkReport(kind, call, deps);
  const isFile = call.query.format !== 'json';

  async function work(ask: WorkAsk): Promise<readonly Uint8Array[]> {
    const { pieces, name } = await makeReport(kind, call, ask, deps);
    if (isFile) call.response.set('Content-Disposition', `attachment; filename="${name}"`);
    return pieces;
  }

  await respondWithProgress(call, work, isFile ? contentTypes[call.query.format] : undefined, deps.clock);
}

const contentTypes: typeof reportTypes = {
  ...reportTypes,
  json: `${reportTypes.json}; charset=utf-8`,
  csv: `${reportTypes.csv}; charset=utf-8`,
};

/** Throws 404 for what is not there or not the viewer's, before the report waits; by its turn it may be gone. */
function checkReport(kind: ReportKind, { query, viewer }: AskedBy, deps: ReportRouteDeps): void {
  resolveVehicles(query, viewer, deps);
  geofencesFor(kind, query, viewer, deps.geofences);
  if (query.driver_id !== undefined) deps.drivers.find(query.driver_id, viewer);
}

/** A report as a file. */
export interface MadeReport {
  pieces: readonly Uint8Array[];
  contentType: string;
  /** As `trips_2026-11-01_2026-11-08.csv`. */
  name: string;
}

/** @throws {ApiError} 400 for more than one answer holds; as `checkReport`; WorkFailed */
async function makeReport(
  kind: ReportKind,
  asked: AskedBy,
  ask: WorkAsk,
  deps: ReportRouteDeps,
): Promise<MadeReport> {
  const { query } = asked;
  const drives = await drivesFor(kind, asked, deps);
  const result = await deps.line.run(() => withDrives(orderOf(kind, asked, deps), query, drives), ask);
  if (result.kind === 'too_long') {
    throw invalid('to', `makes more than ${result.max}: shorten the period or name fewer vehicles`);
  }
  const { bytes, slots } = result;
  const named = await deps.placesWithin(reportAddresses, ask)(slots.map((it) => it.point));
  const addresses = named.map((it) => it?.text ?? null);
  return {
    pieces: fillSlots(bytes, slots, addresses, query.format === 'csv' ? 'csv' : 'json'),
    contentType: contentTypes[query.format],
    name: fileName(kind, query, tzOf(asked, deps)),
  };
}

/** A report that is not asked for by its own operation. */
export interface StoredQuery {
  kind: ReportKind;
  /** With its format, as its operation takes it. */
  query: Readonly<Record<string, unknown>>;
}

export type ReportMaker = ReturnType<typeof createReportMaker>;

/** Runs reports for those who do not wait for an answer: with the same rights, and by the same threads. */
export function createReportMaker(deps: ReportRouteDeps) {
  function read({ kind, query }: StoredQuery, viewer: Viewer): AskedBy {
    const route: Route = reportRoutes[kind];
    for (const access of [route.access, route.alsoNeeds ?? 'user'] as const) {
      const missing = missingRight(viewer, access);
      if (missing !== null) throw forbidden(missing);
    }
    const parsed = reportRoutes[kind].query.safeParse(query);
    if (!parsed.success)
      throw invalid(
        'query',
        `is not as the report ${kind} takes it: ${invalidBy(parsed.error, 'query').message}`,
      );
    return { query: parsed.data, viewer };
  }
  return {
    /** Throws what its operation would: 400 for the query, 403, 404. */
    check(stored: StoredQuery, viewer: Viewer): void {
      checkReport(stored.kind, read(stored, viewer), deps);
    },
    /** @throws as `check`; 400 for more than one file holds; WorkFailed */
    make: async (stored: StoredQuery, viewer: Viewer, ask: WorkAsk): Promise<MadeReport> =>
      makeReport(stored.kind, read(stored, viewer), ask, deps),
  };
}

/** Whether a report says who drove in each row, or what of its rows. */
const isByDriver = (kind: ReportKind, { group, columns, driver_id }: ReportQuery): boolean =>
  isCutByDriver(kind) &&
  (group === 'driver' || driver_id !== undefined || columns?.includes('driver') === true);

/** Who drove the asked vehicles in the period, or in the clips that were requested in it, where the report says so. */
async function drivesFor(
  kind: ReportKind,
  { query, viewer }: AskedBy,
  { drives, drivers, store, ...deps }: ReportRouteDeps,
): Promise<ReadonlyMap<string, ReportDrive[]>> {
  const found = new Map<string, ReportDrive[]>();
  if (isCutByDriver(kind) && !isByDriver(kind, query)) return found;
  const asked = { from_ms: Date.parse(query.from), to_ms: Date.parse(query.to) };
  const all = resolveVehicles(query, viewer, deps).map((it) => it.vehicle_id);
  const clips = kind === 'video' ? await store.clipSpans(asked) : null;
  const withClips = new Set(clips?.vehicle_ids);
  const vehicles = clips === null ? all : all.filter((it) => withClips.has(it));
  const period =
    clips === null ? asked : { ...clips, from_ms: Math.max(clips.from_ms, asked.from_ms - longestLookMs) };
  for (const { vehicle_id, from_ms, to_ms, driver_id, card } of await drives.ofVehicles(vehicles, period)) {
    const driver = driver_id === null ? undefined : drivers.get(driver_id);
    const isSeen = driver !== undefined && drivers.sees(viewer, driver);
    const drive = { from_ms, to_ms, driver_id: isSeen ? driver_id : null, name: driver?.name ?? card ?? '' };
    const others = found.get(vehicle_id);
    if (others === undefined) found.set(vehicle_id, [drive]);
    else others.push(drive);
  }
  return found;
}

/** Of clips that were recorded longer ago it is not looked up who drove. */
const longestLookMs = maxReportDays * 86_400_000;

function withDrives(
  job: ReportJob,
  { driver_id }: ReportQuery,
  drives: ReadonlyMap<string, ReportDrive[]>,
): ReportJob {
  const vehicles = job.vehicles.map((it) => {
    const driven = drives.get(it.vehicle_id);
    return driven === undefined ? it : { ...it, drives: driven };
  });
  if (driver_id === undefined) return { ...job, vehicles };
  // Those that somebody else drove all the time need not be read.
  const isDrivenBy = (it: ReportJob['vehicles'][number]) =>
    it.drives?.some((drive) => drive.driver_id === driver_id) === true;
  return { ...job, driver_id, vehicles: vehicles.filter(isDrivenBy) };
}

/** Throws 404 for what is not there or not the viewer's. */
function orderOf(kind: ReportKind, { query, viewer }: AskedBy, deps: ReportRouteDeps): ReportJob {
  const { geofences, settings, clock } = deps;
  return {
    kind,
    format: query.format,
    period: { from_ms: Date.parse(query.from), to_ms: Date.parse(query.to) },
    now_ms: clock.now(),
    tz: tzOf({ query }, deps),
    wording: wordingOf(deps.users.get(viewer.user.user_id)),
    numbers: numbersOf(settings(), query),
    vehicles: resolveVehicles(query, viewer, deps).map(
      ({ vehicle_id, name, plate, terminal_id, group_ids, speed_limit_kmh }) => ({
        vehicle_id,
        name,
        plate,
        terminal_id,
        group_ids,
        speed_limit_kmh,
      }),
    ),
    geofences: geofencesFor(kind, query, viewer, geofences).map(geofenceOf),
    min_duration_s: query.min_duration_s ?? 0,
    limit_kmh: query.limit_kmh ?? null,
    working_hours: {
      days: query.work_days ?? [1, 2, 3, 4, 5],
      from: query.work_from ?? '00:00',
      to: query.work_to ?? '00:00',
    },
    filter: filterOf(query, viewer, deps),
    by_driver: isByDriver(kind, query),
    layout: layoutOf(query),
    names: namesFor(kind, { query, viewer }, deps),
    maps: query.format === 'xlsx' || query.format === 'pdf' ? deps.maps.streetFiles() : [],
  };
}

/** Callers without the right to read geofences do not see which ones contain a location; reports by days name none. */
function geofencesFor(
  kind: ReportKind,
  query: ReportQuery,
  viewer: Viewer,
  geofences: ReportRouteDeps['geofences'],
) {
  if (!namesGeofences(kind)) return [];
  const { geozone_id } = query;
  if (holds(viewer, 'geofences', 'read')) {
    return geozone_id === undefined
      ? geofences.visible(viewer).filter((it) => geofences.notMonitored(it.geozone_id) === null)
      : [checkMonitored(geofences, geofences.find(geozone_id, viewer))];
  }
  if (geozone_id !== undefined) throw notFound('geofence');
  return [];
}

const namesGeofences = (kind: ReportKind) =>
  !['summary', 'daily', 'utilisation', 'hours', 'video'].includes(kind);

/** Throws 404 for a rule that the viewer does not see. */
function filterOf(query: ReportQuery, viewer: Viewer, { rules, geofences }: ReportRouteDeps): RecordFilter {
  const { kind: kinds = null, rule_id = null, acknowledged, status: statuses = null } = query;
  const rule_ids = holds(viewer, 'notifications', 'read')
    ? rules.visible(viewer).map((it) => it.rule_id)
    : [];
  // Dealers see what rules recorded that are gone.
  if (rule_id !== null && !isDealer(viewer) && !rule_ids.includes(rule_id)) throw notFound('rule');
  const geozone_ids = holds(viewer, 'geofences', 'read')
    ? geofences.visible(viewer).map((it) => it.geozone_id)
    : [];
  return {
    kinds,
    rule_id,
    acknowledged: acknowledged === undefined ? null : acknowledged === '1',
    statuses,
    seen: isDealer(viewer) ? null : { geozone_ids, rule_ids },
  };
}

/** What is shown of a report in a file, and how. */
function layoutOf({ columns, sort, group }: ReportQuery): ReportJob['layout'] {
  const isDesc = sort?.startsWith('-') === true;
  return {
    columns: columns === undefined || columns.length === 0 ? null : [...new Set(columns)],
    sort: sort === undefined ? null : { column: isDesc ? sort.slice(1) : sort, desc: isDesc },
    group_by: group ?? 'none',
  };
}

function namesFor(
  kind: ReportKind,
  { query, viewer }: AskedBy,
  { rules, users, groups: all }: ReportRouteDeps,
): ReportJob['names'] {
  const { group, group_id } = query;
  const named =
    group === 'group'
      ? all
          .all()
          .filter((it) => it.group_id === (group_id ?? it.group_id) && sharesGroup(viewer, [it.group_id]))
      : [];
  const groups = new Map(named.map((it) => [it.group_id, it.name]));
  if (kind !== 'events' && kind !== 'video') return { rules: new Map(), users: new Map(), groups };
  const seen = holds(viewer, 'notifications', 'read') ? rules.visible(viewer) : [];
  return {
    rules: new Map(seen.map((it) => [it.rule_id, it.name])),
    users: new Map(users.all().map((it) => [it.user_id, it.login])),
    groups,
  };
}

function tzOf({ query }: Pick<Asked, 'query'>, { settings }: ReportRouteDeps): string {
  return query.tz ?? settings().timezone;
}

/** The settings', but for those that the call brings. */
function numbersOf(settings: SettingsFields, query: ReportQuery): ReportThresholds {
  const brought: Partial<Record<string, unknown>> = query;
  const numbers = Object.fromEntries(
    numberNames.map((name) => [name, typeof brought[name] === 'number' ? brought[name] : settings[name]]),
  );
  return numbers as ReportThresholds;
}

/** As `trips_2026-11-01_2026-11-08.csv`, by the days of the period's ends. */
function fileName(kind: ReportKind, { from, to, format }: ReportQuery, tz: string): string {
  const clockAt = wallClock(tz);
  const [first, last] = [from, to].map((time) => clockAt(Date.parse(time)).slice(0, 10));
  return `${kind}_${first ?? ''}_${last ?? ''}.${format}`;
}
