import type { Logger } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { watchEventLoop } from '../../../server/app/watchEventLoop.ts';
import { createHealth } from '../../../server/settings/health.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

function watched() {
  const clock = createFakeClock();
  const health = createHealth(clock);
  const warn = vi.fn<(details: { late_ms: number; worked_ms: number }, words: string) => void>();
  let late_ms = 0;
  let worked_ms = 0;
  const stop = watchEventLoop({
    health,
    clock: { ...clock, monotonic: () => clock.monotonic() + late_ms },
    log: { warn: warn as unknown as Logger['warn'] },
    worked_ms: () => worked_ms,
  });
  onTestFinished(stop);
  return {
    clock,
    warn,
    detail: () => health.troubles()[0]?.detail ?? null,
    /** The next timer is late by so much, of which the thread has worked so much. */
    block: (ms: number, own_ms = ms) => {
      late_ms += ms;
      worked_ms += own_ms;
      clock.advance(500);
    },
  };
}

it('an event loop that runs is no trouble', () => {
  const { clock, block, warn, detail } = watched();
  clock.advance(60_000);
  block(900);
  expect(detail()).toBeNull();
  expect(warn).not.toHaveBeenCalled();
});

it('an event loop that was blocked for a second is logged and reported for five minutes', () => {
  const { clock, block, warn, detail } = watched();
  block(1_200);
  expect(warn.mock.calls).toEqual([[{ late_ms: 1_200, worked_ms: 1_200 }, 'the event loop was blocked']]);
  expect(detail()).toBe('The server answered nobody for 1.2 s.');
  clock.advance(299_000);
  expect(detail()).not.toBeNull();
  clock.advance(2_000);
  expect(detail()).toBeNull();
});

it('an event loop that is blocked again and again is logged when it was blocked for longer, else every five minutes', () => {
  const { clock, block, warn, detail } = watched();
  block(1_500);
  for (let i = 0; i < 100; i++) block(1_500);
  block(4_000);
  expect(warn.mock.calls.map(([{ late_ms }]) => late_ms)).toEqual([1_500, 4_000]);
  expect(detail()).toBe('The server answered nobody for 4.0 s.');
  clock.advance(300_000);
  block(1_500);
  expect(warn).toHaveBeenCalledTimes(3);
});

it('an event loop that did not run while the computer slept or was busy is logged, and is no trouble', () => {
  const { block, warn, detail } = watched();
  block(8 * 3_600_000, 20);
  block(3_000, 900);
  expect(warn.mock.calls).toEqual([
    [{ late_ms: 28_800_000, worked_ms: 20 }, 'the event loop did not run: the computer was busy or asleep'],
  ]);
  expect(detail()).toBeNull();
});
