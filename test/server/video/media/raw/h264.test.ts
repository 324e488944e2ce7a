import { describe, expect, it } from 'vitest';
import { createH264Reader } from '../../../../../server/video/media/raw/h264.ts';
import { nal } from './nalWriter.ts';

interface Kind {
  orderKind?: number;
  isInterlaced?: boolean;
}

const main = '01001101' + '00000000' + '00011110';
const setsOf = ({ orderKind = 0, isInterlaced = false }: Kind) => {
  const order = orderKind === 0 ? [0] : orderKind === 1 ? ['1', 0, 0, 0] : [];
  const lines = isInterlaced ? '00' : '1';
  return [
    nal(0x67, main, 0, 0, orderKind, ...order, 1, '0', 9, 7, lines, '1', '0', '0'),
    nal(0x68, 0, 0, '00'),
  ];
};

const bits4 = (value: number) => value.toString(2).padStart(4, '0');
const I = 7;
const P = 5;
const B = 6;

/** A slice of a picture: its first macroblock, type, frame number and order. */
const slice = (firstMacroblock: number, type: number, frameNum: number, order: number) =>
  type === I
    ? nal(0x65, firstMacroblock, type, 0, bits4(frameNum), 0, bits4(order))
    : nal(type === B ? 0x01 : 0x41, firstMacroblock, type, 0, bits4(frameNum), bits4(order));

function ordersOf(nals: readonly Buffer[]): (number | null)[] {
  const reader = createH264Reader();
  for (const set of setsOf({})) reader.read(set);
  return nals.flatMap((it) => {
    const { picture } = reader.read(it);
    return picture === null ? [] : [picture.order];
  });
}

describe('the reader of H.264', () => {
  it('the reader of H.264 counts the order of showing on when its few bits run over', () => {
    const pictures = [
      slice(0, I, 0, 0),
      slice(0, P, 1, 6),
      slice(0, P, 2, 12),
      slice(0, P, 3, 2),
      slice(0, B, 4, 15),
    ];
    expect(ordersOf(pictures)).toEqual([0, 6, 12, 18, 15]);
  });

  it('the reader of H.264 counts from the last picture that others refer to', () => {
    const pictures = [
      slice(0, I, 0, 0),
      slice(0, P, 1, 6),
      slice(0, P, 2, 12),
      slice(0, B, 3, 9),
      slice(0, P, 3, 3),
    ];
    expect(ordersOf(pictures)).toEqual([0, 6, 12, 9, 19]);
  });

  it('the reader of H.264 takes slices for one picture until a number changes, also when the first slice was lost', () => {
    const slices = [
      slice(0, I, 0, 0),
      slice(40, I, 0, 0),
      slice(40, P, 1, 2),
      slice(60, P, 1, 2),
      slice(0, P, 2, 4),
    ];
    expect(ordersOf(slices)).toEqual([0, 2, 4]);
  });

  it('the reader of H.264 says what it cannot put in order, and only that', () => {
    const troubleOf = (kind: Kind, ...nals: Buffer[]) => {
      const reader = createH264Reader();
      for (const it of [...setsOf(kind), ...nals]) reader.read(it);
      return reader.trouble();
    };
    const predicted = nal(0x41, 0, P, 0, '0001');
    const between = nal(0x01, 0, B, 0, '0010');
    expect(troubleOf({ orderKind: 1 }, predicted)).toBeNull();
    expect(troubleOf({ orderKind: 1 }, predicted, between)).toMatch(/B frames/);
    expect(troubleOf({ orderKind: 2 }, predicted)).toBeNull();
    const field = nal(0x41, 0, P, 0, '0001', '1', '0', '0010');
    const frame = nal(0x41, 0, P, 0, '0001', '0', '0010');
    expect(troubleOf({ isInterlaced: true }, frame)).toBeNull();
    expect(troubleOf({ isInterlaced: true }, field)).toMatch(/fields/);
  });

  it('the reader of H.264 begins at a recovery point that is right at once, at no other', () => {
    const isKeyAfter = (...message: (number | string)[]) => {
      const reader = createH264Reader();
      for (const it of setsOf({})) reader.read(it);
      reader.read(nal(0x06, '00000110', '00000001', ...message));
      return reader.read(slice(0, P, 1, 2)).picture?.isKey;
    };
    expect(isKeyAfter(0, '1', '000000')).toBe(true);
    expect(isKeyAfter(0, '0', '000000')).toBe(false);
    expect(isKeyAfter(3, '1', '00')).toBe(false);
  });
});
