import { boxAround, type FenceShape, type Span } from './fenceForm.ts';
import {
  between,
  boxAlong,
  distanceM,
  lonDifference,
  metresOfDegree,
  chordShare,
  createWithin,
  metresOfLon,
  originDistance,
  type Place,
} from './geodesy.ts';
import { createSideIndex } from './sideIndex.ts';

// Shapes that are everything within a radius of something: of a point, or of a line.

interface Piece {
  from: Place;
  to: Place;
}

/** Everything within `radius` of a point. */
export function circleShape(centre: Place, radius: number): FenceShape {
  const distance = (place: Place) => distanceM(place, centre);
  const isWithin = createWithin(centre);
  const limit = chordShare(radius);
  return {
    boxes: [boxAround([centre], radius)],
    isInside: (place) => isWithin(place, limit),
    isBeyond: (place, metres) => !isWithin(place, chordShare(radius + metres)),
    crossing: (a, b) => (mayPass(a, b, centre, radius) ? spanWithin(distance, radius, a, b) : null),
  };
}

/** Everything within `radius` of a line. */
export function lineShape(places: readonly Place[], radius: number): FenceShape {
  const all = pairsOf(places).map(([from, to]): Piece => ({ from, to }));
  const pieces = createSideIndex(all, ({ from, to }) => boxAlong(from, to, 0));

  function isWithin(place: Place, metres: number): boolean {
    const lonM = metresOfLon(place.lat);
    for (const piece of pieces.near(place, place, metres)) {
      if (pieceDistance(place, piece, lonM) <= metres) return true;
    }
    return false;
  }

  return {
    boxes: [boxAround(places, radius)],
    isInside: (place) => isWithin(place, radius),
    isBeyond: (place, metres) => !isWithin(place, radius + metres),
    crossing(a, b) {
      let span: Span | null = null;
      for (const piece of pieces.near(a, b, radius)) {
        const distance = (place: Place) => pieceDistance(place, piece, metresOfLon(place.lat));
        if (!mayReach(a, b, piece, radius, distance)) continue;
        const one = spanWithin(distance, radius, a, b);
        if (one === null) continue;
        if (span === null) span = one;
        else if (one.enter < span.enter || one.leave > span.leave) {
          span = { enter: Math.min(span.enter, one.enter), leave: Math.max(span.leave, one.leave) };
        }
      }
      return span;
    },
  };
}

/** On the plane about the place. @param lonM metres of a degree of longitude there */
function pieceDistance({ lat, lon }: Place, { from, to }: Piece, lonM: number): number {
  return originDistance(
    lonDifference(from.lon, lon) * lonM,
    (from.lat - lat) * metresOfDegree,
    lonDifference(to.lon, lon) * lonM,
    (to.lat - lat) * metresOfDegree,
  );
}

function pairsOf<T>(list: readonly T[]): [T, T][] {
  return list.slice(1).map((to, at) => [list[at] ?? to, to]);
}

/** What lies farther off than the way is long cannot be reached; with room for what the plane stretches. */
const reachMargin = 1.05;

// Up to this size one plane about the way's beginning is true to a hundredth, and twice that is left as room.
const planeWayM = 20_000;
const planeRadiusM = 50_000;
const planeLat = 70;
const planeMargin = 1.02;

/** False when the way from `a` to `b` certainly keeps farther than `radius` from a point. */
function mayPass(a: Place, b: Place, centre: Place, radius: number): boolean {
  const lonM = metresOfLon(a.lat);
  const x = lonDifference(b.lon, a.lon) * lonM;
  const y = (b.lat - a.lat) * metresOfDegree;
  const wayM = Math.abs(x) + Math.abs(y);
  if (wayM > planeWayM || radius > planeRadiusM || Math.abs(a.lat) > planeLat)
    return distanceM(a, centre) <= distanceM(a, b) * reachMargin + radius;
  const awayX = -lonDifference(centre.lon, a.lon) * lonM;
  const awayY = (a.lat - centre.lat) * metresOfDegree;
  const room = (radius + wayM) * planeMargin - wayM + 1;
  return originDistance(awayX, awayY, awayX + x, awayY + y) <= room;
}

/** False when the way from `a` to `b` certainly keeps farther than `radius` from a piece. */
function mayReach(
  a: Place,
  b: Place,
  { from, to }: Piece,
  radius: number,
  distance: (place: Place) => number,
): boolean {
  const lonM = metresOfLon(a.lat);
  const x = lonDifference(b.lon, a.lon) * lonM;
  const y = (b.lat - a.lat) * metresOfDegree;
  const wayM = Math.abs(x) + Math.abs(y);
  if (wayM > planeWayM || radius > planeRadiusM || Math.abs(a.lat) > planeLat)
    return distance(a) <= distanceM(a, b) * reachMargin + radius;
  const fromX = lonDifference(from.lon, a.lon) * lonM;
  const fromY = (from.lat - a.lat) * metresOfDegree;
  const toX = lonDifference(to.lon, a.lon) * lonM;
  const toY = (to.lat - a.lat) * metresOfDegree;
  const room = (radius + wayM) * planeMargin - wayM + 1;
  return (
    originDistance(fromX, fromY, toX, toY) <= room ||
    originDistance(fromX - x, fromY - y, toX - x, toY - y) <= room ||
    originDistance(-fromX, -fromY, x - fromX, y - fromY) <= room ||
    originDistance(-toX, -toY, x - toX, y - toY) <= room ||
    isCrossing(x, y, fromX, fromY, toX, toY)
  );
}

/** Whether the segment from the origin to (x, y) and the one from c to d lie across each other. */
function isCrossing(x: number, y: number, cx: number, cy: number, dx: number, dy: number): boolean {
  const sideOfC = x * cy - y * cx;
  const sideOfD = x * dy - y * dx;
  const sideOfOrigin = cx * (dy - cy) - cy * (dx - cx);
  const sideOfEnd = (cx - x) * (dy - cy) - (cy - y) * (dx - cx);
  return sideOfC * sideOfD <= 0 && sideOfOrigin * sideOfEnd <= 0;
}

/** Asked as `isInside` asks, or a large fence would be crossed by whoever drives along outside of it. */
function spanWithin(distance: (place: Place) => number, radius: number, a: Place, b: Place): Span | null {
  return spanBelow((t) => distance(between(a, b, t)) - radius);
}

const steps = 60;
/** To a millionth of a millionth of the way. */
const halvings = 40;

/** Where a convex function (distance to something convex, along a straight way) is at most 0 between 0 and 1. */
function spanBelow(f: (t: number) => number): Span | null {
  let low = 0;
  let high = 1;
  for (let step = 0; step < steps; step += 1) {
    const third = (high - low) / 3;
    const [left, right] = [low + third, high - third];
    const [atLeft, atRight] = [f(left), f(right)];
    // Wherever it is below, the two roots lie to either side.
    if (atLeft <= 0) return spanAbout(f, left);
    if (atRight <= 0) return spanAbout(f, right);
    if (atLeft < atRight) high = right;
    else low = left;
  }
  const lowest = (low + high) / 2;
  return f(lowest) > 0 ? null : spanAbout(f, lowest);
}

function spanAbout(f: (t: number) => number, inside: number): Span {
  return { enter: rootBetween(f, inside, 0), leave: rootBetween(f, inside, 1) };
}

/** The last t from `inside` towards `edge` where f is at most 0. */
function rootBetween(f: (t: number) => number, inside: number, edge: number): number {
  if (f(edge) <= 0) return edge;
  let near = inside;
  let far = edge;
  for (let step = 0; step < halvings; step += 1) {
    const middle = (near + far) / 2;
    if (f(middle) <= 0) near = middle;
    else far = middle;
  }
  return near;
}
