import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { pause } from '../../server/clock.ts';
import { createFakeClock } from '../support/fakeClock.ts';

test('a pause ends by time or with its signal, on which it leaves nothing', async () => {
  const clock = createFakeClock();
  const stop = new AbortController();
  const first = pause(clock, 1_000, stop.signal);
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
  clock.advance(1_000);
  await first;
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);

  const second = pause(clock, 1_000, stop.signal);
  const why = new Error('the host is shutting down');
  stop.abort(why);
  await expect(second).rejects.toBe(why);
  await expect(pause(clock, 1_000, stop.signal)).rejects.toBe(why);
});
