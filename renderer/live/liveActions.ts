import type { Event } from '../../server/contract/events.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import { isProblem } from '../api/errors.ts';
import type { Desk } from '../desk/desk.ts';
import { openRows } from '../notifications/openRows.ts';
import { selectedNotification } from '../notifications/selectedNotification.ts';

/** Selects a vehicle, and its open alarm with it; `locate` moves the map there too. */
export function showVehicle(desk: Desk, vehicleId: string, { locate = false } = {}): void {
  const before = desk.view.getState();
  const row = openRows(desk, vehicleId)[0];
  const keepsRow =
    desk.notifications.store.getState().byId.get(before.notificationId ?? '')?.vehicle_id === vehicleId;
  desk.view.setState({
    vehicleId,
    geozoneId: null,
    notificationId: keepsRow ? before.notificationId : (row?.notification_id ?? null),
    ...(before.followedId !== null && before.followedId !== vehicleId ? { followedId: null } : {}),
  });
  if (before.followedId !== null && before.followedId !== vehicleId) desk.map.current()?.camera.follow(null);
  noteSelection(desk);
  if (locate) locateVehicle(desk, vehicleId);
}

/** Selects a row of the queue and its vehicle. */
export function showNotification(desk: Desk, notification: Notification, { locate = false } = {}): void {
  desk.view.setState({
    notificationId: notification.notification_id,
    vehicleId: notification.vehicle_id,
    geozoneId: null,
  });
  noteSelection(desk);
  if (locate) locateNotification(desk, notification);
}

/** The alarm's own place, until the vehicle has moved on: there it is now. */
function locateNotification(desk: Desk, notification: Notification): void {
  const fix = desk.positions.get(notification.vehicle_id)?.fix;
  const place = fix ?? placeOf(notification);
  if (place !== null) desk.map.current()?.camera.flyTo(place);
}

function placeOf({ lat, lon }: Notification): { lat: number; lon: number } | null {
  return lat === null || lon === null ? null : { lat, lon };
}

function locateVehicle(desk: Desk, vehicleId: string): void {
  const fix = desk.positions.get(vehicleId)?.fix;
  if (fix !== undefined && fix !== null) desk.map.current()?.camera.flyTo({ lat: fix.lat, lon: fix.lon });
}

export function locateSelected(desk: Desk): void {
  const { notificationId, vehicleId } = desk.view.getState();
  const notification = desk.notifications.store.getState().byId.get(notificationId ?? '');
  if (notification !== undefined) locateNotification(desk, notification);
  else if (vehicleId !== null) locateVehicle(desk, vehicleId);
}

export function deselect(desk: Desk): void {
  desk.map.current()?.camera.follow(null);
  desk.view.setState({ vehicleId: null, notificationId: null, geozoneId: null, followedId: null });
  noteSelection(desk);
}

export function followSelected(desk: Desk): void {
  const { vehicleId, followedId } = desk.view.getState();
  const next = followedId === vehicleId ? null : vehicleId;
  desk.view.setState({ followedId: next });
  desk.map.current()?.camera.follow(next);
}

/** Goes to the next (1) or previous (-1) open row. */
export function stepQueue(desk: Desk, step: 1 | -1): void {
  const rows = openRows(desk);
  const at = rows.findIndex((it) => it.notification_id === desk.view.getState().notificationId);
  const next =
    at === -1 ? (step === 1 ? rows[0] : rows.at(-1)) : rows[(at + step + rows.length) % rows.length];
  if (next !== undefined) showNotification(desk, next);
}

/** Acknowledges a row, and goes on to the one that takes its place. */
export function acknowledge(desk: Desk, notificationId: string, note: string | null): void {
  const rows = openRows(desk);
  const at = rows.findIndex((it) => it.notification_id === notificationId);
  // One that is shelved stands in no row of its own.
  const next = at === -1 ? undefined : (rows[at + 1] ?? rows[at - 1]);
  if (desk.acks.store.getState().waiting.has(notificationId)) return;
  void desk.acks.acknowledge(notificationId, note);
  if (desk.view.getState().notificationId !== notificationId) return;
  if (next === undefined) desk.view.setState({ notificationId: null });
  else showNotification(desk, next);
}

/** Orders the video of the selected row, else of the selected vehicle as of now. */
export async function orderVideoOfSelected(desk: Desk): Promise<void> {
  const { vehicleId } = desk.view.getState();
  const notification = selectedNotification(desk);
  const fix = desk.positions.get(vehicleId ?? '')?.last;
  if (notification !== null) await orderVideoOf(desk, notification);
  else if (vehicleId !== null) {
    const at = fix?.time ?? new Date(desk.serverTime.now()).toISOString();
    await order(desk, { vehicle_id: vehicleId, at, event_id: null });
  }
}

/** Orders the video around a moment that was recorded. */
export function orderVideoOfEvent(desk: Desk, { vehicle_id, time, event_id }: Event): Promise<void> {
  return order(desk, { vehicle_id, at: time, event_id });
}

export function orderVideoOf(desk: Desk, notification: Notification): Promise<void> {
  return order(desk, {
    vehicle_id: notification.vehicle_id,
    at: notification.last_time,
    event_id: notification.event_ids[0] ?? null,
  });
}

async function order(desk: Desk, moment: Parameters<Desk['video']['orderVideo']>[0]): Promise<void> {
  try {
    await desk.video.orderVideo(moment);
  } catch (error) {
    const name = desk.vehicles.store.getState().byId.get(moment.vehicle_id)?.name ?? '';
    const text = isProblem(error, 'not_found')
      ? desk.say('video.no_cameras', { name })
      : isProblem(error)
        ? desk.say('video.refused', { name, reason: error.problem.detail })
        : desk.say('video.not_sent', { name });
    desk.toasts.setState({ toast: { text, isTrouble: true, action: null } });
  }
}

function noteSelection(desk: Desk): void {
  const { vehicleId, notificationId } = desk.view.getState();
  if (desk.navigation.store.getState().place !== 'live') return;
  desk.navigation.note({ vehicle: vehicleId, notification: notificationId, geofence: null });
}
