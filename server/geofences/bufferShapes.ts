import {
  boxAround,
  placeOf,
  edgeNumbers,
  type Coordinates,
  type GeofenceShape,
  type ShapePlan,
  type Sides,
  type Span,
} from './shapeTypes.ts';
import {
  interpolate,
  distanceM,
  lonDifference,
  marginAlong,
  metresOfDegree,
  chordShare,
  createWithin,
  metresOfLon,
  originDistance,
  type Box,
  type LatLon,
} from './geodesy.ts';
import { createEdgeTree, fewSides, sidesOf, edgeTreeBytes } from './edgeTree.ts';

// Shapes that are everything within a radius of something: of a point, or of a line.

interface Piece {
  from: LatLon;
  to: LatLon;
}

/** Everything within `radius` of a point. */
export function planCircle(centre: LatLon, radius: number): ShapePlan {
  const boxes = [boxAround([centre], radius)];
  return {
    boxes,
    edges: noSides,
    bytes: 0,
    maxReadInside: 0,
    build: () => circleShape(centre, radius, boxes),
  };
}

const noSides: Sides = new Float64Array(0);

function circleShape(centre: LatLon, radius: number, boxes: readonly Box[]): GeofenceShape {
  const distance = (place: LatLon) => distanceM(place, centre);
  const isWithin = createWithin(centre);
  const limit = chordShare(radius);
  return {
    boxes,
    isInside: (place) => isWithin(place, limit),
    isBeyond: (place, metres) => !isWithin(place, chordShare(radius + metres)),
    crossing: (a, b) => (mayPass(a, b, centre, radius) ? spanWithin(distance, radius, a, b) : null),
    read: () => 0,
  };
}

/** Everything within `radius` of a line. */
export function planLine(coordinates: Coordinates, radius: number): ShapePlan {
  const sides = sidesOf([coordinates]);
  const boxes = [boxAround(coordinates.map(placeOf), radius)];
  return {
    boxes,
    edges: sides,
    bytes: sides.byteLength + edgeTreeBytes(sides.length / edgeNumbers),
    maxReadInside: 0,
    build: () => lineShape(sides, boxes, radius),
  };
}

/** How often one question works out where a way comes near to a piece; more would be felt, and change next to nothing. */
const maxSpans = 64;

function lineShape(sides: Sides, boxes: readonly Box[], radius: number): GeofenceShape {
  const tree = createEdgeTree(sides);

  const few = sides.length < fewSides * edgeNumbers ? piecesOf(sides) : null;

  function crossing(a: LatLon, b: LatLon): Span | null {
    if (few === null) return spanAlong(a, b);
    let span: Span | null = null;
    for (const piece of few) {
      if (mayReach(a, b, piece, radius)) span = joined(span, spanWithin(distanceTo(piece), radius, a, b));
    }
    return span;
  }

  /** Piece by piece as the way comes to them: from its beginning to where it first enters, then from its end. */
  function spanAlong(a: LatLon, b: LatLon): Span | null {
    const way = { lon: lonDifference(b.lon, a.lon), lat: b.lat - a.lat };
    const margin = marginAlong(a, b, radius);
    const there = createSpans(a, b, null);
    tree.along(a, way, margin, (side, aLon) => {
      const to = there.span === null ? b : interpolate(a, b, there.span.enter);
      there.widen(pieceOf(sides, side, aLon - a.lon), a, to);
      return there.isSpent() ? -1 : (there.span?.enter ?? 1);
    });
    if (there.span === null) return null;
    const back = createSpans(a, b, there.span);
    const end = { lon: a.lon + way.lon, lat: b.lat };
    tree.along(end, { lon: -way.lon, lat: -way.lat }, margin, (side, endLon) => {
      const leave = back.span?.leave ?? 0;
      back.widen(pieceOf(sides, side, endLon - end.lon), b, interpolate(a, b, leave));
      return back.isSpent() ? -1 : 1 - (back.span?.leave ?? 0);
    });
    return back.span;
  }

  /** What is known of the way from `a` to `b` while one piece after the other is looked at. */
  function createSpans(a: LatLon, b: LatLon, known: Span | null) {
    let left = maxSpans;
    const spans = {
      span: known,
      isSpent: () => left <= 0,
      /** By a piece, if the way from `from` to `to` may come near to it. */
      widen(piece: Piece, from: LatLon, to: LatLon): void {
        if (!mayReach(from, to, piece, radius)) return;
        left -= 1;
        spans.span = joined(spans.span, spanWithin(distanceTo(piece), radius, a, b));
      },
    };
    return spans;
  }

  return {
    boxes,
    isInside: (place) => tree.isWithin(place, radius),
    isBeyond: (place, metres) => !tree.isWithin(place, radius + metres),
    crossing,
    read: () => tree.read(),
  };
}

function joined(a: Span | null, b: Span | null): Span | null {
  if (a === null || b === null) return a ?? b;
  return { enter: Math.min(a.enter, b.enter), leave: Math.max(a.leave, b.leave) };
}

function distanceTo(piece: Piece): (place: LatLon) => number {
  return (place) => pieceDistance(place, piece, metresOfLon(place.lat));
}

function piecesOf(sides: Sides): Piece[] {
  return Array.from({ length: sides.length / edgeNumbers }, (_, side) => pieceOf(sides, side, 0));
}

/** In the turn of the earth that it is looked at in. */
function pieceOf(sides: Sides, side: number, turn: number): Piece {
  const at = side * edgeNumbers;
  return {
    from: { lon: (sides[at] ?? 0) - turn, lat: sides[at + 1] ?? 0 },
    to: { lon: (sides[at + 2] ?? 0) - turn, lat: sides[at + 3] ?? 0 },
  };
}

/** On the plane about the place. @param lonM metres of a degree of longitude there */
function pieceDistance({ lat, lon }: LatLon, { from, to }: Piece, lonM: number): number {
  return originDistance(
    lonDifference(from.lon, lon) * lonM,
    (from.lat - lat) * metresOfDegree,
    lonDifference(to.lon, lon) * lonM,
    (to.lat - lat) * metresOfDegree,
  );
}

/** What lies farther off than the way is long cannot be reached; with room for what the plane stretches. */
const reachMargin = 1.05;

// Up to this size one plane about the way's beginning is true to a hundredth, and twice that is left as room.
const planeWayM = 20_000;
const planeRadiusM = 50_000;
const planeLat = 70;
const planeMargin = 1.02;

/** False when the way from `a` to `b` certainly keeps farther than `radius` from a point. */
function mayPass(a: LatLon, b: LatLon, centre: LatLon, radius: number): boolean {
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
function mayReach(a: LatLon, b: LatLon, piece: Piece, radius: number): boolean {
  const { from, to } = piece;
  const lonM = metresOfLon(a.lat);
  const x = lonDifference(b.lon, a.lon) * lonM;
  const y = (b.lat - a.lat) * metresOfDegree;
  const wayM = Math.abs(x) + Math.abs(y);
  if (wayM > planeWayM || radius > planeRadiusM || Math.abs(a.lat) > planeLat)
    return pieceDistance(a, piece, lonM) <= distanceM(a, b) * reachMargin + radius;
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
function spanWithin(distance: (place: LatLon) => number, radius: number, a: LatLon, b: LatLon): Span | null {
  return spanBelow((t) => distance(interpolate(a, b, t)) - radius);
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
