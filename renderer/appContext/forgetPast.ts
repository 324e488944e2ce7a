import type { AppContext } from './appContext.ts';

const EVERY_MS = 600_000;

/**
 * Lets go, now and then, of what is over since before today: the stream brings all of it, and each new alarm looks through
 * what is held, in a console that is open for weeks. What goes on stays, as the map shows it, and what is looked at.
 * Returns its end.
 */
export function forgetPast({
  clock,
  serverTime,
  settings,
  notifications,
  incidents,
  view,
  navigation,
}: Pick<
  AppContext,
  'clock' | 'serverTime' | 'settings' | 'notifications' | 'incidents' | 'view' | 'navigation'
>): () => void {
  let stopTimer = clock.after(EVERY_MS, look);

  function look(): void {
    stopTimer = clock.after(EVERY_MS, look);
    const today = settings.getState().time.dayStart(serverTime.now());
    const isPast = (time: string | null) => time !== null && Date.parse(time) < today;
    const { notificationId } = view.getState();
    const taken = [...notifications.store.getState().byId.values()].filter(
      ({ state, ongoing_until, updated_at }) =>
        state === 'acknowledged' && ongoing_until !== null && isPast(updated_at),
    );
    notifications.forget(taken.map((it) => it.notification_id).filter((id) => id !== notificationId));
    const { query } = navigation.store.getState();
    const closed = [...incidents.store.getState().byId.values()].filter(
      ({ status, closed_at }) => status === 'closed' && isPast(closed_at),
    );
    incidents.forget(closed.map((it) => it.incident_id).filter((id) => id !== query['id']));
  }

  return () => stopTimer();
}
