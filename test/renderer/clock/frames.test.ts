import { afterEach, describe, expect, it, vi } from 'vitest';
import { browserFrames, framesAfterKeys, oncePerFrame } from '../../../renderer/clock/frames.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { createFakeFrames } from '../fakeFrames.ts';

describe('work for the next frame', () => {
  it('work for the next frame is done once, however often it was asked for', () => {
    const frames = createFakeFrames();
    let done = 0;
    const { ask, stop } = oncePerFrame(frames, () => (done += 1));
    ask();
    ask();
    frames.draw();
    expect(done).toBe(1);
    ask();
    stop();
    frames.draw();
    expect(done).toBe(1);
  });
});

describe('frames after the keys of the operator', () => {
  const open = () => {
    const clock = createFakeClock();
    const frames = createFakeFrames();
    const keys = new EventTarget();
    const heavy = framesAfterKeys(frames, clock, keys);
    let done = 0;
    return {
      clock,
      press: () => keys.dispatchEvent(new Event('keydown')),
      ask: () => heavy.next(() => (done += 1)),
      drawn: () => {
        frames.draw();
        return done;
      },
    };
  };

  it('frames after the keys of the operator are the next ones while nobody types', () => {
    const { clock, press, ask, drawn } = open();
    ask();
    expect(drawn()).toBe(1);
    press();
    clock.advance(300);
    ask();
    expect(drawn()).toBe(2);
  });

  it('frames after the keys of the operator wait until the last key is 0.3 s ago', () => {
    const { clock, press, ask, drawn } = open();
    press();
    ask();
    clock.advance(299);
    expect(drawn()).toBe(0);
    press();
    clock.advance(299);
    expect(drawn()).toBe(0);
    clock.advance(1);
    expect(drawn()).toBe(1);
  });

  it('frames after the keys of the operator come within 1.5 s, however long the typing', () => {
    const { clock, press, ask, drawn } = open();
    ask();
    drawn();
    press();
    ask();
    for (let at = 0; at < 1_500; at += 100) {
      expect(drawn()).toBe(1);
      clock.advance(100);
      press();
    }
    expect(drawn()).toBe(2);
  });

  it('frames after the keys of the operator do not come once they are no longer wanted', () => {
    const { clock, press, ask, drawn } = open();
    press();
    const undo = ask();
    undo();
    clock.advance(5_000);
    ask()();
    expect(drawn()).toBe(0);
  });
});

describe('a page that gets no pictures', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('a page that gets no pictures, as in a hidden window on Windows, does its work all the same, and once', () => {
    vi.useFakeTimers();
    let picture: () => void = () => undefined;
    vi.stubGlobal('requestAnimationFrame', (run: () => void) => {
      picture = run;
      return 1;
    });
    vi.stubGlobal('cancelAnimationFrame', () => undefined);
    const work = vi.fn();
    const { ask } = oncePerFrame(browserFrames, work);
    for (let at = 0; at < 4; at++) {
      ask();
      vi.advanceTimersByTime(250);
    }
    expect(work).toHaveBeenCalledTimes(4);
    picture();
    expect(work).toHaveBeenCalledTimes(4);
  });
});
