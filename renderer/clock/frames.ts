/** Runs work with the next picture of the screen. */
export interface Frames {
  next(run: () => void): () => void;
}

/**
 * A hidden page gets no pictures, on Windows even one that is not throttled (electron#31016); work must not pile up in it,
 * and alarms must not wait.
 */
const HIDDEN_PAUSE_MS = 250;

export const browserFrames: Frames = {
  next(run) {
    let done = false;
    const once = () => {
      if (done) return;
      undo();
      run();
    };
    const frame = requestAnimationFrame(once);
    const timer = setTimeout(once, HIDDEN_PAUSE_MS);
    const undo = () => {
      done = true;
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
    return undo;
  },
};

/** Gathers calls and runs `work` once with the next frame. */
export function oncePerFrame(frames: Frames, work: () => void): { ask: () => void; stop: () => void } {
  let cancel: (() => void) | null = null;
  return {
    ask() {
      cancel ??= frames.next(() => {
        cancel = null;
        work();
      });
    },
    stop() {
      cancel?.();
      cancel = null;
    },
  };
}
