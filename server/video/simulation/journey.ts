/** Where the vehicle was and how it moved at one instant. */
export interface RenderPosition {
  speed_kmh: number;
  course_deg: number;
  lat: number;
  lon: number;
}

/** A clip as it goes to the worker: instants in ms since 1970, positions once a second of the fragment. */
export interface RenderJob {
  vehicle: { name: string; plate: string };
  channel: { channel: number; name: string };
  fromMs: number;
  toMs: number;
  /** Frames per second, 1 to 25. */
  fps: number;
  /** The first one at `fromMs`, then one a second up to and including the end; null where nothing is known. */
  positions: (RenderPosition | null)[];
  /** Where the MP4 goes. */
  output: string;
}

/** The vehicle at one instant of the clip, as the scenes need it. */
export interface Moment {
  atMs: number;
  /** As recorded; null where nothing is known, the picture then stands still and says so. */
  position: RenderPosition | null;
  speedMs: number;
  courseDeg: number;
  /** Metres along the road: the scenery's own milestone, the same on every channel of a vehicle. */
  roadM: number;
  /** Of the road ahead, 1/m; positive bends to the right. */
  bend: number;
}

export const POSITION_STEP_MS = 1000;
/** Tightest bend drawn: a real street corner would throw the whole road out of the picture. */
export const TIGHTEST_BEND = 1 / 220;
/** Below this speed a change of course is a GNSS jitter, not a bend. */
const BEND_FROM_MS = 2;
/** Milestones repeat after this; any stretch looks alike to the eye. */
const ROAD_LENGTH_M = 200_000;

/**
 * Road position integrated from the recorded speed, so that the lane markings move as fast as the vehicle did.
 * @param positions the first one at `fromMs`, then one a second; null where nothing is known
 */
export function createJourney(positions: readonly (RenderPosition | null)[], fromMs: number) {
  const last = Math.max(0, positions.length - 1);
  const speeds = positions.map((position) => Math.max(0, position?.speed_kmh ?? 0) / 3.6);
  const travelled = [0];
  speeds.forEach((speed, i) => {
    travelled.push(
      (travelled[i] ?? 0) + ((speed + (speeds[i + 1] ?? speed)) / 2) * (POSITION_STEP_MS / 1000),
    );
  });
  // Fragments of one vehicle start at milestones that follow from the time, so two channels agree.
  const startM = (fromMs / 100) % ROAD_LENGTH_M;

  function at(atMs: number): Moment {
    const place = Math.max(0, (atMs - fromMs) / POSITION_STEP_MS);
    const index = Math.min(Math.floor(place), last);
    const fraction = place - index;
    const speed = speeds[index] ?? 0;
    const gain = (speeds[index + 1] ?? speed) - speed;
    const aheadM = (speed + (gain * fraction) / 2) * fraction * (POSITION_STEP_MS / 1000);
    const position = positionAt(index, fraction);
    return {
      atMs,
      position,
      speedMs: speed + gain * fraction,
      courseDeg: (position ?? positions[index] ?? positions[index + 1])?.course_deg ?? 0,
      roadM: startM + (travelled[index] ?? 0) + aheadM,
      bend: bendAt(place, speed),
    };
  }

  function positionAt(index: number, fraction: number): RenderPosition | null {
    const before = positions[index] ?? null;
    const after = positions[index + 1] ?? before;
    return before === null || after === null ? null : between(before, after, Math.min(1, fraction));
  }

  /** Change of course over 4 s around, per metre driven in them: longer than the reports' own jitter. */
  function bendAt(place: number, speedMs: number): number {
    const [from, to] = [place - 2, place + 2].map((it) => {
      const held = Math.min(Math.max(0, it), last);
      return positionAt(Math.floor(held), held % 1)?.course_deg;
    });
    if (from === undefined || to === undefined || speedMs < BEND_FROM_MS) return 0;
    const perMetre = ((turnDeg(from, to) / 180) * Math.PI) / (4 * speedMs);
    return Math.min(TIGHTEST_BEND, Math.max(-TIGHTEST_BEND, perMetre));
  }

  /** Of the whole fragment, m/s; the traffic around keeps to it. */
  const meanSpeedMs = speeds.reduce((sum, speed) => sum + speed, 0) / Math.max(1, speeds.length);
  return { at, meanSpeedMs };
}

/** On the line from one position to the other, the short way round. @param fraction 0 to 1 */
export function between(before: RenderPosition, after: RenderPosition, fraction: number): RenderPosition {
  const course = before.course_deg + turnDeg(before.course_deg, after.course_deg) * fraction;
  return {
    speed_kmh: before.speed_kmh + (after.speed_kmh - before.speed_kmh) * fraction,
    course_deg: (course + 360) % 360,
    lat: before.lat + (after.lat - before.lat) * fraction,
    lon: turnDeg(0, before.lon + turnDeg(before.lon, after.lon) * fraction),
  };
}

/** From one direction to the other the short way, −180 to 180; also right for longitudes. */
function turnDeg(from: number, to: number): number {
  return ((((to - from) % 360) + 540) % 360) - 180;
}
