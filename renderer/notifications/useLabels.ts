import { useStore } from 'zustand';
import type { Event } from '../../server/contract/events.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { alarmLabels, type AlarmLabels, eventWords, grows } from './alarmLabels.ts';

/** The words of a notification, moving with the time while it goes on. */
export function useAlarmWords(notification: Notification): AlarmLabels {
  const app = useAppContext();
  useStore(app.geofences.store, ({ byId }) => byId);
  useStore(app.serverTime.ticks, () =>
    grows(notification.event_kind, notification.values) ? alarmLabels(notification, app).what : '',
  );
  return alarmLabels(notification, app);
}

/** The same for an event. */
export function useEventWords(event: Event): AlarmLabels {
  const app = useAppContext();
  useStore(app.geofences.store, ({ byId }) => byId);
  useStore(app.serverTime.ticks, () => (grows(event.kind, event.values) ? eventWords(event, app).what : ''));
  return eventWords(event, app);
}
