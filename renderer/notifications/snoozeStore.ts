import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Notification, Snooze } from '../../server/contract/notifications.ts';
import type { ServerTime } from '../clock/serverTime.ts';
import type { ResourceStore } from '../resources/resourceStore.ts';
import { sameSnoozes, snoozesOf, type SnoozedStates } from './snoozedStates.ts';

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
