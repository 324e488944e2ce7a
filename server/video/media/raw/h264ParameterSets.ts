import { BitsError, readBits } from './bits.ts';
import type { Bits } from './bits.ts';
import { plausibleRate, readPixelAspect } from './pictures.ts';
import type { Format } from './pictures.ts';

/** What is needed of a sequence parameter set: ITU-T H.264, 7.3.2.1.1 and annex E. */
export interface H264Sps extends Format {
  id: number;
  hasColourPlanes: boolean;
  frameNumBits: number;
  orderKind: number;
  orderBits: number;
  deltaOrderAlwaysZero: boolean;
  framesOnly: boolean;
}

export interface H264Pps {
  id: number;
  spsId: number;
  hasBottomOrder: boolean;
}

/** Profiles whose sets contain colour depth and scaling lists (7.3.2.1.1). */
const HIGH_PROFILES: ReadonlySet<number> = new Set([
  100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
]);
/** Level 6.2 goes to 16,880 pixels a side (table A-1). */
const MOST_MACROBLOCKS = 1055;

/** @throws BitsError when it is none */
export function parseH264Sps(nal: Uint8Array): H264Sps {
  const bits = readBits(nal, 1);
  const profile = bits.u(8);
  bits.skip(8);
  const level = bits.u(8);
  if (profile === 0 || level === 0) throw new BitsError('names no profile');
  const id = atMost(bits.ue(), 31);
  const chroma = HIGH_PROFILES.has(profile) ? readColour(bits) : { format: 1, planes: false };
  const frameNumBits = atMost(bits.ue(), 12) + 4;
  const orderKind = atMost(bits.ue(), 2);
  let orderBits = 0;
  let deltaOrderAlwaysZero = false;
  if (orderKind === 0) orderBits = atMost(bits.ue(), 12) + 4;
  else if (orderKind === 1) deltaOrderAlwaysZero = readOrderCycle(bits);
  bits.ue();
  bits.skip(1);
  const widthMacroblocks = atMost(bits.ue(), MOST_MACROBLOCKS) + 1;
  const heightUnits = atMost(bits.ue(), MOST_MACROBLOCKS) + 1;
  const framesOnly = bits.flag();
  if (!framesOnly) bits.skip(1);
  bits.skip(1);
  const rows = framesOnly ? 1 : 2;
  const crop = readCrop(bits, chroma.planes ? 0 : chroma.format, rows);
  const widthPx = widthMacroblocks * 16 - crop.widthPx;
  const heightPx = heightUnits * 16 * rows - crop.heightPx;
  if (widthPx <= 0 || heightPx <= 0) throw new BitsError('crops all of the picture');
  const vui = bits.flag() ? readVui(bits) : { pixelAspect: 1, rate: null };
  return {
    id,
    codec: `avc1.${Buffer.from(nal.subarray(1, 4)).toString('hex')}`,
    widthPx,
    heightPx,
    hasColourPlanes: chroma.planes,
    frameNumBits,
    orderKind,
    orderBits,
    deltaOrderAlwaysZero,
    framesOnly,
    ...vui,
  };
}

/** @throws BitsError when it is none */
export function parseH264Pps(nal: Uint8Array): H264Pps {
  const bits = readBits(nal, 1);
  const id = atMost(bits.ue(), 255);
  const spsId = atMost(bits.ue(), 31);
  bits.skip(1);
  return { id, spsId, hasBottomOrder: bits.flag() };
}

export function atMost(value: number, max: number): number {
  if (value > max) throw new BitsError(`holds ${value} where at most ${max} is allowed`);
  return value;
}

function readColour(bits: Bits): { format: number; planes: boolean } {
  const format = atMost(bits.ue(), 3);
  const planes = format === 3 && bits.flag();
  atMost(bits.ue(), 6);
  atMost(bits.ue(), 6);
  bits.skip(1);
  if (bits.flag()) {
    for (let list = 0; list < (format === 3 ? 12 : 8); list++) {
      if (bits.flag()) skipScalingList(bits, list < 6 ? 16 : 64);
    }
  }
  return { format, planes };
}

/** 7.3.2.1.1.1 */
function skipScalingList(bits: Bits, size: number): void {
  let last = 8;
  let next = 8;
  for (let i = 0; i < size; i++) {
    if (next !== 0) next = (((last + bits.se()) % 256) + 256) % 256;
    if (next !== 0) last = next;
  }
}

function readOrderCycle(bits: Bits): boolean {
  const alwaysZero = bits.flag();
  bits.se();
  bits.se();
  const frames = atMost(bits.ue(), 255);
  for (let i = 0; i < frames; i++) bits.se();
  return alwaysZero;
}

/** In units of two pixels where the colour is coarser than the picture (table 6-1). */
function readCrop(bits: Bits, chroma: number, rows: number): { widthPx: number; heightPx: number } {
  if (!bits.flag()) return { widthPx: 0, heightPx: 0 };
  const unitX = chroma === 1 || chroma === 2 ? 2 : 1;
  const unitY = (chroma === 1 ? 2 : 1) * rows;
  const [left, right, top, bottom] = [bits.ue(), bits.ue(), bits.ue(), bits.ue()];
  return { widthPx: (left + right) * unitX, heightPx: (top + bottom) * unitY };
}

/** Annex E.1.1; what is cut short there leaves the picture as it is. */
function readVui(bits: Bits): { pixelAspect: number; rate: number | null } {
  let pixelAspect = 1;
  try {
    pixelAspect = readPixelAspect(bits);
    if (bits.flag()) bits.skip(1);
    if (bits.flag()) {
      bits.skip(4);
      if (bits.flag()) bits.skip(24);
    }
    if (bits.flag()) {
      bits.ue();
      bits.ue();
    }
    if (!bits.flag()) return { pixelAspect, rate: null };
    const ticks = bits.u(32);
    const perSecond = bits.u(32);
    // A tick is a field's time, whether there are fields or not (E.2.1, num_units_in_tick).
    return { pixelAspect, rate: plausibleRate(perSecond / (2 * ticks)) };
  } catch (error) {
    if (error instanceof BitsError) return { pixelAspect, rate: null };
    throw error;
  }
}
