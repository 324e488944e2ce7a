import { afterEach, describe, expect, it, vi } from 'vitest';
import { browserFrames, oncePerFrame } from '../../../renderer/clock/frames.ts';
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
