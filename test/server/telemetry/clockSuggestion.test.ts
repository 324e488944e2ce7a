import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { suggestClockOffset, type StampSeen } from '../../../server/telemetry/clockWatch.ts';

const now = Date.UTC(2026, 10, 21, 12);
const hour = 3_600;
/** Messages half a minute apart, some seconds under way, by a clock that is so far ahead. */
const seenWith = (ahead_s: number, count = 8): StampSeen[] =>
  Array.from({ length: count }, (_, at) => {
    const sent_ms = now + at * 30_000;
    return { stamp_ms: sent_ms + ahead_s * 1_000, received_ms: sent_ms + 1_000 + (at % 3) * 4_000 };
  });

describe('a clock offset is suggested', () => {
  test.each([8, -5, 14, -12, 5.5, 5.75, -3.5, 1, -12.5, -18, -20])(
    'a clock offset is suggested when all stamps are off by %s hours',
    (hours) => {
      expect(suggestClockOffset(seenWith(hours * hour))).toBe(hours * hour);
    },
  );

  test('no clock offset is suggested for correct clocks', () => {
    expect(suggestClockOffset(seenWith(0))).toBe(0);
    expect(suggestClockOffset(seenWith(-20))).toBe(0);
  });

  test('a clock offset of any zone is recognised, with messages up to a minute under way', () => {
    const zone = fc.integer({ min: -80, max: 56 }).map((quarters) => quarters * 900);
    const delays = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 5, maxLength: 8 });
    fc.assert(
      fc.property(zone, delays, (ahead_s, delays_s) => {
        const seen = delays_s.map((delay_s, at) => {
          const sent_ms = now + at * 60_000;
          return { stamp_ms: sent_ms + ahead_s * 1_000, received_ms: sent_ms + delay_s * 1_000 };
        });
        expect(suggestClockOffset(seen)).toBe(ahead_s);
      }),
    );
  });
});

describe('nothing is suggested', () => {
  test('nothing is suggested after few messages, or in a short time', () => {
    expect(suggestClockOffset([])).toBeNull();
    expect(suggestClockOffset(seenWith(8 * hour, 4))).toBeNull();
    const atOnce = seenWith(8 * hour).map((it) => ({ ...it, received_ms: now }));
    expect(suggestClockOffset(atOnce)).toBeNull();
  });

  test('nothing is suggested when the clock is wrong by anything else, or by more than any zone', () => {
    for (const ahead_s of [400, -3_000, 3_600 * 15, -3_600 * 21, 86_400, -86_400]) {
      expect(suggestClockOffset(seenWith(ahead_s))).toBeNull();
    }
  });

  test('nothing is suggested by messages that were kept back: they come faster than they were made', () => {
    const kept = Array.from({ length: 8 }, (_, at) => ({
      stamp_ms: now - hour * 1_000 + at * 120_000,
      received_ms: now + at * 30_000,
    }));
    expect(suggestClockOffset(kept)).toBeNull();
  });

  test('nothing is suggested while one message of them says otherwise', () => {
    const [first, ...others] = seenWith(8 * hour);
    const [late] = seenWith(8 * hour - 120);
    if (first === undefined || late === undefined) throw new Error('there are messages');
    expect(suggestClockOffset([first, ...others.slice(1), late])).toBeNull();
    expect(suggestClockOffset([late, ...others])).toBeNull();
  });
});
