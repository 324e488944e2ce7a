/** A corner of a ring on a plane (x is the longitude, y the latitude), and where it stands in the ring as it was sent. */
export interface Corner {
  x: number;
  y: number;
  at: number;
}

/** One side of a ring; `left` is its end that the sweep meets first. */
interface Side {
  ring: number;
  /** Its place among the sides of its ring, and how many these are. */
  place: number;
  sides: number;
  from: Corner;
  left: Corner;
  right: Corner;
}

/** Two sides that are no neighbours and yet meet, with the ring and corner where each begins. */
export interface Meeting {
  first: { ring: number; at: number };
  second: { ring: number; at: number };
  x: number;
  y: number;
}

/**
 * Finds a place where sides of rings meet that are not neighbours in their ring, by a sweep from west to east (Shamos
 * and Hoey, 1976): however the sides lie, n of them take about n log n steps. The rings are open (the first corner is
 * not repeated), of at least three corners, no two corners of any are at the same place and no side turns straight
 * back on the one before it. Null when there is none.
 */
export function meetingOfSides(rings: readonly (readonly Corner[])[]): Meeting | null {
  const stops = rings
    .flatMap(sidesOf)
    .flatMap((side) => [
      { point: side.left, side, isLeft: true },
      { point: side.right, side, isLeft: false },
    ])
    // What ends at a place goes out before what begins there comes in.
    .sort((a, b) => inSweep(a.point, b.point) || Number(a.isLeft) - Number(b.isLeft));
  // The sides that the sweep stands on, from south to north. A plain array: moving some thousand of its items is
  // quicker than walking a tree.
  const under: Side[] = [];

  for (const { point, side, isLeft } of stops) {
    const found = placeOf(under, side, point, isLeft);
    if ('met' in found) return meeting(side, found.met);
    const { place } = found;
    if (isLeft) {
      under.splice(place, 0, side);
      for (const other of [under[place - 1], under[place + 1]]) {
        if (other !== undefined && meet(side, other)) return meeting(side, other);
      }
    } else {
      under.splice(place, 1);
      const [south, north] = [under[place - 1], under[place]];
      if (south !== undefined && north !== undefined && meet(south, north)) return meeting(south, north);
    }
  }
  return null;
}

function sidesOf(ring: readonly Corner[], index: number): Side[] {
  return ring.map((from, place) => {
    const to = ring[(place + 1) % ring.length] ?? from;
    const [left, right] = inSweep(from, to) <= 0 ? [from, to] : [to, from];
    return { ring: index, place, sides: ring.length, from, left, right };
  });
}

function inSweep(a: Corner, b: Corner): number {
  return a.x - b.x || a.y - b.y;
}

/** Where a side stands, or belongs, among those under the sweep at `point`, unless it meets one on the way there. */
function placeOf(
  under: readonly Side[],
  side: Side,
  point: Corner,
  isNew: boolean,
): { place: number } | { met: Side } {
  let low = 0;
  let high = under.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = under[middle];
    if (other === undefined) break;
    if (other === side) return { place: middle };
    let above = turn(other.left, other.right, point);
    if (above === 0) {
      if (!areNeighbours(side, other)) return { met: other };
      above = turn(other.left, other.right, isNew ? side.right : side.left);
    }
    if (above > 0) low = middle + 1;
    else high = middle;
  }
  if (isNew) return { place: low };
  // Only rounding leads here: the side is there, if not where it was looked for.
  return { place: under.indexOf(side) };
}

/** Positive when `c` lies to the left of the way from `a` to `b`, 0 when on its line. */
export function turn(a: Corner, b: Corner, c: Corner): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

function areNeighbours(a: Side, b: Side): boolean {
  if (a.ring !== b.ring) return false;
  const apart = Math.abs(a.place - b.place);
  return apart === 1 || apart === a.sides - 1;
}

/** Neighbours have one corner in common and, as no side turns back on another, nothing else. */
function meet(a: Side, b: Side): boolean {
  if (areNeighbours(a, b)) return false;
  const bLeft = Math.sign(turn(a.left, a.right, b.left));
  const bRight = Math.sign(turn(a.left, a.right, b.right));
  const aLeft = Math.sign(turn(b.left, b.right, a.left));
  const aRight = Math.sign(turn(b.left, b.right, a.right));
  if (bLeft * bRight < 0 && aLeft * aRight < 0) return true;
  return (
    (bLeft === 0 && isBeside(a, b.left)) ||
    (bRight === 0 && isBeside(a, b.right)) ||
    (aLeft === 0 && isBeside(b, a.left)) ||
    (aRight === 0 && isBeside(b, a.right))
  );
}

/** Whether a point of a side's line lies on the side itself. */
function isBeside({ left, right }: Side, point: Corner): boolean {
  return (
    point.x >= left.x &&
    point.x <= right.x &&
    point.y >= Math.min(left.y, right.y) &&
    point.y <= Math.max(left.y, right.y)
  );
}

function meeting(a: Side, b: Side): Meeting {
  const aIsFirst = a.ring - b.ring || a.from.at - b.from.at;
  const [first, second] = aIsFirst <= 0 ? [a, b] : [b, a];
  const along = turn(b.left, b.right, a.left);
  const across = along - turn(b.left, b.right, a.right);
  const touching =
    [b.left, b.right].find((it) => turn(a.left, a.right, it) === 0 && isBeside(a, it)) ?? a.left;
  const share = across === 0 ? null : along / across;
  return {
    first: { ring: first.ring, at: first.from.at },
    second: { ring: second.ring, at: second.from.at },
    x: share === null ? touching.x : a.left.x + (a.right.x - a.left.x) * share,
    y: share === null ? touching.y : a.left.y + (a.right.y - a.left.y) * share,
  };
}
