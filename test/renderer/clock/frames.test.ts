import { describe, expect, it } from 'vitest';
import { oncePerFrame } from '../../../renderer/clock/frames.ts';
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
