import {
  geofencePreview,
  type GeofencePreview,
  geofenceRoutes,
  type NewGeofence,
} from '../../../server/contract/geofences.ts';
import type { Api } from '../../api/client.ts';
import { askProgress } from '../../api/progress.ts';
import type { Clock } from '../../clock/clock.ts';
import { createPreviewStore, type PreviewStore } from '../../preview/previewStore.ts';

/** What is tried on the past: a stored geofence as it is, or one as it would be made. */
export type PreviewSubject = { geozone_id: string } | { geofence: Omit<NewGeofence, 'name'> };

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
