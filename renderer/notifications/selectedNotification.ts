import type { Notification } from '../../server/contract/notifications.ts';
import { useStore } from 'zustand';
import type { AppContext } from '../appContext/appContext.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';

/** What keys and dialogs act on: the row that is selected on the screen which is shown, in its newest state. */
export function selectedNotification(app: AppContext): Notification | null {
  const { byId } = app.notifications.store.getState();
  if (app.navigation.store.getState().place === 'events') {
    const selected = app.eventsView.getState().notification;
    return selected === null ? null : (byId.get(selected.notification_id) ?? selected);
  }
  return byId.get(app.view.getState().notificationId ?? '') ?? null;
}

/** The same for a component. */
export function useSelectedNotification(): Notification | null {
  const app = useAppContext();
  // Asked for so that it follows them.
  useStore(app.notifications.store, (state) => state.byId);
  useStore(app.navigation.store, (state) => state.place);
  useStore(app.eventsView, (state) => state.notification);
  useStore(app.view, (state) => state.notificationId);
  return selectedNotification(app);
}
