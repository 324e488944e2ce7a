import { readable } from './bits.ts';

/** One coded picture, by the header of its first slice. */
export interface Picture {
  /** Whether decoding can begin with it. */
  isKey: boolean;
  /** Whether nothing after it refers to, or is shown before, anything ahead of it. */
  startsSequence: boolean;
  /** Whether it cannot be decoded: its header is damaged, or it refers to pictures ahead of where decoding began. */
  skipped: boolean;
  /** Its place in the order of showing, within its sequence; null when pictures are shown as they come. */
  order: number | null;
}

/** What a NAL unit is to the access unit that it stands in (ITU-T H.264, 7.4.1.2; H.265, 7.4.2.4). */
export interface Place {
  /** Whether it may only stand ahead of a picture: after one, it begins the next access unit. */
  opens: boolean;
  /** Set with the first slice of a picture. */
  picture: Picture | null;
}

export const OPENS: Place = { opens: true, picture: null };
export const BELONGS: Place = { opens: false, picture: null };
/** A picture whose header is damaged, or names parameter sets that never came. */
export const UNREADABLE: Picture = { isKey: false, startsSequence: false, skipped: true, order: null };

/** As the active sequence parameter set says. */
export interface Format {
  /** As in a `codecs` parameter. */
  codec: string;
  widthPx: number;
  heightPx: number;
  /** Width of one pixel, its height being 1. */
  pixelAspect: number;
  /** Frames a second; null when the stream does not say. */
  rate: number | null;
}

export function decoderConfigOf({ codec, widthPx, heightPx, pixelAspect }: Format): VideoDecoderConfig {
  return {
    codec,
    codedWidth: widthPx,
    codedHeight: heightPx,
    displayAspectWidth: Math.round(widthPx * pixelAspect * 1000),
    displayAspectHeight: heightPx * 1000,
  };
}

/** Follows a raw stream NAL unit by NAL unit. */
export interface PictureReader {
  read(nal: Uint8Array): Place;
  /** Of the key picture last read; null when it has no readable parameter sets. */
  format(): Format | null;
  /** All parameter sets that hold now, in the order in which a decoder wants them. */
  parameterSets(): Uint8Array[];
  /** Whether no picture seen can be shown in another order than it comes. */
  keepsOrder(): boolean;
  /** Why the pictures cannot be put into their order of showing, in words for an operator; null when they can. */
  trouble(): string | null;
}

/** What a reader that follows whole frames says of the others. */
export const SEPARATE_FIELDS = 'its pictures are coded as separate fields (interlaced)';

/**
 * The upper part of a picture's place in the order of showing, of which a slice has the last `bitCount` bits alone: the
 * one that brings it closest to the picture before (ITU-T H.264, 8.2.1.1; H.265, 8.3.1).
 */
export function orderMsb(lsb: number, bitCount: number, before: { msb: number; lsb: number }): number {
  const span = 2 ** bitCount;
  if (lsb < before.lsb && before.lsb - lsb >= span / 2) return before.msb + span;
  if (lsb > before.lsb && lsb - before.lsb > span / 2) return before.msb - span;
  return before.msb;
}

/** Rates outside are what encoders write that do not know theirs. */
const RATES = { min: 1, max: 240 };

export function plausibleRate(perSecond: number): number | null {
  return perSecond >= RATES.min && perSecond <= RATES.max ? perSecond : null;
}

/** Pixel shapes by aspect_ratio_idc (ITU-T H.264, table E-1; H.265, table E.1), from 1 on. */
const PIXEL_ASPECTS: readonly (readonly [number, number])[] = [
  [1, 1],
  [12, 11],
  [10, 11],
  [16, 11],
  [40, 33],
  [24, 11],
  [20, 11],
  [32, 11],
  [80, 33],
  [18, 11],
  [15, 11],
  [64, 33],
  [160, 99],
  [4, 3],
  [3, 2],
  [2, 1],
];

const SPELLED_OUT = 255;

/** Reads the first fields of VUI parameters, which both standards share. */
export function readPixelAspect(bits: { u(width: number): number; flag(): boolean }): number {
  if (!bits.flag()) return 1;
  const idc = bits.u(8);
  const [width, height] = idc === SPELLED_OUT ? [bits.u(16), bits.u(16)] : (PIXEL_ASPECTS[idc - 1] ?? [1, 1]);
  return width > 0 && height > 0 ? width / height : 1;
}

/** Far above any: one with every scaling list spelled out is some 6 kB. */
const MOST_SET_BYTES = 64 * 1024;

/** The parameter sets of one kind that hold, by their own numbers: a later one takes an older one's place. */
export function createParameterSetCache<T extends { id: number }>(parse: (nal: Uint8Array) => T) {
  const sets = new Map<number, { set: T; nal: Uint8Array }>();
  return {
    /** Answers what a parameter set is to its access unit; passes over what is none. */
    put(nal: Uint8Array): Place {
      const set = nal.length > MOST_SET_BYTES ? null : readable(() => parse(nal));
      if (set !== null) sets.set(set.id, { set, nal: Uint8Array.from(nal) });
      return OPENS;
    },
    get: (id: number): T | undefined => sets.get(id)?.set,
    all: (): Uint8Array[] => [...sets.values()].map((it) => it.nal),
  };
}
