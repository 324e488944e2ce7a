import { describe, expect, it, vi } from 'vitest';
import { createCrashWatch } from '../../electron/crash.ts';

const PAGE = { id: 7, on: vi.fn(), reload: vi.fn(), forcefullyCrashRenderer: vi.fn() };

function setUp() {
  let now = 0;
  const parts = {
    log: vi.fn<(words: string, details: unknown) => void>(),
    upTimeMs: () => now,
    reload: vi.fn(),
    end: vi.fn<(why: string) => void>(),
  };
  return { ...parts, watch: createCrashWatch(parts), at: (minutes: number) => (now = minutes * 60_000) };
}

describe('an uncaught error', () => {
  it('an uncaught error is logged and ends the program with its words', () => {
    const { watch, log, end } = setUp();
    const fault = new Error('unforeseen');
    watch.uncaught(fault);
    expect(log).toHaveBeenCalledWith(expect.any(String), fault);
    expect(end.mock.calls).toEqual([['Error: unforeseen']]);
  });

  it('an uncaught error ends the program once, and each one is logged', () => {
    const { watch, end, log } = setUp();
    watch.uncaught(1);
    watch.uncaught(2);
    expect(end).toHaveBeenCalledOnce();
    expect(log).toHaveBeenCalledTimes(2);
  });
});

describe('a page that is gone', () => {
  it('a page that is gone is loaded again', () => {
    const { watch, reload } = setUp();
    watch.pageGone(PAGE, 'crashed');
    expect(reload.mock.calls).toEqual([[PAGE, 'crashed']]);
  });

  it('a page that is gone is left alone when it went as it should', () => {
    const { watch, reload, end } = setUp();
    watch.pageGone(PAGE, 'clean-exit');
    expect(reload).not.toHaveBeenCalled();
    expect(end).not.toHaveBeenCalled();
  });

  it('a page that is gone ends the program at the fourth time within ten minutes', () => {
    const { watch, reload, end, at } = setUp();
    for (const minute of [1, 2, 3, 4]) {
      at(minute);
      watch.pageGone(PAGE, 'oom');
    }
    expect(reload).toHaveBeenCalledTimes(3);
    expect(end.mock.calls).toEqual([['The console’s page ended 4 times in ten minutes.']]);
  });

  it('a page that is gone is loaded again for ever when it goes seldom', () => {
    const { watch, reload, end, at } = setUp();
    for (let hour = 1; hour <= 10; hour++) {
      at(hour * 60);
      watch.pageGone(PAGE, 'oom');
    }
    expect(reload).toHaveBeenCalledTimes(10);
    expect(end).not.toHaveBeenCalled();
  });
});
