import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Schedule } from '../../../server/contract/schedule.ts';
import { isActive, activeSpans } from '../../../server/geofences/scheduleClock.ts';

const everyDay = [1, 2, 3, 4, 5, 6, 7];

function schedule(timezone: string, days: number[], from: string, to: string): Schedule {
  return { timezone, ranges: [{ days, from, to }] };
}

function active(it: Schedule | null, moment: string): boolean {
  return isActive(it, Date.parse(moment));
}

describe('a schedule', () => {
  it('a schedule always holds when there is none', () => {
    expect(active(null, '2026-11-21T04:43:00Z')).toBe(true);
  });

  it('a schedule holds from its first minute up to its last, by the clock on the wall', () => {
    const office = schedule('Asia/Kolkata', [1, 2, 3, 4, 5], '09:00', '17:30');
    // Kolkata is five and a half hours ahead; 2026-11-20 is a Friday.
    expect(active(office, '2026-11-20T03:29:59Z')).toBe(false);
    expect(active(office, '2026-11-20T03:30:00Z')).toBe(true);
    expect(active(office, '2026-11-20T11:59:59Z')).toBe(true);
    expect(active(office, '2026-11-20T12:00:00Z')).toBe(false);
    expect(active(office, '2026-11-21T05:00:00Z')).toBe(false);
  });

  it('a schedule goes by the weekday of its own time zone', () => {
    const saturday = schedule('Pacific/Auckland', [6], '00:00', '06:00');
    expect(active(saturday, '2026-11-20T12:00:00Z')).toBe(true);
    expect(active(saturday, '2026-11-21T12:00:00Z')).toBe(false);
  });

  it('a schedule ends on the next day when it runs over midnight, on Sundays too', () => {
    const night = schedule('UTC', [7], '22:00', '06:00');
    // 2026-11-22 is a Sunday.
    expect(active(night, '2026-11-22T05:00:00Z')).toBe(false);
    expect(active(night, '2026-11-22T21:59:59Z')).toBe(false);
    expect(active(night, '2026-11-22T22:00:00Z')).toBe(true);
    expect(active(night, '2026-11-23T05:59:59Z')).toBe(true);
    expect(active(night, '2026-11-23T06:00:00Z')).toBe(false);
    expect(active(night, '2026-11-23T22:00:00Z')).toBe(false);
  });

  it('a schedule lasts a day when it ends where it begins', () => {
    const day = schedule('UTC', [1], '08:00', '08:00');
    expect(active(day, '2026-11-23T07:59:59Z')).toBe(false);
    expect(active(day, '2026-11-23T08:00:00Z')).toBe(true);
    expect(active(day, '2026-11-24T07:59:59Z')).toBe(true);
    expect(active(day, '2026-11-24T08:00:00Z')).toBe(false);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (at_ms) => {
        expect(isActive(schedule('Europe/Berlin', everyDay, '00:00', '00:00'), at_ms)).toBe(true);
      }),
    );
  });

  it('a schedule follows the clock when it is put forward and back', () => {
    const morning = schedule('Europe/Berlin', everyDay, '06:00', '08:00');
    expect(active(morning, '2026-03-28T05:00:00Z')).toBe(true);
    expect(active(morning, '2026-03-29T03:59:59Z')).toBe(false);
    expect(active(morning, '2026-03-29T04:00:00Z')).toBe(true);
    expect(active(morning, '2026-10-25T04:59:59Z')).toBe(false);
    expect(active(morning, '2026-10-25T05:00:00Z')).toBe(true);
  });

  it('a schedule holds twice in the hour that comes twice, and never in the one that is left out', () => {
    const small = schedule('Europe/Berlin', everyDay, '02:00', '03:00');
    expect(active(small, '2026-10-25T00:30:00Z')).toBe(true);
    expect(active(small, '2026-10-25T01:30:00Z')).toBe(true);
    expect(active(small, '2026-10-25T02:00:00Z')).toBe(false);
    expect(active(small, '2026-03-29T00:59:59Z')).toBe(false);
    expect(active(small, '2026-03-29T01:00:00Z')).toBe(false);
  });

  it('a schedule holds over the night on which the clock changes', () => {
    const night = schedule('Europe/Berlin', [6], '22:00', '06:00');
    expect(active(night, '2026-10-24T20:00:00Z')).toBe(true);
    expect(active(night, '2026-10-25T04:59:59Z')).toBe(true);
    expect(active(night, '2026-10-25T05:00:00Z')).toBe(false);
  });

  it('a schedule holds when any of its ranges does', () => {
    const shifts: Schedule = {
      timezone: 'UTC',
      ranges: [
        { days: everyDay, from: '06:00', to: '08:00' },
        { days: everyDay, from: '20:00', to: '22:00' },
      ],
    };
    expect(['07:00', '12:00', '21:00'].map((it) => active(shifts, `2026-11-23T${it}:00Z`))).toEqual([
      true,
      false,
      true,
    ]);
  });
});

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
