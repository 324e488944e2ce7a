import { BitsError, readBits } from './bits.ts';
import type { Bits } from './bits.ts';
import { atMost } from './h264ParameterSets.ts';
import { plausibleRate, readPixelAspect } from './pictures.ts';
import type { Format } from './pictures.ts';

/** What is needed of a sequence parameter set: ITU-T H.265, 7.3.2.2.1 and annex E. */
export interface H265Sps extends Format {
  id: number;
  hasColourPlanes: boolean;
  orderBits: number;
  isOfFields: boolean;
}

export interface H265Pps {
  id: number;
  spsId: number;
  hasOutputFlag: boolean;
  extraSliceBits: number;
}

const HEADER_BYTES = 2;
/** Level 6.2 goes to 16,888 pixels a side (A.4.1). */
const MOST_PIXELS = 16_888;

/** @throws BitsError when it is none */
export function parseH265Vps(nal: Uint8Array): { id: number } {
  return { id: readBits(nal, HEADER_BYTES).u(4) };
}

/** @throws BitsError when it is none */
export function parseH265Sps(nal: Uint8Array): H265Sps {
  const bits = readBits(nal, HEADER_BYTES);
  bits.skip(4);
  const subLayers = atMost(bits.u(3), 6);
  bits.skip(1);
  const codec = readProfile(bits, subLayers);
  const id = atMost(bits.ue(), 15);
  const chroma = atMost(bits.ue(), 3);
  const hasColourPlanes = chroma === 3 && bits.flag();
  const codedWidth = atMost(bits.ue(), MOST_PIXELS);
  const codedHeight = atMost(bits.ue(), MOST_PIXELS);
  const crop = readWindow(bits, hasColourPlanes ? 0 : chroma);
  const widthPx = codedWidth - crop.widthPx;
  const heightPx = codedHeight - crop.heightPx;
  if (widthPx <= 0 || heightPx <= 0) throw new BitsError('crops all of the picture');
  atMost(bits.ue(), 8);
  atMost(bits.ue(), 8);
  const orderBits = atMost(bits.ue(), 12) + 4;
  const ofPicture = { id, codec, widthPx, heightPx, hasColourPlanes, orderBits };
  return { ...ofPicture, ...readVuiOf(bits, subLayers, orderBits) };
}

/** @throws BitsError when it is none */
export function parseH265Pps(nal: Uint8Array): H265Pps {
  const bits = readBits(nal, HEADER_BYTES);
  const id = atMost(bits.ue(), 63);
  const spsId = atMost(bits.ue(), 15);
  bits.skip(1);
  return { id, spsId, hasOutputFlag: bits.flag(), extraSliceBits: bits.u(3) };
}

/** profile_tier_level (7.3.3), as the codecs parameter writes it (ISO/IEC 14496-15, E.3). */
function readProfile(bits: Bits, subLayers: number): string {
  const space = ['', 'A', 'B', 'C'][bits.u(2)] ?? '';
  const tier = bits.flag() ? 'H' : 'L';
  const profile = bits.u(5);
  let compatibility = 0;
  for (let i = 0; i < 32; i++) compatibility += bits.u(1) * 2 ** i;
  const constraints = Array.from({ length: 6 }, () => bits.u(8));
  while (constraints.at(-1) === 0) constraints.pop();
  const level = bits.u(8);
  const present = Array.from({ length: subLayers }, () => ({ profile: bits.flag(), level: bits.flag() }));
  if (subLayers > 0) bits.skip(2 * (8 - subLayers));
  for (const has of present) bits.skip((has.profile ? 88 : 0) + (has.level ? 8 : 0));
  const hex = (value: number) => value.toString(16).toUpperCase();
  return [`hvc1.${space}${profile}`, hex(compatibility), `${tier}${level}`, ...constraints.map(hex)].join(
    '.',
  );
}

/** In units of two pixels where the colour is coarser than the picture (table 6-1). */
function readWindow(bits: Bits, chroma: number): { widthPx: number; heightPx: number } {
  if (!bits.flag()) return { widthPx: 0, heightPx: 0 };
  const unitX = chroma === 1 || chroma === 2 ? 2 : 1;
  const unitY = chroma === 1 ? 2 : 1;
  const [left, right, top, bottom] = [bits.ue(), bits.ue(), bits.ue(), bits.ue()];
  return { widthPx: (left + right) * unitX, heightPx: (top + bottom) * unitY };
}

interface Vui {
  pixelAspect: number;
  rate: number | null;
  isOfFields: boolean;
}

/** The rest of a set, for the sake of the VUI at its end; what is cut short there leaves the picture as it is. */
function readVuiOf(bits: Bits, subLayers: number, orderBits: number): Vui {
  const vui: Vui = { pixelAspect: 1, rate: null, isOfFields: false };
  try {
    skipToVui(bits, subLayers, orderBits);
    if (bits.flag()) readVui(bits, vui);
  } catch (error) {
    if (!(error instanceof BitsError)) throw error;
  }
  return vui;
}

function skipToVui(bits: Bits, subLayers: number, orderBits: number): void {
  for (let layer = bits.flag() ? 0 : subLayers; layer <= subLayers; layer++) skipNumbers(bits, 3);
  skipNumbers(bits, 6);
  if (bits.flag() && bits.flag()) skipScalingLists(bits);
  bits.skip(2);
  if (bits.flag()) {
    bits.skip(8);
    skipNumbers(bits, 2);
    bits.skip(1);
  }
  skipReferenceSets(bits);
  if (bits.flag()) {
    const count = atMost(bits.ue(), 32);
    bits.skip(count * (orderBits + 1));
  }
  bits.skip(2);
}

function skipNumbers(bits: Bits, count: number): void {
  for (let i = 0; i < count; i++) bits.ue();
}

/** scaling_list_data (7.3.4) */
function skipScalingLists(bits: Bits): void {
  for (let size = 0; size < 4; size++) {
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      if (!bits.flag()) bits.ue();
      else skipNumbers(bits, Math.min(64, 1 << (4 + (size << 1))) + (size > 1 ? 1 : 0));
    }
  }
}

/** st_ref_pic_set (7.3.7); a set may be coded as its difference from the one before (7.4.8). */
function skipReferenceSets(bits: Bits): void {
  let before: number[] = [];
  const sets = atMost(bits.ue(), 64);
  for (let set = 0; set < sets; set++) {
    before = set > 0 && bits.flag() ? shiftedSet(bits, before) : plainSet(bits);
  }
}

function plainSet(bits: Bits): number[] {
  const [behind, ahead] = [atMost(bits.ue(), 16), atMost(bits.ue(), 16)];
  const steps = (count: number, sign: number) => {
    let distance = 0;
    return Array.from({ length: count }, () => {
      distance += sign * (bits.ue() + 1);
      bits.skip(1);
      return distance;
    });
  };
  return [...steps(behind, -1), ...steps(ahead, 1)];
}

function shiftedSet(bits: Bits, before: readonly number[]): number[] {
  const sign = bits.flag() ? -1 : 1;
  const shift = sign * (bits.ue() + 1);
  const kept: number[] = [];
  for (const distance of [...before, 0]) {
    const isKept = bits.flag() || bits.flag();
    if (isKept && distance + shift !== 0) kept.push(distance + shift);
  }
  if (kept.length > 32) throw new BitsError('holds too many reference pictures');
  const behind = kept.filter((it) => it < 0).sort((a, b) => b - a);
  return [...behind, ...kept.filter((it) => it > 0).sort((a, b) => a - b)];
}

/** Annex E.2.1 */
function readVui(bits: Bits, vui: Vui): void {
  vui.pixelAspect = readPixelAspect(bits);
  if (bits.flag()) bits.skip(1);
  if (bits.flag()) {
    bits.skip(4);
    if (bits.flag()) bits.skip(24);
  }
  if (bits.flag()) skipNumbers(bits, 2);
  bits.skip(1);
  vui.isOfFields = bits.flag();
  bits.skip(1);
  if (bits.flag()) skipNumbers(bits, 4);
  if (!bits.flag()) return;
  const ticks = bits.u(32);
  vui.rate = plausibleRate(bits.u(32) / ticks);
}
