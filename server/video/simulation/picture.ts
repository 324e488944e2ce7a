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

export function createPicture(width: number, height: number): Picture {
  const pixels = width * height;
  const bytes = new Uint8Array(pixels + pixels / 2);
  return {
    width,
    height,
    bytes,
    y: bytes.subarray(0, pixels),
    u: bytes.subarray(pixels, pixels + pixels / 4),
    v: bytes.subarray(pixels + pixels / 4),
  };
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

/** `share` 0 gives `from`, 1 gives `to`. */
export function mix(from: Tint, to: Tint, fraction: number): Tint {
  const part = Math.min(1, Math.max(0, fraction));
  return {
    y: from.y + (to.y - from.y) * part,
    u: from.u + (to.u - from.u) * part,
    v: from.v + (to.v - from.v) * part,
  };
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
  const y0 = Math.max(0, Math.round(top));
  const y1 = Math.min(picture.height, Math.round(top + height));
  if (x1 <= x0) return;
  for (let row = y0; row < y1; row++) {
    picture.y.fill(colour.y, row * picture.width + x0, row * picture.width + x1);
    if ((row & 1) === 1) continue;
    const half = (row >> 1) * (picture.width >> 1);
    picture.u.fill(colour.u, half + ((x0 + 1) >> 1), half + ((x1 + 1) >> 1));
    picture.v.fill(colour.v, half + ((x0 + 1) >> 1), half + ((x1 + 1) >> 1));
  }
}
