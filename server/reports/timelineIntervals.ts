import { lonDifference, type LatLon } from '../geofences/geodesy.ts';
import type { TimeRange } from '../geofences/scheduleClock.ts';
import { addDriven, noWay, type DrivenWay } from './drivenWay.ts';
import { pieceOf, type ClippedSegment } from './trackSegments.ts';
import type { ReportFix } from './reportFix.ts';
import type { TimelineSegment } from './timeline.ts';

/** A trip or a stop, or what of one lies in a period. */
export interface TimelineInterval extends DrivenWay {
  kind: 'trip' | 'stop';
  start: ReportFix;
  end: ReportFix;
  openStart: boolean;
  openEnd: boolean;
  /** It began before the period. */
  isCutAtStart: boolean;
  idle_ms: number;
  ignitionOnMs: number;
  /** Without the gaps. */
  known_ms: number;
  gaps: TimeRange[];
  /** How many fixes lie in it, both ends included. */
  positions: number;
  fastest: { kmh: number; time_ms: number } | null;
  /** The middle of where it was, each place weighed by how long. */
  middle: LatLon;
}

/** The trips and stops of a period in order of time, out of a timeline that also knows what lies around it. */
export function* timelineIntervals(
  legs: Iterable<TimelineSegment>,
  period: TimeRange,
): Generator<TimelineInterval> {
  let open: { stretch: TimelineInterval; mark: TimelineSegment['mark']; middle: Middle } | null = null;
  let markBefore: TimelineSegment['mark'] = null;

  function closed(): TimelineInterval[] {
    if (open === null) return [];
    const { stretch, mark, middle } = open;
    open = null;
    stretch.openEnd ||= mark?.endsWithData === true;
    stretch.middle = middle.place();
    return [stretch];
  }

  for (const leg of legs) {
    if (open !== null && open.mark !== leg.mark) yield* closed();
    if (leg.from.time_ms >= period.to_ms) {
      if (open !== null) open.stretch.openEnd = true;
      break;
    }
    const piece = pieceOf(leg, period);
    if (leg.mark === null || piece === null) {
      markBefore = leg.mark;
      continue;
    }
    if (open === null) {
      const isCutAtStart: boolean = piece.isCutAtStart || markBefore === leg.mark;
      open = {
        stretch: newStretch(leg.mark.kind, piece, isCutAtStart, leg.mark.beginsWithData),
        mark: leg.mark,
        middle: createMiddle(piece.start),
      };
      if (!piece.isCutAtStart) addFix(open.stretch, leg.from);
    }
    add(open.stretch, leg, piece, open.middle);
    // The end of a period is not in it.
    if (leg.to.time_ms < period.to_ms) addFix(open.stretch, leg.to);
    markBefore = leg.mark;
  }
  yield* closed();
}

function newStretch(
  kind: TimelineInterval['kind'],
  piece: ClippedSegment,
  isCutAtStart: boolean,
  beginsWithData: boolean,
): TimelineInterval {
  return {
    kind,
    start: piece.start,
    end: piece.end,
    openStart: isCutAtStart || beginsWithData,
    openEnd: false,
    isCutAtStart,
    ...noWay(),
    idle_ms: 0,
    ignitionOnMs: 0,
    known_ms: 0,
    gaps: [],
    positions: 0,
    fastest: null,
    middle: piece.start,
  };
}

function add(stretch: TimelineInterval, leg: TimelineSegment, piece: ClippedSegment, middle: Middle): void {
  stretch.end = piece.end;
  if (piece.isCutAtEnd) stretch.openEnd = true;
  if (leg.isGap) {
    stretch.gaps.push({ from_ms: piece.start.time_ms, to_ms: piece.end.time_ms });
    return;
  }
  stretch.known_ms += piece.ms;
  if (stretch.kind === 'trip') addDriven(stretch, leg, piece.share);
  if (leg.idle) stretch.idle_ms += piece.ms;
  if (leg.ignitionOn) stretch.ignitionOnMs += piece.ms;
  middle.add(piece.start, piece.ms);
}

function addFix(stretch: TimelineInterval, fix: ReportFix): void {
  stretch.positions += 1;
  if (fix.speed_kmh !== null && fix.speed_kmh > (stretch.fastest?.kmh ?? -1)) {
    stretch.fastest = { kmh: fix.speed_kmh, time_ms: fix.time_ms };
  }
}

type Middle = ReturnType<typeof createMiddle>;

function createMiddle(origin: LatLon) {
  let [lat, lon, weight] = [0, 0, 0];
  return {
    add(place: LatLon, ms: number): void {
      lat += (place.lat - origin.lat) * ms;
      lon += lonDifference(place.lon, origin.lon) * ms;
      weight += ms;
    },
    place: (): LatLon =>
      weight === 0
        ? { lat: origin.lat, lon: origin.lon }
        : {
            lat: origin.lat + lat / weight,
            lon: lonDifference(origin.lon + lon / weight, 0),
          },
  };
}
