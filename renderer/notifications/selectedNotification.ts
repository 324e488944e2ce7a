import type { Notification } from '../../server/contract/notifications.ts';
import { useStore } from 'zustand';
import type { Desk } from '../desk/desk.ts';
import { useDesk } from '../desk/DeskContext.tsx';

/** What keys and dialogs act on: the row that is selected on the screen which is shown, in its newest state. */
export function selectedNotification(desk: Desk): Notification | null {
  const { byId } = desk.notifications.store.getState();
  if (desk.navigation.store.getState().place === 'events') {
    const held = desk.eventsView.getState().notification;
    return held === null ? null : (byId.get(held.notification_id) ?? held);
  }
  return byId.get(desk.view.getState().notificationId ?? '') ?? null;
}

/** The same for a component. */
export function useSelectedNotification(): Notification | null {
  const desk = useDesk();
  // Asked for so that it follows them.
  useStore(desk.notifications.store, (state) => state.byId);
  useStore(desk.navigation.store, (state) => state.place);
  useStore(desk.eventsView, (state) => state.notification);
  useStore(desk.view, (state) => state.notificationId);
  return selectedNotification(desk);
}
