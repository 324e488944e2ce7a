import type { Picture, Tint } from './picture.ts';

/** Lines per pixel row at which edges are sampled; across the row their coverage is exact. */
const SUB_LINES = 4;

/** Room for the edges of one polygon; shapes here have far fewer. */
const MOST_EDGES = 512;
/** Edges that touch the row at hand: upper end, lower end, x at y = 0 if the edge reached there, x per y. */
const edges = new Float64Array(MOST_EDGES * 4);
const crossings = new Float64Array(MOST_EDGES);
let coverage = new Float32Array(0);

/**
 * Fills a polygon with soft edges; overlapping parts are holes (even-odd).
 * @param corners x, y, x, y, … in pixels; may reach out of the picture
 */
export function fillPolygon(picture: Picture, corners: ArrayLike<number>, colour: Tint): void {
  let [left, top, right, low] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 1 < corners.length; i += 2) {
    const x = corners[i] ?? 0;
    const y = corners[i + 1] ?? 0;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > low) low = y;
  }
  if (right <= 0 || left >= picture.width) return;
  const firstRow = Math.max(0, Math.floor(top));
  const endRow = Math.min(picture.height, Math.ceil(low));
  if (coverage.length < picture.width + 2) coverage = new Float32Array(picture.width + 2);
  for (let row = firstRow; row < endRow; row++) {
    const edgeCount = edgesOfRow(corners, row);
    if (edgeCount > 0) fillRow(picture, row, edgeCount, colour);
  }
}

function edgesOfRow(corners: ArrayLike<number>, row: number): number {
  let count = 0;
  let x0 = corners[corners.length - 2] ?? 0;
  let y0 = corners[corners.length - 1] ?? 0;
  for (let i = 0; i < corners.length; i += 2) {
    const x1 = corners[i] ?? 0;
    const y1 = corners[i + 1] ?? 0;
    const upper = Math.min(y0, y1);
    const lower = Math.max(y0, y1);
    if (upper < row + 1 && lower > row && upper < lower && count < MOST_EDGES) {
      const slope = (x1 - x0) / (y1 - y0);
      edges[count * 4] = upper;
      edges[count * 4 + 1] = lower;
      edges[count * 4 + 2] = x0 - slope * y0;
      edges[count * 4 + 3] = slope;
      count++;
    }
    x0 = x1;
    y0 = y1;
  }
  return count;
}

function fillRow(picture: Picture, row: number, edgeCount: number, colour: Tint): void {
  let from = picture.width;
  let to = 0;
  // Where every sampled line covers the row entirely: filled at once.
  let solidFrom = 0;
  let solidTo = picture.width;
  for (let line = 0; line < SUB_LINES; line++) {
    const count = crossLine(edgeCount, row + (line + 0.5) / SUB_LINES);
    if (count !== 2) solidTo = 0;
    for (let i = 0; i + 1 < count; i += 2) {
      const left = Math.max(0, crossings[i] ?? 0);
      const right = Math.min(picture.width, crossings[i + 1] ?? 0);
      if (right <= left) {
        solidTo = 0;
        continue;
      }
      addSpan(left, right);
      from = Math.min(from, Math.floor(left));
      to = Math.max(to, Math.ceil(right));
      solidFrom = Math.max(solidFrom, Math.ceil(left));
      solidTo = Math.min(solidTo, Math.floor(right));
    }
  }
  if (to > from) paintRow(picture, row, from, to, solidFrom, solidTo, colour);
}

/** Sorted crossings of the horizontal line at `y`; returns their number. */
function crossLine(edgeCount: number, y: number): number {
  let count = 0;
  for (let edge = 0; edge < edgeCount * 4; edge += 4) {
    if ((edges[edge] ?? 0) > y || (edges[edge + 1] ?? 0) <= y) continue;
    const x = (edges[edge + 2] ?? 0) + (edges[edge + 3] ?? 0) * y;
    let place = count++;
    while (place > 0 && (crossings[place - 1] ?? 0) > x) {
      crossings[place] = crossings[place - 1] ?? 0;
      place--;
    }
    crossings[place] = x;
  }
  return count;
}

/** Notes one line's span as steps of coverage, so that a running sum gives each pixel's share. */
function addSpan(left: number, right: number): void {
  addStep(left, 1 / SUB_LINES);
  addStep(right, -1 / SUB_LINES);
}

function addStep(x: number, height: number): void {
  const pixel = Math.floor(x);
  const part = (x - pixel) * height;
  coverage[pixel] = (coverage[pixel] ?? 0) + height - part;
  coverage[pixel + 1] = (coverage[pixel + 1] ?? 0) + part;
}

function paintRow(
  picture: Picture,
  row: number,
  from: number,
  to: number,
  solidFrom: number,
  solidTo: number,
  colour: Tint,
): void {
  const hasSolid = solidTo > solidFrom;
  let fraction = 0;
  for (let x = from; x < to; x++) {
    if (hasSolid && x === solidFrom) {
      paintSolid(picture, row, solidFrom, solidTo, colour);
      fraction = 1;
      x = solidTo - 1;
      // The left edge's steps may reach into the first solid pixel; no other lie within.
      coverage[solidFrom] = 0;
      continue;
    }
    fraction += coverage[x] ?? 0;
    coverage[x] = 0;
    if (fraction > 0.003) blend(picture, row, x, colour, Math.min(1, fraction));
  }
  coverage[to] = 0;
  coverage[to + 1] = 0;
}

function paintSolid(picture: Picture, row: number, from: number, to: number, colour: Tint): void {
  picture.y.fill(colour.y, row * picture.width + from, row * picture.width + to);
  if ((row & 1) === 1) return;
  const half = (row >> 1) * (picture.width >> 1);
  picture.u.fill(colour.u, half + ((from + 1) >> 1), half + ((to + 1) >> 1));
  picture.v.fill(colour.v, half + ((from + 1) >> 1), half + ((to + 1) >> 1));
}

function blend(picture: Picture, row: number, x: number, colour: Tint, fraction: number): void {
  const at = row * picture.width + x;
  const y = picture.y[at] ?? 0;
  picture.y[at] = y + (colour.y - y) * fraction;
  if (((row | x) & 1) === 1) return;
  const half = (row >> 1) * (picture.width >> 1) + (x >> 1);
  const u = picture.u[half] ?? 0;
  const v = picture.v[half] ?? 0;
  picture.u[half] = u + (colour.u - u) * fraction;
  picture.v[half] = v + (colour.v - v) * fraction;
}
