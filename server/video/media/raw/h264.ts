import { readBits, readable } from './bits.ts';
import { parseH264Pps, parseH264Sps } from './h264ParameterSets.ts';
import type { H264Pps, H264Sps } from './h264ParameterSets.ts';
import {
  BELONGS,
  OPENS,
  orderMsb,
  SEPARATE_FIELDS,
  UNREADABLE,
  type Picture,
  type PictureReader,
  type Place,
  createParameterSetCache,
} from './pictures.ts';

/** nal_unit_type (ITU-T H.264, table 7-1). */
const SLICE = 1;
const PARTITION_A = 2;
const IDR = 5;
const SEI = 6;
const SPS = 7;
const PPS = 8;
const DELIMITER = 9;

/** slice_type modulo 5 (table 7-6). */
const B_SLICE = 1;
const RECOVERY_POINT = 6;

interface Slice {
  isIdr: boolean;
  isReference: boolean;
  isB: boolean;
  firstMacroblock: number;
  isField: boolean;
  orderLsb: number;
  deltaBottom: number;
  /** Differs between any two pictures that follow each other (7.4.1.2.4). */
  mark: string;
  sps: H264Sps;
}

/** Follows an H.264 byte stream. Pictures coded as separate fields are reported as an error. */
export function createH264Reader(): PictureReader {
  const sps = createParameterSetCache<H264Sps>(parseH264Sps);
  const pps = createParameterSetCache<H264Pps>(parseH264Pps);
  let last: Slice | null = null;
  let keyFormat: H264Sps | null = null;
  let recovers = false;
  let before = { msb: 0, lsb: 0 };
  let hasB = false;
  let hasFields = false;
  let orderKinds = 0;

  /** 8.2.1.1, of whole frames. */
  function orderOf({ isIdr, isReference, orderLsb, deltaBottom, sps: set }: Slice): number {
    if (isIdr) before = { msb: 0, lsb: 0 };
    const msb = orderMsb(orderLsb, set.orderBits, before);
    if (isReference) before = { msb, lsb: orderLsb };
    return msb + orderLsb + Math.min(0, deltaBottom);
  }

  function pictureOf(slice: Slice): Picture {
    const isKey = slice.isIdr || recovers;
    recovers = false;
    if (isKey) keyFormat = slice.sps;
    orderKinds |= 1 << slice.sps.orderKind;
    return {
      isKey,
      startsSequence: slice.isIdr,
      skipped: false,
      order: slice.sps.orderKind === 0 ? orderOf(slice) : null,
    };
  }

  function readSlice(nal: Uint8Array, type: number): Slice | null {
    const bits = readBits(nal, 1);
    const firstMacroblock = bits.ue();
    const sliceType = bits.ue() % 5;
    const picture = pps.get(bits.ue());
    const set = picture === undefined ? undefined : sps.get(picture.spsId);
    if (picture === undefined || set === undefined) return null;
    if (set.hasColourPlanes) bits.skip(2);
    const frameNum = bits.u(set.frameNumBits);
    const isField = !set.framesOnly && bits.flag();
    const isBottom = isField && bits.flag();
    const isIdr = type === IDR;
    const idrId = isIdr ? bits.ue() : -1;
    const orderLsb = bits.u(set.orderBits);
    const deltas: number[] = [];
    if (
      set.orderKind === 0
        ? picture.hasBottomOrder && !isField
        : set.orderKind === 1 && !set.deltaOrderAlwaysZero
    ) {
      deltas.push(bits.se());
    }
    const isReference = ((nal[0] ?? 0) & 0x60) !== 0;
    return {
      isIdr,
      isReference,
      isB: sliceType === B_SLICE,
      firstMacroblock,
      isField,
      orderLsb,
      deltaBottom: set.orderKind === 0 ? (deltas[0] ?? 0) : 0,
      mark: [frameNum, picture.id, isField, isBottom, isReference, idrId, orderLsb, ...deltas].join(),
      sps: set,
    };
  }

  function placeOfSlice(nal: Uint8Array, type: number): Place {
    const slice = readable(() => readSlice(nal, type));
    if (slice === null) return beginsPicture(nal) ? { opens: false, picture: UNREADABLE } : BELONGS;
    hasB ||= slice.isB;
    hasFields ||= slice.isField;
    // The first condition alone would do, were no slice ever lost; the second alone, did every encoder count right.
    const isNew = last === null || slice.firstMacroblock === 0 || slice.mark !== last.mark;
    last = slice;
    return isNew ? { opens: false, picture: pictureOf(slice) } : BELONGS;
  }

  return {
    read(nal) {
      const type = (nal[0] ?? 0) & 0x1f;
      switch (type) {
        case SLICE:
        case PARTITION_A:
        case IDR:
          return placeOfSlice(nal, type);
        case SEI:
          recovers ||= readable(() => isRecoveryPoint(nal)) ?? false;
          return OPENS;
        case SPS:
          return sps.put(nal);
        case PPS:
          return pps.put(nal);
        case DELIMITER:
          return OPENS;
        default:
          return type >= 14 && type <= 18 ? OPENS : BELONGS;
      }
    },
    format: () => keyFormat,
    parameterSets: () => [...sps.all(), ...pps.all()],
    keepsOrder: () => !hasB,
    trouble() {
      if (hasFields) return SEPARATE_FIELDS;
      const countsOtherwise = (orderKinds & 0b010) !== 0;
      return hasB && countsOtherwise
        ? 'it has B frames whose order of showing is coded in a way that is not read here'
        : null;
    },
  };
}

/** first_mb_in_slice is 0, which is coded as a single 1. */
function beginsPicture(nal: Uint8Array): boolean {
  return ((nal[1] ?? 0) & 0x80) !== 0;
}

/** Whether all is right from the next picture on (D.2.8): what takes a while to come right is no key. */
function isRecoveryPoint(nal: Uint8Array): boolean {
  const bits = readBits(nal, 1);
  const readNumber = () => {
    let value = 0;
    let byte: number;
    do value += byte = bits.u(8);
    while (byte === 255);
    return value;
  };
  for (;;) {
    // Ends by reading beyond the end: the trailing bit makes one more message of nothing.
    const kind = readNumber();
    const size = readNumber();
    if (kind === RECOVERY_POINT) return bits.ue() === 0 && bits.flag();
    bits.skip(size * 8);
  }
}
