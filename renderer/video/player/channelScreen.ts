import type { Frames } from '../../clock/frames.ts';
import type { Film, FilmParts } from './film.ts';
import type { FilmHere } from './filmLoads.ts';
import type { Playback } from './playback.ts';
import { standBy } from './standBy.ts';

/** Where one channel is seen. */
export interface ChannelScreen {
  /**
   * Shows a film, null for none. One that is to follow another stands by until it shows what the clock shows, and takes
   * its place then; the other is seen that long. Where the other cannot be played any more nothing waits for it.
   */
  show(load: FilmHere | null): void;
  setMuted(muted: boolean): void;
  dispose(): void;
}

export interface ChannelScreenParts {
  channel: number;
  playback: Playback;
  frames: Frames;
  createFilm: (parts: FilmParts) => Film;
  /** Told what is seen from now on, and of null when nothing is. */
  onSeen: (load: FilmHere | null, film: Film | null) => void;
  /** The browser cannot play it after all. */
  onFault: (load: FilmHere) => void;
}

interface Shown {
  load: FilmHere;
  film: Film;
  undo: () => void;
}

export function createChannelScreen(parts: ChannelScreenParts): ChannelScreen {
  const { channel, playback, frames, onSeen, onFault } = parts;
  let isMuted = true;
  let seen: Shown | null = null;
  let next: Shown | null = null;
  /** What cannot be played any more. Nothing stands by for it: a clock that it leads stands still. */
  const faulted = new WeakSet<FilmHere>();

  const end = (shown: Shown | null) => {
    shown?.undo();
    shown?.film.dispose();
  };
  const make = (load: FilmHere): Film => {
    faulted.delete(load);
    const fail = () => {
      faulted.add(load);
      if (load === seen?.load) takeNext();
      onFault(load);
    };
    return parts.createFilm({ url: load.url, shiftS: load.shiftS, onFault: fail });
  };

  const take = (load: FilmHere, film: Film) => {
    const before = seen;
    film.setHidden(false);
    film.setMuted(isMuted);
    // First in the other's place on the clock: a channel that were gone in between would lose the lead.
    const undo = playback.attach(channel, film.media, load.movie);
    seen = { load, film, undo };
    end(before);
    onSeen(load, film);
  };

  /** What stands by for a film that dies is seen at once, wherever it is. */
  const takeNext = () => {
    if (next === null) return;
    const { load, film, undo } = next;
    next = null;
    undo();
    take(load, film);
  };

  const prepare = (load: FilmHere) => {
    const film = make(load);
    film.setHidden(true);
    const onReady = () => {
      next = null;
      take(load, film);
    };
    next = {
      load,
      film,
      undo: standBy({ media: film.media, times: load.movie, playback, frames, onReady }),
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
      seen?.film.setMuted(muted);
    },
    dispose() {
      end(next);
      end(seen);
      next = null;
      seen = null;
    },
  };
}
