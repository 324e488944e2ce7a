import { describe, expect, it } from 'vitest';
import { noGaps, overdueSince, withGap, type Reporting } from '../../../server/telemetry/overdue.ts';

const listening = { started_ms: 0, settings: { settling_s: 60 } };
const nothing: Reporting = { last_contact_ms: null, ignition: true, gaps: noGaps };

/** A vehicle that was heard at these moments, in seconds, each with the ignition that it reported. */
function heard(moments: readonly number[], ignition: boolean | null = true, before = nothing): Reporting {
  return moments.reduce((state, at_s) => {
    const gaps = withGap(state, at_s * 1_000, 0);
    return { last_contact_ms: at_s * 1_000, ignition, gaps };
  }, before);
}
const every = (gap_s: number, count: number, from_s = 1_000) =>
  Array.from({ length: count }, (_, at) => from_s + at * gap_s);
/** After how many seconds of silence a vehicle is overdue. */
function overdueAfter(state: Reporting): number | null {
  const contact_s = (state.last_contact_ms ?? 0) / 1_000;
  for (let silent_s = 0; silent_s < 20_000; silent_s++) {
    if (overdueSince(state, (contact_s + silent_s) * 1_000, listening) !== null) return silent_s - 1;
  }
  return null;
}

describe('a vehicle is overdue', () => {
  it('a vehicle is overdue after three of its usual intervals, and after a minute at least', () => {
    expect(overdueAfter(heard(every(30, 25)))).toBe(90);
    expect(overdueAfter(heard(every(10, 25)))).toBe(60);
    expect(overdueAfter(heard(every(1, 120)))).toBe(60);
    expect(overdueAfter(heard(every(300, 25)))).toBe(900);
  });

  it('a vehicle is overdue by the median of its last 20 gaps: one long one among them moves nothing', () => {
    const usual = heard(every(30, 25));
    const afterPause = heard(every(30, 3, 10_000), true, usual);
    expect(overdueAfter(afterPause)).toBe(90);
    // Ten of each: the mean of the two in the middle.
    const mixed = heard(every(50, 10, 2_020), true, heard(every(30, 11, 1_670)));
    expect(mixed.gaps.on).toHaveLength(20);
    expect(overdueAfter(mixed)).toBe(120);
    expect(overdueAfter(heard(every(50, 21, 2_020), true, usual))).toBe(150);
  });

  it('a vehicle is overdue by the gaps with the ignition as it is now', () => {
    const driven = heard(every(20, 25));
    const parked = heard(every(600, 6, 1_500), false, driven);
    expect(overdueAfter(parked)).toBe(1_800);
    const started = heard([6_000], true, parked);
    expect(overdueAfter(started)).toBe(60);
    expect(overdueAfter(heard(every(20, 25), null))).toBe(60);
  });

  it('a vehicle is overdue only where it is known how often it reports', () => {
    expect(overdueAfter(nothing)).toBeNull();
    expect(overdueAfter(heard(every(20, 3)))).toBeNull();
    expect(overdueAfter(heard(every(20, 4)))).toBe(60);
    // The first parked hours of a vehicle that was only seen driving.
    expect(overdueAfter(heard([1_500], false, heard(every(20, 25))))).toBeNull();
  });

  it('a vehicle is overdue by its reports, of which several messages at once are one', () => {
    const bursts = every(300, 8).flatMap((at) => [at, at, at + 1, at + 2]);
    expect(heard(bursts).gaps.on).toEqual([300, 300, 300, 300, 300, 300, 300]);
    expect(overdueAfter(heard(bursts))).toBe(900);
  });

  it('a vehicle is overdue by what the host was there to hear', () => {
    const before = heard(every(20, 25));
    const contact_ms = before.last_contact_ms ?? 0;
    const started_ms = contact_ms + 3_600_000;
    const restarted = { started_ms, settings: { settling_s: 120 } };
    expect(overdueSince(before, started_ms + 119_000, restarted)).toBeNull();
    expect(overdueSince(before, started_ms + 121_000, restarted)).toBe(started_ms + 120_000);
    expect(withGap(before, started_ms + 5_000, started_ms)).toEqual({
      ...before.gaps,
      burst_ms: started_ms + 5_000,
    });
  });
});
