import { trackFlags, type TrackColumns } from '../../server/contract/packedTracks.ts';
import type { SettingsFields } from '../../server/contract/settings.ts';
import type { VehicleStatus } from '../../server/contract/vehicles.ts';

/** What decides a vehicle's status, by the depot's settings. */
export type StatusThresholds = Pick<
  SettingsFields,
  'offline_s' | 'moving_speed_kmh' | 'idle_speed_kmh' | 'idle_s'
>;

/** The track of one vehicle in one period, and what is worked out of it once instead of with every picture. */
export interface PastTrack {
  columns: TrackColumns;
  /** Of each fix: since when it had stood with its ignition on (Unix ms); NaN while it did not. */
  idleSince: Float64Array;
  /** Memory that it takes. */
  bytes: number;
}

/** Where a vehicle was at an instant, and what it did. */
export interface PastState {
  status: VehicleStatus;
  lat: number;
  lon: number;
  /** Null where it is not known. */
  speedKmh: number | null;
  courseDeg: number | null;
  /** Of the last fix before the instant that its track has, Unix ms: thinned ones leave out what says nothing new. */
  fixAt: number;
  /** It went on reporting after that fix. */
  isHeard: boolean;
}

export function toPastTrack(columns: TrackColumns, idleSpeedKmh: number): PastTrack {
  const { time_ms, speed_kmh, flags } = columns;
  const idleSince = new Float64Array(time_ms.length).fill(Number.NaN);
  let ignition = false;
  let since = Number.NaN;
  for (let at = 0; at < time_ms.length; at++) {
    const flag = flags[at] ?? 0;
    if ((flag & trackFlags.ignition_known) !== 0) ignition = (flag & trackFlags.ignition_on) !== 0;
    // A speed that is not known (NaN) is no movement.
    const isIdle = ignition && !((speed_kmh[at] ?? 0) >= idleSpeedKmh);
    if (!isIdle) since = Number.NaN;
    else if (Number.isNaN(since)) since = time_ms[at] ?? Number.NaN;
    idleSince[at] = since;
  }
  const values = Object.values(columns.values).length;
  return { columns, idleSince, bytes: time_ms.length * (6 * 8 + 1 + values * 8) + OVERHEAD_BYTES };
}

/** Of the objects around the columns, roughly. */
const OVERHEAD_BYTES = 1_000;

/**
 * The index of the last fix at or before an instant (Unix ms); -1 before the first one.
 *
 * @param hint where it was found last: the next instant is mostly near it
 */
export function indexAt(time_ms: Float64Array, at: number, hint = 0): number {
  const last = time_ms.length - 1;
  const timeOf = (index: number) => time_ms[index] ?? Number.POSITIVE_INFINITY;
  let [low, high] = [-1, last];
  if (hint >= 0 && hint <= last && timeOf(hint) <= at) {
    if (hint === last || timeOf(hint + 1) > at) return hint;
    if (hint + 1 === last || timeOf(hint + 2) > at) return hint + 1;
    low = hint;
  }
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (timeOf(middle) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * What a vehicle did at an instant (Unix ms); null before its first fix. Between two fixes it is where it would be if it
 * had gone evenly; in a gap it stays at the fix before.
 *
 * @param index that of `indexAt`
 */
function stateOf(
  { columns, idleSince }: PastTrack,
  index: number,
  at: number,
  thresholds: StatusThresholds,
): PastState | null {
  const { time_ms, lat, lon, speed_kmh, course_deg, flags } = columns;
  const fixAt = time_ms[index];
  if (fixAt === undefined) return null;
  const nextAt = time_ms[index + 1];
  const isHeard = nextAt !== undefined && ((flags[index + 1] ?? 0) & trackFlags.gap_before) === 0;
  const share = isHeard && nextAt > fixAt ? (at - fixAt) / (nextAt - fixAt) : 0;
  const between = (column: Float64Array): number => {
    const here = column[index] ?? Number.NaN;
    return share === 0 ? here : here + ((column[index + 1] ?? here) - here) * share;
  };
  const here = speed_kmh[index] ?? Number.NaN;
  const speed = between(speed_kmh);
  const course = course_deg[index] ?? Number.NaN;
  return {
    status: statusAt(here, idleSince[index] ?? Number.NaN, fixAt, isHeard, at, thresholds),
    lat: between(lat),
    lon: betweenLon(lon, index, share),
    speedKmh: known(Number.isNaN(speed) ? here : speed),
    courseDeg: known(course),
    fixAt,
    isHeard,
  };
}

/** What a vehicle did until its fix of this index, by the one before; also of a stretch that ends in a stop. */
export function statusUntil(
  { columns, idleSince }: PastTrack,
  index: number,
  thresholds: StatusThresholds,
): VehicleStatus {
  const before = index - 1;
  const speed = columns.speed_kmh[before] ?? Number.NaN;
  const fixAt = columns.time_ms[before] ?? Number.NaN;
  const at = columns.time_ms[index] ?? fixAt;
  return statusAt(speed, idleSince[before] ?? Number.NaN, fixAt, true, at, thresholds);
}

function statusAt(
  speedKmh: number,
  idleSince: number,
  fixAt: number,
  isHeard: boolean,
  at: number,
  { offline_s, moving_speed_kmh, idle_s }: StatusThresholds,
): VehicleStatus {
  // A thinned track leaves out fixes at which nothing changed: a silence is only what is marked as a gap.
  if (!isHeard && at - fixAt >= offline_s * 1_000) return 'offline';
  if (speedKmh >= moving_speed_kmh) return 'moving';
  const heardAt = isHeard ? at : fixAt;
  return heardAt - idleSince >= idle_s * 1_000 ? 'idle' : 'stopped';
}

/** Over the shorter way where a track crosses the date line. */
function betweenLon(lon: Float64Array, index: number, share: number): number {
  const here = lon[index] ?? Number.NaN;
  if (share === 0) return here;
  const turn = (((((lon[index + 1] ?? here) - here) % 360) + 540) % 360) - 180;
  const there = here + turn * share;
  return there > 180 ? there - 360 : there < -180 ? there + 360 : there;
}

const known = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** Works out where every vehicle of a fleet was; remembers where it looked last, so that a moving instant is quick. */
export function createFleetAt() {
  const hints = new Map<string, { track: PastTrack; index: number }>();
  return {
    /** Null before the first fix of the track. */
    at(track: PastTrack, instant: number, thresholds: StatusThresholds): PastState | null {
      const id = track.columns.vehicle_id;
      const hint = hints.get(id);
      const isSame = hint?.track === track;
      const index = indexAt(track.columns.time_ms, instant, isSame ? hint.index : 0);
      if (isSame) hint.index = index;
      else hints.set(id, { track, index });
      return stateOf(track, index, instant, thresholds);
    },
    forget: () => hints.clear(),
  };
}
