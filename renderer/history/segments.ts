import { eventRoutes, type Event } from '../../server/contract/events.ts';
import { trackFlags } from '../../server/contract/packedTracks.ts';
import type { Stop, Trip } from '../../server/contract/reportRows.ts';
import { PAGE_LIMIT, type Api } from '../api/client.ts';
import { periodOf } from './dayEvents.ts';
import type { PastTrack } from './pastTrack.ts';
import { overlapOf } from './barView.ts';
import type { TrackPeriod } from './trackCache.ts';
import type { VehicleDay } from './vehicleDay.ts';

/** A part of a vehicle's day; Unix ms. An event ends when it begins. */
export type Segment = TrackPeriod & { id: string } & (
    | { kind: 'trip'; trip: Trip }
    | { kind: 'stop'; stop: Stop }
    | { kind: 'gap' }
    | { kind: 'event'; event: Event }
  );

/** What the server says of a vehicle's day. */
export interface DayRows {
  trips: readonly Trip[];
  stops: readonly Stop[];
  events: readonly Event[];
}

/** Trips and stops are those of the reports. What the user may not read is left out. */
export async function readDayRows(
  api: Api,
  { vehicleId, ...day }: VehicleDay,
  may: { reports: boolean; events: boolean },
  signal: AbortSignal,
): Promise<DayRows> {
  const query = { ...periodOf(day), vehicle: vehicleId };
  // Not among the first scripts: whoever only watches needs no reports.
  const { reportRoutes, reportSchemas } = await import('../../server/contract/reports.ts');
  const [trips, stops, events] = await Promise.all([
    may.reports ? api.read(reportRoutes.trips, reportSchemas.trips, { query, signal }) : null,
    may.reports ? api.read(reportRoutes.stops, reportSchemas.stops, { query, signal }) : null,
    may.events ? api.request(eventRoutes.list, { query: { ...query, limit: PAGE_LIMIT }, signal }) : null,
  ]);
  return { trips: trips?.rows ?? [], stops: stops?.rows ?? [], events: events?.items ?? [] };
}

/** Where two begin at once, what lasts comes before what happens in it. */
const ORDER = { trip: 0, stop: 1, gap: 2, event: 3 };

/** The day of a vehicle in order of time: trips, stops, the gaps of its track, and events. */
export function segmentsOf(rows: DayRows, track: PastTrack | null, day: TrackPeriod): Segment[] {
  const ends = ({ start_time, end_time }: Trip | Stop) =>
    overlapOf({ from: Date.parse(start_time), to: Date.parse(end_time) }, day);
  const segments: Segment[] = [];
  for (const trip of rows.trips) {
    const period = ends(trip);
    if (period !== null) segments.push({ id: `trip ${trip.start_time}`, kind: 'trip', trip, ...period });
  }
  for (const stop of rows.stops) {
    const period = ends(stop);
    if (period !== null) segments.push({ id: `stop ${stop.start_time}`, kind: 'stop', stop, ...period });
  }
  for (const gap of track === null ? [] : gapsOf(track, day))
    segments.push({ id: `gap ${gap.from}`, kind: 'gap', ...gap });
  for (const event of rows.events) {
    const at = Date.parse(event.time);
    segments.push({ id: event.event_id, kind: 'event', event, from: at, to: at });
  }
  return segments.sort((a, b) => a.from - b.from || ORDER[a.kind] - ORDER[b.kind]);
}

/** The silences of a track within a period. */
function gapsOf({ columns: { time_ms, flags } }: PastTrack, period: TrackPeriod): TrackPeriod[] {
  const gaps: TrackPeriod[] = [];
  for (let at = 1; at < time_ms.length; at++) {
    if (((flags[at] ?? 0) & trackFlags.gap_before) === 0) continue;
    const gap = overlapOf({ from: time_ms[at - 1] ?? 0, to: time_ms[at] ?? 0 }, period);
    if (gap !== null) gaps.push(gap);
  }
  return gaps;
}

/** Whether an instant lies in a segment; an event is there for its own instant alone. */
export const holdsInstant = ({ from, to }: TrackPeriod, at: number): boolean =>
  from === to ? Math.abs(at - from) < 500 : from <= at && at < to;
