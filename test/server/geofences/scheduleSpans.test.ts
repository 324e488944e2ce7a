import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Schedule } from '../../../server/contract/schedule.ts';
import { isActive } from '../../../server/geofences/scheduleClock.ts';
import { activeSpans } from '../../../server/geofences/scheduleSpans.ts';

const hourMs = 3_600_000;
const zones = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe'];

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((it) => String(it).padStart(2, '0')).join(':'));
const range = fc.record({
  days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  from: clock,
  to: clock,
});
const anySchedule: fc.Arbitrary<Schedule> = fc.record({
  timezone: fc.constantFrom(...zones),
  ranges: fc.array(range, { minLength: 1, maxLength: 3 }),
});

describe('the times of a schedule in a period', () => {
  it('the times of a schedule in a period are all of it when there is no schedule', () => {
    expect(activeSpans(null, { from_ms: 5, to_ms: 9 })).toEqual([{ from_ms: 5, to_ms: 9 }]);
  });

  it('the times of a schedule in a period are one range a night over midnight, an hour longer when the clock is put back', () => {
    const night = {
      timezone: 'Europe/Berlin',
      ranges: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', to: '06:00' }],
    };
    const period = { from_ms: Date.parse('2026-10-24T10:00:00Z'), to_ms: Date.parse('2026-10-26T10:00:00Z') };
    expect(activeSpans(night, period).map(({ from_ms, to_ms }) => (to_ms - from_ms) / hourMs)).toEqual([
      9, 8,
    ]);
  });

  it('the times of a schedule in a period follow the local clock at every moment', () => {
    const moment = fc.integer({ min: Date.parse('2026-01-01Z'), max: Date.parse('2026-12-30Z') });
    fc.assert(
      fc.property(anySchedule, moment, fc.array(fc.nat(50 * hourMs)), (schedule, from_ms, asked) => {
        const period = { from_ms, to_ms: from_ms + 50 * hourMs };
        const spans = activeSpans(schedule, period);
        const moments = [
          ...asked.map((it) => from_ms + it),
          ...spans.flatMap((it) => [it.from_ms, it.from_ms - 1, it.to_ms - 1, it.to_ms]),
        ].filter((at_ms) => at_ms >= period.from_ms && at_ms < period.to_ms);
        for (const at_ms of moments) {
          const isPublished = spans.some((it) => at_ms >= it.from_ms && at_ms < it.to_ms);
          expect(isPublished).toBe(isActive(schedule, at_ms));
        }
      }),
    );
  });
});
