import type { Clock } from './clock.ts';

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

/** So long after a key the next one may come: who types takes less from one to the next. */
const KEYS_MS = 300;
/** Nothing is held back for longer, however long the typing. */
const LONGEST_HOLD_MS = 1_500;

/**
 * Frames that come after the operator's keys. Where there is no graphics card a frame of a full map takes longer than
 * typing a name, and what the keys do would wait for it.
 */
export function framesAfterKeys(frames: Frames, clock: Clock, keys: EventTarget): Frames {
  let keyAt = -Infinity;
  keys.addEventListener('keydown', () => (keyAt = clock.now()), { capture: true, passive: true });
  return {
    next(run) {
      const askedAt = clock.now();
      let undo: () => void = () => undefined;
      const look = () => {
        const waitMs = Math.min(keyAt + KEYS_MS, askedAt + LONGEST_HOLD_MS) - clock.now();
        undo = waitMs > 0 ? clock.after(waitMs, look) : frames.next(run);
      };
      look();
      return () => undo();
    },
  };
}

/** Gathers calls and runs `work` once with the next frame. */
export function oncePerFrame(
  frames: Frames | (() => Frames),
  work: () => void,
): { ask: () => void; stop: () => void } {
  let cancel: (() => void) | null = null;
  return {
    ask() {
      cancel ??= (typeof frames === 'function' ? frames() : frames).next(() => {
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
