import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createH264Reader } from '../../../../../server/video/media/raw/h264.ts';
import { parseH264Sps } from '../../../../../server/video/media/raw/h264ParameterSets.ts';
import { createH265Reader } from '../../../../../server/video/media/raw/h265.ts';
import type { Picture } from '../../../../../server/video/media/raw/pictures.ts';
import { displayOrder } from '../../../../../server/video/media/raw/finishRaw.ts';

/** Of x264: High profile, 160 × 120 at 25 frames/s, pictures in an order of showing of kind 0. */
const sps = Buffer.from('6764000bacd942847e5c0440000003004000000c83c50a6580', 'hex');

const picture = (order: number | null, more: Partial<Picture> = {}): Picture => ({
  isKey: false,
  startsSequence: false,
  skipped: false,
  order,
  ...more,
});
const idr = picture(0, { isKey: true, startsSequence: true });

describe('placesOf', () => {
  it('placesOf shows B frames before the frame that they were sent after', () => {
    const found = displayOrder([idr, picture(8), picture(4), picture(2), picture(6)], false);
    expect([...(found?.places ?? [])]).toEqual([0, 4, 2, 1, 3]);
  });

  it('placesOf starts afresh with each sequence, whatever the order said before', () => {
    const found = displayOrder([idr, picture(40), picture(20), idr, picture(2)], false);
    expect([...(found?.places ?? [])]).toEqual([0, 2, 1, 3, 4]);
    expect([...(found?.keys ?? [])]).toEqual([1, 0, 0, 1, 0]);
  });

  it('placesOf leaves out what comes before the first key, and what is shown before that', () => {
    const open = picture(10, { isKey: true });
    const found = displayOrder([picture(2), open, picture(6), picture(14), picture(12)], false);
    expect([...(found?.places ?? [])]).toEqual([-1, 0, -1, 2, 1]);
    expect(found).toMatchObject({ first: 1, kept: 3 });
    expect(displayOrder([picture(2)], false)).toBeNull();
  });

  it('placesOf keeps pictures as they come where none can be shown in another order', () => {
    const found = displayOrder([idr, picture(9), picture(1), picture(5)], true);
    expect([...(found?.places ?? [])]).toEqual([0, 1, 2, 3]);
  });

  it('placesOf gives every picture that is kept a place of its own, and no key one that others are shown ahead of', () => {
    const anyPicture = fc.record({
      isKey: fc.boolean(),
      startsSequence: fc.boolean(),
      skipped: fc.boolean(),
      order: fc.option(fc.integer({ min: -50, max: 50 })),
    });
    fc.assert(
      fc.property(fc.array(anyPicture, { maxLength: 60 }), fc.boolean(), (list, keepsOrder) => {
        const found = displayOrder(list, keepsOrder);
        if (found === null) {
          expect(list.some((it) => it.isKey && !it.skipped)).toBe(false);
          return;
        }
        const kept = [...found.places].filter((it) => it !== -1);
        expect([...kept].sort((a, b) => a - b)).toEqual(kept.map((_, i) => i));
        expect(found.kept).toBe(kept.length);
        expect(found.keys[found.first]).toBe(1);
        list.forEach((_, i) => {
          if (found.keys[i] !== 1) return;
          const [before, after] = [found.places.slice(0, i), found.places.slice(i)];
          const shownAfter = Math.min(...after.filter((it) => it !== -1));
          expect(Math.max(-1, ...before)).toBeLessThan(shownAfter);
        });
      }),
    );
  });
});

describe('a sequence parameter set of H.264', () => {
  it('a sequence parameter set of H.264 gives size, rate and the name of the profile', () => {
    expect(parseH264Sps(sps)).toMatchObject({ widthPx: 160, heightPx: 120, rate: 25, codec: 'avc1.64000b' });
  });
});

describe('the readers of pictures', () => {
  const nal = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 80 }),
    fc
      .tuple(fc.constantFrom(0x67, 0x68, 0x65, 0x41, 0x06, 0x27), fc.uint8Array({ maxLength: 80 }))
      .map(([head, rest]) => Uint8Array.of(head, ...rest)),
    fc
      .tuple(fc.constantFrom(0x40, 0x42, 0x44, 0x26, 0x02, 0x2a, 0x4e), fc.uint8Array({ maxLength: 80 }))
      .map(([head, rest]) => Uint8Array.of(head, 1, ...rest)),
    fc.tuple(fc.nat({ max: sps.length - 1 }), fc.nat({ max: 255 })).map(([at, byte]) => {
      const copy = Uint8Array.from(sps);
      copy[at] = byte;
      return copy;
    }),
  );

  it.each([
    ['H.264', createH264Reader],
    ['H.265', createH265Reader],
  ])('the readers of pictures of %s pass over whatever bytes come', (_, create) => {
    fc.assert(
      fc.property(fc.array(nal, { maxLength: 30 }), (list) => {
        const reader = create();
        for (const it of list) reader.read(it);
        expect(reader.parameterSets().every((set) => set.length > 0)).toBe(true);
        expect(() => [reader.format(), reader.trouble(), reader.keepsOrder()]).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});
