import { describe, expect, it } from 'vitest';
import { createH265Reader } from '../../../../../server/video/media/raw/h265.ts';
import { nal } from './nalWriter.ts';

const TRAIL_R = 1;
const TRAIL_N = 0;
const RASL_N = 8;
const IDR = 19;
const CRA = 21;

const head = (type: number) => [type << 1, 1];
const profile = `00000001${'0'.repeat(32)}${'0'.repeat(48)}01011101`;
/** 160 × 120; four bits for the order of showing. */
const sps = nal(head(33), '0000', '000', '1', profile, 0, 1, 160, 120, '0', 0, 0, 0, '1', 1, 0, 0);
const pps = nal(head(34), 0, 0, '0', '0', '000');

const slice = (type: number, order: number) => {
  const isKey = type >= 16;
  const lsb = type === IDR ? '' : order.toString(2).padStart(4, '0');
  return nal(head(type), '1', isKey ? '0' : '', 0, 1, lsb, '1111');
};

function picturesOf(...nals: Buffer[]) {
  const reader = createH265Reader();
  for (const set of [sps, pps]) reader.read(set);
  return nals.flatMap((it) => reader.read(it).picture ?? []);
}

describe('the reader of H.265', () => {
  it('the reader of H.265 counts the order of showing on when its few bits run over, from the last picture that others refer to', () => {
    const found = picturesOf(
      slice(IDR, 0),
      slice(TRAIL_R, 6),
      slice(TRAIL_R, 12),
      slice(TRAIL_N, 9),
      slice(TRAIL_R, 3),
    );
    expect(found.map((it) => it.order)).toEqual([0, 6, 12, 9, 19]);
  });

  it('the reader of H.265 leaves out what refers to pictures ahead of the key where it begins, there alone', () => {
    const begun = picturesOf(slice(CRA, 8), slice(RASL_N, 6), slice(TRAIL_R, 10));
    expect(begun.map((it) => it.skipped)).toEqual([false, true, false]);
    const underWay = picturesOf(slice(IDR, 0), slice(CRA, 4), slice(RASL_N, 2));
    expect(underWay.map((it) => it.skipped)).toEqual([false, false, false]);
    const endOfSequence = Buffer.from([36 << 1, 1]);
    const restarted = picturesOf(slice(IDR, 0), endOfSequence, slice(CRA, 4), slice(RASL_N, 2));
    expect(restarted.map((it) => it.skipped)).toEqual([false, false, true]);
    expect(restarted.map((it) => it.startsSequence)).toEqual([true, true, false]);
  });
});
