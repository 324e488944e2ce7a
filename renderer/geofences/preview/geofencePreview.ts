import {
  geofencePreview,
  type GeofencePreview,
  geofenceRoutes,
  type NewGeofence,
} from '../../../server/contract/geofences.ts';
import type { Task } from '../../../server/contract/video.ts';
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

/** A moment of a vehicle in the past. */
export interface Passage {
  vehicle_id: string;
  at: string;
}

/** Whoever was inside for longer stayed: then it is the beginning that matters. */
const LONGEST_PASS_S = 120;

/** When a vehicle passed: half-way through the circle it was nearest to the middle. */
export function passageOf({ vehicle_id, enter_time, exit_time, duration_s }: Visit): Passage {
  if (duration_s > LONGEST_PASS_S) return { vehicle_id, at: enter_time };
  const middle = (Date.parse(enter_time) + Date.parse(exit_time)) / 2;
  return { vehicle_id, at: new Date(middle).toISOString() };
}

/** Whether a video shows a moment. */
export const isOf = (task: Pick<Task, 'vehicle_id' | 'from' | 'to'>, { vehicle_id, at }: Passage): boolean =>
  task.vehicle_id === vehicle_id && task.from <= at && at <= task.to;

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
