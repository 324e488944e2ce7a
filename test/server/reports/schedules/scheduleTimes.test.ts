import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  lastDue,
  nextDue,
  periodBefore,
  type Timing,
} from '../../../../server/reports/schedules/scheduleTimes.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const daily: Timing = { every: 'day', at: '06:00', weekday: 1, monthday: 1 };
const berlin = 'Europe/Berlin';

test('a daily report is due at its time of the clock, on both sides of a change of the clocks', () => {
  const due = (now: string) => iso(lastDue(daily, berlin, Date.parse(now)));
  expect(due('2026-10-24T12:00:00Z')).toBe('2026-10-24T04:00:00.000Z');
  expect(due('2026-10-25T12:00:00Z')).toBe('2026-10-25T05:00:00.000Z');
  expect(due('2026-10-25T04:59:59Z')).toBe('2026-10-24T04:00:00.000Z');
  // 02:30 is left out on this day; it is due when the clocks show 03:30.
  const early: Timing = { ...daily, at: '02:30' };
  expect(iso(lastDue(early, berlin, Date.parse('2026-03-29T12:00:00Z')))).toBe('2026-03-29T01:30:00.000Z');
});

test('a weekly report is due on its day, a monthly one on its day or the last of the month', () => {
  const friday: Timing = { ...daily, every: 'week', weekday: 5 };
  const now = Date.parse('2026-11-24T12:00:00Z');
  expect(iso(lastDue(friday, 'UTC', now))).toBe('2026-11-20T06:00:00.000Z');
  expect(iso(nextDue(friday, 'UTC', now))).toBe('2026-11-27T06:00:00.000Z');
  const thirtyFirst: Timing = { ...daily, every: 'month', monthday: 31 };
  expect(iso(lastDue(thirtyFirst, 'UTC', now))).toBe('2026-10-31T06:00:00.000Z');
  expect(iso(nextDue(thirtyFirst, 'UTC', now))).toBe('2026-11-30T06:00:00.000Z');
  expect(iso(nextDue(thirtyFirst, 'UTC', Date.parse('2028-02-01T00:00:00Z')))).toBe(
    '2028-02-29T06:00:00.000Z',
  );
});

test('the period is the whole day, week or month before, by the clock of the depot', () => {
  const before = (every: Timing['every'], due: string) => {
    const { from_ms, to_ms } = periodBefore(every, berlin, Date.parse(due));
    return [iso(from_ms), iso(to_ms)];
  };
  // A day of 25 hours.
  expect(before('day', '2026-10-26T05:00:00Z')).toEqual([
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ]);
  expect(before('week', '2026-10-29T05:00:00Z')).toEqual([
    '2026-10-18T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ]);
  expect(before('month', '2026-01-15T05:00:00Z')).toEqual([
    '2025-11-30T23:00:00.000Z',
    '2025-12-31T23:00:00.000Z',
  ]);
  // The first of a month in Berlin, and still the last in UTC.
  expect(before('month', '2026-04-30T22:30:00Z')).toEqual([
    '2026-03-31T22:00:00.000Z',
    '2026-04-30T22:00:00.000Z',
  ]);
});

test('one is due, and next due, at the same moments, whatever the time, the day and the time zone', () => {
  const timing = fc.record({
    every: fc.constantFrom('day', 'week', 'month'),
    at: fc.constantFrom('00:00', '02:30', '06:00', '23:59'),
    weekday: fc.integer({ min: 1, max: 7 }),
    monthday: fc.integer({ min: 1, max: 31 }),
  });
  const zone = fc.constantFrom('UTC', berlin, 'America/St_Johns', 'Pacific/Apia', 'Asia/Kathmandu');
  const moment = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2030, 0) });
  fc.assert(
    fc.property(timing as fc.Arbitrary<Timing>, zone, moment, (it, tz, now) => {
      const [last, next] = [lastDue(it, tz, now), nextDue(it, tz, now)];
      expect(last).toBeLessThanOrEqual(now);
      expect(next).toBeGreaterThan(now);
      expect(nextDue(it, tz, last)).toBe(next);
      expect(lastDue(it, tz, next - 1)).toBe(last);
      const { from_ms, to_ms } = periodBefore(it.every, tz, next);
      expect(to_ms).toBeLessThanOrEqual(next);
      expect(from_ms).toBeLessThan(to_ms);
    }),
    { numRuns: 200 },
  );
});
