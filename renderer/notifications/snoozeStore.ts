import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Notification, Snooze } from '../../server/contract/notifications.ts';
import type { ServerTime } from '../clock/serverTime.ts';
import type { ResourceStore } from '../resources/resourceStore.ts';

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
      it.event_kind === 'sos' ? undefined : longest.get(it.vehicle_id),
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
