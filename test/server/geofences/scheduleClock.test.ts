import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Schedule } from '../../../server/contract/schedule.ts';
import { isActive } from '../../../server/geofences/scheduleClock.ts';

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
