import type { Frames } from '../../clock/frames.ts';
import type { ClipPlayer, ClipPlayerParts } from './clipPlayer.ts';
import type { LoadedClip } from './clipLoads.ts';
import type { Playback } from './playback.ts';
import { preroll } from './preroll.ts';

/** Where one channel is seen. */
export interface ChannelScreen {
  /**
   * Shows a clip, null for none. One that is to follow another stands by until it shows what the clock shows, and takes
   * its place then; the other is seen that long. Where the other cannot be played any more nothing waits for it.
   */
  show(load: LoadedClip | null): void;
  setMuted(muted: boolean): void;
  dispose(): void;
}

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

export function createChannelScreen(deps: ChannelScreenDeps): ChannelScreen {
  const { channel, playback, frames, onSeen, onFault } = deps;
  let isMuted = true;
  let seen: Shown | null = null;
  let next: Shown | null = null;
  /** What cannot be played any more. Nothing stands by for it: a clock that it leads stands still. */
  const faulted = new WeakSet<LoadedClip>();

  const end = (shown: Shown | null) => {
    shown?.undo();
    shown?.clip.dispose();
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
    show(load) {
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
    setMuted(muted) {
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
