import type { Notification } from '../../server/contract/notifications.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { queueOrder } from './queueOrder.ts';

/**
 * Whether a notification waits for somebody in the queue; those of the quiet list do not. What was acknowledged here waits for the server alone, and what is
 * shelved for its snooze to end.
 */
export function awaitingAck({
  waiting,
  snoozed,
}: {
  waiting: ReadonlyMap<string, unknown>;
  snoozed: ReadonlyMap<string, unknown>;
}): (it: Notification) => boolean {
  return (it) =>
    it.state === 'open' && !it.quiet && !waiting.has(it.notification_id) && !snoozed.has(it.notification_id);
}

/** By the state of the store, which is another object after each change. */
const byVehicleOf = new WeakMap<ReadonlyMap<string, Notification>, Map<string, Notification[]>>();

/** The notifications of one vehicle, in no order; all are looked at once for each state of the store. */
export function notificationsOf(
  byId: ReadonlyMap<string, Notification>,
  vehicleId: string,
): readonly Notification[] {
  const byVehicle = byVehicleOf.get(byId) ?? new Map<string, Notification[]>();
  if (!byVehicleOf.has(byId)) {
    for (const it of byId.values()) {
      const { vehicle_id } = it;
      if (vehicle_id === null) continue;
      const own = byVehicle.get(vehicle_id);
      if (own === undefined) byVehicle.set(vehicle_id, [it]);
      else own.push(it);
    }
    byVehicleOf.set(byId, byVehicle);
  }
  return byVehicle.get(vehicleId) ?? [];
}

/** The rows that wait for somebody, of one vehicle or of all, in the order of the queue. */
export function openRows(
  app: Pick<AppContext, 'notifications' | 'acks' | 'snoozed'>,
  vehicleId?: string,
): Notification[] {
  const { byId } = app.notifications.store.getState();
  const rows = vehicleId === undefined ? [...byId.values()] : notificationsOf(byId, vehicleId);
  if (rows.length === 0) return [];
  const waits = awaitingAck({
    waiting: app.acks.store.getState().waiting,
    snoozed: app.snoozed.getState().byId,
  });
  return queueOrder(rows.filter(waits));
}
