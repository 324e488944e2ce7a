import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useDesk } from '../../desk/DeskContext.tsx';
import type { VideoOrder } from '../orders/videoOrders.ts';
import { useVideo } from '../useVideo.ts';
import { channelShows, wantedFilms, type ChannelShow, type Films, type Plays } from './channelShows.ts';
import { createFilmLoads } from './filmLoads.ts';
import { canPlay, readMovie } from './movie.ts';

export interface OrderFilms {
  /** By task. */
  films: Films;
  /** What each channel shows of them. */
  shows: readonly ChannelShow[];
  plays: Plays;
  /** The browser could not play the film of a task after all. */
  onFault: (taskId: string) => void;
  retry: () => void;
}

const canPlayType = (type: string): string => document.createElement('video').canPlayType(type);
const NO_FAULTS: ReadonlySet<string> = new Set();

/** The films of an order, brought to this computer while it is shown. */
export function useFilms(order: VideoOrder): OrderFilms {
  const desk = useDesk();
  const video = useVideo();
  const [faults, setFaults] = useState(NO_FAULTS);
  const [isOpen, setOpen] = useState(false);
  const loads = useMemo(
    () =>
      createFilmLoads({
        clips: video.clips,
        readMovie,
        urlOf: (blob) => URL.createObjectURL(blob),
        revoke: (url) => URL.revokeObjectURL(url),
      }),
    [video],
  );
  const films = useStore(loads.store, (state) => state.byTask);
  const plays = useCallback<Plays>(
    (taskId, { movie }) =>
      !faults.has(taskId) && (movie === null || movie.codec === null || canPlay(movie.codec, canPlayType)),
    [faults],
  );

  useEffect(() => {
    const undo = desk.stream.onLink((link) => {
      if (link.phase === 'live') loads.retry();
    });
    return () => {
      undo();
      loads.stop();
    };
  }, [desk, loads]);
  useEffect(() => {
    // What to bring depends on what is here already; a store that cannot say is one that has nothing.
    const known = () => setOpen(true);
    video.clips.list().then(known, known);
  }, [video]);
  useEffect(() => {
    if (!isOpen) return;
    const { clips } = video.clips.store.getState();
    loads.want(wantedFilms(order.tasks, films, (id) => clips.get(id)?.whole === true, plays));
  }, [video, loads, order, films, plays, isOpen]);

  return {
    films,
    shows: useMemo(() => channelShows(order.tasks, films, plays), [order, films, plays]),
    plays,
    onFault: useCallback((taskId) => setFaults((before) => new Set([...before, taskId])), []),
    retry: () => loads.retry(true),
  };
}
