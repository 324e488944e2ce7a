import type { Event, EventKind, EventValues } from '../../server/contract/events.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import type { DepotTime } from '../format/depotTime.ts';
import { asSentence } from '../format/inSentence.ts';
import { numberText } from '../format/numbers.ts';
import { spanAgainst, spanText } from '../format/span.ts';
import type { Say } from '../i18n/text.ts';
import { valuesAsOf } from './goingOn.ts';

export interface AlarmWords {
  /** Overspeed */
  kind: string;
  /** 94 km/h, limit 60, since 12:03:26 */
  what: string;
  /** 94 in a 60, for a data block and a line of the journal. */
  short: string;
}

export interface WordParts {
  say: Say;
  /** The server's time, held still while the server is lost. */
  asOf: () => number;
  settings: { getState: () => { time: DepotTime } };
  geofences: { store: { getState: () => { byId: ReadonlyMap<string, { name: string }> } } };
}

/** A notification in words: the measured value and the allowed one. */
export function alarmWords(notification: Notification, parts: WordParts): AlarmWords {
  const { event_kind, values, last_time, geozone_id } = notification;
  const asOfNow = valuesAsOf(event_kind, values, last_time, parts.asOf());
  return wordsOf(event_kind, asOfNow, geozone_id, parts, true);
}

/** An event of the journal in words. */
export function eventWords(event: Event, parts: WordParts): AlarmWords {
  const { kind, values, time, geozone_id } = event;
  return wordsOf(kind, valuesAsOf(kind, values, time, parts.asOf()), geozone_id, parts, false);
}

/** What a terminal's own alarm is called: harsh_braking is "Harsh braking". */
const terminalAlarmName = (alarm: string): string => asSentence(alarm.replaceAll('_', ' '));

interface Facts {
  say: Say;
  values: EventValues;
  fence: string;
  /** 12:03:26, when it began; null where that is not said. */
  since: string | null;
}

function wordsOf(
  kind: EventKind,
  values: EventValues,
  geozoneId: string | null,
  { say, settings, geofences }: WordParts,
  withSince: boolean,
): AlarmWords {
  const fence = geofences.store.getState().byId.get(geozoneId ?? '')?.name ?? say('place.unknown_geofence');
  const begun = withSince ? sinceOf(values) : null;
  const since = begun === null ? null : settings.getState().time.clock(begun);
  const { what, short } = WORDS[kind]({ say, values, fence, since });
  const name =
    kind === 'terminal_alarm' && values.alarm !== null
      ? terminalAlarmName(values.alarm)
      : say(`alarm.${kind}`);
  return { kind: name, what, short: short ?? what };
}

type Words = Pick<AlarmWords, 'what'> & Partial<Pick<AlarmWords, 'short'>>;

const WORDS: Record<EventKind, (facts: Facts) => Words> = {
  geofence_enter: ({ say, fence }) => ({ what: say('alarm.geofence_enter.what', { fence }) }),
  geofence_exit: ({ say, fence, values: { duration_s } }) => ({
    what:
      duration_s === null
        ? say('alarm.geofence_exit.what', { fence })
        : say('alarm.geofence_exit.after', { fence, span: spanText(duration_s * 1_000) }),
    short: say('alarm.geofence_exit.what', { fence }),
  }),
  geofence_dwell({ say, fence, values }) {
    const spans = spansOf(values);
    if (spans === null) return { what: say('alarm.geofence_dwell.long', { fence }) };
    const { measured: span, allowed, count } = spans;
    const what = say('alarm.geofence_dwell.what', { span });
    if (allowed === null) return { what };
    return {
      what: say('alarm.allowed', { measured: what, allowed, count }),
      short: say('alarm.geofence_dwell.short', { span, allowed }),
    };
  },
  silent_inside({ say, fence, values }) {
    const spans = spansOf(values);
    if (spans === null) return { what: say('alarm.silent_inside.unmeasured', { fence }) };
    const { measured: span, allowed, count } = spans;
    const measured = say('alarm.silent_inside.what', { span, fence });
    return {
      what: allowed === null ? measured : say('alarm.allowed', { measured, allowed, count }),
      short: say('alarm.offline.short', { span }),
    };
  },
  overspeed({ say, values, since }) {
    const measured = numberText(values.measured ?? 0);
    const allowed = numberText(values.threshold ?? 0);
    const what = say('alarm.overspeed.what', { measured, allowed });
    return {
      what: since === null ? what : say('alarm.since', { what, time: since }),
      short: say('alarm.overspeed.short', { measured, allowed }),
    };
  },
  moving: ({ say }) => ({ what: say('alarm.moving.what') }),
  stopped: ({ say }) => ({ what: say('alarm.stopped.what') }),
  idling({ say, values }) {
    const spans = spansOf(values);
    if (spans === null) return { what: say('alarm.idling.unmeasured') };
    const { measured: span, allowed, count } = spans;
    const measured = say('alarm.idling.what', { span });
    return {
      what: allowed === null ? measured : say('alarm.allowed', { measured, allowed, count }),
      short: say('alarm.idling.short', { span }),
    };
  },
  ignition_on: ({ say }) => ({ what: say('alarm.ignition_on.what'), short: say('alarm.ignition_on') }),
  ignition_off: ({ say }) => ({ what: say('alarm.ignition_off.what'), short: say('alarm.ignition_off') }),
  offline({ say, values }) {
    const spans = spansOf(values);
    if (spans === null) return { what: say('alarm.offline.unmeasured') };
    const { measured: span } = spans;
    return { what: say('alarm.offline.what', { span }), short: say('alarm.offline.short', { span }) };
  },
  online({ say, values }) {
    const spans = spansOf(values);
    return {
      what:
        spans === null ? say('alarm.online.unmeasured') : say('alarm.online.what', { span: spans.measured }),
    };
  },
  sos: ({ say }) => ({ what: say('alarm.sos.what'), short: say('alarm.sos.short') }),
  power_cut: ({ say }) => ({ what: say('alarm.power_cut.what'), short: say('alarm.power_cut') }),
  low_battery({ say, values: { measured: pct, threshold } }) {
    if (pct === null) return { what: say('alarm.low_battery.unmeasured'), short: say('alarm.low_battery') };
    const measured = withUnit(pct, '%');
    const short = say('alarm.low_battery.short', { measured });
    if (threshold === null) return { what: short, short };
    return { what: say('alarm.low_battery.what', { measured, allowed: plainNumber(threshold) }), short };
  },
  harsh_acceleration: (facts) => harsh('harsh_acceleration', facts),
  harsh_braking: (facts) => harsh('harsh_braking', facts),
  harsh_cornering: (facts) => harsh('harsh_cornering', facts),
  terminal_alarm: ({ say, values: { alarm } }) => ({
    what: say('alarm.terminal_alarm.what'),
    short: alarm?.replaceAll('_', ' ') ?? say('alarm.terminal_alarm'),
  }),
  video_done: ({ say }) => ({ what: say('alarm.video_done.what'), short: say('alarm.video_done') }),
  video_failed: ({ say }) => ({ what: say('alarm.video_failed.what'), short: say('alarm.video_failed') }),
};

function harsh(
  kind: 'harsh_acceleration' | 'harsh_braking' | 'harsh_cornering',
  { say, values }: Facts,
): Words {
  if (values.measured === null) return { what: say(`alarm.${kind}.unmeasured`), short: say(`alarm.${kind}`) };
  // The way of the force is in the word; its sign would say it twice.
  const measured = withUnit(Math.abs(values.measured), values.unit ?? 'm/s²');
  const what = say(`alarm.${kind}.what`, { measured });
  return {
    what:
      values.threshold === null
        ? what
        : say('alarm.allowed', {
            measured: what,
            allowed: plainNumber(Math.abs(values.threshold)),
            count: 1,
          }),
    short: say(`alarm.${kind}.short`, { measured }),
  };
}

/** How long it lasted against how long is allowed; null where nothing was measured. */
function spansOf(values: EventValues): { measured: string; allowed: string | null; count: number } | null {
  const measured_s = values.duration_s ?? (values.unit === 's' ? values.measured : null);
  if (measured_s === null) return null;
  if (values.threshold === null || (values.unit !== null && values.unit !== 's')) {
    return { measured: spanText(measured_s * 1_000), allowed: null, count: 0 };
  }
  return spanAgainst(measured_s * 1_000, values.threshold * 1_000);
}

/** Without decimals where there are none, else with one. */
const plainNumber = (value: number): string => numberText(value, Number.isInteger(value) ? 0 : 1);
const withUnit = (value: number, unit: string): string => `${plainNumber(value)}\u00a0${unit}`;

/** When the episode began: its first fix, else so long before its end as it lasted. */
function sinceOf({ fixes, duration_s, ended_at }: EventValues): number | null {
  const first = fixes[0];
  if (first !== undefined) return Date.parse(first.time);
  return ended_at !== null && duration_s !== null ? Date.parse(ended_at) - duration_s * 1_000 : null;
}
