import type { Event } from '../../server/contract/events.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { orderVideoOf, orderVideoOfEvent } from '../live/liveActions.ts';
import { selectedNotification } from '../notifications/selectedNotification.ts';

export function selectNotification(app: AppContext, notification: Notification): void {
  app.eventsView.setState({ notification, event: null });
  app.navigation.note({ row: notification.notification_id });
}

export function holdEvent(app: AppContext, event: Event): void {
  app.eventsView.setState({ notification: null, event });
  app.navigation.note({ row: event.event_id });
}

export function clearSelection(app: AppContext): void {
  app.eventsView.setState({ notification: null, event: null });
  app.navigation.note({ row: null });
}

/** Goes to the vehicle of what is held, where it is now; its open alarm comes along. */
export function locateSelection(app: AppContext): void {
  const notification = selectedNotification(app);
  const vehicle = notification?.vehicle_id ?? app.eventsView.getState().event?.vehicle_id;
  if (vehicle === undefined) return;
  app.navigation.go('live', {
    vehicle,
    notification: notification?.state === 'open' ? notification.notification_id : null,
  });
}

export async function orderVideoOfHeld(app: AppContext): Promise<void> {
  const notification = selectedNotification(app);
  const { event } = app.eventsView.getState();
  if (notification !== null) await orderVideoOf(app, notification);
  else if (event !== null) await orderVideoOfEvent(app, event);
}
