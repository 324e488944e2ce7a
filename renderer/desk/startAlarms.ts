import type { Notification } from '../../server/contract/notifications.ts';
import { alarmWords } from '../notifications/alarmWords.ts';
import { isArrival } from '../notifications/alarmArrival.ts';
import type { AlarmSound } from '../notifications/alarmSound.ts';
import { openRows } from '../notifications/openRows.ts';
import { cameBack } from '../notifications/shelving.ts';
import type { Desk } from './desk.ts';

/** A new row is lit for so long (LOOKS 2, motion), and then fades. */
const LIT_MS = 4_150;

/** Takes notifications from the stream and makes an arriving one seen and heard. */
export function startAlarms(desk: Desk, sound: AlarmSound): () => void {
  const { stream, notifications, arrivals, platform, preferences, clock, acks, shelves } = desk;
  const timers = new Set<() => void>();

  const light = (id: string) => {
    arrivals.setState(({ byId }) => ({ byId: new Map(byId).set(id, clock.now()) }));
    const stop = clock.after(LIT_MS, () => {
      timers.delete(stop);
      arrivals.setState(({ byId }) => {
        const left = new Map(byId);
        left.delete(id);
        return { byId: left };
      });
    });
    timers.add(stop);
  };

  const arrive = (notification: Notification) => {
    const id = notification.notification_id;
    light(id);
    if (preferences.getState().sound) sound.play(notification.severity);
    const vehicle = desk.vehicles.store.getState().byId.get(notification.vehicle_id);
    const words = alarmWords(notification, desk);
    platform.notify({
      tag: id,
      title: `${vehicle?.name ?? ''} ${words.kind}`.trim(),
      body: words.what,
      onOpen: () => desk.navigation.go('live', { notification: id, vehicle: notification.vehicle_id }),
    });
  };

  const tellAttention = () => {
    const open = openRows(desk).filter((it) => it.severity !== 'info');
    platform.setAttention(open.length, desk.settings.getState().settings?.depot_name ?? 'Fleetdeck');
  };

  const undo = [
    stream.on('notification', (message) => {
      const { byId, load } = notifications.store.getState();
      // Before the list is read, a repetition of an old row looks like a new one.
      const isNew =
        isArrival(byId.get(message.notification_id), message) &&
        (load.phase === 'ready' || message.count === 1);
      notifications.put([message]);
      if (isNew && !shelves.getState().byId.has(message.notification_id)) arrive(message);
    }),
    stream.onLink((link) => {
      if (link.phase === 'live') void acks.flush();
    }),
    shelves.subscribe((state, before) => {
      tellAttention();
      const ids = new Set(cameBack(before.byId, state.byId, desk.serverTime.now()));
      // The gravest is heard; the others are seen beside it.
      const [first, ...others] = openRows(desk).filter((it) => ids.has(it.notification_id));
      if (first !== undefined && first.severity !== 'info') arrive(first);
      for (const it of others) light(it.notification_id);
    }),
    notifications.store.subscribe(tellAttention),
    desk.settings.subscribe(tellAttention),
    acks.store.subscribe(tellAttention),
    () => sound.stop(),
    () => timers.forEach((stop) => stop()),
  ];
  return () => {
    undo.forEach((run) => run());
    platform.setAttention(0, 'Fleetdeck');
  };
}
