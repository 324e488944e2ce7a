import { describe, expect, it, vi } from 'vitest';
import { createShutdown } from '../../electron/quit.ts';

function setUp() {
  const exit = vi.fn<(code: number) => void>();
  const warn = vi.fn<(words: string, error?: unknown) => void>();
  const leave = vi.fn();
  const timers: { ms: number; call: () => void }[] = [];
  const quit = createShutdown({ leave, exit, warn, after: (ms, call) => timers.push({ ms, call }) });
  return { quit, leave, exit, warn, timers };
}

describe('the end of the program', () => {
  it('the end of the program waits until the host is closed', async () => {
    const { quit, exit } = setUp();
    let closed = () => {};
    quit.holds(() => new Promise((resolve) => (closed = resolve)));
    expect(quit.hasBegun()).toBe(false);
    quit.begin();
    expect(quit.hasBegun()).toBe(true);
    await Promise.resolve();
    expect(exit).not.toHaveBeenCalled();
    closed();
    await vi.waitFor(() => expect(exit).toHaveBeenCalledWith(0));
  });

  it('the end of the program comes once, however often it is asked for', async () => {
    const { quit, leave, exit, timers } = setUp();
    const close = vi.fn(() => Promise.resolve());
    quit.holds(close);
    quit.begin();
    quit.begin(1);
    await vi.waitFor(() => expect(exit).toHaveBeenCalled());
    quit.begin();
    timers.forEach(({ call }) => call());
    expect(close).toHaveBeenCalledOnce();
    expect(leave).toHaveBeenCalledOnce();
    expect(exit.mock.calls).toEqual([[0]]);
  });

  it('the end of the program is announced before anything is closed', () => {
    const { quit, leave } = setUp();
    const close = vi.fn(() => Promise.resolve());
    quit.holds(close);
    quit.begin();
    expect(leave.mock.invocationCallOrder[0]).toBeLessThan(close.mock.invocationCallOrder[0] ?? 0);
  });

  it('the end of the program closes what was opened last first', async () => {
    const { quit, exit } = setUp();
    const closed: string[] = [];
    for (const name of ['store', 'host']) {
      quit.holds(() => {
        closed.push(name);
        return Promise.resolve();
      });
    }
    quit.begin();
    await vi.waitFor(() => expect(exit).toHaveBeenCalled());
    expect(closed).toEqual(['host', 'store']);
  });

  it('the end of the program comes after five seconds even when the host does not close', () => {
    const { quit, exit, warn, timers } = setUp();
    quit.holds(() => new Promise(() => undefined));
    quit.begin();
    expect(timers.map(({ ms }) => ms)).toEqual([5_000]);
    timers[0]?.call();
    expect(exit.mock.calls).toEqual([[1]]);
    expect(warn).toHaveBeenCalledWith('closing took too long');
  });

  it('the end of the program is reported as a failure when closing fails, and the rest is closed all the same', async () => {
    const { quit, exit, warn } = setUp();
    const first = vi.fn(() => Promise.resolve());
    quit.holds(first);
    const fault = new Error('the disk is gone');
    quit.holds(() => Promise.reject(fault));
    quit.begin();
    await vi.waitFor(() => expect(exit).toHaveBeenCalledWith(1));
    expect(first).toHaveBeenCalledOnce();
    expect(warn).toHaveBeenCalledWith('closing failed', fault);
  });
});
