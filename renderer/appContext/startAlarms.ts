import type { Incident } from '../../server/contract/incidents.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import { openIncidents } from '../incidents/openIncidents.ts';
import { alarmLabels } from '../notifications/alarmLabels.ts';
import type { AlarmSound } from '../notifications/alarmSound.ts';
import { createSoundRepeater, DEFAULT_SOUNDS, soundOf } from '../notifications/alarmSounds.ts';
import { createNoticeGatherer } from '../notifications/noticeGatherer.ts';
import { noticeActions } from '../notifications/noticeActions.ts';
import { openRows } from '../notifications/openRows.ts';
import { cameBack } from '../notifications/snoozes.ts';
import { windowTitle } from '../windows/windowNames.ts';
import type { Program } from '../platform/platform.ts';
import type { ResourceStore } from '../resources/resourceStore.ts';
import type { AppContext } from './appContext.ts';

/** A new row is lit for so long (LOOKS 2, motion), and then fades. */
const LIT_MS = 4_150;
/** What the server would not take while it was there, as it had too much to do, is sent again after so long. */
const SEND_AGAIN_MS = 15_000;

/** Takes notifications from the stream and makes an arriving one seen and heard. */
export function startAlarms(app: AppContext, sound: Pick<AlarmSound, 'play' | 'stop'>): () => void {
  const { stream, notifications, incidents, arrivals, platform, preferences, clock, acks, snoozed, windows } =
    app;
  const { leads } = windows;
  const timers = new Set<() => void>();
  const notices = createNoticeGatherer({
    notify: (notice) => platform.notify(notice),
    clock,
    gathered: (count, titles) => ({
      title: app.t('map.more_alarms', { count }),
      body: titles.join(', '),
      onOpen: () => app.navigation.go('live'),
    }),
  });

  const sounds = () => app.userPreferences.store.getState().sounds ?? DEFAULT_SOUNDS;
  const play = (notification: Pick<Notification, 'severity' | 'quiet' | 'sound'>): void => {
    const name = soundOf(notification, sounds());
    const isHeard =
      preferences.getState().sound && !isMuted(platform.program, clock.now()) && leads.sound.isMine();
    if (name !== null && isHeard) sound.play(name, sounds().volume);
  };
  const repeater = createSoundRepeater({ clock, open: () => openRows(app), sounds, play });

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
    // What is selected is being looked at.
    if (app.view.getState().notificationId !== id) repeater.arrive(id);
    light(id);
    play(notification);
    if (!leads.notices.isMine()) return;
    const vehicle = app.vehicles.store.getState().byId.get(notification.vehicle_id ?? '');
    const words = alarmLabels(notification, app);
    notices.add({
      tag: id,
      title: `${vehicle?.name ?? ''} ${words.kind}`.trim(),
      body:
        notification.escalation?.to_me === true ? `${app.t('escalation.to_me')} · ${words.what}` : words.what,
      urgency: notification.severity === 'alarm' ? 'critical' : 'normal',
      actions: noticeActions(app, notification),
      onOpen: () => app.navigation.go('live', { notification: id, vehicle: notification.vehicle_id }),
    });
    const { raise } = preferences.getState();
    const raises = raise === 'alarm' ? notification.severity === 'alarm' : notification.event_kind === raise;
    if (raises) platform.raiseWindow?.();
  };

  /** An SOS that no rule is about, or only a mild one, is heard and shown as the gravest alarm is. */
  const announceSos = ({ incident_id, title, vehicle_id, number }: Incident) => {
    play({ severity: 'alarm', quiet: false, sound: 'default' });
    if (leads.notices.isMine()) {
      const vehicle = app.vehicles.store.getState().byId.get(vehicle_id ?? '')?.name ?? '';
      notices.add({
        tag: incident_id,
        title: `${vehicle} ${title}`.trim(),
        body: app.t('incident.named', { number, title }),
        urgency: 'critical',
        actions: [],
        onOpen: () => app.navigation.go('incidents', { id: incident_id }),
      });
      platform.raiseWindow?.();
    }
  };

  /** By an alarm of theirs that is on its way: it may be as grave, and is heard then by itself. */
  const awaited = new Map<string, Incident>();
  const announceAwaited = ({ notification_id, severity }: Notification) => {
    const sos = awaited.get(notification_id);
    awaited.delete(notification_id);
    if (sos !== undefined && severity !== 'alarm') announceSos(sos);
  };

  const announceNewSos = (incident: Incident) => {
    const heard = howSosIsHeard(incident, notifications.store.getState().byId);
    if (heard === 'now') announceSos(incident);
    else if (heard !== 'already') awaited.set(heard.with, incident);
  };

  /** The gravest is heard; the others are seen beside it. */
  const arriveTogether = ([first, ...others]: readonly Notification[]) => {
    if (first !== undefined) arrive(first);
    for (const it of others) light(it.notification_id);
  };

  /** Set while the stream puts what it brings, which is announced where it is taken. */
  let isStreaming = false;
  const take = (put: () => void) => {
    isStreaming = true;
    put();
    isStreaming = false;
  };

  /** The lists that were read, whether or not they could be read again since: before, old rows look new. */
  const read = new Set<object>();

  /** What a list brings that is read again: the stream had lost its thread, and never said of it. Returns its end. */
  const onReadAgain = <T>(
    { store }: Pick<ResourceStore<T>, 'store'>,
    announce: (before: ReadonlyMap<string, T>) => void,
  ) => {
    if (store.getState().load.phase === 'ready') read.add(store);
    return store.subscribe((state, before) => {
      if (read.has(store) && !isStreaming && state.byId !== before.byId) announce(before.byId);
      if (state.load.phase === 'ready') read.add(store);
    });
  };

  const announceAttention = () => {
    const open = openRows(app);
    repeater.review();
    const ids = new Set(open.map((it) => it.notification_id));
    for (const it of openIncidents(incidents.store.getState().byId)) ids.add(it.incident_id);
    notices.keepOnly((tag) => ids.has(tag), ids.size > 0);
    const depot = app.settings.getState().settings?.depot_name ?? 'Fleetdeck';
    const { name } = windows;
    platform.setTitle(open.length, name === null ? depot : `${windowTitle(name, app.t)} · ${depot}`);
    const worst = open.some((it) => it.severity === 'alarm') ? 'alarm' : 'warning';
    if (leads.notices.isMine()) platform.setBadge({ count: open.length, worst });
  };

  const undo = [
    sendKept(app),
    leads.notices.onGain(announceAttention),
    stream.on('notification', (message) => {
      const known = notifications.store.getState().byId.get(message.notification_id);
      const isNew = isArrival(known, message) && (read.has(notifications.store) || message.count === 1);
      take(() => notifications.put([message]));
      const isMine = isEscalatedToMe(known, message);
      if ((isNew || isMine) && !snoozed.getState().byId.has(message.notification_id)) arrive(message);
      announceAwaited(message);
    }),
    stream.on('incident', (message) => {
      if ('deleted' in message) {
        incidents.hide([message.incident_id]);
        return;
      }
      const isKnown = incidents.store.getState().byId.has(message.incident_id);
      const isNew = read.has(incidents.store) && !isKnown && message.status !== 'closed';
      take(() => incidents.receive([message]));
      if (isNew && message.opened_by === 'sos') announceNewSos(message);
    }),
    onReadAgain(notifications, (before) => {
      const known = ({ notification_id }: Notification) => before.get(notification_id);
      const rows = openRows(app);
      arriveTogether(rows.filter((it) => isArrival(known(it), it) || isEscalatedToMe(known(it), it)));
      for (const it of rows) announceAwaited(it);
    }),
    onReadAgain(incidents, (before) => {
      for (const it of openIncidents(incidents.store.getState().byId))
        if (it.opened_by === 'sos' && !before.has(it.incident_id)) announceNewSos(it);
    }),
    snoozed.subscribe((state, before) => {
      announceAttention();
      const ids = new Set(cameBack(before.byId, state.byId, app.serverTime.now()));
      arriveTogether(openRows(app).filter((it) => ids.has(it.notification_id)));
    }),
    notifications.store.subscribe(announceAttention),
    incidents.store.subscribe(announceAttention),
    app.settings.subscribe(announceAttention),
    acks.store.subscribe(announceAttention),
    app.userPreferences.store.subscribe(() => repeater.review()),
    app.view.subscribe(({ notificationId }, before) => {
      if (notificationId !== null && notificationId !== before.notificationId) repeater.see(notificationId);
    }),
    // Whichever window it is seen in.
    windows.on((message) => {
      if (message.kind === 'selected' && message.notificationId !== null)
        repeater.see(message.notificationId);
    }),
    () => repeater.stop(),
    () => sound.stop(),
    () => notices.stop(),
    () => timers.forEach((stop) => stop()),
  ];
  // A wall display is looked at from afar, and makes no sound.
  if (windows.name !== 'wall') {
    leads.notices.ask();
    undo.push(platform.onMayPlay(() => leads.sound.ask()));
  }
  return () => {
    undo.forEach((run) => run());
    platform.setTitle(0, 'Fleetdeck');
    if (leads.notices.isMine()) platform.setBadge(null);
    leads.notices.leave();
    leads.sound.leave();
  };
}

/**
 * Sends what was done while the server could not take it: when the link is back, and from time to time while it is there.
 * Returns its end.
 */
export function sendKept({
  stream,
  clock,
  acks,
  incidentWork,
}: Pick<AppContext, 'clock'> & {
  stream: Pick<AppContext['stream'], 'onLink'>;
  acks: Pick<AppContext['acks'], 'store' | 'flush'>;
  incidentWork: Pick<AppContext['incidentWork'], 'outbox' | 'flush'>;
}): () => void {
  let isLive = false;
  let stopTimer: (() => void) | null = null;
  const send = () => {
    if (!isLive) return;
    void acks.flush();
    void incidentWork.flush();
  };
  const sendLater = () => {
    const kept = acks.store.getState().waiting.size + incidentWork.outbox.getState().waiting.size;
    if (kept === 0 || stopTimer !== null) return;
    stopTimer = clock.after(SEND_AGAIN_MS, () => {
      stopTimer = null;
      send();
      sendLater();
    });
  };
  const undo = [
    stream.onLink((link) => {
      isLive = link.phase === 'live';
      send();
    }),
    acks.store.subscribe(sendLater),
    incidentWork.outbox.subscribe(sendLater),
    () => stopTimer?.(),
  ];
  sendLater();
  return () => undo.forEach((run) => run());
}

/** What a message of the stream means to the ear: a new row sounds once, its repetitions do not (CONSOLE, rule 3). */
export function isArrival(known: Notification | undefined, message: Notification): boolean {
  if (message.state !== 'open' || message.quiet) return false;
  return known === undefined || (known.state === 'acknowledged' && known.count < message.count);
}

/** Whether a step of its escalation has just reached this user: it is announced again. */
export function isEscalatedToMe(known: Notification | undefined, message: Notification): boolean {
  const { state, escalation } = message;
  if (state !== 'open' || escalation === null || !escalation.to_me || known === undefined) return false;
  return escalation.escalated_at !== known.escalation?.escalated_at;
}

/** Whether the program around the console has its alarms make no sound now. */
export function isMuted(program: Program | null, now_ms: number): boolean {
  return (program?.preferences.getState()?.mutedUntil ?? 0) > now_ms;
}

/** Whether the SOS of an incident is heard by an alarm of it, is to be announced now, or with an alarm that is on its way. */
export function howSosIsHeard(
  { notification_ids }: Pick<Incident, 'notification_ids'>,
  alarms: ReadonlyMap<string, Pick<Notification, 'severity'>>,
): 'already' | 'now' | { with: string } {
  if (notification_ids.some((id) => alarms.get(id)?.severity === 'alarm')) return 'already';
  const coming = notification_ids.find((id) => !alarms.has(id));
  return coming === undefined ? 'now' : { with: coming };
}
