import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jpegSize } from '../../../server/incidents/jpegSize.ts';
import { jpegOf } from '../../support/jpegOf.ts';

describe('the size of a JPEG', () => {
  it('the size of a JPEG is read from its head, baseline and progressive, in colour and grey', () => {
    for (const frame of [0xc0, 0xc1, 0xc2])
      for (const channels of [1, 3])
        expect(jpegSize(jpegOf({ frame, channels, width: 1_920, height: 1_080 }))).toEqual({
          width: 1_920,
          height: 1_080,
        });
  });

  it('what is cut off, lossless, of 12 bits, in CMYK, without a frame, or no JPEG at all, has no size', () => {
    const whole = jpegOf();
    const without = Buffer.concat([whole.subarray(0, 20), whole.subarray(-16)]);
    const refused = [
      ...[whole.subarray(0, -1), whole.subarray(0, 30), whole.subarray(1), without],
      ...[
        jpegOf({ frame: 0xc3 }),
        jpegOf({ frame: 0xc9 }),
        jpegOf({ precision: 12 }),
        jpegOf({ channels: 4 }),
      ],
      ...[Buffer.alloc(0), Buffer.from('<svg onload="alert(1)"/>'), Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
    ];
    expect(refused.map((it) => jpegSize(it))).toEqual(refused.map(() => null));
  });

  it('no bytes fail the reading, whatever stands between the first and the last', () => {
    const noise = fc.uint8Array({ maxLength: 400 });
    fc.assert(
      fc.property(noise, fc.nat(60), (bytes, at) => {
        jpegSize(bytes);
        const broken = jpegOf();
        broken.set(bytes.subarray(0, 8), at + 2);
        jpegSize(broken);
        jpegSize(Uint8Array.from([0xff, 0xd8, ...bytes, 0xff, 0xd9]));
      }),
    );
  });
});
