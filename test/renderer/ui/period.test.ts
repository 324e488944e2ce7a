import { describe, expect, it } from 'vitest';
import { createDepotTime } from '../../../renderer/format/depotTime.ts';
import { nameOfPeriod, namedPeriod, PERIODS } from '../../../renderer/ui/period.ts';

const berlin = createDepotTime('Europe/Berlin');
const at = (text: string) => Date.parse(text);

describe('a named period', () => {
  it('a named period begins and ends with the days of the depot', () => {
    const now = at('2026-11-21T11:30:00Z');
    expect(namedPeriod('today', now, berlin)).toEqual({ from: at('2026-11-20T23:00:00Z'), to: now });
    expect(namedPeriod('yesterday', now, berlin)).toEqual({
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
    expect(nameOfPeriod({ from: now - 90 * 60_000, to: now }, now, berlin)).toBeNull();
  });
});
