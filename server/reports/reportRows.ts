import type { GeofenceVisit, Stop, Trip, VehicleSummary } from '../contract/reports.ts';
import type { Visit } from '../geofences/visits.ts';
import type { LatLon } from '../geofences/geodesy.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import type { TimeRange } from '../geofences/scheduleClock.ts';
import type { ReportVehicle } from './reportOrder.ts';
import type { TimelineInterval } from './timelineIntervals.ts';
import { wayByOdometer, type DaySums, type SummarySums } from './summary.ts';
import type { Geofence } from '../contract/geofences.ts';
import { createGeofenceIndex, type IndexedGeofence } from '../geofences/geofenceIndex.ts';
import { pieceOf } from './trackSegments.ts';
import type { ReportFix } from './reportFix.ts';
import type { TimelineSegment } from './timeline.ts';

/** Numbers are rounded to a tenth of a metre and of a km/h; times to the millisecond, so that they add up. */
function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

function seconds(ms: number): number {
  return ms / 1_000;
}

/** 7 places of a degree are a centimetre. */
function degrees(value: number): number {
  return Math.round(value * 1e7) / 1e7;
}

function presentGap({ from_ms, to_ms }: TimeRange) {
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

function presentPlace({ lat, lon }: LatLon, vehicle: ReportVehicle, geofencesAt: GeofencesAt) {
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
  const { start, end, distance_m, fastest } = stretch;
  const way = wayByOdometer(start.odometer_m, end.odometer_m);
  return {
    ...presentEnds(stretch, vehicle),
    start: presentPlace(start, vehicle, geofencesAt),
    end: presentPlace(end, vehicle, geofencesAt),
    distance_m: tenths(distance_m),
    odometer_m: way === null ? null : tenths(way),
    average_speed_kmh: tenths((distance_m / seconds(end.time_ms - start.time_ms)) * 3.6),
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

export function presentSummary(sums: SummarySums, { vehicle_id }: ReportVehicle): VehicleSummary {
  const days = sums.days.map(presentDay);
  const total = (of: (day: (typeof days)[number]) => number) => days.reduce((sum, day) => sum + of(day), 0);
  /** Seconds have a fraction: their sum is rounded to what it is made of. */
  const totalS = (of: (day: DaySums) => number) => seconds(sums.days.reduce((sum, day) => sum + of(day), 0));
  const speeds = sums.days.flatMap((day) => day.max_speed_kmh ?? []);
  return {
    vehicle_id,
    distance_m: tenths(total((day) => day.distance_m)),
    driving_s: totalS((day) => day.driving_ms),
    stopped_s: totalS((day) => day.stopped_ms),
    idle_s: totalS((day) => day.idle_ms),
    gap_s: totalS((day) => day.gap_ms),
    trips: total((day) => day.trips),
    stops: total((day) => day.stops),
    max_speed_kmh: speeds.length === 0 ? null : speeds.reduce((a, b) => Math.max(a, b)),
    positions: total((day) => day.positions),
    odometer_m: sums.odometer_m === null ? null : tenths(sums.odometer_m),
    first_time: sums.first_ms === null ? null : isoTime(sums.first_ms),
    last_time: sums.last_ms === null ? null : isoTime(sums.last_ms),
    days,
  };
}

function presentDay({ date, distance_m, trips, stops, max_speed_kmh, positions, ...times }: DaySums) {
  return {
    date,
    distance_m: tenths(distance_m),
    driving_s: seconds(times.driving_ms),
    stopped_s: seconds(times.stopped_ms),
    idle_s: seconds(times.idle_ms),
    gap_s: seconds(times.gap_ms),
    trips,
    stops,
    max_speed_kmh,
    positions,
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
    distance_m: tenths(way.distance_m),
    max_speed_kmh: way.max_speed_kmh,
    gaps: visit.gaps.map(presentGap),
  };
}

/** Whether a geofence holds for a vehicle. */
export function holdsFor(vehicle: ReportVehicle): (geofence: IndexedGeofence) => boolean {
  return ({ geofence }) =>
    geofence.group_ids.length === 0 || geofence.group_ids.some((id) => vehicle.group_ids.includes(id));
}

type GeofencesAt = (place: LatLon, vehicle: ReportVehicle) => string[];

/** The ids of the geofences that hold for a vehicle and that a place lies in, by their names; schedules do not count. */
export function createGeofencesAt(geofences: readonly Geofence[]): GeofencesAt {
  const index = createGeofenceIndex(geofences.map((geofence) => ({ geofence, known_from_ms: 0 })));
  return (place, vehicle) => {
    const near: IndexedGeofence[] = [];
    index.near(place, place, collect, near);
    return near
      .filter(holdsFor(vehicle))
      .filter(({ shape }) => shape.isInside(place))
      .map(({ geofence }) => geofence)
      .sort((a, b) => a.name.localeCompare(b.name) || (a.geozone_id < b.geozone_id ? -1 : 1))
      .map(({ geozone_id }) => geozone_id);
  };
}

function collect(geofence: IndexedGeofence, found: IndexedGeofence[]): void {
  found.push(geofence);
}

/** What a vehicle did while it was inside. */
interface VisitDistance {
  /** Driven; jitter while standing is no way. */
  distance_m: number;
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
  const ways = visits.map((): VisitDistance => ({ distance_m: 0, max_speed_kmh: null }));
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
      if (piece !== null && leg.mark?.kind === 'trip') way.distance_m += piece.distance_m;
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
