import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useDesk } from '../../desk/DeskContext.tsx';
import { hasPictures, type VideoOrder } from '../orders/videoOrders.ts';
import { useVideo } from '../useVideo.ts';
import { createFilmLoads, type FilmLoad } from './filmLoads.ts';
import { readMovie } from './movie.ts';

/** The films of an order, brought to this computer while it is shown. */
export function useFilms(order: VideoOrder): {
  films: ReadonlyMap<string, FilmLoad>;
  retry: () => void;
} {
  const desk = useDesk();
  const video = useVideo();
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
    const { clips } = video.clips.store.getState();
    loads.want(order.tasks.filter((it) => hasPictures(it, (id) => clips.get(id)?.whole === true)));
  }, [video, loads, order]);
  return { films: useStore(loads.store, (state) => state.byTask), retry: () => loads.retry(true) };
}
