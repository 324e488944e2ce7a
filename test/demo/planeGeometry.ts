/** The town is laid out on a flat plane: metres east (`x`) and north (`y`) of its centre. */
export interface PlanePoint {
  x: number;
  y: number;
}

export type Polyline = readonly PlanePoint[];

interface NearestOnLine {
  distanceM: number;
  point: PlanePoint;
  /** The nearest segment runs from point `segment` to `segment + 1`. */
  segment: number;
}

export const distanceM = (a: PlanePoint, b: PlanePoint): number => Math.hypot(b.x - a.x, b.y - a.y);

export const pointBetween = (a: PlanePoint, b: PlanePoint, share: number): PlanePoint => ({
  x: a.x + (b.x - a.x) * share,
  y: a.y + (b.y - a.y) * share,
});

/** `"x,y x,y …"` in metres, as the points of an SVG polyline are written. */
export function path(text: string): PlanePoint[] {
  return text.split(' ').map((pair) => {
    const [x, y] = pair.split(',');
    return { x: Number(x), y: Number(y) };
  });
}

export function segmentsOf(line: Polyline): (readonly [PlanePoint, PlanePoint])[] {
  return line.slice(1).map((end, index) => [line[index] ?? end, end] as const);
}

export const lengthM = (line: Polyline): number =>
  segmentsOf(line).reduce((sum, [a, b]) => sum + distanceM(a, b), 0);

/** Degrees clockwise from north, 0 to 360. */
export function courseDeg(from: PlanePoint, to: PlanePoint): number {
  return ((Math.atan2(to.x - from.x, to.y - from.y) * 180) / Math.PI + 360) % 360;
}

/** How far the way a → b → c turns, 0 (straight on) to 180 (back), whichever side. */
export function turnDeg(a: PlanePoint, b: PlanePoint, c: PlanePoint): number {
  const turn = Math.abs(courseDeg(b, c) - courseDeg(a, b)) % 360;
  return turn > 180 ? 360 - turn : turn;
}

export function nearestOnSegment(point: PlanePoint, a: PlanePoint, b: PlanePoint): PlanePoint {
  const lengthSquared = (b.x - a.x) ** 2 + (b.y - a.y) ** 2;
  if (lengthSquared === 0) return a;
  const share = ((point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y)) / lengthSquared;
  return pointBetween(a, b, Math.min(1, Math.max(0, share)));
}

/** @throws RangeError for a line of fewer than two points. */
export function nearestOnLine(point: PlanePoint, line: Polyline): NearestOnLine {
  let nearest: NearestOnLine | null = null;
  for (const [segment, [a, b]] of segmentsOf(line).entries()) {
    const candidate = nearestOnSegment(point, a, b);
    const distance = distanceM(point, candidate);
    if (nearest === null || distance < nearest.distanceM)
      nearest = { distanceM: distance, point: candidate, segment };
  }
  if (nearest === null) throw new RangeError('a line has two points or more');
  return nearest;
}

/** Where a-b and c-d meet, ends included, as shares of each; null when they do not, or are parallel. */
export function crossing(
  a: PlanePoint,
  b: PlanePoint,
  c: PlanePoint,
  d: PlanePoint,
): { point: PlanePoint; shareOfFirst: number; shareOfSecond: number } | null {
  const cross = (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x);
  if (Math.abs(cross) < 1e-9) return null;
  const shareOfFirst = ((c.x - a.x) * (d.y - c.y) - (c.y - a.y) * (d.x - c.x)) / cross;
  const shareOfSecond = ((c.x - a.x) * (b.y - a.y) - (c.y - a.y) * (b.x - a.x)) / cross;
  if (shareOfFirst < 0 || shareOfFirst > 1 || shareOfSecond < 0 || shareOfSecond > 1) return null;
  return { point: pointBetween(a, b, shareOfFirst), shareOfFirst, shareOfSecond };
}

export function insidePolygon(point: PlanePoint, ring: Polyline): boolean {
  let inside = false;
  for (let index = 0, before = ring.length - 1; index < ring.length; before = index, index += 1) {
    const a = ring[index];
    const b = ring[before];
    if (a === undefined || b === undefined) continue;
    if (a.y > point.y !== b.y > point.y && point.x < ((b.x - a.x) * (point.y - a.y)) / (b.y - a.y) + a.x)
      inside = !inside;
  }
  return inside;
}

/** The outline the way RFC 7946 (section 3.1.6) wants outer rings: anticlockwise, and closed. */
export function outerRing(outline: Polyline): PlanePoint[] {
  const doubledArea = outline.reduce((sum, a, index) => {
    const b = outline[(index + 1) % outline.length] ?? a;
    return sum + a.x * b.y - b.x * a.y;
  }, 0);
  const [first, last] = [outline[0], outline.at(-1)];
  const isClosed = first !== undefined && last !== undefined && distanceM(first, last) === 0;
  const closed = isClosed ? [...outline] : [...outline, ...outline.slice(0, 1)];
  return doubledArea > 0 ? closed : closed.reverse();
}

/** A Catmull-Rom curve through the given points, a point about every `stepM`; a closed one ends where it begins. */
export function smoothCurve(through: Polyline, stepM: number, closed = false): PlanePoint[] {
  const count = through.length;
  const at = (index: number): PlanePoint => {
    const wrapped = closed ? (index + count) % count : Math.min(count - 1, Math.max(0, index));
    return through[wrapped] ?? { x: 0, y: 0 };
  };
  const curve: PlanePoint[] = [];
  for (let index = 0; index < (closed ? count : count - 1); index += 1) {
    const [p0, p1, p2, p3] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    const steps = Math.max(1, Math.round(distanceM(p1, p2) / stepM));
    for (let step = 0; step < steps; step += 1) {
      curve.push({
        x: spline(p0.x, p1.x, p2.x, p3.x, step / steps),
        y: spline(p0.y, p1.y, p2.y, p3.y, step / steps),
      });
    }
  }
  curve.push(closed ? at(0) : at(count - 1));
  return curve;
}

function spline(before: number, from: number, to: number, after: number, t: number): number {
  const linear = (to - before) * t;
  const square = (2 * before - 5 * from + 4 * to - after) * t * t;
  const cube = (3 * from - before - 3 * to + after) * t ** 3;
  return from + (linear + square + cube) / 2;
}

/** The outline (closed) of a band along a line whose half width may change from point to point. */
export function band(line: Polyline, halfWidthAt: (index: number) => number): PlanePoint[] {
  const side = (sign: number): PlanePoint[] =>
    line.map((point, index) => {
      const before = line[Math.max(0, index - 1)] ?? point;
      const after = line[Math.min(line.length - 1, index + 1)] ?? point;
      const span = distanceM(before, after) || 1;
      const offset = (sign * halfWidthAt(index)) / span;
      return { x: point.x + (after.y - before.y) * offset, y: point.y - (after.x - before.x) * offset };
    });
  const left = side(-1);
  return [...left, ...side(1).reverse(), ...left.slice(0, 1)];
}
