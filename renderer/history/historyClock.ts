import { createStore } from 'zustand/vanilla';
import type { Clock } from '../clock/clock.ts';
import type { Frames } from '../clock/frames.ts';

/** How many times faster than it was the past can be played. */
export const HISTORY_RATES = [1, 10, 60, 300] as const;
export type HistoryRate = (typeof HISTORY_RATES)[number];

export const STEP_MS = 10_000;
/** A page that was hidden does not make up for it in one jump. */
const LONGEST_FRAME_MS = 1_000;

export interface HistoryClockState {
  /** The instant that is shown, Unix ms. It moves with every picture: React reads `HistoryStore.shownAt`. */
  at: number;
  isPlaying: boolean;
  rate: HistoryRate;
}

export interface HistoryClockDeps {
  clock: Pick<Clock, 'now'>;
  frames: Frames;
  at: number;
  /** The past ends here, Unix ms. */
  end: () => number;
}

/** The one clock of the past: map, lists and lanes follow it. */
export function createHistoryClock({ clock, frames, at, end }: HistoryClockDeps) {
  const store = createStore<HistoryClockState>(() => ({ at, isPlaying: false, rate: 60 }));
  let cancel: (() => void) | null = null;
  let drawnAt = 0;

  const frame = (): void => {
    cancel = null;
    const { at: before, rate } = store.getState();
    const now = clock.now();
    const next = before + Math.min(LONGEST_FRAME_MS, Math.max(0, now - drawnAt)) * rate;
    drawnAt = now;
    if (next >= end()) {
      store.setState({ at: end(), isPlaying: false });
      return;
    }
    store.setState({ at: next });
    // A listener may have paused it.
    if (store.getState().isPlaying) cancel = frames.next(frame);
  };
  const pause = (): void => {
    cancel?.();
    cancel = null;
    store.setState({ isPlaying: false });
  };
  const play = (): void => {
    if (store.getState().isPlaying || store.getState().at >= end()) return;
    drawnAt = clock.now();
    store.setState({ isPlaying: true });
    cancel = frames.next(frame);
  };
  const seek = (to: number): void => store.setState({ at: Math.min(to, end()) });
  return {
    store,
    play,
    pause,
    toggle: () => (store.getState().isPlaying ? pause() : play()),
    seek,
    /** 10 s on (1) or back (-1); stands still from then on. */
    step(by: 1 | -1) {
      pause();
      seek(store.getState().at + by * STEP_MS);
    },
    setRate: (rate: HistoryRate) => store.setState({ rate }),
  };
}

export type HistoryClock = ReturnType<typeof createHistoryClock>;
