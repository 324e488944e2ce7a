import { describe, expect, it } from 'vitest';
import { createDepotTime } from '../../../renderer/format/depotTime.ts';

describe('the depot’s time', () => {
  const berlin = createDepotTime('Europe/Berlin');
  const noon = Date.parse('2026-11-19T11:03:48Z');

  it('the depot’s time is that of its zone, with UTC beside it', () => {
    expect(berlin.clock(noon)).toBe('12:03:48');
    expect(berlin.utc(noon)).toBe('11:03:48 UTC');
    expect(berlin.date(noon)).toBe('Thu 19 Nov');
    expect(berlin.zone(noon)).toBe('CET');
  });

  it('the depot’s time writes midnight as 00', () => {
    expect(berlin.clock(Date.parse('2026-11-18T23:00:00Z'))).toBe('00:00:00');
  });

  it('the depot’s time says the day of a moment that is not today’s', () => {
    expect(berlin.moment(noon, noon + 3_600_000)).toBe('12:03:48');
    expect(berlin.moment(noon, noon + 86_400_000)).toBe('Thu 19 Nov 12:03:48');
  });

  it('the longest moments have as many letters as any of a year', () => {
    const { moments, clocks } = berlin.longest();
    const length = (texts: readonly string[]) => Math.max(...texts.map((text) => text.length));
    const hours = Array.from({ length: 365 * 24 }, (_, hour) => Date.UTC(2026, 0, 1, hour, 44, 44));
    expect(length(moments)).toBe(length(hours.map((ms) => berlin.moment(ms, 0))));
    expect(length(clocks)).toBe(length(hours.map((ms) => berlin.clock(ms))));
  });

  it('the depot’s time begins the day at its own midnight, also when the clocks change', () => {
    expect(new Date(berlin.dayStart(noon)).toISOString()).toBe('2026-11-18T23:00:00.000Z');
    // 29 March 2026, 02:00 becomes 03:00; 25 October 2026, 03:00 becomes 02:00.
    const spring = berlin.dayStart(Date.parse('2026-03-29T15:00:00Z'));
    expect(new Date(spring).toISOString()).toBe('2026-03-28T23:00:00.000Z');
    const autumn = berlin.dayStart(Date.parse('2026-10-25T15:00:00Z'));
    expect(new Date(autumn).toISOString()).toBe('2026-10-24T22:00:00.000Z');
    const kathmandu = createDepotTime('Asia/Kathmandu').dayStart(noon);
    expect(new Date(kathmandu).toISOString()).toBe('2026-11-18T18:15:00.000Z');
  });
});
