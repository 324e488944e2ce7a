import { describe, expect, it } from 'vitest';
import { createServerTime } from '../../../renderer/clock/serverTime.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

describe('the server’s time', () => {
  it('the server’s time comes from the server, whatever the clock of this computer says', () => {
    const clock = createFakeClock(0);
    const time = createServerTime(clock);
    time.heard('2026-11-21T12:00:00.000Z');
    clock.advance(1_500);
    expect(new Date(time.now()).toISOString()).toBe('2026-11-21T12:00:01.500Z');
    expect(time.of(500)).toBe(Date.parse('2026-11-21T12:00:00.500Z'));
  });

  it('the server’s time moves once a second', () => {
    const clock = createFakeClock(0);
    const time = createServerTime(clock);
    let ticks = 0;
    time.ticks.subscribe(() => (ticks += 1));
    const stop = time.start();
    clock.advance(3_100);
    expect(ticks).toBe(4);
    stop();
    clock.advance(5_000);
    expect(ticks).toBe(4);
  });
});
