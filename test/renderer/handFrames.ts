import type { Frames } from '../../renderer/clock/frames.ts';

/** Pictures of the screen that come when the test says so. */
export interface HandFrames extends Frames {
  draw(): void;
}

export function createHandFrames(): HandFrames {
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
