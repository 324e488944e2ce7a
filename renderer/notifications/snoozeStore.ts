import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Notification, Snooze } from '../../server/contract/notifications.ts';
import type { ServerTime } from '../clock/serverTime.ts';
import type { ResourceStore } from '../resources/resourceStore.ts';
import { sameShelves, snoozesOf, type Shelves } from './shelving.ts';

export type ShelfStore = StoreApi<{ byId: Shelves }>;

export function createShelfStore(): ShelfStore {
  return createStore<{ byId: Shelves }>(() => ({ byId: new Map() }));
}

/** Works out what is shelved whenever a notification, a snooze or the time says otherwise; returns its end. */
export function snoozeStore({
  notifications,
  snoozes,
  shelves,
  serverTime,
}: {
  notifications: Pick<ResourceStore<Notification>, 'store'>;
  snoozes: Pick<ResourceStore<Snooze>, 'store'>;
  shelves: ShelfStore;
  serverTime: Pick<ServerTime, 'now' | 'ticks'>;
}): () => void {
  const renew = () => {
    const next = snoozesOf(
      notifications.store.getState().byId.values(),
      snoozes.store.getState().byId.values(),
      serverTime.now(),
    );
    if (!sameShelves(next, shelves.getState().byId)) shelves.setState({ byId: next });
  };
  renew();
  const undo = [
    notifications.store.subscribe((state, before) => {
      if (state.byId !== before.byId) renew();
    }),
    snoozes.store.subscribe(renew),
    serverTime.ticks.subscribe(({ now }) => {
      // The one thing that time alone changes: a snooze is over.
      for (const { until } of shelves.getState().byId.values()) {
        if (until > now) continue;
        renew();
        return;
      }
    }),
  ];
  return () => undo.forEach((run) => run());
}
