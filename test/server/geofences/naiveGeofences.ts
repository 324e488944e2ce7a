import type { Geofence } from '../../../server/contract/geofences.ts';
import type { FencedFix } from '../../../server/geofences/geofenceEngine.ts';

// A second opinion on geofences that shares nothing with the engine: its own geometry on a plane about each fence,
// every fix against every fence, and no memory but the side that the vehicle was last on. Without hysteresis,
// durations or schedules.

export interface NaiveCrossing {
  geofence: Geofence;
  kind: 'geofence_enter' | 'geofence_exit';
  time_ms: number;
  isInterpolated: boolean;
}

interface XY {
  x: number;
  y: number;
}

interface Judged {
  isInside: boolean;
  /** So near to the border that two ways of calculating may differ. */
  isClose: boolean;
}

interface Way {
  span: [number, number] | null;
  isClose: boolean;
}

/** Metres at which this geometry and the engine's may differ: fences of some kilometres, planes about other origins. */
const doubtM = 0.5;
/** How long the way over a border may take through those metres. One that grazes it takes longer: nobody can say when. */
export const doubtMs = 1_500;
const maxWayMs = 300_000;
const earthM = 6_371_008.8;

function planeAbout(origin: readonly number[]) {
  const [lon0 = 0, lat0 = 0] = origin;
  const rad = Math.PI / 180;
  return (lon: number, lat: number): XY => {
    const turn = ((((lon - lon0 + 180) % 360) + 360) % 360) - 180;
    return { x: turn * rad * earthM * Math.cos(lat0 * rad), y: (lat - lat0) * rad * earthM };
  };
}

function toSegment(p: XY, a: XY, b: XY): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const square = dx ** 2 + dy ** 2;
  if (square === 0) return Math.hypot(p.x - a.x, p.y - a.y);
  const t = Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / square));
  return Math.hypot(p.x - (a.x + t * dx), p.y - (a.y + t * dy));
}

function sidesOf(points: readonly XY[]): [XY, XY][] {
  const sides: [XY, XY][] = [];
  for (let at = 0; at + 1 < points.length; at++) sides.push([points[at] as XY, points[at + 1] as XY]);
  return sides;
}

/** Shares of the way at which it is `r` away from a point, or meets the line through two others. */
function sharesAtRadius(a: XY, b: XY, centre: XY, r: number): number[] {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const [fx, fy] = [a.x - centre.x, a.y - centre.y];
  const A = dx ** 2 + dy ** 2;
  const B = 2 * (fx * dx + fy * dy);
  const D = B ** 2 - 4 * A * (fx ** 2 + fy ** 2 - r ** 2);
  return A === 0 || D < 0 ? [] : [(-B - Math.sqrt(D)) / (2 * A), (-B + Math.sqrt(D)) / (2 * A)];
}

function shareOfMeeting(a: XY, b: XY, c: XY, d: XY): number[] {
  const [rx, ry, sx, sy] = [b.x - a.x, b.y - a.y, d.x - c.x, d.y - c.y];
  const cross = rx * sy - ry * sx;
  if (cross === 0) return [];
  const t = ((c.x - a.x) * sy - (c.y - a.y) * sx) / cross;
  const u = ((c.x - a.x) * ry - (c.y - a.y) * rx) / cross;
  return u >= 0 && u <= 1 ? [t] : [];
}

function alongWay(a: XY, b: XY, t: number): XY {
  return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t };
}

/** On the way from one fix to the next, at their ends beyond them. */
function fixAlong(a: FencedFix, b: FencedFix, share: number): FencedFix {
  const t = Math.max(0, Math.min(1, share));
  const turn = ((((b.lon - a.lon + 180) % 360) + 360) % 360) - 180;
  return { ...a, lat: a.lat + (b.lat - a.lat) * t, lon: a.lon + turn * t };
}

/** The stretch from the first to the last moment inside, by looking in the middle between all moments of change. */
function spanInside(shares: readonly number[], isInside: (t: number) => boolean): [number, number] | null {
  const moments = [0, ...shares.filter((t) => t > 0 && t < 1), 1].sort((p, q) => p - q);
  const inside: number[] = [];
  for (let at = 0; at + 1 < moments.length; at++) {
    const [from, to] = [moments[at] as number, moments[at + 1] as number];
    if (isInside((from + to) / 2)) inside.push(from, to);
  }
  return inside.length === 0 ? null : [Math.min(...inside), Math.max(...inside)];
}

interface Form {
  judge(fix: FencedFix): Judged;
  way(a: FencedFix, b: FencedFix): Way;
}

function formOf({ geometry, radius_m, width_m }: Geofence): Form {
  if (geometry.type === 'Point') return capsules([geometry.coordinates], radius_m ?? 0);
  if (geometry.type === 'LineString') return capsules(geometry.coordinates, (width_m ?? 0) / 2);
  if (geometry.type === 'Polygon') return rings(geometry.coordinates);
  throw new Error('one part is enough for this opinion');
}

function capsules(coordinates: readonly (readonly number[])[], r: number): Form {
  const plane = planeAbout(coordinates[0] ?? []);
  const points = coordinates.map(([lon = 0, lat = 0]) => plane(lon, lat));
  const parts = points.length === 1 ? [[points[0] as XY, points[0] as XY] as const] : sidesOf(points);
  const distance = (p: XY) => Math.min(...parts.map(([c, d]) => toSegment(p, c, d)));
  return {
    judge(fix) {
      const away = distance(plane(fix.lon, fix.lat)) - r;
      return { isInside: away <= 0, isClose: Math.abs(away) < doubtM };
    },
    way(from, to) {
      const [a, b] = [plane(from.lon, from.lat), plane(to.lon, to.lat)];
      const shares = parts.flatMap(([c, d]) => {
        const length = Math.hypot(d.x - c.x, d.y - c.y) || 1;
        const [nx, ny] = [(-(d.y - c.y) / length) * r, ((d.x - c.x) / length) * r];
        return [
          ...sharesAtRadius(a, b, c, r),
          ...sharesAtRadius(a, b, d, r),
          ...shareOfMeeting(a, b, { x: c.x + nx, y: c.y + ny }, { x: d.x + nx, y: d.y + ny }),
          ...shareOfMeeting(a, b, { x: c.x - nx, y: c.y - ny }, { x: d.x - nx, y: d.y - ny }),
        ];
      });
      const span = spanInside(shares, (t) => distance(alongWay(a, b, t)) <= r);
      // The nearest the way comes is at an end of it, abreast of a corner, or where it crosses the line itself.
      const nearest = Math.min(
        ...points.map((p) => toSegment(p, a, b)),
        distance(a),
        distance(b),
        ...parts.map(([c, d]) => (shareOfMeeting(a, b, c, d).some((t) => t >= 0 && t <= 1) ? 0 : Infinity)),
      );
      return { span, isClose: Math.abs(nearest - r) < doubtM };
    },
  };
}

function rings(coordinates: readonly (readonly (readonly number[])[])[]): Form {
  const plane = planeAbout(coordinates[0]?.[0] ?? []);
  const borders = coordinates.map((ring) => ring.map(([lon = 0, lat = 0]) => plane(lon, lat)));
  const sides = borders.flatMap(sidesOf);
  const isInside = (p: XY) => {
    let crossed = 0;
    for (const [c, d] of sides) {
      if (c.y > p.y !== d.y > p.y && p.x < c.x + ((p.y - c.y) / (d.y - c.y)) * (d.x - c.x)) crossed++;
    }
    return crossed % 2 === 1;
  };
  return {
    judge(fix) {
      const p = plane(fix.lon, fix.lat);
      return { isInside: isInside(p), isClose: sides.some(([c, d]) => toSegment(p, c, d) < doubtM) };
    },
    way(from, to) {
      const [a, b] = [plane(from.lon, from.lat), plane(to.lon, to.lat)];
      const shares = sides.flatMap(([c, d]) => shareOfMeeting(a, b, c, d));
      return {
        span: spanInside(shares, (t) => isInside(alongWay(a, b, t))),
        isClose: borders.flat().some((corner) => toSegment(corner, a, b) < doubtM),
      };
    },
  };
}

/** Null when the track comes so near to the border of the fence somewhere that nobody can say. */
export function naiveCrossings(geofence: Geofence, track: readonly FencedFix[]): NaiveCrossing[] | null {
  const form = formOf(geofence);
  const published: NaiveCrossing[] = [];
  const emit = (kind: NaiveCrossing['kind'], time_ms: number, isInterpolated: boolean) => {
    published.push({ geofence, kind, time_ms, isInterpolated });
  };
  let previous: { fix: FencedFix; isInside: boolean } | null = null;
  for (const fix of track) {
    const { isInside, isClose } = form.judge(fix);
    if (isClose) return null;
    if (previous !== null && isInside !== previous.isInside) {
      emit(isInside ? 'geofence_enter' : 'geofence_exit', fix.time_ms, false);
    } else if (previous !== null && !isInside && fix.time_ms - previous.fix.time_ms <= maxWayMs) {
      const way = form.way(previous.fix, fix);
      if (way.isClose) return null;
      if (way.span !== null) {
        const [start, lasts] = [previous.fix.time_ms, fix.time_ms - previous.fix.time_ms];
        const [from, to] = [previous.fix, fix];
        const isCloseAt = (share: number) => form.judge(fixAlong(from, to, share)).isClose;
        const doubt = doubtMs / lasts;
        if (way.span.some((share) => isCloseAt(share - doubt) || isCloseAt(share + doubt))) return null;
        emit('geofence_enter', start + lasts * way.span[0], true);
        emit('geofence_exit', start + lasts * way.span[1], true);
      }
    }
    previous = { fix, isInside };
  }
  return published;
}
