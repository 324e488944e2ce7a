import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Event } from '../../server/contract/events.ts';
import type { Notification } from '../../server/contract/notifications.ts';

/** What the operator holds on the screen of events; keys act on it. */
export interface EventsHeld {
  notification: Notification | null;
  event: Event | null;
}

export type EventsView = StoreApi<EventsHeld>;

export function createEventsView(): EventsView {
  return createStore<EventsHeld>(() => ({ notification: null, event: null }));
}
