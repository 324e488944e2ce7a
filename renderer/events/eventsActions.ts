import type { Event } from '../../server/contract/events.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import type { Desk } from '../desk/desk.ts';
import { orderVideoOf, orderVideoOfEvent } from '../live/liveActions.ts';
import { selectedNotification } from '../notifications/selectedNotification.ts';

export function holdNotification(desk: Desk, notification: Notification): void {
  desk.eventsView.setState({ notification, event: null });
  desk.navigation.note({ row: notification.notification_id });
}

export function holdEvent(desk: Desk, event: Event): void {
  desk.eventsView.setState({ notification: null, event });
  desk.navigation.note({ row: event.event_id });
}

export function letGo(desk: Desk): void {
  desk.eventsView.setState({ notification: null, event: null });
  desk.navigation.note({ row: null });
}

/** Goes to the vehicle of what is held, where it is now; its open alarm comes along. */
export function locateHeld(desk: Desk): void {
  const notification = selectedNotification(desk);
  const vehicle = notification?.vehicle_id ?? desk.eventsView.getState().event?.vehicle_id;
  if (vehicle === undefined) return;
  desk.navigation.go('live', {
    vehicle,
    notification: notification?.state === 'open' ? notification.notification_id : null,
  });
}

export async function orderVideoOfHeld(desk: Desk): Promise<void> {
  const notification = selectedNotification(desk);
  const { event } = desk.eventsView.getState();
  if (notification !== null) await orderVideoOf(desk, notification);
  else if (event !== null) await orderVideoOfEvent(desk, event);
}
