import { describe, expect, it, vi } from 'vitest';
import { createBadge } from '../../electron/badge.ts';

function setUp(isFocused: boolean) {
  const parts = { setCount: vi.fn(), flash: vi.fn(), isFocused: () => isFocused };
  return { ...parts, setBadge: createBadge(parts) };
}

describe('the badge', () => {
  it('the badge shows the number of open alarms and is set once for each number', () => {
    const { setBadge, setCount } = setUp(true);
    for (const count of [0, 2, 2, 0]) setBadge(count);
    expect(setCount.mock.calls).toEqual([[2], [0]]);
  });

  it('the badge flashes when an alarm arrives while the window has no focus, not when one goes', () => {
    const { setBadge, flash } = setUp(false);
    setBadge(2);
    setBadge(1);
    expect(flash).toHaveBeenCalledOnce();
  });

  it('the badge does not flash in front of the operator’s eyes', () => {
    const { setBadge, flash } = setUp(true);
    setBadge(1);
    expect(flash).not.toHaveBeenCalled();
  });
});
