/**
 * A picture in planar YUV 4:2:0, the encoder's own layout: drawing into it saves converting every pixel of every
 * frame. Both sides are even numbers.
 */
export interface Picture {
  width: number;
  height: number;
  /** Brightness, then both colour planes at half the size, in one piece. */
  bytes: Uint8Array;
  y: Uint8Array;
  u: Uint8Array;
  v: Uint8Array;
}

/** A colour in the picture's own terms, 0 to 255 each. */
export interface Tint {
  y: number;
  u: number;
  v: number;
}

/** Lines per pixel row at which edges are sampled; across the row their coverage is exact. */
const SUB_LINES = 4;
let coverage = new Float32Array(0);
/** Of one line with one polygon; shapes here have far fewer. */
const crossings = new Float64Array(512);

export function createPicture(width: number, height: number): Picture {
  const pixels = width * height;
  const bytes = new Uint8Array(pixels + pixels / 2);
  const [y, u, v] = [
    bytes.subarray(0, pixels),
    bytes.subarray(pixels, (pixels * 5) / 4),
    bytes.subarray((pixels * 5) / 4),
  ];
  return { width, height, bytes, y, u, v };
}

/** `#RRGGBB` in the narrow range that players expect where a stream says nothing (ITU-R BT.601). */
export function tint(hex: string): Tint {
  const rgb = Number.parseInt(hex.slice(1), 16);
  const [r, g, b] = [(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255];
  return {
    y: Math.round(16 + 0.2568 * r + 0.5041 * g + 0.0979 * b),
    u: Math.round(128 - 0.1482 * r - 0.291 * g + 0.4392 * b),
    v: Math.round(128 + 0.4392 * r - 0.3678 * g - 0.0714 * b),
  };
}

/** `fraction` 0 gives `from`, 1 gives `to`. */
export function mix(from: Tint, to: Tint, fraction: number): Tint {
  const part = Math.min(1, Math.max(0, fraction));
  const between = (a: number, b: number) => a + (b - a) * part;
  return { y: between(from.y, to.y), u: between(from.u, to.u), v: between(from.v, to.v) };
}

/** Fills whole pixels; the edges are rounded to them. Parts outside of the picture are left out. */
export function fillRect(
  picture: Picture,
  left: number,
  top: number,
  width: number,
  height: number,
  colour: Tint,
) {
  const x0 = Math.max(0, Math.round(left));
  const x1 = Math.min(picture.width, Math.round(left + width));
  const y1 = Math.min(picture.height, Math.round(top + height));
  if (x1 <= x0) return;
  for (let row = Math.max(0, Math.round(top)); row < y1; row++) {
    picture.y.fill(colour.y, row * picture.width + x0, row * picture.width + x1);
    if ((row & 1) === 1) continue;
    const half = (row >> 1) * (picture.width >> 1);
    picture.u.fill(colour.u, half + ((x0 + 1) >> 1), half + ((x1 + 1) >> 1));
    picture.v.fill(colour.v, half + ((x0 + 1) >> 1), half + ((x1 + 1) >> 1));
  }
}

/**
 * Fills a polygon with soft edges; overlapping parts are holes (even-odd).
 * @param corners x, y, x, y, … in pixels; may reach out of the picture
 */
export function fillPolygon(picture: Picture, corners: readonly number[], colour: Tint): void {
  if (coverage.length < picture.width + 2) coverage = new Float32Array(picture.width + 2);
  let [top, low, leftmost, rightmost] = [picture.height, 0, picture.width, 0];
  for (let i = 0; i + 1 < corners.length; i += 2) {
    leftmost = Math.min(leftmost, corners[i] ?? 0);
    rightmost = Math.max(rightmost, corners[i] ?? 0);
    top = Math.min(top, corners[i + 1] ?? 0);
    low = Math.max(low, corners[i + 1] ?? 0);
  }
  if (rightmost <= 0 || leftmost >= picture.width) return;
  const endRow = Math.min(picture.height, Math.ceil(low));
  for (let row = Math.max(0, Math.floor(top)); row < endRow; row++) {
    let [from, to] = [picture.width, 0];
    for (let line = 0; line < SUB_LINES; line++) {
      const count = crossLine(corners, row + (line + 0.5) / SUB_LINES);
      for (let i = 0; i + 1 < count; i += 2) {
        const left = Math.max(0, crossings[i] ?? 0);
        const right = Math.min(picture.width, crossings[i + 1] ?? 0);
        if (right <= left) continue;
        addStep(left, 1 / SUB_LINES);
        addStep(right, -1 / SUB_LINES);
        from = Math.min(from, Math.floor(left));
        to = Math.max(to, Math.ceil(right));
      }
    }
    if (to > from) paintRow(picture, row, from, to, colour);
  }
}

/** Finds where the horizontal line at `y` meets the outline, from left to right; answers how often. */
function crossLine(corners: readonly number[], y: number): number {
  let count = 0;
  let x0 = corners[corners.length - 2] ?? 0;
  let y0 = corners[corners.length - 1] ?? 0;
  for (let i = 0; i + 1 < corners.length; i += 2) {
    const x1 = corners[i] ?? 0;
    const y1 = corners[i + 1] ?? 0;
    if (y0 > y !== y1 > y) {
      const x = x0 + ((y - y0) / (y1 - y0)) * (x1 - x0);
      let place = count++;
      for (; place > 0 && (crossings[place - 1] ?? 0) > x; place--)
        crossings[place] = crossings[place - 1] ?? 0;
      crossings[place] = x;
    }
    x0 = x1;
    y0 = y1;
  }
  return count;
}

/** Notes an edge as a step of coverage, so that a running sum gives each pixel's share. */
function addStep(x: number, height: number): void {
  const pixel = Math.floor(x);
  const part = (x - pixel) * height;
  coverage[pixel] = (coverage[pixel] ?? 0) + height - part;
  coverage[pixel + 1] = (coverage[pixel + 1] ?? 0) + part;
}

function paintRow(picture: Picture, row: number, from: number, to: number, colour: Tint): void {
  let fraction = 0;
  for (let x = from; x < to; x++) {
    fraction += coverage[x] ?? 0;
    coverage[x] = 0;
    if (fraction > 0.999) {
      let end = x + 1;
      while (end < to && coverage[end] === 0) end++;
      fillRect(picture, x, row, end - x, 1, colour);
      x = end - 1;
    } else if (fraction > 0.003) blend(picture, row, x, colour, fraction);
  }
  coverage.fill(0, to, to + 2);
}

function blend(picture: Picture, row: number, x: number, colour: Tint, fraction: number): void {
  mixInto(picture.y, row * picture.width + x, colour.y, fraction);
  if (((row | x) & 1) === 1) return;
  const half = (row >> 1) * (picture.width >> 1) + (x >> 1);
  mixInto(picture.u, half, colour.u, fraction);
  mixInto(picture.v, half, colour.v, fraction);
}

function mixInto(plane: Uint8Array, at: number, value: number, fraction: number): void {
  const before = plane[at] ?? 0;
  plane[at] = before + (value - before) * fraction;
}
