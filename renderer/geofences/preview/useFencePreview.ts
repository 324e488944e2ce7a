import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useDesk } from '../../desk/DeskContext.tsx';
import {
  createFencePreview,
  type FencePreview,
  type PreviewSubject,
  type PreviewState,
} from './fencePreview.ts';

/** Tries a subject on the past for as long as the pane is there, and draws where vehicles entered it. */
export function useFencePreview(
  subject: PreviewSubject | null,
  days: number,
): { preview: FencePreview; state: PreviewState } {
  const desk = useDesk();
  const [preview] = useState(() =>
    createFencePreview({ api: desk.api, clock: desk.clock, now: () => desk.serverTime.now() }),
  );
  const state = useStore(preview.store);
  useEffect(() => {
    preview.want(subject === null ? null : { subject, days });
  }, [preview, subject, days]);
  useEffect(() => () => preview.stop(), [preview]);

  const places = state.result?.items ?? null;
  useEffect(() => {
    const map = desk.map.current();
    map?.dots.set(places ?? []);
    return () => map?.dots.set([]);
  }, [desk, places]);
  return { preview, state };
}
