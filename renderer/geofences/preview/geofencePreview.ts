import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import {
  geofencePreview,
  type GeofencePreview,
  geofenceRoutes,
  type NewGeofence,
} from '../../../server/contract/geofences.ts';
import type { Api } from '../../api/client.ts';
import { askProgress } from '../../api/progress.ts';
import type { Clock } from '../../clock/clock.ts';
import { createPreviewStore, type PastState, type PreviewStore } from '../../preview/previewStore.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';

/** What is tried on the past: a stored geofence as it is, or one as it would be made. */
export type PreviewSubject = { geozone_id: string } | { geofence: Omit<NewGeofence, 'name'> };

export type PreviewState = PastState<GeofencePreview>;
export type FencePreview = PreviewStore<PreviewSubject, GeofencePreview>;

/** Tries a shape on the past. */
export function createGeofencePreview({
  api,
  clock,
  now,
}: {
  api: Api;
  clock: Clock;
  /** The server's time. */
  now: () => number;
}): FencePreview {
  return createPreviewStore<PreviewSubject, GeofencePreview>({
    clock,
    now,
    ask: (subject, period, signal, onProgress) =>
      askProgress(
        api,
        geofenceRoutes.preview,
        geofencePreview,
        { body: { ...period, ...subject }, signal },
        onProgress,
      ),
  });
}

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
