import {
  notificationRoutes,
  type Snooze,
  type Notification,
  maxSnoozeS,
} from '../../server/contract/notifications.ts';
import type { BodyFor } from '../../server/contract/route.ts';
import type { Api } from '../api/client.ts';
import { isProblem } from '../api/errors.ts';
import { createResourceStore, type ResourceStore } from '../resources/resourceStore.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ServerTime } from '../clock/serverTime.ts';
import type { DepotTime } from '../format/depotTime.ts';
import type { Translate } from '../i18n/text.ts';

export type NewSnooze = BodyFor<typeof notificationRoutes.snooze>;

/** A snooze never changes: it begins, and it is deleted or over. */
export function createSnoozeStore(): ResourceStore<Snooze> {
  return createResourceStore<Snooze>({ idOf: (it) => it.snooze_id, isOlder: () => false });
}

/** A change shows at once; the stream brings it to the others, and to this console once more. */
export function createSnoozeActions(api: Api, snoozes: Pick<ResourceStore<Snooze>, 'put' | 'remove'>) {
  return {
    /** Throws ApiProblem (`not_found`, `forbidden` where the rule is another's) and Unreachable. */
    async snooze(filter: NewSnooze): Promise<void> {
      snoozes.put([await api.request(notificationRoutes.snooze, { body: filter })]);
    },
    /** One that is over already is no fault. Throws ApiProblem and Unreachable. */
    async end(snooze_id: string): Promise<void> {
      try {
        await api.request(notificationRoutes.unsnooze, { params: { snooze_id } });
      } catch (error) {
        if (!isProblem(error, 'not_found')) throw error;
      }
      snoozes.remove([snooze_id]);
    },
  };
}

export type SnoozeActions = ReturnType<typeof createSnoozeActions>;

export type SnoozedStore = StoreApi<{ byId: SnoozedStates }>;

export function createSnoozedStore(): SnoozedStore {
  return createStore<{ byId: SnoozedStates }>(() => ({ byId: new Map() }));
}

/** Works out what is shelved whenever a notification, a snooze or the time says otherwise; returns its end. */
export function snoozeStore({
  notifications,
  snoozes,
  snoozed,
  serverTime,
}: {
  notifications: Pick<ResourceStore<Notification>, 'store'>;
  snoozes: Pick<ResourceStore<Snooze>, 'store'>;
  snoozed: SnoozedStore;
  serverTime: Pick<ServerTime, 'now' | 'ticks'>;
}): () => void {
  const renew = () => {
    const next = snoozesOf(
      notifications.store.getState().byId.values(),
      snoozes.store.getState().byId.values(),
      serverTime.now(),
    );
    if (!sameSnoozes(next, snoozed.getState().byId)) snoozed.setState({ byId: next });
  };
  renew();
  const undo = [
    notifications.store.subscribe((state, before) => {
      if (state.byId !== before.byId) renew();
    }),
    snoozes.store.subscribe(renew),
    serverTime.ticks.subscribe(({ now }) => {
      // The one thing that time alone changes: a snooze is over.
      for (const { until } of snoozed.getState().byId.values()) {
        if (until > now) continue;
        renew();
        return;
      }
    }),
  ];
  return () => undo.forEach((run) => run());
}

/** Why and until when a notification keeps still. */
export interface SnoozedState {
  /** Milliseconds since 1970, by the server's clock. */
  until: number;
  /** The snooze that lasts longest; null where only the row has one: it is not loaded yet, or not visible to this user. */
  snooze: Snooze | null;
}

type SnoozedStates = ReadonlyMap<string, SnoozedState>;

/** The open notifications that are shelved at a moment, by their id. Those come back by themselves when it is over. */
export function snoozesOf(
  notifications: Iterable<Notification>,
  snoozes: Iterable<Snooze>,
  now: number,
): SnoozedStates {
  const longest = new Map<string, SnoozedState>();
  for (const snooze of snoozes) {
    const until = Date.parse(snooze.until);
    const of = snooze.vehicle_id ?? snooze.rule_id;
    if (of === null || until <= now) continue;
    if ((longest.get(of)?.until ?? 0) < until) longest.set(of, { until, snooze });
  }
  const snoozed = new Map<string, SnoozedState>();
  for (const it of notifications) {
    if (it.state !== 'open') continue;
    const state = longerOf(
      longest.get(it.rule_id ?? ''),
      // An SOS is shown although its vehicle is snoozed.
      it.event_kind === 'sos' ? undefined : longest.get(it.vehicle_id ?? ''),
    );
    if (state !== undefined) snoozed.set(it.notification_id, state);
    else if (it.shelved_until !== null && Date.parse(it.shelved_until) > now) {
      snoozed.set(it.notification_id, { until: Date.parse(it.shelved_until), snooze: null });
    }
  }
  return snoozed;
}

export function sameSnoozes(a: SnoozedStates, b: SnoozedStates): boolean {
  if (a.size !== b.size) return false;
  for (const [id, { until, snooze }] of a) {
    const other = b.get(id);
    if (other?.until !== until || other.snooze?.snooze_id !== snooze?.snooze_id) return false;
  }
  return true;
}

/** Notifications that have come back because their time was over, not because somebody ended the snooze. */
export function cameBack(before: SnoozedStates, after: SnoozedStates, now: number): string[] {
  return [...before].flatMap(([id, { until, snooze }]) =>
    after.has(id) || snooze === null || until > now ? [] : [id],
  );
}

function longerOf(a: SnoozedState | undefined, b: SnoozedState | undefined): SnoozedState | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.until >= b.until ? a : b;
}

/** Shelved until 12:30, vehicle snoozed by K. Weiss */
export function formatSnooze(
  { until, snooze }: SnoozedState,
  { t, time, names, now }: { t: Translate; time: DepotTime; names: ReadonlyMap<string, string>; now: number },
): string {
  const moment = formatUntil(until, time, now);
  if (snooze === null) return t('snooze.until', { time: moment });
  const values = { time: moment, user: names.get(snooze.created_by) ?? t('user.another') };
  return snooze.rule_id === null ? t('snooze.vehicle_until', values) : t('snooze.rule_until', values);
}

/** 12:30 today, else with its day. */
export function formatUntil(until: number, time: DepotTime, now: number): string {
  return time.dayStart(until) === time.dayStart(now)
    ? time.minute(until)
    : `${time.date(until)} ${time.minute(until)}`;
}

/** Seconds. The rest of a shift is taken as half of one of eight hours. */
export const SNOOZE_SPANS = { quarter: 900, hour: 3_600, shift: 14_400 } as const;

export type SnoozeSpan = keyof typeof SNOOZE_SPANS | 'own';

/** Seconds of a span that was typed in minutes; null for what is none, or longer than a snooze may last. */
export function ownDurationS(minutes: string): number | null {
  const text = minutes.trim().replace(',', '.');
  const seconds = Number(text) * 60;
  return text !== '' && Number.isFinite(seconds) && seconds >= 1 && seconds <= maxSnoozeS ? seconds : null;
}
