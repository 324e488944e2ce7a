import { readBits, readable } from './bits.ts';
import { parseH265Pps, parseH265Sps, parseH265Vps } from './h265ParameterSets.ts';
import type { H265Pps, H265Sps } from './h265ParameterSets.ts';
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

/** nal_unit_type (ITU-T H.265, table 7-1). */
const RADL_N = 6;
const RASL_N = 8;
const RASL_R = 9;
const LAST_OF_SUB_LAYERS = 14;
const FIRST_KEY = 16;
const FIRST_IDR = 19;
const LAST_IDR = 20;
const LAST_KEY = 23;
const LAST_SLICE = 31;
const VPS = 32;
const SPS = 33;
const PPS = 34;
const DELIMITER = 35;
const END_OF_SEQUENCE = 36;
const END_OF_STREAM = 37;
const PREFIX_SEI = 39;

interface Header {
  type: number;
  temporalId: number;
}

/** Follows an H.265 byte stream. Pictures coded as separate fields are reported as an error. */
export function createH265Reader(): PictureReader {
  const vps = createParameterSetCache(parseH265Vps);
  const sps = createParameterSetCache<H265Sps>(parseH265Sps);
  const pps = createParameterSetCache<H265Pps>(parseH265Pps);
  let keyFormat: H265Sps | null = null;
  let isSequenceStart = true;
  let raslCanBeDecoded = false;
  let orderBefore = 0;
  let hasFields = false;

  /** 8.3.1 */
  function orderOf(
    { type, temporalId }: Header,
    lsb: number,
    bitCount: number,
    startsSequence: boolean,
  ): number {
    const span = 2 ** bitCount;
    const lsbBefore = ((orderBefore % span) + span) % span;
    const before = { msb: orderBefore - lsbBefore, lsb: lsbBefore };
    const msb = startsSequence ? 0 : orderMsb(lsb, bitCount, before);
    const isLeading = type >= RADL_N && type <= RASL_R;
    const isUnreferenced = type <= LAST_OF_SUB_LAYERS && type % 2 === 0;
    if (temporalId === 0 && !isLeading && !isUnreferenced) orderBefore = msb + lsb;
    return msb + lsb;
  }

  function readPicture(nal: Uint8Array, header: Header): Picture | null {
    const { type } = header;
    const bits = readBits(nal, 2);
    const isKey = type >= FIRST_KEY && type <= LAST_KEY;
    bits.skip(isKey ? 2 : 1);
    const set = pps.get(bits.ue());
    const sequence = set === undefined ? undefined : sps.get(set.spsId);
    if (set === undefined || sequence === undefined) return null;
    bits.skip(set.extraSliceBits);
    bits.ue();
    bits.skip((set.hasOutputFlag ? 1 : 0) + (sequence.hasColourPlanes ? 2 : 0));
    const isIdr = type === FIRST_IDR || type === LAST_IDR;
    const lsb = isIdr ? 0 : bits.u(sequence.orderBits);
    const startsSequence = isKey && (isSequenceStart || type <= LAST_IDR);
    if (isKey) {
      keyFormat = sequence;
      isSequenceStart = false;
      raslCanBeDecoded = !startsSequence;
    }
    hasFields ||= sequence.isOfFields;
    return {
      isKey,
      startsSequence,
      skipped: (type === RASL_N || type === RASL_R) && !raslCanBeDecoded,
      order: orderOf(header, lsb, sequence.orderBits, startsSequence),
    };
  }

  function placeOf(nal: Uint8Array, header: Header): Place {
    const { type } = header;
    if (type <= LAST_SLICE) {
      const isFirst = ((nal[2] ?? 0) & 0x80) !== 0;
      if (!isFirst) return BELONGS;
      return { opens: false, picture: readable(() => readPicture(nal, header)) ?? UNREADABLE };
    }
    switch (type) {
      case VPS:
        return vps.put(nal);
      case SPS:
        return sps.put(nal);
      case PPS:
        return pps.put(nal);
      case DELIMITER:
      case PREFIX_SEI:
        return OPENS;
      case END_OF_SEQUENCE:
      case END_OF_STREAM:
        isSequenceStart = true;
        return BELONGS;
      default:
        return (type >= 41 && type <= 44) || (type >= 48 && type <= 55) ? OPENS : BELONGS;
    }
  }

  return {
    read(nal) {
      const [first = 0, second = 0] = nal;
      const layer = ((first & 1) << 5) | (second >> 3);
      // Layers above the first hold the same picture better, or another eye's.
      if (layer > 0) return BELONGS;
      return placeOf(nal, { type: (first >> 1) & 0x3f, temporalId: (second & 7) - 1 });
    },
    format: () => keyFormat,
    parameterSets: () => [...vps.all(), ...sps.all(), ...pps.all()],
    keepsOrder: () => false,
    trouble: () => (hasFields ? SEPARATE_FIELDS : null),
  };
}
