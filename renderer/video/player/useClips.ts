import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import type { VideoRequest } from '../requests/videoOrders.ts';
import { useVideo } from '../useVideo.ts';
import { channelViews, wantedClips, type Plays } from './channelViews.ts';
import { createClipLoads } from './clipLoads.ts';
import { canPlay, readClipInfo } from './mp4Index.ts';

const canPlayType = (type: string): string => document.createElement('video').canPlayType(type);
const NO_FAULTS: ReadonlySet<string> = new Set();

/** The clips of an order, brought to this computer while it is shown. */
export function useClips(order: VideoRequest) {
  const app = useAppContext();
  const video = useVideo();
  const [faults, setFaults] = useState(NO_FAULTS);
  const [isOpen, setOpen] = useState(false);
  const loads = useMemo(
    () =>
      createClipLoads({
        clips: video.clips,
        readMovie: readClipInfo,
        urlOf: (blob) => URL.createObjectURL(blob),
        revoke: (url) => URL.revokeObjectURL(url),
      }),
    [video],
  );
  const clips = useStore(loads.store, (state) => state.byTask);
  const plays = useCallback<Plays>(
    (taskId, { movie }) =>
      !faults.has(taskId) && (movie === null || movie.codec === null || canPlay(movie.codec, canPlayType)),
    [faults],
  );

  useEffect(() => {
    const undo = app.stream.onLink((link) => {
      if (link.phase === 'live') loads.retry();
    });
    return () => {
      undo();
      loads.stop();
    };
  }, [app, loads]);
  useEffect(() => {
    // What to bring depends on what is here already; a store that cannot say is one that has nothing.
    const known = () => setOpen(true);
    video.clips.list().then(known, known);
  }, [video]);
  useEffect(() => {
    if (!isOpen) return;
    const { clips: stored } = video.clips.store.getState();
    loads.want(wantedClips(order.tasks, clips, (id) => stored.get(id)?.whole === true, plays));
  }, [video, loads, order, clips, plays, isOpen]);

  return {
    /** By task. */
    clips,
    /** What each channel shows of them. */
    shows: useMemo(() => channelViews(order.tasks, clips, plays), [order, clips, plays]),
    plays,
    /** The browser could not play the clip of a task after all. */
    onFault: useCallback((taskId: string) => setFaults((before) => new Set([...before, taskId])), []),
    retry: () => loads.retry(true),
  };
}

export type RequestClips = ReturnType<typeof useClips>;
