import type { Frames } from '../../renderer/clock/frames.ts';

/** Pictures of the screen that come when the test says so. */
export interface FakeFrames extends Frames {
  draw(): void;
}

export function createFakeFrames(): FakeFrames {
  let waiting: (() => void)[] = [];
  return {
    next(run) {
      waiting.push(run);
      return () => {
        waiting = waiting.filter((it) => it !== run);
      };
    },
    draw() {
      const due = waiting;
      waiting = [];
      for (const run of due) run();
    },
  };
}
