import type { Clock } from '../clock.ts';
import { reportAddresses, reportRoutes, type TripQuery, type VisitQuery } from '../contract/reports.ts';
import type { Route } from '../contract/route.ts';
import type { SettingsFields } from '../contract/settings.ts';
import { geofenceOf } from '../geofences/geofenceRecord.ts';
import { checkMonitored, type Geofences } from '../geofences/geofences.ts';
import type { Api, Call } from '../http/api.ts';
import { invalid, notFound } from '../http/apiError.ts';
import { holds, type Viewer } from '../http/viewer.ts';
import { respondWithProgress } from '../preview/answerWork.ts';
import type { PlacesWithin } from '../places/boundedPlaces.ts';
import type { WorkAsk } from '../workerChannel.ts';
import { resolveVehicles, type VehicleLookup } from '../telemetry/positionRoutes.ts';
import { fillSlots } from './addressSlots.ts';
import { wallClock } from './localDays.ts';
import type { ReportLine } from './reportLine.ts';
import { numberNames, type ReportKind, type ReportThresholds, type ReportJob } from './reportOrder.ts';

export interface ReportRouteDeps extends VehicleLookup {
  line: Pick<ReportLine, 'run'>;
  placesWithin: PlacesWithin;
  geofences: Pick<Geofences, 'find' | 'visible' | 'notMonitored'>;
  settings: () => SettingsFields;
  clock: Clock;
}

interface Asked extends Pick<Call<Route>, 'request' | 'response' | 'log' | 'viewer' | 'holds'> {
  query: TripQuery | VisitQuery;
}

export function addReportRoutes(api: Api, deps: ReportRouteDeps): void {
  api.handle(reportRoutes.summary, (call) => answerReport('summary', call, deps));
  api.handle(reportRoutes.trips, (call) => answerReport('trips', call, deps));
  api.handle(reportRoutes.stops, (call) => answerReport('stops', call, deps));
  api.handle(reportRoutes.visits, (call) => answerReport('geofence-visits', call, deps));
}

async function answerReport(kind: ReportKind, call: Asked, deps: ReportRouteDeps): Promise<void> {
  const { query, viewer } = call;
  // Throws 404 for what is not there or not the viewer's, before the report waits; by its turn it may be gone.
  resolveVehicles(query, viewer, deps);
  geofencesFor(kind, query, viewer, deps.geofences);

  const isCsv = query.format === 'csv';

  async function work(ask: WorkAsk): Promise<Uint8Array[]> {
    const result = await deps.line.run(() => orderOf(kind, call, deps), ask);
    if (result.kind === 'too_long') {
      throw invalid('to', `makes more than ${result.max}: shorten the period or name fewer vehicles`);
    }
    if (isCsv) {
      const name = fileName(kind, query, tzOf(call, deps));
      call.response.set('Content-Disposition', `attachment; filename="${name}"`);
    }
    const { bytes, slots } = result;
    const named = await deps.placesWithin(reportAddresses, ask)(slots.map((it) => it.point));
    const addresses = named.map((it) => it?.text ?? null);
    return fillSlots(bytes, slots, addresses, query.format);
  }

  await respondWithProgress(call, work, isCsv ? 'text/csv; charset=utf-8' : undefined, deps.clock);
}

/** Throws 404 for what is not there or not the viewer's. */
function orderOf(kind: ReportKind, { query, viewer }: Asked, deps: ReportRouteDeps): ReportJob {
  const { geofences, settings, clock } = deps;
  return {
    kind,
    format: query.format,
    period: { from_ms: Date.parse(query.from), to_ms: Date.parse(query.to) },
    now_ms: clock.now(),
    tz: tzOf({ query }, deps),
    numbers: numbersOf(settings(), query),
    vehicles: resolveVehicles(query, viewer, deps).map(
      ({ vehicle_id, name, plate, terminal_id, group_ids }) => ({
        vehicle_id,
        name,
        plate,
        terminal_id,
        group_ids,
      }),
    ),
    geofences: geofencesFor(kind, query, viewer, geofences).map(geofenceOf),
    min_duration_s: ('min_duration_s' in query ? query.min_duration_s : undefined) ?? 0,
  };
}

/** Callers without the right to read geofences do not see which ones contain a location; a summary names none. */
function geofencesFor(
  kind: ReportKind,
  query: TripQuery | VisitQuery,
  viewer: Viewer,
  geofences: ReportRouteDeps['geofences'],
) {
  if (kind === 'summary') return [];
  const geozone_id = 'geozone_id' in query ? query.geozone_id : undefined;
  if (holds(viewer, 'geofences', 'read')) {
    return geozone_id === undefined
      ? geofences.visible(viewer).filter((it) => geofences.notMonitored(it.geozone_id) === null)
      : [checkMonitored(geofences, geofences.find(geozone_id, viewer))];
  }
  if (geozone_id !== undefined) throw notFound('geofence');
  return [];
}

function tzOf({ query }: Pick<Asked, 'query'>, { settings }: ReportRouteDeps): string {
  return query.tz ?? settings().timezone;
}

/** The settings', but for those that the call brings. */
function numbersOf(settings: SettingsFields, query: TripQuery | VisitQuery): ReportThresholds {
  const brought: Partial<Record<string, unknown>> = query;
  const numbers = Object.fromEntries(
    numberNames.map((name) => [name, typeof brought[name] === 'number' ? brought[name] : settings[name]]),
  );
  return numbers as ReportThresholds;
}

/** As `trips_2026-11-01_2026-11-08.csv`, by the days of the period's ends. */
function fileName(kind: ReportKind, { from, to }: TripQuery | VisitQuery, tz: string): string {
  const clockAt = wallClock(tz);
  const [first, last] = [from, to].map((time) => clockAt(Date.parse(time)).slice(0, 10));
  return `${kind}_${first ?? ''}_${last ?? ''}.csv`;
}
