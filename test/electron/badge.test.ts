import { describe, expect, it, vi } from 'vitest';
import { createBadge } from '../../electron/badge.ts';

const alarms = (count: number, worst: 'alarm' | 'warning' = 'alarm') => ({ count, worst });

function setUp(isFocused: boolean) {
  const parts = { show: vi.fn(), flash: vi.fn(), isFocused: () => isFocused };
  return { ...parts, setBadge: createBadge(parts) };
}

describe('the badge', () => {
  it('the badge shows the open alarms and is set once for each change of their number or of the gravest', () => {
    const { setBadge, show } = setUp(true);
    const shown = [alarms(2), alarms(2, 'warning'), alarms(0), null];
    for (const open of shown.flatMap((it) => [it, it])) setBadge(open);
    expect(show.mock.calls).toEqual(shown.map((it) => [it]));
  });

  it('the badge flashes when an alarm arrives while the window has no focus, not when one goes', () => {
    const { setBadge, flash } = setUp(false);
    setBadge(alarms(2));
    setBadge(alarms(1));
    setBadge(null);
    expect(flash).toHaveBeenCalledOnce();
  });

  it('the badge does not flash in front of the operator’s eyes', () => {
    const { setBadge, flash } = setUp(true);
    setBadge(alarms(1));
    expect(flash).not.toHaveBeenCalled();
  });
});
