import type { Event } from '../../server/contract/events.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import { isProblem } from '../api/errors.ts';
import type { VideoMoment } from '../video/videoActions.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { readPoint, writePoint } from './liveView.ts';
import type { LatLon } from '../map/geodesy.ts';
import { openRows } from '../notifications/openRows.ts';
import { stepLines } from '../notifications/queueLines.ts';
import { currentLineKey, showList, walkedLines } from '../notifications/queueView.ts';
import { selectedNotification } from '../notifications/selectedNotification.ts';
import { NO_VEHICLES, placesOfSelected } from '../vehicles/selection/vehicleSelection.ts';
import { isPane } from '../windows/windowNames.ts';
import { problemText } from '../ui/formFaults.ts';

/** A point of the map, and several vehicles, give way to what is selected. */
const nothingElse = { point: null, passage: null, ...NO_VEHICLES };

/** Selects a vehicle, and its open alarm with it; `locate` moves the map there too. */
export function showVehicle(app: AppContext, vehicleId: string, { locate = false } = {}): void {
  const before = app.view.getState();
  const row = openRows(app, vehicleId)[0];
  const keepsRow =
    app.notifications.store.getState().byId.get(before.notificationId ?? '')?.vehicle_id === vehicleId;
  app.view.setState({
    ...nothingElse,
    vehicleId,
    geozoneId: null,
    notificationId: keepsRow ? before.notificationId : (row?.notification_id ?? null),
  });
  noteSelection(app);
  if (locate) locateSelected(app);
}

/** Selects a row of the queue and its vehicle. */
export function showNotification(app: AppContext, notification: Notification, { locate = false } = {}): void {
  app.queueView.setState({ groupKey: null });
  app.view.setState({
    ...nothingElse,
    notificationId: notification.notification_id,
    vehicleId: notification.vehicle_id,
    geozoneId: null,
  });
  noteSelection(app);
  if (locate) locateSelected(app);
}

/** The alarm's own place, until the vehicle has moved on: there it is now. */
function locateNotification(app: AppContext, notification: Notification): void {
  const fix = app.positions.get(notification.vehicle_id ?? '')?.fix;
  const place = fix ?? placeOf(notification);
  if (place !== null) lookAt(app, place, notification.vehicle_id);
}

function placeOf({ lat, lon }: Notification): { lat: number; lon: number } | null {
  return lat === null || lon === null ? null : { lat, lon };
}

function locateVehicle(app: AppContext, vehicleId: string): void {
  const fix = app.positions.get(vehicleId)?.fix;
  if (fix !== undefined && fix !== null) lookAt(app, { lat: fix.lat, lon: fix.lon }, vehicleId);
}

/** Whoever looks for another vehicle follows no longer: the camera would go back. */
function lookAt(app: AppContext, place: LatLon, vehicleId: string | null): void {
  const camera = app.map.current()?.camera;
  if (vehicleId === null || !app.view.getState().followedIds.includes(vehicleId)) camera?.follow([]);
  camera?.flyTo(place);
}

/**
 * A window that shows no map has the maps of the other windows do it; where there are none, Live is opened at it, or comes
 * to the front. True when others do it.
 */
function leaveToOtherMaps(app: AppContext, act: 'locate' | 'follow'): boolean {
  const { vehicleId, notificationId, selectedIds } = app.view.getState();
  if (app.map.current() !== null || !isPane(app.windows.name)) return false;
  app.windows.actOnMap({ act, vehicleId, notificationId, selectedIds: [...selectedIds] });
  return true;
}

/** Has the map show the selected vehicle, which was selected elsewhere, if it does not yet. */
export function bringIntoView(app: AppContext): void {
  const { vehicleId, inView } = app.view.getState();
  if (vehicleId !== null && app.map.current() !== null && inView?.has(vehicleId) !== true)
    locateSelected(app);
}

/** Shows the selected vehicles, else where the selected alarm or vehicle is. */
export function locateSelected(app: AppContext): void {
  if (leaveToOtherMaps(app, 'locate')) return;
  const places = placesOfSelected(app);
  if (places.length > 0) {
    app.map.current()?.camera.follow([]);
    app.map.current()?.camera.fitAll(places);
    return;
  }
  const { notificationId, vehicleId } = app.view.getState();
  const notification = app.notifications.store.getState().byId.get(notificationId ?? '');
  if (notification !== undefined) locateNotification(app, notification);
  else if (vehicleId !== null) locateVehicle(app, vehicleId);
}

export function deselect(app: AppContext): void {
  app.map.current()?.camera.follow([]);
  app.queueView.setState({ groupKey: null });
  app.view.setState({ ...nothingElse, vehicleId: null, notificationId: null, geozoneId: null });
  noteSelection(app);
}

/** Gives the map the whole screen, or takes it back. */
export function showFullMap(app: AppContext, fullMap: boolean): void {
  if (app.view.getState().fullMap === fullMap) return;
  app.view.setState({ fullMap });
  app.platform.fillScreen(fullMap);
}

/** The map keeps the selected vehicles, else the selected one, in sight from now on, or no longer. */
export function followSelected(app: AppContext): void {
  const { vehicleId, followedIds, selectedIds } = app.view.getState();
  const ids = selectedIds.size > 0 ? [...selectedIds] : vehicleId === null ? [] : [vehicleId];
  if (ids.length === 0 || leaveToOtherMaps(app, 'follow')) return;
  const followed = new Set(followedIds);
  const isSame = followed.size === ids.length && ids.every((id) => followed.has(id));
  app.map.current()?.camera.follow(isSame ? [] : ids);
}

/** More could not be distinguished in one view. */
const MOST_FOLLOWED = 20;

/** Follows the selected vehicle together with those that are followed already, or no longer. */
export function followSelectedToo(app: AppContext): void {
  const { vehicleId, followedIds } = app.view.getState();
  if (vehicleId === null) return;
  const others = followedIds.filter((id) => id !== vehicleId).slice(0, MOST_FOLLOWED - 1);
  app.map.current()?.camera.follow(others.length < followedIds.length ? others : [...others, vehicleId]);
}

/**
 * Goes to the next (1) or previous (-1) row or folded group of the list that is shown, from the selected row where it stood
 * before it was acknowledged. In place of what is acknowledged the open list is shown: what keys act on is in sight.
 */
export function stepQueue(app: AppContext, step: 1 | -1): void {
  if (app.queueView.getState().list === 'acknowledged') showList(app, 'open');
  const lines = walkedLines(app);
  const next = stepLines(lines, currentLineKey(app, lines), step);
  if (next?.kind === 'row') showNotification(app, next.notification);
  else if (next?.kind === 'group') {
    deselect(app);
    app.queueView.setState({ groupKey: next.group.key });
  }
}

/** Acknowledges a row. What is selected stays: the operator goes on when they have seen to it. */
export function acknowledge(app: AppContext, notificationId: string, note: string | null): void {
  void app.acks.acknowledge([notificationId], note);
}

/** Orders the video of the selected row, else of the selected vehicle as of now. */
export async function orderVideoOfSelected(app: AppContext): Promise<void> {
  const { vehicleId, passage } = app.view.getState();
  if (passage !== null) return orderVideoOfPassage(app, passage);
  const notification = selectedNotification(app);
  const fix = app.positions.get(vehicleId ?? '')?.last;
  if (notification !== null) await orderVideoOf(app, notification);
  else if (vehicleId !== null) {
    const at = fix?.time ?? new Date(app.serverTime.now()).toISOString();
    await order(app, { vehicle_id: vehicleId, at, event_id: null });
  }
}

export const orderVideoOfPassage = (app: AppContext, passage: Omit<VideoMoment, 'event_id'>): Promise<void> =>
  order(app, { ...passage, event_id: null });

/** Orders the video around a moment that was recorded. */
export function orderVideoOfEvent(app: AppContext, { vehicle_id, time, event_id }: Event): Promise<void> {
  return vehicle_id === null ? Promise.resolve() : order(app, { vehicle_id, at: time, event_id });
}

export function orderVideoOf(app: AppContext, notification: Notification): Promise<void> {
  const { vehicle_id } = notification;
  if (vehicle_id === null) return Promise.resolve();
  return order(app, {
    vehicle_id,
    at: notification.last_time,
    event_id: notification.event_ids[0] ?? null,
  });
}

async function order(
  app: AppContext,
  moment: Parameters<AppContext['video']['orderVideo']>[0],
): Promise<void> {
  try {
    await app.video.orderVideo(moment);
  } catch (error) {
    const name = app.vehicles.store.getState().byId.get(moment.vehicle_id)?.name ?? '';
    const text = isProblem(error, 'not_found')
      ? app.t('video.no_cameras', { name })
      : isProblem(error)
        ? app.t('video.refused', { name, reason: problemText(error.problem, app.t) })
        : app.t('video.not_sent', { name });
    app.toasts.setState({ toast: { text, isTrouble: true, action: null } });
  }
}

/** Writes what is selected into the address of Live. */
export function noteSelection(app: AppContext): void {
  const { vehicleId, notificationId, point } = app.view.getState();
  if (app.navigation.store.getState().place !== 'live') return;
  app.navigation.note({
    vehicle: vehicleId,
    notification: notificationId,
    geofence: null,
    point: point === null ? null : writePoint(point),
  });
}

/** Selects what the address names, now and whenever another address is opened. Returns its end. */
export function readLiveAddress(app: AppContext): () => void {
  const read = () => {
    const { place, query } = app.navigation.store.getState();
    if (place !== 'live') return;
    const { view } = app;
    const vehicleId = query['vehicle'] ?? null;
    const notificationId = query['notification'] ?? null;
    const geozoneId = query['geofence'] ?? null;
    const named = readPoint(query['point']);
    const now = view.getState();
    // The same one, which may have been found by a name that no address bears.
    const isSame = named !== null && now.point !== null && writePoint(named) === writePoint(now.point);
    const point = isSame ? now.point : named;
    if (
      vehicleId === now.vehicleId &&
      notificationId === now.notificationId &&
      geozoneId === null &&
      point === now.point
    )
      return;
    const isOther = vehicleId !== now.vehicleId || notificationId !== now.notificationId;
    const isNamed = vehicleId !== null || notificationId !== null;
    view.setState({
      ...(isOther && isNamed ? NO_VEHICLES : {}),
      ...{ vehicleId, notificationId, point },
      ...(geozoneId === null ? {} : { geozoneId }),
    });
    if (vehicleId !== null && vehicleId !== now.vehicleId) locateSelected(app);
    if (point !== null && point !== now.point) app.map.current()?.camera.flyTo(point);
  };
  read();
  return app.navigation.store.subscribe(read);
}
