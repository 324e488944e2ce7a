import { useStore } from 'zustand';
import type { Event } from '../../server/contract/events.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { alarmWords, eventWords, type AlarmWords } from './alarmWords.ts';
import { grows } from './goingOn.ts';

/** The words of a notification, moving with the time while it goes on. */
export function useAlarmWords(notification: Notification): AlarmWords {
  const desk = useDesk();
  useStore(desk.geofences.store, ({ byId }) => byId);
  useStore(desk.serverTime.ticks, () =>
    grows(notification.event_kind, notification.values) ? alarmWords(notification, desk).what : '',
  );
  return alarmWords(notification, desk);
}

/** The same for an event. */
export function useEventWords(event: Event): AlarmWords {
  const desk = useDesk();
  useStore(desk.geofences.store, ({ byId }) => byId);
  useStore(desk.serverTime.ticks, () =>
    grows(event.kind, event.values) ? eventWords(event, desk).what : '',
  );
  return eventWords(event, desk);
}
