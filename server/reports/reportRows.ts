import type { GeofenceVisit, Overspeed, Stop, Trip } from '../contract/reportRows.ts';
import type { Visit } from '../geofences/visits.ts';
import type { LatLon } from '../geofences/geodesy.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import type { TimeRange } from '../geofences/scheduleClock.ts';
import type { OverspeedStretch } from './overspeed.ts';
import type { ReportVehicle } from './reportOrder.ts';
import type { TimelineInterval } from './timelineIntervals.ts';
import { addDriven, noWay, presentWay, tenths, type DrivenWay } from './drivenWay.ts';
import type { GeofencesAt } from './geofencesAt.ts';
import { pieceOf } from './trackSegments.ts';
import type { ReportFix } from './reportFix.ts';
import type { TimelineSegment } from './timeline.ts';

export function seconds(ms: number): number {
  return ms / 1_000;
}

/** 7 places of a degree are a centimetre. */
function degrees(value: number): number {
  return Math.round(value * 1e7) / 1e7;
}

export function presentGap({ from_ms, to_ms }: TimeRange) {
  return { from: isoTime(from_ms), to: isoTime(to_ms) };
}

function presentEnds({ start, end, openStart, openEnd }: TimelineInterval, { vehicle_id }: ReportVehicle) {
  return {
    vehicle_id,
    start_time: isoTime(start.time_ms),
    end_time: isoTime(end.time_ms),
    open_start: openStart,
    open_end: openEnd,
    duration_s: seconds(end.time_ms - start.time_ms),
  };
}

export function presentPlace({ lat, lon }: LatLon, vehicle: ReportVehicle, geofencesAt: GeofencesAt) {
  return {
    lat: degrees(lat),
    lon: degrees(lon),
    geozone_ids: geofencesAt({ lat, lon }, vehicle),
    // The host writes it in: the thread of reports reads no map files.
    address: null,
  };
}

export function presentTrip(
  stretch: TimelineInterval,
  vehicle: ReportVehicle,
  geofencesAt: GeofencesAt,
): Trip {
  const { start, end, fastest } = stretch;
  const way = wayByOdometer(start.odometer_m, end.odometer_m);
  return {
    ...presentEnds(stretch, vehicle),
    start: presentPlace(start, vehicle, geofencesAt),
    end: presentPlace(end, vehicle, geofencesAt),
    ...presentWay(stretch),
    odometer_m: way === null ? null : tenths(way),
    average_speed_kmh: tenths((stretch.distance_m / seconds(end.time_ms - start.time_ms)) * 3.6),
    max_speed_kmh: fastest?.kmh ?? null,
    max_speed_time: fastest === null ? null : isoTime(fastest.time_ms),
    idle_s: seconds(stretch.idle_ms),
    positions: stretch.positions,
  };
}

export function presentStop(
  stretch: TimelineInterval,
  vehicle: ReportVehicle,
  geofencesAt: GeofencesAt,
): Stop {
  return {
    ...presentEnds(stretch, vehicle),
    place: presentPlace(stretch.middle, vehicle, geofencesAt),
    idle_s: seconds(stretch.idle_ms),
    ignition_on_s: seconds(stretch.ignitionOnMs),
    gaps: stretch.gaps.map(presentGap),
    positions: stretch.positions,
  };
}

export function presentVisit(visit: Visit, way: VisitDistance, { vehicle_id }: ReportVehicle): GeofenceVisit {
  return {
    vehicle_id,
    geozone_id: visit.geozone_id,
    enter_time: isoTime(visit.enter_ms),
    exit_time: isoTime(visit.exit_ms),
    open_start: visit.open_start,
    open_end: visit.open_end,
    duration_s: seconds(visit.exit_ms - visit.enter_ms),
    ...presentWay(way),
    max_speed_kmh: way.max_speed_kmh,
    gaps: visit.gaps.map(presentGap),
  };
}

export function presentOverspeed(
  stretch: OverspeedStretch,
  vehicle: ReportVehicle,
  geofencesAt: GeofencesAt,
): Overspeed {
  const { start_ms, end_ms, fastest } = stretch;
  const duration_s = seconds(end_ms - start_ms);
  return {
    vehicle_id: vehicle.vehicle_id,
    start_time: isoTime(start_ms),
    end_time: isoTime(end_ms),
    open_start: stretch.openStart,
    open_end: stretch.openEnd,
    duration_s,
    place: presentPlace(fastest, vehicle, geofencesAt),
    limit_kmh: stretch.limit_kmh,
    limit_source: stretch.limit_source,
    geozone_id: stretch.geozone_id,
    ...presentWay(stretch),
    average_speed_kmh: tenths((stretch.distance_m / duration_s) * 3.6),
    max_speed_kmh: fastest.speed_kmh ?? 0,
    max_speed_time: isoTime(fastest.time_ms),
    positions: stretch.positions,
  };
}

/** What a vehicle did while it was inside; jitter while standing is no way. */
interface VisitDistance extends DrivenWay {
  max_speed_kmh: number | null;
}

/**
 * The ways of visits, in their order; they may overlap. Where a visit begins or ends between two fixes, it has its share
 * of the way between them.
 *
 * @param visits in order of their beginning
 * @param legs a timeline that spans them
 */
export function visitDistances(visits: readonly Visit[], legs: Iterable<TimelineSegment>): VisitDistance[] {
  const ways = visits.map((): VisitDistance => ({ ...noWay(), max_speed_kmh: null }));
  const last_ms = visits.reduce((latest, it) => Math.max(latest, it.exit_ms), -Infinity);
  let begun = 0;
  let inside: number[] = [];
  let isFirst = true;
  for (const leg of legs) {
    if (leg.from.time_ms > last_ms) break;
    while ((visits[begun]?.enter_ms ?? Infinity) <= leg.to.time_ms) inside.push(begun++);
    for (const at of inside) {
      const [visit, way] = [visits[at], ways[at]];
      if (visit === undefined || way === undefined) continue;
      const piece = pieceOf(leg, { from_ms: visit.enter_ms, to_ms: visit.exit_ms });
      if (piece !== null && leg.mark?.kind === 'trip') addDriven(way, leg, piece.share);
      for (const fix of isFirst ? [leg.from, leg.to] : [leg.to]) addSpeed(way, visit, fix);
    }
    inside = inside.filter((at) => (visits[at]?.exit_ms ?? -Infinity) > leg.to.time_ms);
    isFirst = false;
  }
  return ways;
}

function addSpeed(way: VisitDistance, { enter_ms, exit_ms }: Visit, { time_ms, speed_kmh }: ReportFix): void {
  if (speed_kmh === null || time_ms < enter_ms || time_ms > exit_ms) return;
  way.max_speed_kmh = Math.max(way.max_speed_kmh ?? 0, speed_kmh);
}

/** Null where an end bears none, and where it was set back between. */
function wayByOdometer(first: number | null, last: number | null): number | null {
  return first === null || last === null || last < first ? null : last - first;
}
