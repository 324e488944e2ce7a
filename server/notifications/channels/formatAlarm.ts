import type { EventKind, EventDetails } from '../../contract/events.ts';
import { createServerWords, type ServerWords } from '../../contract/texts/serverWords.ts';
import type { NotificationRow } from '../../store/telemetry/rows.ts';

const english = createServerWords({});

type Facts = Pick<NotificationRow, 'event_kind' | 'details'>;

/** What happened, in one line for people: `Overspeed, 94 km/h, limit 60`. `fence` is a geofence's name. */
export function formatAlarm(
  { event_kind, details }: Facts,
  geofence: string,
  words: ServerWords = english,
): string {
  return lines[event_kind](details, words, geofence);
}

type Line = (details: EventDetails, words: ServerWords, geofence: string) => string;

const lines: Record<EventKind, Line> = {
  geofence_enter: (_, { say }, geofence) => say('line.geofence_enter', { geofence }),
  geofence_exit: ({ duration_s }, words, geofence) =>
    duration_s === null
      ? words.say('line.geofence_exit', { geofence })
      : words.say('line.geofence_exit_after', { geofence, span: formatDuration(duration_s, words) }),
  geofence_dwell: (details, words, geofence) =>
    lasting(words.say('line.geofence_dwell', { geofence }), details, words, 'line.lasted_in'),
  silent_inside: (details, words, geofence) =>
    lasting(words.say('line.silent_inside', { geofence }), details, words, 'line.lasted_in'),
  overspeed: (details, words) => measured('alarm.overspeed', details, words),
  moving: (_, { say }) => say('line.moving'),
  stopped: (_, { say }) => say('line.stopped'),
  idling: (details, words) => lasting(words.say('line.idling'), details, words),
  ignition_on: (_, { say }) => say('alarm.ignition_on'),
  ignition_off: (_, { say }) => say('alarm.ignition_off'),
  offline: (details, words) => lasting(words.say('line.offline'), details, words),
  online: ({ duration_s }, words) =>
    duration_s === null
      ? words.say('line.online')
      : words.say('line.online_after', { span: formatDuration(duration_s, words) }),
  sos: (_, { say }) => say('line.sos'),
  power_cut: (_, { say }) => say('alarm.power_cut'),
  low_battery({ measured: pct, threshold }, words) {
    if (pct === null) return words.say('line.low_battery');
    const values = { measured: formatNumber(pct, words) };
    return threshold === null
      ? words.say('line.low_battery_of', values)
      : words.say('line.low_battery_below', { ...values, limit: formatNumber(threshold, words) });
  },
  harsh_acceleration: (details, words) => measured('alarm.harsh_acceleration', details, words),
  harsh_braking: (details, words) => measured('alarm.harsh_braking', details, words),
  harsh_cornering: (details, words) => measured('alarm.harsh_cornering', details, words),
  terminal_alarm: ({ alarm }, { say }) =>
    alarm === null ? say('alarm.terminal_alarm') : say('line.alarm', { alarm: alarm.replaceAll('_', ' ') }),
  video_done: (_, { say }) => say('line.video_done'),
  video_failed: (_, { say }) => say('line.video_failed'),
  host_trouble: ({ cause }, { say }) =>
    cause === undefined ? say('alarm.host_trouble') : say(`line.trouble.${cause}`),
};

/** The way of a force is in the word; its sign would say it twice. */
function measured(
  kind: 'alarm.overspeed' | 'alarm.harsh_acceleration' | 'alarm.harsh_braking' | 'alarm.harsh_cornering',
  { measured: value, threshold, unit }: EventDetails,
  words: ServerWords,
): string {
  const what = words.say(kind);
  if (value === null) return what;
  const isSpeed = unit === 'km/h';
  const shown = (of: number) => formatNumber(Math.abs(isSpeed ? words.speed(of) : of), words);
  const withUnit = [shown(value), isSpeed ? words.speedUnit : unit].join(' ').trim();
  const line = words.say('line.measured', { what, measured: withUnit });
  return threshold === null ? line : words.say('line.limit', { what: line, limit: shown(threshold) });
}

function lasting(
  what: string,
  { measured: value, threshold, unit, duration_s }: EventDetails,
  words: ServerWords,
  sentence: 'line.lasted' | 'line.lasted_in' = 'line.lasted',
): string {
  const span_s = duration_s ?? (unit === 's' ? value : null);
  if (span_s === null) return what;
  const line = words.say(sentence, { what, span: formatDuration(span_s, words) });
  return threshold !== null && (unit === null || unit === 's')
    ? words.say('line.limit', { what: line, limit: formatDuration(threshold, words) })
    : line;
}

const formatNumber = (value: number, { decimalSign }: ServerWords): string =>
  value.toFixed(Number.isInteger(value) || value >= 20 ? 0 : 1).replace('.', decimalSign);

const units: readonly (readonly [seconds: number, sign: 'sign.d' | 'sign.h' | 'sign.min' | 'sign.s'])[] = [
  [86_400, 'sign.d'],
  [3_600, 'sign.h'],
  [60, 'sign.min'],
  [1, 'sign.s'],
];

/** The greatest unit and what is left in the next: `2 h 5 min`, `20 min`, `45 s`. */
export function formatDuration(span_s: number, { say }: ServerWords = english): string {
  const whole_s = Math.max(0, Math.round(span_s));
  const at = units.findIndex(([seconds]) => whole_s >= seconds);
  const parts = units.slice(at < 0 ? -1 : at).slice(0, 2);
  let left_s = whole_s;
  const said = parts.flatMap(([seconds, sign], place) => {
    const count = Math.floor(left_s / seconds);
    left_s -= count * seconds;
    return count === 0 && (place > 0 || parts.length > 1) ? [] : [`${count} ${say(sign)}`];
  });
  return said.join(' ');
}
