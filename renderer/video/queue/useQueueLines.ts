import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Notification } from '../../../server/contract/notifications.ts';
import type { Task } from '../../../server/contract/video.ts';
import type { Profile } from '../../../server/contract/videoProfiles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useRuleNames } from '../../rules/ruleList.ts';
import { formatNumber } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import { compareValues } from '../../../server/contract/compareValues.ts';
import { orderSubject } from '../requests/useOrders.ts';
import { useVideo } from '../useVideo.ts';
import { isOfRule } from './queueAddress.ts';

/** So long the word of a terminal's being on line may be old. */
const READ_PROFILES_MS = 20_000;

/** The rows of tasks, by vehicle, channel and quality; each with the names that it shows. */
export function useQueueLines(tasks: readonly Task[]): readonly QueueLine[] {
  const app = useAppContext();
  const video = useVideo();
  const t = useT();
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const profiles = useStore(video.profiles.store, (state) => state.byVehicle);
  const userNames = useStore(app.userNames, (state) => state.byId);
  const notifications = useStore(app.notifications.store, (state) => state.byId);
  const events = useStore(video.events.store, (state) => state.byId);
  const geofences = useStore(app.geofences.store, (state) => state.byId);
  const ruleNames = useRuleNames();
  const target = useMemo(() => tasks.flatMap((it) => it.event_id ?? []).join(' '), [tasks]);
  useEffect(() => {
    if (target !== '') video.events.want(target.split(' '));
  }, [video, target]);

  return useMemo(() => {
    const byEvent = new Map<string, Notification>();
    for (const it of notifications.values()) for (const id of it.event_ids) byEvent.set(id, it);
    const whyOf = (eventId: string | null) => {
      const row = byEvent.get(eventId ?? '');
      const known = { notifications: row === undefined ? [] : [row], events };
      return orderSubject({ eventId }, known, app)?.title ?? null;
    };
    const lines = tasks.map((task): QueueLine => {
      const profile = profiles.get(task.vehicle_id);
      return {
        task,
        vehicle: vehicles.get(task.vehicle_id)?.name ?? t('vehicle.gone'),
        channel: formatChannel(task, profile),
        quality: qualityOf(task),
        online: profile?.online ?? null,
        asker: askerOf(task, userNames, ruleNames),
        why: whyOf(task.event_id),
      };
    });
    return lines.sort(byPlace);
    // The names of geofences stand in the words.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the texts read the geofences through the app context
  }, [tasks, vehicles, profiles, userNames, ruleNames, notifications, events, geofences, app, t]);
}

/** What was ordered at once stays together however the table is sorted: each small picture before its full one. */
const byPlace = (a: QueueLine, b: QueueLine): number =>
  compareValues(a.vehicle, b.vehicle) ||
  a.task.channel - b.task.channel ||
  Number(b.quality === 'small') - Number(a.quality === 'small');

/** Keeps the cameras' being on line fresh while somebody looks. */
export function useFreshProfiles(): void {
  const { clock } = useAppContext();
  const { profiles } = useVideo();
  useEffect(() => {
    let stop: () => void = () => undefined;
    const read = () => {
      // What was known stays when this reading fails; the next one is soon.
      void profiles.readAll().catch(() => undefined);
      stop = clock.after(READ_PROFILES_MS, read);
    };
    read();
    return () => stop();
  }, [clock, profiles]);
}

/** A task with what else its row says. */
export interface QueueLine {
  task: Task;
  vehicle: string;
  /** "1 Front" */
  channel: string;
  /** Which of a terminal's two recordings it brings; null where the order does not say. */
  quality: 'small' | 'full' | null;
  /** Whether its terminal can be reached, as last known; null while nobody knows. */
  online: boolean | null;
  asker: Asker;
  /** The event that it is about, in words; null for a moment that was chosen. */
  why: string | null;
}

export type Asker = { by: 'user'; name: string | null } | { by: 'rule'; name: string | null };

/** Who ordered a task: a rule, by name where it may be seen, else a user, by name where it may be known. */
export function askerOf(
  task: Pick<Task, 'created_by' | 'rule_id'>,
  userNames: ReadonlyMap<string, string>,
  ruleNames: ReadonlyMap<string, string>,
): Asker {
  if (isOfRule(task)) return { by: 'rule', name: ruleNames.get(task.rule_id ?? '') ?? null };
  return { by: 'user', name: userNames.get(task.created_by) ?? null };
}

export function qualityOf({ stream }: Pick<Task, 'stream'>): QueueLine['quality'] {
  if (stream === null) return null;
  return stream === 'sub' ? 'small' : 'full';
}

export function formatChannel(task: Pick<Task, 'channel'>, profile: Profile | undefined): string {
  const name = profile?.channels.find((it) => it.channel === task.channel)?.name ?? '';
  return `${task.channel} ${name}`.trim();
}

/** The size of a task: of its file, or of what is on its way; null while nobody knows. Bytes. */
export const sizeOf = (task: Task): number | null => task.file?.size_bytes ?? task.total_bytes;

/** How many of how many megabytes, or a share where the terminal does not say how many will come. */
export function formatReceived(task: Task): { received: string; total: string | null } | null {
  if (task.status !== 'downloading' || task.received_bytes === null) return null;
  const megabytes = (bytes: number) => formatNumber(bytes / 1e6, bytes < 1e7 ? 1 : 0);
  return {
    received: megabytes(task.received_bytes),
    total: task.total_bytes === null ? null : megabytes(task.total_bytes),
  };
}
