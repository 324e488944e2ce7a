import type { AppContext } from '../appContext/appContext.ts';
import { orderVideoOfPassage } from '../live/liveActions.ts';

/** Opens the past at an instant (RFC 3339 or Unix ms; left out: now), with a vehicle selected. */
export function openHistory(app: AppContext, vehicleId: string | null, at?: string | number): void {
  const instant = at ?? app.serverTime.now();
  app.navigation.go('history', { at: new Date(instant).toISOString(), vehicle: vehicleId });
}

export function stepEvent(app: AppContext, by: 1 | -1): void {
  const { history } = app;
  const { at } = history.player.store.getState();
  const { dayEvents, vehicleId } = history.store.getState();
  // A second, so that what stands at the instant itself is passed.
  const times = dayEvents.events
    .filter((it) => vehicleId === null || it.vehicle_id === vehicleId)
    .map((it) => Date.parse(it.time));
  const next = by === 1 ? times.filter((it) => it > at + 500) : times.filter((it) => it < at - 500);
  if (next.length === 0) return;
  history.player.pause();
  history.player.seek(by === 1 ? Math.min(...next) : Math.max(...next));
}

export function orderVideoOfInstant(app: AppContext): void {
  const { vehicleId } = app.history.store.getState();
  if (vehicleId === null) return;
  const at = new Date(Math.round(app.history.player.store.getState().at)).toISOString();
  void orderVideoOfPassage(app, { vehicle_id: vehicleId, at });
}

export function locatePast(app: AppContext): void {
  const state = app.history.states.get(app.history.store.getState().vehicleId ?? '');
  if (state !== undefined) app.map.current()?.camera.flyTo(state);
}

export function followPast(app: AppContext): void {
  const { vehicleId } = app.history.store.getState();
  if (vehicleId === null) return;
  const isFollowed = app.view.getState().followedIds.includes(vehicleId);
  app.map.current()?.camera.follow(isFollowed ? [] : [vehicleId]);
}

/** Back to what is now; a vehicle that is looked at stays so. */
export function backToLive(app: AppContext): void {
  app.navigation.go('live', { vehicle: app.history.store.getState().vehicleId });
}
