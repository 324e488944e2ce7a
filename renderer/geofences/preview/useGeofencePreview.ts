import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import {
  createGeofencePreview,
  type FencePreview,
  type PreviewSubject,
  type PreviewState,
} from './geofencePreview.ts';

/** Tries a subject on the past for as long as the pane is there, and draws where vehicles entered it. */
export function useGeofencePreview(
  subject: PreviewSubject | null,
  days: number,
): { preview: FencePreview; state: PreviewState } {
  const app = useAppContext();
  const [preview] = useState(() =>
    createGeofencePreview({ api: app.api, clock: app.clock, now: () => app.serverTime.now() }),
  );
  const state = useStore(preview.store);
  useEffect(() => {
    preview.want(subject === null ? null : { subject, days });
  }, [preview, subject, days]);
  useEffect(() => () => preview.stop(), [preview]);

  const places = state.result?.items ?? null;
  useEffect(() => {
    const map = app.map.current();
    map?.dots.set(places ?? []);
    return () => map?.dots.set([]);
  }, [app, places]);
  return { preview, state };
}
