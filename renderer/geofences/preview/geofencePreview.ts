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
import type { DepotTime } from '../../format/depotTime.ts';
import type { Translate } from '../../i18n/text.ts';

/** What is tried on the past: a stored geofence as it is, or one as it would be made. */
export type PreviewSubject =
  | { geozone_id: string }
  | { geofence: Pick<NewGeofence, 'shape' | 'geometry'> & Partial<Omit<NewGeofence, 'name'>> };

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

export type Visit = GeofencePreview['items'][number];

export const keyOfVisit = (visit: Visit): string => `${visit.vehicle_id} ${visit.enter_time}`;

const DAY_MS = 86_400_000;

/** Thu 19 Nov 12:03; "earlier" where it was inside already when the period began. */
export function formatEntered(visit: Visit, time: DepotTime, t: Translate): string {
  return visit.open_start ? t('preview.earlier') : dayAndMinute(visit.enter_time, time);
}

/** 12:44, on a later day 12:44 +1 d; "still inside" where it had not left when the period ended. */
export function formatLeft(visit: Visit, time: DepotTime, t: Translate): string {
  if (visit.open_end) return t('preview.still_inside');
  const at = Date.parse(visit.exit_time);
  const days = Math.round((time.dayStart(at) - time.dayStart(Date.parse(visit.enter_time))) / DAY_MS);
  return days === 0 ? time.minute(at) : `${time.minute(at)} +${days}\u00a0d`;
}

/** Thu 19 Nov 12:03 */
export function dayAndMinute(moment: string, time: DepotTime): string {
  const at = Date.parse(moment);
  return `${time.date(at)} ${time.minute(at)}`;
}

/** 41 visits by 12 vehicles in the last 7 days */
export function previewSentence(result: GeofencePreview, period: string, t: Translate): string {
  if (result.visits === 0) return t('preview.no_visits', { period });
  return t('preview.sentence', {
    visits: t('preview.visits', { count: result.visits }),
    visitors: t('preview.visitors', { count: result.visitors }),
    period,
  });
}
