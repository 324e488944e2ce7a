import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bcdTime, readBcdTime } from '../../../../../server/telemetry/protocols/jt808/encodings.ts';

describe('times', () => {
  it('times come back as they went, by any clock', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 946_857_600, max: 4_102_272_000 }),
        // Clocks are off by seconds too.
        fc.oneof(
          fc.integer({ min: -720, max: 840 }),
          fc.integer({ min: -86_400, max: 86_400 }).map((it) => 480 + it / 60),
        ),
        (seconds, offset) => {
          expect(readBcdTime(bcdTime(seconds * 1000, offset), offset)).toBe(seconds * 1000);
        },
      ),
    );
  });

  it('times that are open, or of no calendar, are none', () => {
    for (const digits of ['000000000000', '260230120000', '26112112430a', '261121246000']) {
      expect(readBcdTime(Buffer.from(digits, 'hex'), 480)).toBeNull();
    }
  });
});
