import type { Frames } from '../../clock/frames.ts';
import type { LoadedClip } from './clipLoads.ts';
import type { ClipPlayer, ClipPlayerParts } from './clipPlayer.ts';
import { nearestIn, type FrameTimes } from './frameTimes.ts';
import { type Playback, JUMP_S, STANDING_S, type Media } from './playback.ts';

export interface ChannelScreenDeps {
  channel: number;
  playback: Playback;
  frames: Frames;
  createClip: (deps: ClipPlayerParts) => ClipPlayer;
  /** Called with what is seen from now on, and with null when nothing is. */
  onSeen: (load: LoadedClip | null, clip: ClipPlayer | null) => void;
  /** The browser cannot play it after all. */
  onFault: (load: LoadedClip) => void;
}

interface Shown {
  load: LoadedClip;
  clip: ClipPlayer;
  undo: () => void;
}

/** Where one channel is seen. */
export function createChannelScreen(deps: ChannelScreenDeps) {
  const { channel, playback, frames, onSeen, onFault } = deps;
  let isMuted = true;
  let seen: Shown | null = null;
  let next: Shown | null = null;
  /** What cannot be played any more. Nothing stands by for it: a clock that it leads stands still. */
  const faulted = new WeakSet<LoadedClip>();

  const end = (visible: Shown | null) => {
    visible?.undo();
    visible?.clip.dispose();
  };
  const make = (load: LoadedClip): ClipPlayer => {
    faulted.delete(load);
    const fail = () => {
      faulted.add(load);
      if (load === seen?.load) takeNext();
      onFault(load);
    };
    return deps.createClip({ url: load.url, shiftS: load.shiftS, onFault: fail });
  };

  const take = (load: LoadedClip, clip: ClipPlayer) => {
    const before = seen;
    clip.setHidden(false);
    clip.setMuted(isMuted);
    // First in the other's place on the clock: a channel that were gone in between would lose the lead.
    const undo = playback.attach(channel, clip.media, load.movie);
    seen = { load, clip, undo };
    end(before);
    onSeen(load, clip);
  };

  /** What stands by for a clip that dies is seen at once, wherever it is. */
  const takeNext = () => {
    if (next === null) return;
    const { load, clip, undo } = next;
    next = null;
    undo();
    take(load, clip);
  };

  const prepare = (load: LoadedClip) => {
    const clip = make(load);
    clip.setHidden(true);
    const onReady = () => {
      next = null;
      take(load, clip);
    };
    next = {
      load,
      clip,
      undo: preroll({ media: clip.media, times: load.movie, playback, frames, onReady }),
    };
  };

  return {
    /**
     * Shows a clip, null for none. One that is to follow another stands by until it shows what the clock shows, and takes
     * its place then; the other is seen that long. Where the other cannot be played any more nothing waits for it.
     */
    show(load: LoadedClip | null) {
      if (load === (next?.load ?? null) && load !== null) return;
      end(next);
      next = null;
      if (load === (seen?.load ?? null)) return;
      if (load !== null && seen !== null && !faulted.has(seen.load)) prepare(load);
      else if (load !== null) take(load, make(load));
      else {
        end(seen);
        seen = null;
        onSeen(null, null);
      }
    },
    setMuted(muted: boolean) {
      isMuted = muted;
      seen?.clip.setMuted(muted);
    },
    dispose() {
      end(next);
      end(seen);
      next = null;
      seen = null;
    },
  };
}

export type ChannelScreen = ReturnType<typeof createChannelScreen>;

export interface PrerollParts {
  media: Media;
  times: FrameTimes | null;
  playback: Playback;
  frames: Frames;
  /** The clip shows what the clock shows, and runs as it runs. */
  onReady: () => void;
}

/** A clip that is farther off than this seeks again instead of catching up. */
const LOST_S = 1;
/** How far ahead of a running clock a clip seeks at first, and at most: it must be there before the clock. */
const LEAD_S = 0.5;
const MOST_LEAD_S = 4;
/** So much faster or slower it runs per second that it is behind or ahead, and at most. */
const PULL = 1.5;
const MOST_PULL = 0.5;
/** Playing begins a little late. */
const START_S = 0.05;

/** Brings a hidden clip to the clock's time, so that it can replace another without a jump. Returns the stop function. */
export function preroll({ media, times, playback, frames, onReady }: PrerollParts): () => void {
  let leadS = LEAD_S;
  let isOver = false;
  let cancel: () => void = () => undefined;

  const placeOf = (s: number) => nearestIn(times, media.duration(), s);

  const stand = (place: number): boolean => {
    if (!media.isPaused()) media.pause();
    if (Math.abs(media.position() - place) <= STANDING_S) return true;
    media.seek(place);
    return false;
  };

  const goAhead = (position: number, rate: number) => {
    if (!media.isPaused()) media.pause();
    media.seek(placeOf(position + leadS * Math.max(1, rate)));
    leadS = Math.min(MOST_LEAD_S, leadS * 2);
  };

  const run = (position: number, rate: number): boolean => {
    const apart = (media.position() - position) / Math.max(1, rate);
    if (media.isPaused()) {
      if (apart < -START_S || apart > MOST_LEAD_S + LOST_S) goAhead(position, rate);
      else if (apart <= START_S) {
        media.setRate(rate);
        // A seek or a pause that came between is seen to with the next picture.
        media.play().catch(() => undefined);
      }
      return false;
    }
    // As near to the clock as channels are kept to each other.
    if (Math.abs(apart) <= JUMP_S) return !media.isStarved();
    if (Math.abs(apart) > LOST_S) goAhead(position, rate);
    else media.setRate(rate * (1 - Math.min(MOST_PULL, Math.max(-MOST_PULL, apart * PULL))));
    return false;
  };

  const isReady = (): boolean => {
    if (!media.hasPicture() || media.isSeeking()) return false;
    const { isPlaying, position, rate } = playback.store.getState();
    const place = placeOf(position);
    // Where the clip has no pictures it stands, whether the clock runs or not.
    return isPlaying && place === position ? run(position, rate) : stand(place);
  };

  const tick = () => {
    if (isOver) return;
    if (isReady()) {
      isOver = true;
      onReady();
      return;
    }
    cancel = frames.next(tick);
  };
  cancel = frames.next(tick);
  return () => {
    isOver = true;
    cancel();
  };
}
