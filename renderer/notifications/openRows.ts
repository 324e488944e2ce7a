import type { Notification } from '../../server/contract/notifications.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { queueOrder } from './queueOrder.ts';

/**
 * Whether a notification waits for somebody. What was acknowledged here waits for the server alone, and what is
 * shelved for its snooze to end.
 */
export function awaitingAck({
  waiting,
  shelved,
}: {
  waiting: ReadonlyMap<string, unknown>;
  shelved: ReadonlyMap<string, unknown>;
}): (it: Notification) => boolean {
  return (it) => it.state === 'open' && !waiting.has(it.notification_id) && !shelved.has(it.notification_id);
}

/** The rows that wait for somebody, of one vehicle or of all, in the order of the queue. */
export function openRows(
  app: Pick<AppContext, 'notifications' | 'acks' | 'shelves'>,
  vehicleId?: string,
): Notification[] {
  const waits = awaitingAck({
    waiting: app.acks.store.getState().waiting,
    shelved: app.shelves.getState().byId,
  });
  const rows = [...app.notifications.store.getState().byId.values()].filter(
    (it) => (vehicleId === undefined || it.vehicle_id === vehicleId) && waits(it),
  );
  return queueOrder(rows);
}
