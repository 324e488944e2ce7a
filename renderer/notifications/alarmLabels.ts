import type { Event, EventKind, EventDetails } from '../../server/contract/events.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import type { DepotTime } from '../format/depotTime.ts';
import { asSentence } from '../format/inSentence.ts';
import { formatNumber, speedNumber } from '../format/numbers.ts';
import { inUnit, unitSign } from '../format/units.ts';
import { formatDuration, spanAgainst } from '../format/span.ts';
import type { Translate } from '../i18n/text.ts';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';

export interface AlarmLabels {
  /** Overspeed */
  kind: string;
  /** 94 km/h, limit 60, since 12:03:26 */
  what: string;
  /** 94 in a 60, for a data block and a line of the journal. */
  short: string;
}

export interface WordParts {
  t: Translate;
  /** The server's time, held still while the server is lost. */
  asOf: () => number;
  settings: { getState: () => { time: DepotTime } };
  geofences: { store: { getState: () => { byId: ReadonlyMap<string, { name: string }> } } };
}

/** A notification in words: the measured value and the allowed one. */
export function alarmLabels(notification: Notification, deps: WordParts): AlarmLabels {
  const { event_kind, details, last_time, geozone_id } = notification;
  const asOfNow = detailsAt(event_kind, details, last_time, deps.asOf());
  return wordsOf(event_kind, asOfNow, geozone_id, deps, true);
}

/** An event of the journal in words. */
export function eventWords(event: Event, deps: WordParts): AlarmLabels {
  const { kind, details, time, geozone_id } = event;
  return wordsOf(kind, detailsAt(kind, details, time, deps.asOf()), geozone_id, deps, false);
}

/** What a terminal's own alarm is called: harsh_braking is "Harsh braking". */
const terminalAlarmName = (alarm: string): string => asSentence(alarm.replaceAll('_', ' '));

interface Facts {
  t: Translate;
  details: EventDetails;
  geofence: string;
  /** 12:03:26, when it began; null where that is not said. */
  since: string | null;
}

function wordsOf(
  kind: EventKind,
  details: EventDetails,
  geozoneId: string | null,
  { t, settings, geofences }: WordParts,
  withSince: boolean,
): AlarmLabels {
  const geofence = geofences.store.getState().byId.get(geozoneId ?? '')?.name ?? t('place.unknown_geofence');
  const begun = withSince ? sinceOf(details) : null;
  const since = begun === null ? null : settings.getState().time.clock(begun);
  const { what, short } = WORDS[kind]({ t, details, geofence, since });
  const name =
    kind === 'terminal_alarm' && details.alarm !== null
      ? terminalAlarmName(details.alarm)
      : t(`alarm.${kind}`);
  return { kind: name, what, short: short ?? what };
}

type Words = Pick<AlarmLabels, 'what'> & Partial<Pick<AlarmLabels, 'short'>>;

const WORDS: Record<EventKind, (facts: Facts) => Words> = {
  geofence_enter: ({ t, geofence }) => ({ what: t('alarm.geofence_enter.what', { geofence }) }),
  geofence_exit: ({ t, geofence, details: { duration_s } }) => ({
    what:
      duration_s === null
        ? t('alarm.geofence_exit.what', { geofence })
        : t('alarm.geofence_exit.after', { geofence, span: formatDuration(duration_s * 1_000) }),
    short: t('alarm.geofence_exit.what', { geofence }),
  }),
  geofence_dwell({ t, geofence, details }) {
    const spans = spansOf(details);
    if (spans === null) return { what: t('alarm.geofence_dwell.long', { geofence }) };
    const { measured: span, allowed, count } = spans;
    const what = t('alarm.geofence_dwell.what', { span });
    if (allowed === null) return { what };
    return {
      what: t('alarm.allowed', { measured: what, allowed, count }),
      short: t('alarm.geofence_dwell.short', { span, allowed }),
    };
  },
  silent_inside({ t, geofence, details }) {
    const spans = spansOf(details);
    if (spans === null) return { what: t('alarm.silent_inside.unmeasured', { geofence }) };
    const { measured: span, allowed, count } = spans;
    const measured = t('alarm.silent_inside.what', { span, geofence });
    return {
      what: allowed === null ? measured : t('alarm.allowed', { measured, allowed, count }),
      short: t('alarm.offline.short', { span }),
    };
  },
  overspeed({ t, details, since }) {
    const measured = speedNumber(details.measured ?? 0);
    const allowed = speedNumber(details.threshold ?? 0);
    const what = t('alarm.overspeed.what', { measured, allowed });
    return {
      what: since === null ? what : t('alarm.since', { what, time: since }),
      short: t('alarm.overspeed.short', { measured, allowed }),
    };
  },
  moving: ({ t }) => ({ what: t('alarm.moving.what') }),
  stopped: ({ t }) => ({ what: t('alarm.stopped.what') }),
  idling({ t, details }) {
    const spans = spansOf(details);
    if (spans === null) return { what: t('alarm.idling.unmeasured') };
    const { measured: span, allowed, count } = spans;
    const measured = t('alarm.idling.what', { span });
    return {
      what: allowed === null ? measured : t('alarm.allowed', { measured, allowed, count }),
      short: t('alarm.idling.short', { span }),
    };
  },
  ignition_on: ({ t }) => ({ what: t('alarm.ignition_on.what'), short: t('alarm.ignition_on') }),
  ignition_off: ({ t }) => ({ what: t('alarm.ignition_off.what'), short: t('alarm.ignition_off') }),
  offline({ t, details }) {
    const spans = spansOf(details);
    if (spans === null) return { what: t('alarm.offline.unmeasured') };
    const { measured: span } = spans;
    return { what: t('alarm.offline.what', { span }), short: t('alarm.offline.short', { span }) };
  },
  online({ t, details }) {
    const spans = spansOf(details);
    return {
      what: spans === null ? t('alarm.online.unmeasured') : t('alarm.online.what', { span: spans.measured }),
    };
  },
  sos: ({ t }) => ({ what: t('alarm.sos.what'), short: t('alarm.sos.short') }),
  power_cut: ({ t }) => ({ what: t('alarm.power_cut.what'), short: t('alarm.power_cut') }),
  low_battery({ t, details: { measured: pct, threshold } }) {
    if (pct === null) return { what: t('alarm.low_battery.unmeasured'), short: t('alarm.low_battery') };
    const measured = withUnit(pct, '%');
    const short = t('alarm.low_battery.short', { measured });
    if (threshold === null) return { what: short, short };
    return { what: t('alarm.low_battery.what', { measured, allowed: plainNumber(threshold) }), short };
  },
  harsh_acceleration: (facts) => harsh('harsh_acceleration', facts),
  harsh_braking: (facts) => harsh('harsh_braking', facts),
  harsh_cornering: (facts) => harsh('harsh_cornering', facts),
  terminal_alarm: ({ t, details: { alarm } }) => ({
    what: t('alarm.terminal_alarm.what'),
    short: alarm?.replaceAll('_', ' ') ?? t('alarm.terminal_alarm'),
  }),
  video_done: ({ t }) => ({ what: t('alarm.video_done.what'), short: t('alarm.video_done') }),
  video_failed: ({ t }) => ({ what: t('alarm.video_failed.what'), short: t('alarm.video_failed') }),
  host_trouble: ({ t, details: { cause } }) => ({
    what: cause === undefined ? t('alarm.host_trouble.what') : t(`health.${cause}`),
  }),
};

function harsh(
  kind: 'harsh_acceleration' | 'harsh_braking' | 'harsh_cornering',
  { t, details }: Facts,
): Words {
  if (details.measured === null) return { what: t(`alarm.${kind}.unmeasured`), short: t(`alarm.${kind}`) };
  // The way of the force is in the word; its sign would say it twice.
  const measured = withUnit(Math.abs(details.measured), details.unit ?? 'm/s²');
  const what = t(`alarm.${kind}.what`, { measured });
  return {
    what:
      details.threshold === null
        ? what
        : t('alarm.allowed', {
            measured: what,
            allowed: plainNumber(Math.abs(details.threshold)),
            count: 1,
          }),
    short: t(`alarm.${kind}.short`, { measured }),
  };
}

/** How long it lasted against how long is allowed; null where nothing was measured. */
function spansOf(details: EventDetails): { measured: string; allowed: string | null; count: number } | null {
  const measured_s = details.duration_s ?? (details.unit === 's' ? details.measured : null);
  if (measured_s === null) return null;
  if (details.threshold === null || (details.unit !== null && details.unit !== 's')) {
    return { measured: formatDuration(measured_s * 1_000), allowed: null, count: 0 };
  }
  return spanAgainst(measured_s * 1_000, details.threshold * 1_000);
}

/** Without decimals where there are none, else with one. */
const plainNumber = (value: number): string => formatNumber(value, Number.isInteger(value) ? 0 : 1);
const withUnit = (value: number, unit: string): string => `${plainNumber(value)}\u00a0${unit}`;

/** When an episode began: so long before its end as it lasted, else its first fix. */
export function sinceOf({ fixes, duration_s, ended_at }: EventDetails): number | null {
  if (ended_at !== null && duration_s !== null) return Date.parse(ended_at) - duration_s * 1_000;
  const first = fixes[0];
  return first === undefined ? null : Date.parse(first.time);
}

/** What began and is over one day; all others are of one moment. */
const EPISODES: ReadonlySet<EventKind> = new Set(['overspeed', 'idling', 'offline', 'silent_inside']);

/** Whether an event is known to go on still. */
export function isOngoing(kind: EventKind, { ended_at }: Pick<EventDetails, 'ended_at'>): boolean {
  return EPISODES.has(kind) && ended_at === null;
}

/** Whether its numbers grow by the mere passing of time. */
export function grows(kind: EventKind, details: EventDetails): boolean {
  return isOngoing(kind, details) && details.unit === 's' && details.duration_s !== null;
}

/**
 * The numbers of an event as of `now`. They are reported when the allowed time has passed; a silence or a standstill that
 * goes on is longer by now.
 */
export function detailsAt(kind: EventKind, details: EventDetails, time: string, now: number): EventDetails {
  if (!grows(kind, details)) return details;
  const reportedS = details.duration_s ?? 0;
  const [first] = details.fixes;
  // Idling is reported with its first fix, a silence with the time at which it had lasted too long.
  const began =
    kind === 'idling' && first !== undefined ? Date.parse(first.time) : Date.parse(time) - reportedS * 1_000;
  const lasted_s = Math.max(reportedS, Math.floor((now - began) / 1_000));
  return { ...details, measured: lasted_s, duration_s: lasted_s };
}

/** A measured or an allowed value with its unit: 94 km/h, 42 min, 4.2 m/s². */
function valueText(value: number, unit: string | null): string {
  if (unit === 's') return formatDuration(value * 1_000);
  if (unit === 'km/h') {
    const shown = inUnit('speed', value);
    return `${formatNumber(shown, Number.isInteger(shown) ? 0 : 1)}\u00a0${unitSign('speed')}`;
  }
  const number = formatNumber(value, Number.isInteger(value) ? 0 : 1);
  return unit === null ? number : `${number}\u00a0${unit}`;
}

export function formatMeasured({ measured, unit }: Pick<EventDetails, 'measured' | 'unit'>): string | null {
  return measured === null ? null : valueText(measured, unit);
}

export function formatAllowed({ threshold, unit }: Pick<EventDetails, 'threshold' | 'unit'>): string | null {
  return threshold === null ? null : valueText(threshold, unit);
}

/** The words of a notification, moving with the time while it goes on. */
export function useAlarmWords(notification: Notification): AlarmLabels {
  const app = useAppContext();
  useStore(app.geofences.store, ({ byId }) => byId);
  useStore(app.serverTime.ticks, () =>
    grows(notification.event_kind, notification.details) ? alarmLabels(notification, app).what : '',
  );
  return alarmLabels(notification, app);
}

/** The same for an event. */
export function useEventWords(event: Event): AlarmLabels {
  const app = useAppContext();
  useStore(app.geofences.store, ({ byId }) => byId);
  useStore(app.serverTime.ticks, () => (grows(event.kind, event.details) ? eventWords(event, app).what : ''));
  return eventWords(event, app);
}
