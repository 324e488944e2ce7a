import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Event } from '../../../server/contract/events.ts';
import type { Notification } from '../../../server/contract/notifications.ts';
import type { Severity } from '../../../server/contract/rules.ts';
import type { Task } from '../../../server/contract/video.ts';
import { isProblem } from '../../api/errors.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useT } from '../../i18n/useT.ts';
import {
  alarmLabels,
  eventWords,
  type AlarmLabels,
  type WordParts,
} from '../../notifications/alarmLabels.ts';
import { useAction } from '../../resources/useAction.ts';
import { severityOfEvent } from '../../vehicles/EventMarks.tsx';
import { useVideo } from '../useVideo.ts';
import { isUnderWay } from './qualities.ts';
import { videoOrders, type VideoRequest, toRetry } from './videoOrders.ts';
import { problemText } from '../../ui/formFaults.ts';

/** All orders of this user, the newest first. */
export function useOrders(): readonly VideoRequest[] {
  const video = useVideo();
  const tasks = useStore(video.tasks, (state) => state.byId);
  const clips = useStore(video.clips.store, (state) => state.clips);
  return useMemo(() => videoOrders(tasks.values(), (id) => clips.get(id)?.whole === true), [tasks, clips]);
}

/** Reads the events that orders are about, as far as the queue does not know them. */
export function useEventsOf(orders: readonly VideoRequest[]): void {
  const video = useVideo();
  const ids = orders.flatMap(({ eventId }) => (eventId === null ? [] : [eventId])).join(' ');
  useEffect(() => {
    if (ids !== '') video.events.want(ids.split(' '));
  }, [video, ids]);
}

export function useSubject(order: VideoRequest): OrderSubject | null {
  const app = useAppContext();
  const video = useVideo();
  const notifications = useStore(app.notifications.store, (state) => state.byId);
  const events = useStore(video.events.store, (state) => state.byId);
  const geofences = useStore(app.geofences.store, (state) => state.byId);
  return useMemo(
    () => orderSubject(order, { notifications: notifications.values(), events }, app),
    // The names of geofences stand in the words.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the texts read the geofences through the app context
    [order, notifications, events, geofences, app],
  );
}

/** "1 Front": the names of channels by their numbers, as far as the vehicle's profile is known. */
export function useChannelNames(vehicleId: string): (channel: number) => string {
  const video = useVideo();
  const profile = useStore(video.profiles.store, (state) => state.byVehicle.get(vehicleId));
  useEffect(() => {
    // Without names the numbers stand alone; the next look asks again.
    if (profile === undefined) void video.profiles.readAll().catch(() => undefined);
  }, [video, vehicleId, profile]);
  return (channel) => profile?.channels.find((it) => it.channel === channel)?.name ?? '';
}

/** What an order is about, when it is about an event. */
interface OrderSubject {
  severity: Severity;
  words: AlarmLabels;
  /** Overspeed 94 in a 60 */
  title: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Where it happened and what was allowed, as far as it is said. */
  limitKmh: number | null;
}

/** The event behind an order: by its row in the queue, else by the event itself; null for a moment that was chosen. */
export function orderSubject(
  order: Pick<VideoRequest, 'eventId'>,
  known: { notifications: Iterable<Notification>; events: ReadonlyMap<string, Event> },
  deps: WordParts,
): OrderSubject | null {
  const { eventId } = order;
  if (eventId === null) return null;
  const notifications = [...known.notifications];
  const row = notifications.find((it) => it.event_ids.includes(eventId));
  if (row !== undefined) {
    return subject(
      row.event_kind,
      row.severity,
      alarmLabels(row, deps),
      row.last_time,
      row.details.threshold,
    );
  }
  const event = known.events.get(eventId);
  if (event === undefined) return null;
  const severity = severityOfEvent(event, notifications);
  return subject(event.kind, severity, eventWords(event, deps), event.time, event.details.threshold);
}

function subject(
  kind: Event['kind'],
  severity: Severity,
  words: AlarmLabels,
  time: string,
  threshold: number | null,
): OrderSubject {
  const short = words.short.charAt(0).toUpperCase() + words.short.slice(1);
  return {
    severity,
    words,
    title: kind === 'overspeed' ? `${words.kind} ${words.short}` : short,
    at: Date.parse(time),
    limitKmh: kind === 'overspeed' ? threshold : null,
  };
}

/** What can be done with an order, with the small pictures of it and the full ones; the change comes home by the stream. */
export function useOrderActions() {
  const video = useVideo();
  const t = useT();
  const { busy, sentence, run } = useAction();
  const act = (change: (tasks: readonly Task[]) => Promise<void>, tasks: readonly Task[]) =>
    run(() => change(tasks), {
      sentence: (error) =>
        isProblem(error)
          ? t('video_requests.not_done', { reason: problemText(error.problem, t) })
          : t('video_requests.not_done_offline'),
    });
  return {
    busy,
    /** What went wrong with the last act; null for nothing. */
    sentence,
    /** Ends what is under way of it: where the small pictures are there, their full quality. */
    cancel: (order: VideoRequest) => void act((tasks) => video.cancel(tasks), order.tasks.filter(isUnderWay)),
    /** Tries again what did not come, in either quality. */
    retry: (order: VideoRequest) => void act((tasks) => video.retry(tasks), toRetry(order)),
    /** Keeps its files until somebody deletes them, or no longer. */
    mark: (order: VideoRequest, important: boolean) =>
      void act(
        (tasks) => video.mark(tasks, important),
        order.tasks.filter((it) => it.important !== important && it.status !== 'expired'),
      ),
    /** Deletes its files, and ends what would bring more of them. */
    remove: (order: VideoRequest) =>
      void act(
        (tasks) => video.remove(tasks),
        order.tasks.filter((it) => it.status === 'done' || isUnderWay(it)),
      ),
  };
}

export type OrderActions = ReturnType<typeof useOrderActions>;
