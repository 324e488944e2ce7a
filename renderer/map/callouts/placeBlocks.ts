export interface Point {
  x: number;
  y: number;
}

export interface Rect extends Point {
  width: number;
  height: number;
}

/** A data block that wants a place near its glyph, all in pixels of the map. */
export interface BlockRequest {
  id: string;
  /** Centre of the glyph. */
  anchor: Point;
  width: number;
  height: number;
  /** How far the glyph's own marks (brackets, ring) reach from its centre. */
  clearancePx: number;
  /** It is shown whatever it covers: that of the selected vehicle. */
  mayCover: boolean;
}

/** Where a block stands: its upper left corner from the glyph's centre. */
export type BlockOffset = Point;

/** What a block must not cover, if it is a vehicle, or had better not; `reachPx` is how far it reaches. */
export interface Obstacle extends Point {
  reachPx: number;
  isVehicle: boolean;
}

const GAPS_PX = [12, 26, 52, 84];
const DIRECTIONS: readonly Point[] = [
  { x: 1, y: 0.75 },
  { x: 1, y: -0.75 },
  { x: -1, y: 0.75 },
  { x: -1, y: -0.75 },
  { x: 0.25, y: 1 },
  { x: 0.25, y: -1 },
  { x: 1, y: 0 },
  { x: -1, y: 0 },
];

// One covered glyph weighs as much as 50 px of leader line; a place must be better than the present one by 1.5 glyphs
// before a block leaves it, or blocks would dance while vehicles pass under them.
const COVERED_GLYPH_COST = 50;
const LEADER_OVER_GLYPH_COST = 15;
const MOVE_COST = 75;

/**
 * Gives each block the place that covers the fewest glyphs, inside the viewport, over no other block and, but for
 * those that may, over no vehicle. Blocks are placed in the order given; one that finds no free place is left out.
 */
export function placeBlocks(
  requests: readonly BlockRequest[],
  glyphs: readonly Obstacle[],
  viewport: Rect,
  present: ReadonlyMap<string, BlockOffset>,
): Map<string, BlockOffset> {
  const placed = new Map<string, BlockOffset>();
  const taken: Rect[] = [];
  for (const request of requests) {
    if (!contains(viewport, request.anchor)) continue;
    const was = present.get(request.id);
    let best: { offset: BlockOffset; cost: number } | null = null;
    for (const offset of was ? [was, ...candidates(request)] : candidates(request)) {
      const rect = rectAt(request, offset);
      if (!isInside(rect, viewport) || taken.some((other) => intersect(rect, other))) continue;
      if (!request.mayCover && glyphs.some((glyph) => glyph.isVehicle && covers(rect, glyph))) continue;
      const cost = costOf(request, rect, glyphs) + (was && offset !== was ? MOVE_COST : 0);
      if (best === null || cost < best.cost) best = { offset, cost };
    }
    if (best === null) continue;
    placed.set(request.id, best.offset);
    taken.push(rectAt(request, best.offset));
  }
  return placed;
}

/** The end of the leader line at the block: the point of its outline that is nearest to the glyph. */
export function leaderEnd(offset: BlockOffset, width: number, height: number): Point {
  return {
    x: Math.min(Math.max(0, offset.x), offset.x + width),
    y: Math.min(Math.max(0, offset.y), offset.y + height),
  };
}

/** The start of the leader line, outside of the glyph's own marks; null when the block is nearer than that. */
export function leaderStart(end: Point, clearancePx: number): Point | null {
  const length = Math.hypot(end.x, end.y);
  if (length <= clearancePx) return null;
  return { x: (end.x / length) * clearancePx, y: (end.y / length) * clearancePx };
}

function* candidates({ width, height, clearancePx }: BlockRequest): Generator<BlockOffset> {
  for (const gap of GAPS_PX) {
    const reach = clearancePx + gap;
    for (const { x, y } of DIRECTIONS) {
      yield {
        x: Math.round(x > 0.5 ? reach * x : x < -0.5 ? reach * x - width : reach * x - width / 2),
        y: Math.round(y > 0 ? reach * y : y < 0 ? reach * y - height : -height / 2),
      };
    }
  }
}

function costOf(request: BlockRequest, rect: Rect, glyphs: readonly Obstacle[]): number {
  const { anchor, width, height } = request;
  const end = leaderEnd({ x: rect.x - anchor.x, y: rect.y - anchor.y }, width, height);
  let cost = Math.hypot(end.x, end.y);
  for (const glyph of glyphs) {
    if (covers(rect, glyph)) cost += COVERED_GLYPH_COST;
    else if (isNearLeader(glyph, anchor, end)) cost += LEADER_OVER_GLYPH_COST;
  }
  return cost;
}

function isNearLeader(glyph: Obstacle, anchor: Point, end: Point): boolean {
  const x = glyph.x - anchor.x;
  const y = glyph.y - anchor.y;
  const lengthSquared = end.x ** 2 + end.y ** 2;
  const along = lengthSquared === 0 ? 0 : (x * end.x + y * end.y) / lengthSquared;
  if (along < 0.2 || along > 1) return false;
  return (x - along * end.x) ** 2 + (y - along * end.y) ** 2 < glyph.reachPx ** 2;
}

const covers = (rect: Rect, glyph: Obstacle): boolean => contains(grown(rect, glyph.reachPx), glyph);

function rectAt({ anchor, width, height }: BlockRequest, offset: BlockOffset): Rect {
  return { x: anchor.x + offset.x, y: anchor.y + offset.y, width, height };
}

function grown({ x, y, width, height }: Rect, by: number): Rect {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

export function contains({ x, y, width, height }: Rect, point: Point): boolean {
  return point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height;
}

function isInside(rect: Rect, outer: Rect): boolean {
  return (
    rect.x >= outer.x &&
    rect.y >= outer.y &&
    rect.x + rect.width <= outer.x + outer.width &&
    rect.y + rect.height <= outer.y + outer.height
  );
}

function intersect(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
