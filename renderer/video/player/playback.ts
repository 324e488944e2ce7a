import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Frames } from '../../clock/frames.ts';

/** One channel's picture, in seconds from the beginning of the order. */
export interface Media {
  position(): number;
  /** NaN until it is known. */
  duration(): number;
  hasPicture(): boolean;
  isSeeking(): boolean;
  isPaused(): boolean;
  seek(s: number): void;
  setRate(rate: number): void;
  /** Rejects where the browser does not allow it. */
  play(): Promise<void>;
  pause(): void;
}

export const RATES = [0.25, 1, 2, 4] as const;

export interface PlaybackState {
  isPlaying: boolean;
  rate: number;
  /** Of the one clock, seconds. */
  position: number;
}

/** All channels of an order on one clock. */
export interface Playback {
  store: StoreApi<PlaybackState>;
  /** Adds a channel; its number says who leads. Returns its undo. */
  attach(channel: number, media: Media): () => void;
  play(): void;
  pause(): void;
  toggle(): void;
  /** Goes to a moment; one that comes while the pictures still look for the last is kept until they are there. */
  seek(s: number): void;
  /** A frame forward (1) or back (-1); pauses. */
  step(by: 1 | -1): void;
  setRate(rate: number): void;
  /** The length of a frame, once somebody has seen it, seconds. */
  sawFrame(lengthS: number): void;
  /** Keeps the channels together, with every picture of the screen; returns its end. */
  start(): () => void;
}

/** Farther from the leader than this, and a channel jumps (CONSOLE 4: one clock). */
const JUMP_S = 0.1;
/** Nearer than this is together. */
const TOGETHER_S = 0.02;
/** So much faster or slower a channel plays per second that it is behind or ahead. */
const PULL = 1.5;
/** A channel this close to its end has no further picture. */
const END_S = 0.05;
/** Most cameras film 25 pictures a second; the real length is seen while it plays. */
const USUAL_FRAME_S = 1 / 25;

/** @param lengthS how far the clock goes when no channel says so */
export function createPlayback(frames: Frames, lengthS: number): Playback {
  const store = createStore<PlaybackState>(() => ({ isPlaying: false, rate: 1, position: 0 }));
  const channels = new Map<number, Media>();
  let frameS = USUAL_FRAME_S;
  /** Where a seek goes that has not arrived. */
  let target: number | null = null;
  let wanted: number | null = null;

  const inOrder = () => [...channels].sort(([a], [b]) => a - b).map(([, media]) => media);
  const endS = () => {
    const known = inOrder()
      .map((it) => it.duration())
      .filter(Number.isFinite);
    return known.length === 0 ? lengthS : Math.max(...known);
  };
  const isOver = (media: Media, at: number) => at > media.duration() - END_S;
  const leaderAt = (at: number) => inOrder().find((it) => it.hasPicture() && !isOver(it, at));

  const goTo = (s: number) => {
    target = s;
    for (const media of channels.values()) {
      const place = Number.isFinite(media.duration()) ? Math.min(s, media.duration()) : s;
      if (Math.abs(media.position() - place) > 0.001) media.seek(place);
    }
    store.setState({ position: s });
  };

  const settleSeek = () => {
    if ([...channels.values()].some((it) => it.isSeeking())) return false;
    target = null;
    if (wanted !== null) {
      const next = wanted;
      wanted = null;
      goTo(next);
      return false;
    }
    return true;
  };

  const follow = (media: Media, at: number, rate: number, isPlaying: boolean) => {
    if (!media.hasPicture() || media.isSeeking()) return;
    if (isOver(media, at)) {
      if (!media.isPaused()) media.pause();
      return;
    }
    const drift = media.position() - at;
    if (Math.abs(drift) > JUMP_S) media.seek(at);
    const pull =
      isPlaying && Math.abs(drift) > TOGETHER_S && Math.abs(drift) <= JUMP_S ? 1 - drift * PULL : 1;
    media.setRate(rate * pull);
    if (isPlaying && media.isPaused()) void begin(media);
    if (!isPlaying && !media.isPaused()) media.pause();
  };

  const begin = async (media: Media) => {
    try {
      await media.play();
    } catch (error) {
      // A seek or a pause came between: the next tick sees to it.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      // The browser wants an act of the operator first: the button says Play.
      if (leaderAt(store.getState().position) === media) playback.pause();
    }
  };

  const tick = () => {
    if (target !== null && !settleSeek()) return;
    const { isPlaying, rate, position } = store.getState();
    const leader = leaderAt(position);
    if (leader === undefined) {
      const isReady = inOrder().some((it) => it.hasPicture());
      if (isPlaying && isReady) playback.pause();
      return;
    }
    if (isPlaying && leader.isPaused() && Math.abs(leader.position() - position) > JUMP_S)
      leader.seek(position);
    leader.setRate(rate);
    if (isPlaying && leader.isPaused()) void begin(leader);
    const at = isPlaying && !leader.isSeeking() ? leader.position() : position;
    for (const media of channels.values()) if (media !== leader) follow(media, at, rate, isPlaying);
    if (at !== position) store.setState({ position: at });
  };

  const playback: Playback = {
    store,
    attach(channel, media) {
      channels.set(channel, media);
      media.setRate(store.getState().rate);
      const { position } = store.getState();
      if (position > 0) media.seek(position);
      return () => {
        if (channels.get(channel) === media) channels.delete(channel);
      };
    },
    play() {
      const { position } = store.getState();
      if (position >= endS() - END_S) goTo(0);
      store.setState({ isPlaying: true });
    },
    pause() {
      store.setState({ isPlaying: false });
      for (const media of channels.values()) media.pause();
    },
    toggle: () => (store.getState().isPlaying ? playback.pause() : playback.play()),
    seek(s) {
      const place = Math.min(Math.max(0, s), endS());
      if (target === null) {
        goTo(place);
        return;
      }
      wanted = place;
      store.setState({ position: place });
    },
    step(by) {
      playback.pause();
      playback.seek(store.getState().position + by * frameS);
    },
    setRate: (rate) => store.setState({ rate }),
    sawFrame(length) {
      // Slow cameras film once a second, fast ones sixty times; anything else is a dropped frame or a seek.
      if (length > 1 / 61 && length <= 1)
        frameS = Math.min(frameS === USUAL_FRAME_S ? length : frameS, length);
    },
    start() {
      let cancel: () => void = () => undefined;
      const run = () => {
        tick();
        cancel = frames.next(run);
      };
      run();
      return () => {
        cancel();
        playback.pause();
      };
    },
  };
  return playback;
}
