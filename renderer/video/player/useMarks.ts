import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { VideoRequest } from '../requests/videoOrders.ts';
import { marksOf, type ClipMark } from '../store/clipMarks.ts';
import { useVideo } from '../useVideo.ts';

export interface Marks {
  list: readonly ClipMark[];
  /** Puts one at a moment, milliseconds since 1970; takes away the one that is there. */
  toggle: (at: number) => void;
  write: (mark: ClipMark, note: string) => void;
  remove: (mark: ClipMark) => void;
}

/** Nearer than this is the same moment, milliseconds. */
const SAME_MS = 250;

/** The moments of an order that this operator marked; they are kept with its clips on this computer. */
export function useMarks(order: VideoRequest): Marks {
  const { clips } = useVideo();
  const kept = useStore(clips.store, (state) => state.clips);
  const ids = useMemo(() => order.tasks.map((it) => it.task_id), [order]);
  const list = useMemo(() => marksOf(ids.map((id) => kept.get(id))), [ids, kept]);
  const put = (at: number, note: string | null) => void clips.mark(ids, at, note);
  return {
    list,
    toggle(at) {
      const there = list.find((it) => Math.abs(it.at - at) < SAME_MS);
      if (there === undefined) put(Math.round(at), '');
      else put(there.at, null);
    },
    write: ({ at }, note) => put(at, note),
    remove: ({ at }) => put(at, null),
  };
}
