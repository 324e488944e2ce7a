import { trackFlags } from '../../server/contract/packedTracks.ts';
import { SPEED_CLASSES_KMH, type TrackLine } from '../map/trackLayer.ts';
import type { VehicleStatus } from '../../server/contract/vehicles.ts';
import { statusUntil, type PastTrack, type StatusThresholds } from './pastTrack.ts';
import type { TrackPeriod } from './trackCache.ts';

/** A place at which a vehicle stood. Unix ms. */
export interface PastStop extends TrackPeriod {
  lat: number;
  lon: number;
  /** Idle where the ignition was on at its end. */
  status: VehicleStatus;
}

export interface TrackLook {
  /** What is faster is drawn as over the limit; null for none. */
  limitKmh: number | null;
  thresholds: StatusThresholds;
  colourBy: 'speed' | 'status';
}

/** What stands shorter than this is traffic. */
const STOP_MS = 180_000;

const classOf = (kmh: number): number => SPEED_CLASSES_KMH.findLastIndex((from) => kmh >= from);

/**
 * The lines of a track within a period, each of one class of speed or of one status, none across a gap; and the stops, of
 * three minutes and more.
 */
export function trackPicture(
  track: PastTrack,
  { from, to }: TrackPeriod,
  { limitKmh, thresholds, colourBy }: TrackLook,
): { lines: TrackLine[]; stops: PastStop[] } {
  const { columns } = track;
  const movingKmh = thresholds.moving_speed_kmh;
  const { time_ms, lat, lon, speed_kmh, flags } = columns;
  const lines: TrackLine[] = [];
  const stops: PastStop[] = [];
  let line = null as TrackLine | null;
  let stop = null as PastStop | null;
  const endStop = () => {
    if (stop !== null && stop.to - stop.from >= STOP_MS) stops.push(stop);
    stop = null;
  };
  for (let at = 0; at < time_ms.length; at++) {
    const time = time_ms[at] ?? 0;
    const place: [number, number] = [lon[at] ?? 0, lat[at] ?? 0];
    const isGap = ((flags[at] ?? 0) & trackFlags.gap_before) !== 0;
    const kmh = speed_kmh[at] ?? Number.NaN;
    const before = at === 0 ? null : (time_ms[at - 1] ?? 0);
    if (before === null || isGap || before < from) line = null;
    if (isGap) endStop();
    if (stop !== null && at > 0 && !isGap) stop.status = statusUntil(track, at, thresholds);
    if (time >= from && time < to && before !== null && before >= from && !isGap) {
      const speed = Math.max(kmh, speed_kmh[at - 1] ?? kmh) || 0;
      const speedClass = Math.max(0, classOf(speed));
      const bySpeed = colourBy === 'speed';
      const overLimit = bySpeed && limitKmh !== null && speed > limitKmh;
      const status = bySpeed ? null : statusUntil(track, at, thresholds);
      const isSame = line?.overLimit === overLimit && line.status === status;
      if (!isSame || (bySpeed && line?.speedClass !== speedClass)) {
        const begin: [number, number] = [lon[at - 1] ?? 0, lat[at - 1] ?? 0];
        line = { speedClass: bySpeed ? speedClass : 1, overLimit, status, coordinates: [begin] };
        lines.push(line);
      }
      line?.coordinates.push(place);
    }
    if (kmh >= movingKmh || time >= to) {
      if (stop !== null && time > stop.to) stop.to = Math.min(time, to);
      endStop();
    } else if (stop === null) {
      stop = { from: Math.max(time, from), to: time, lat: place[1], lon: place[0], status: 'stopped' };
    } else stop.to = time;
  }
  endStop();
  return { lines, stops: stops.filter((it) => it.to > from) };
}

/** A value over time as a time bar draws it: the highest of each pixel; NaN where nothing is known. */
export function speedColumn(track: PastTrack, { from, to }: TrackPeriod, pixels: number): Float64Array {
  const { time_ms, speed_kmh, flags } = track.columns;
  const column = new Float64Array(pixels).fill(Number.NaN);
  const place = (time: number) => Math.floor(((time - from) / (to - from)) * pixels);
  const put = (at: number, value: number) => {
    if (at >= 0 && at < pixels && !((column[at] ?? Number.NaN) >= value)) column[at] = value;
  };
  for (let at = 0; at < time_ms.length; at++) {
    const here = place(time_ms[at] ?? 0);
    const speed = speed_kmh[at] ?? Number.NaN;
    if (Number.isNaN(speed)) continue;
    put(here, speed);
    if (at === 0 || ((flags[at] ?? 0) & trackFlags.gap_before) !== 0) continue;
    const before = place(time_ms[at - 1] ?? 0);
    const speedBefore = speed_kmh[at - 1] ?? speed;
    for (let x = Math.max(before + 1, 0); x < Math.min(here, pixels); x++) {
      put(x, speedBefore + ((speed - speedBefore) * (x - before)) / (here - before));
    }
  }
  return column;
}

/**
 * Vehicles that moved at so many instants, evenly over a period; NaN after `until`, the present. Each track is walked
 * once.
 */
export function countMoving(
  tracks: Iterable<PastTrack | null>,
  { from, to }: TrackPeriod,
  steps: number,
  until: number,
  { moving_speed_kmh, offline_s }: Pick<StatusThresholds, 'moving_speed_kmh' | 'offline_s'>,
): Float64Array {
  const counts = new Float64Array(steps).fill(Number.NaN);
  const stepMs = (to - from) / steps;
  const end = Math.min(steps, Math.max(0, Math.floor((until - from) / stepMs) + 1));
  counts.fill(0, 0, end);
  for (const track of tracks) {
    if (track === null) continue;
    const { time_ms, speed_kmh, flags } = track.columns;
    let index = -1;
    for (let step = 0; step < end; step++) {
      const at = from + step * stepMs;
      while ((time_ms[index + 1] ?? Number.POSITIVE_INFINITY) <= at) index++;
      if (index < 0 || !((speed_kmh[index] ?? 0) >= moving_speed_kmh)) continue;
      const isHeard = index + 1 < time_ms.length && ((flags[index + 1] ?? 0) & trackFlags.gap_before) === 0;
      if (!isHeard && at - (time_ms[index] ?? at) >= offline_s * 1_000) continue;
      counts[step] = (counts[step] ?? 0) + 1;
    }
  }
  return counts;
}
