import { createStore } from 'zustand/vanilla';
import type { Frames } from '../../clock/frames.ts';
import { nearestIn, stepFrom, type FrameTimes } from './frameTimes.ts';

/** One channel's picture, in seconds from the beginning of the order. */
export interface Media {
  position(): number;
  /** NaN until it is known. */
  duration(): number;
  hasPicture(): boolean;
  isSeeking(): boolean;
  isPaused(): boolean;
  /** The last picture is over; playing would begin anew. */
  isEnded(): boolean;
  /** Stands though it should go on: what comes next is not read or not decoded yet. */
  isStarved(): boolean;
  seek(s: number): void;
  setRate(rate: number): void;
  /** Rejects where the browser does not allow it. */
  play(): Promise<void>;
  pause(): void;
}

export const RATES = [0.25, 0.5, 1, 2, 4, 8] as const;

export interface PlaybackState {
  isPlaying: boolean;
  rate: number;
  /** Of the one clock, seconds. */
  position: number;
  /** The channel that all others wait for; null while they run. */
  waitsFor: number | null;
}

/**
 * Farther from the leader than this, and a channel jumps (CONSOLE 4: one clock). Seconds on the operator's watch: at
 * eight times the speed one picture of the screen is 0.13 s of video.
 */
export const JUMP_S = 0.1;
/** Nearer than this is together. */
const TOGETHER_S = 0.02;
/** So much faster or slower a channel plays per second that it is behind or ahead. */
const PULL = 1.5;
/** Finer changes of speed than this do nothing but wake the player up. */
const PULL_STEP = 0.01;
/** While they stand, channels may be this far apart: less than a picture of any camera. */
export const STANDING_S = 0.005;
/** A channel this close to its end has no further picture. */
const END_S = 0.05;
/** A step where the frame times are unknown: most cameras record 25 a second. */
const USUAL_FRAME_S = 1 / 25;
/** So long the others wait for a channel that lags; then they go on, and it jumps after them when it can. */
const PATIENCE_MS = 3_000;
/** A wait is shown when it is long enough to notice. */
const SHOWN_MS = 300;
/** A page that was hidden or asleep does not make up for it. */
const LONGEST_TICK_S = 1;

interface Channel {
  number: number;
  media: Media;
  frames: FrameTimes | null;
  /** Since when it has no picture to show, milliseconds; null while it has. */
  lagsSince: number | null;
}

/**
 * @param lengthS how far the clock goes when no channel says so
 * @param now a clock that only runs forward, milliseconds
 */
export function createPlayback(frames: Frames, lengthS: number, now: () => number) {
  const store = createStore<PlaybackState>(() => ({
    isPlaying: false,
    rate: 1,
    position: 0,
    waitsFor: null,
  }));
  let channels: Channel[] = [];
  let preferred: number | null = null;
  /** Where a seek goes that has not arrived, and since when. */
  let target: { sinceMs: number } | null = null;
  let wanted: number | null = null;
  let tickedMs = now();

  const beginOf = (it: Channel) => it.frames?.times[0] ?? 0;
  const endOf = (it: Channel) => it.frames?.endS ?? it.media.duration();
  const endS = () => {
    const known = channels.map(endOf).filter(Number.isFinite);
    return known.length === 0 ? lengthS : Math.max(...known);
  };
  const clips = (it: Channel, at: number) =>
    at >= beginOf(it) && !(at > endOf(it) - END_S) && !it.media.isEnded();
  const lags = ({ media }: Channel) => !media.hasPicture() || media.isSeeking() || media.isStarved();
  const first = (list: readonly Channel[]) => list.find((it) => it.number === preferred) ?? list[0];
  const leaderAt = (at: number) => first(channels.filter((it) => clips(it, at) && !lags(it)));
  const rest = (it: Channel) => {
    if (!it.media.isPaused()) it.media.pause();
  };
  const announceWait = (waitsFor: number | null) => {
    if (store.getState().waitsFor !== waitsFor) store.setState({ waitsFor });
  };

  const placeOf = (it: Channel, s: number) => nearestIn(it.frames, it.media.duration(), s);

  const goTo = (s: number) => {
    target = { sinceMs: now() };
    for (const it of channels) {
      const place = placeOf(it, s);
      if (Math.abs(it.media.position() - place) > STANDING_S / 5) it.media.seek(place);
    }
    store.setState({ position: s });
  };

  /** Nobody runs ahead while others still look for the place. */
  const hasArrived = (nowMs: number): boolean => {
    if (target === null) return true;
    const isLong = nowMs - target.sinceMs > PATIENCE_MS;
    if (!isLong && channels.some((it) => it.media.isSeeking())) {
      channels.forEach(rest);
      return false;
    }
    target = null;
    if (wanted === null) return true;
    const next = wanted;
    wanted = null;
    goTo(next);
    return false;
  };

  const begin = async (it: Channel) => {
    try {
      await it.media.play();
    } catch (error) {
      // A seek or a pause came between: the next tick sees to it.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      // The browser wants an act of the operator first: the button says Play.
      if (first(channels) === it) playback.pause();
    }
  };

  const follow = (it: Channel, at: number, rate: number) => {
    const { media } = it;
    const apart = (media.position() - at) / Math.max(1, rate);
    if (Math.abs(apart) > JUMP_S) {
      media.seek(placeOf(it, at));
      return;
    }
    const pull = Math.abs(apart) > TOGETHER_S ? Math.round((apart * PULL) / PULL_STEP) * PULL_STEP : 0;
    media.setRate(rate * (1 - pull));
    if (media.isPaused()) void begin(it);
  };

  /** The one that all wait for; those that lag for too long are no longer waited for. */
  const awaited = (list: readonly Channel[], nowMs: number): Channel | undefined => {
    for (const it of list) it.lagsSince = lags(it) ? (it.lagsSince ?? nowMs) : null;
    return list.find((it) => it.lagsSince !== null && nowMs - it.lagsSince < PATIENCE_MS);
  };

  const run = (passedS: number, nowMs: number) => {
    const { rate, position } = store.getState();
    const recording = channels.filter((it) => clips(it, position));
    for (const it of channels) if (!recording.includes(it)) rest(it);
    const slow = awaited(recording, nowMs);
    if (slow !== undefined) {
      for (const it of recording) if (!lags(it)) rest(it);
      if (nowMs - (slow.lagsSince ?? nowMs) >= SHOWN_MS) announceWait(slow.number);
      return;
    }
    announceWait(null);
    const running = recording.filter((it) => !lags(it));
    const leader = first(running);
    if (leader === undefined) {
      // Without a running clip the clock goes on.
      if (recording.length === 0) goOn(position + passedS * rate);
      return;
    }
    if (leader.media.isPaused() && Math.abs(leader.media.position() - position) > JUMP_S) {
      leader.media.seek(placeOf(leader, position));
      return;
    }
    leader.media.setRate(rate);
    if (leader.media.isPaused()) void begin(leader);
    const at = leader.media.position();
    for (const it of running) if (it !== leader) follow(it, at, rate);
    if (at !== position) store.setState({ position: at });
  };

  const goOn = (s: number) => {
    const end = endS();
    const isOver = s >= end - END_S;
    store.setState({ position: isOver ? end : s });
    if (isOver) playback.pause();
  };

  const tick = () => {
    const nowMs = now();
    const passedS = Math.min(LONGEST_TICK_S, (nowMs - tickedMs) / 1_000);
    tickedMs = nowMs;
    if (!hasArrived(nowMs)) return;
    if (store.getState().isPlaying) run(passedS, nowMs);
    else channels.forEach(rest);
  };

  const halt = () => {
    store.setState({ isPlaying: false, waitsFor: null });
    channels.forEach(rest);
  };

  const playback = {
    store,
    /** Adds a channel, with its pictures' times where they are known. Returns its undo. */
    attach(number: number, media: Media, times: FrameTimes | null = null) {
      const made: Channel = { number, media, frames: times, lagsSince: null };
      channels = [...channels.filter((it) => it.number !== number), made].sort((a, b) => a.number - b.number);
      const { position, rate, isPlaying } = store.getState();
      media.setRate(rate);
      const place = placeOf(made, position);
      // One that stood by is there already: looking for the place again would be seen.
      const isThere =
        Math.abs(media.position() - place) <= (isPlaying ? JUMP_S * Math.max(1, rate) : STANDING_S);
      if (!isThere) media.seek(place);
      return () => {
        channels = channels.filter((it) => it !== made);
      };
    },
    /** Where the last picture goes, seconds. */
    endS,
    /** The channel that leads while it has pictures: the large one, whose sound must not waver. Else the first. */
    prefer(channel: number | null) {
      preferred = channel;
    },
    play() {
      const { position } = store.getState();
      if (position >= endS() - END_S) goTo(0);
      store.setState({ isPlaying: true });
    },
    pause() {
      const { isPlaying, position } = store.getState();
      const at = target === null ? (leaderAt(position)?.media.position() ?? position) : position;
      halt();
      // What runs is a little apart; what stands shows one moment.
      const isApart = (it: Channel) => Math.abs(it.media.position() - placeOf(it, at)) > STANDING_S;
      if (isPlaying && target === null && channels.some(isApart)) goTo(at);
      else if (target === null) store.setState({ position: at });
    },
    toggle: () => (store.getState().isPlaying ? playback.pause() : playback.play()),
    /** Goes to a moment; one that comes while the pictures still look for the last is kept until they are there. */
    seek(s: number) {
      const place = Math.min(Math.max(0, s), endS());
      if (target === null) {
        goTo(place);
        return;
      }
      wanted = place;
      store.setState({ position: place });
    },
    /** To the next (1) or last (-1) picture of the channel that leads; pauses. */
    step(by: 1 | -1) {
      playback.pause();
      const { position } = store.getState();
      const recording = channels.filter((it) => it.frames !== null && clips(it, position));
      const known = (first(recording) ?? first(channels))?.frames ?? null;
      const place = known === null ? position + by * USUAL_FRAME_S : stepFrom(known, position, by);
      if (place !== null) playback.seek(place);
    },
    setRate: (rate: number) => store.setState({ rate }),
    /** The neighbouring one of `RATES`. */
    shift(by: 1 | -1) {
      const at = RATES.findIndex((it) => it === store.getState().rate);
      const rate = RATES[at + by];
      if (rate !== undefined) store.setState({ rate });
    },
    /** Keeps the channels together, with every picture of the screen; returns its end. */
    start() {
      let cancel: () => void = () => undefined;
      tickedMs = now();
      const next = () => {
        tick();
        cancel = frames.next(next);
      };
      next();
      return () => {
        cancel();
        halt();
      };
    },
  };
  return playback;
}

/** All channels of an order on one clock. */
export type Playback = ReturnType<typeof createPlayback>;
