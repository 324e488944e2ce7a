import { describe, expect, it } from 'vitest';
import { createDepotTime } from '../../../renderer/format/depotTime.ts';
import { nameOfPeriod, namedPeriod, PERIODS } from '../../../renderer/ui/period.ts';

const berlin = createDepotTime('Europe/Berlin');
const at = (text: string) => Date.parse(text);

describe('a named period', () => {
  it('a named period begins and ends with the days of the depot', () => {
    const now = at('2026-11-21T11:30:00Z');
    expect(namedPeriod('today', now, berlin)).toMatchObject({ from: at('2026-11-20T23:00:00Z'), to: now });
    expect(namedPeriod('yesterday', now, berlin)).toMatchObject({
      from: at('2026-11-19T23:00:00Z'),
      to: at('2026-11-20T23:00:00Z'),
    });
  });

  it('a named period has a yesterday of 25 hours after the clocks went back', () => {
    const { from, to } = namedPeriod('yesterday', at('2026-10-26T08:00:00Z'), berlin);
    expect(to - from).toBe(25 * 3_600_000);
  });

  it('a named period is known again by its ends, a little later too, and another one is not', () => {
    const now = at('2026-11-21T11:30:00Z');
    for (const name of PERIODS) {
      expect(nameOfPeriod(namedPeriod(name, now, berlin), now + 60_000, berlin)).toBe(name);
    }
    const { from, to } = namedPeriod('today', now, berlin);
    expect(nameOfPeriod({ from, to }, now, berlin)).toBe('today');
    expect(nameOfPeriod({ from: now - 90 * 60_000, to: now }, now, berlin)).toBeNull();
  });

  it('a named period keeps the name that was chosen an hour after midnight, and loses it when it is long ago', () => {
    const now = at('2026-11-21T00:02:00Z');
    for (const name of PERIODS) expect(nameOfPeriod(namedPeriod(name, now, berlin), now, berlin)).toBe(name);
    expect(nameOfPeriod(namedPeriod('today', now, berlin), now + 3_600_000, berlin)).toBeNull();
  });
});
