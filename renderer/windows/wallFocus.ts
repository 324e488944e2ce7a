import type { Notification } from '../../server/contract/notifications.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { openRows } from '../notifications/openRows.ts';

/** So long the newest alarm has the map: enough to see where it is and what the cameras show. */
const HOLD_MS = 60_000;
/** Vehicles move on; the overview is set anew. */
const FIT_EVERY_MS = 60_000;

/**
 * What a wall display shows: the newest alarm for a minute, as long as nobody has acknowledged it, else all vehicles. A
 * warning does not take the place of an alarm.
 *
 * @param show is called with the notification, or null for all vehicles, at once and at each change and, for all
 *   vehicles, every minute
 * @returns its end
 */
export function followNewestAlarm(
  app: Pick<AppContext, 'arrivals' | 'notifications' | 'acks' | 'snoozed' | 'clock'>,
  show: (newest: Notification | null) => void,
): () => void {
  const { arrivals, notifications, acks, clock } = app;
  let shown: Notification | null = null;
  let stopTimer: () => void = () => undefined;

  function set(next: Notification | null): void {
    stopTimer();
    shown = next;
    show(next);
    stopTimer = clock.after(next === null ? FIT_EVERY_MS : HOLD_MS, () => set(null));
  }

  const undo = [
    arrivals.subscribe(({ byId }, before) => {
      const { byId: known } = notifications.store.getState();
      for (const id of byId.keys()) {
        const arrived = before.byId.has(id) ? undefined : known.get(id);
        if (arrived === undefined) continue;
        if (shown?.severity !== 'alarm' || arrived.severity === 'alarm') set(arrived);
      }
    }),
    ...[notifications.store, acks.store].map((store) =>
      store.subscribe(() => {
        const id = shown?.notification_id;
        if (id !== undefined && !openRows(app).some((it) => it.notification_id === id)) set(null);
      }),
    ),
    () => stopTimer(),
  ];
  set(null);
  return () => undo.forEach((run) => run());
}

/** A page is loaded anew once a day: it has the console of the server's newest version then, and memory like new. */
const FRESH_MS = 24 * 3_600_000;
const LATER_MS = 60_000;

/**
 * Loads the page anew once a day, at a moment when nobody would miss it.
 *
 * @param isQuiet whether nothing is open, the server is there, and the browser would not leave the full screen
 * @returns its end
 */
export function keepFresh(
  clock: AppContext['clock'],
  isQuiet: () => boolean,
  reload: () => void,
): () => void {
  let stop = clock.after(FRESH_MS, tryNow);
  function tryNow(): void {
    if (isQuiet()) reload();
    else stop = clock.after(LATER_MS, tryNow);
  }
  return () => stop();
}
