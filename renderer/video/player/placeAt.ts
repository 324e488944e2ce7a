import type { Position } from '../../../server/contract/positions.ts';

export interface RenderedPlace {
  lat: number;
  lon: number;
  speedKmh: number | null;
  courseDeg: number | null;
}

/** Between fixes farther apart than this nobody knows where the vehicle was. */
export const GAP_MS = 60_000;

/** Where a vehicle was at a moment (milliseconds since 1970), between its fixes; null where nobody knows. */
export function placeAt(track: readonly Position[], at: number): RenderedPlace | null {
  const fixes = track.filter((it) => it.valid);
  const next = fixes.findIndex((it) => Date.parse(it.time) >= at);
  const after = fixes[next];
  const before = next === -1 ? fixes.at(-1) : fixes[next - 1];
  if (before === undefined || after === undefined) {
    const only = after ?? before;
    return only !== undefined && Math.abs(Date.parse(only.time) - at) <= GAP_MS / 4 ? atFix(only) : null;
  }
  const start = Date.parse(before.time);
  const span = Date.parse(after.time) - start;
  if (span > GAP_MS) return null;
  const share = span === 0 ? 1 : (at - start) / span;
  return {
    lat: between(before.lat, after.lat, share),
    lon: between(before.lon, nearest(after.lon, before.lon), share),
    speedKmh: pair(before.speed_kmh, after.speed_kmh, (a, b) => between(a, b, share)),
    courseDeg: pair(
      before.course_deg,
      after.course_deg,
      (a, b) => (between(a, nearest(b, a), share) + 360) % 360,
    ),
  };
}

function atFix(fix: Position): RenderedPlace {
  return { lat: fix.lat, lon: fix.lon, speedKmh: fix.speed_kmh, courseDeg: fix.course_deg };
}

const between = (a: number, b: number, share: number): number => a + (b - a) * share;

/** The turn of an angle, by whole circles, that lies nearest to another: over the north, and over the antimeridian. */
const nearest = (deg: number, to: number): number => deg + Math.round((to - deg) / 360) * 360;

function pair(a: number | null, b: number | null, join: (a: number, b: number) => number): number | null {
  return a === null || b === null ? (a ?? b) : join(a, b);
}
