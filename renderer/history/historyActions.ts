import type { AppContext } from '../appContext/appContext.ts';
import { orderVideoOfPassage } from '../live/liveActions.ts';
import type { HistoryState } from './historyState.ts';
import { writeHistoryAddress } from './historyAddress.ts';

/**
 * Opens the past at an instant (RFC 3339 or Unix ms; left out: now), with a vehicle selected, and a part of the day that
 * is chosen: a trip, a stop, a visit. What of it lies on another day than the instant is left out.
 */
export function openHistory(
  app: AppContext,
  vehicleId: string | null,
  at?: string | number,
  span?: { from: string | number; to: string | number },
): void {
  const msOf = (it: string | number) => new Date(it).getTime();
  const query = writeHistoryAddress({
    vehicleIds: vehicleId === null ? [] : [vehicleId],
    at: msOf(at ?? app.serverTime.now()),
    span: span === undefined ? null : { from: msOf(span.from), to: msOf(span.to) },
  });
  app.navigation.go('history', query);
}

/** Goes to something that happened; the vehicle is looked at from then on, and stays among the chosen. */
export function goTo({ history }: Pick<AppContext, 'history'>, at: number, vehicleId: string | null): void {
  history.player.pause();
  if (vehicleId !== null && !history.store.getState().chosenIds.includes(vehicleId))
    history.select(vehicleId);
  history.player.seek(at);
}

export function stepEvent(app: AppContext, by: 1 | -1): void {
  const { history } = app;
  const { at } = history.player.store.getState();
  const { dayEvents, vehicleId, chosenIds } = history.store.getState();
  // A second, so that what stands at the instant itself is passed.
  const times = dayEvents.events
    .filter((it) => vehicleId === null || (it.vehicle_id !== null && chosenIds.includes(it.vehicle_id)))
    .map((it) => Date.parse(it.time));
  const next = by === 1 ? times.filter((it) => it > at + 500) : times.filter((it) => it < at - 500);
  if (next.length === 0) return;
  history.player.pause();
  history.player.seek(by === 1 ? Math.min(...next) : Math.max(...next));
}

/** Begins or ends the part of the day that is chosen at the instant; the other end stays where it is. */
export function endSpanHere({ history }: Pick<AppContext, 'history'>, end: 'from' | 'to'): void {
  const { span, day } = history.store.getState();
  const { at } = history.player.store.getState();
  const next = { ...(span ?? day), [end]: at };
  history.chooseSpan(next.from < next.to ? next : { ...day, [end]: at });
}

/** Whether a video would be of the part of the day that is chosen: the instant lies in it, and it is not too long. */
export function isVideoOfSpan({ span }: HistoryState, at: number, mostS: number): boolean {
  return span !== null && span.from <= at && at <= span.to && span.to - span.from <= mostS * 1_000;
}

/** Orders the video of the instant, or of the part of the day that is chosen round it. */
export function orderVideoOfInstant(app: AppContext): void {
  const state = app.history.store.getState();
  if (state.vehicleId === null) return;
  const { at } = app.history.player.store.getState();
  const isOfSpan = isVideoOfSpan(state, at, app.settings.getState().numbers.video_max_s);
  void orderVideoOfPassage(app, {
    vehicle_id: state.vehicleId,
    at: new Date(Math.round(at)).toISOString(),
    span: isOfSpan ? state.span : null,
  });
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
