import type { EventKind, EventDetails } from '../../contract/events.ts';
import type { TroubleCode } from '../../contract/health.ts';
import type { NotificationRow } from '../../store/telemetry/rows.ts';

type Facts = Pick<NotificationRow, 'event_kind' | 'details'>;

/** What happened, in one line for people: `Overspeed, 94 km/h, limit 60`. `fence` is a geofence's name. */
export function formatAlarm({ event_kind, details }: Facts, geofence: string): string {
  return texts[event_kind](details, geofence);
}

const texts: Record<EventKind, (details: EventDetails, geofence: string) => string> = {
  geofence_enter: (_, geofence) => `Entered ${geofence}`,
  geofence_exit: ({ duration_s }, geofence) =>
    `Left ${geofence}${duration_s === null ? '' : ` after ${formatDuration(duration_s)}`}`,
  geofence_dwell: (details, geofence) => `In ${geofence}${spansOf(details, ', ')}`,
  silent_inside: (details, geofence) => `Lost contact in ${geofence}${spansOf(details, ', ')}`,
  overspeed: (details) => `Overspeed${measuredOf(details)}`,
  moving: () => 'Started moving',
  stopped: () => 'Stopped',
  idling: (details) => `Idling${spansOf(details)}`,
  ignition_on: () => 'Ignition on',
  ignition_off: () => 'Ignition off',
  offline: (details) => `Offline${spansOf(details)}`,
  online: ({ duration_s }) =>
    `Back online${duration_s === null ? '' : ` after ${formatDuration(duration_s)}`}`,
  sos: () => 'SOS',
  power_cut: () => 'Power cut',
  low_battery: ({ measured, threshold }) =>
    `Low battery${measured === null ? '' : `, ${formatNumber(measured)} %`}${
      threshold === null ? '' : `, below ${formatNumber(threshold)} %`
    }`,
  harsh_acceleration: (details) => `Harsh acceleration${measuredOf(details)}`,
  harsh_braking: (details) => `Harsh braking${measuredOf(details)}`,
  harsh_cornering: (details) => `Harsh cornering${measuredOf(details)}`,
  terminal_alarm: ({ alarm }) =>
    alarm === null ? 'Terminal alarm' : `Terminal alarm: ${alarm.replaceAll('_', ' ')}`,
  video_done: () => 'Video was fetched',
  video_failed: () => 'Video could not be fetched',
  host_trouble: ({ cause }) => (cause === undefined ? 'Server trouble' : troubles[cause]),
};

const troubles: Record<TroubleCode, string> = {
  disk_full: 'The disk of the server is full: nothing is stored',
  store_failed: 'The database of the server has failed: nothing is stored',
  disk_low: 'The disk of the server is almost full',
  document_failed: 'Settings of the server cannot be saved',
  restored_from_backup: 'The server has read settings from a backup',
  secrets_unreadable: 'Passwords have to be entered again',
  intake_stopped: 'A listener for terminals is closed',
  intake_silent: 'No terminal has sent anything recently',
  channel_failing: 'Notifications are not delivered',
  clock_jump: 'The clock of the server was changed',
  host_asleep: 'The server slept: nothing was received meanwhile',
  backup_overdue: 'The backup of the server is overdue',
  incidents_full: 'Too many incidents are not closed: alarms open no more',
  report_failing: 'A scheduled report could not be delivered',
  unresponsive: 'The server did not respond for a while',
  unexpected_restart: 'The server ended unexpectedly and was restarted',
};

/** The way of a force is in the word; its sign would say it twice. */
function measuredOf({ measured, threshold, unit }: EventDetails): string {
  if (measured === null) return '';
  const allowed = threshold === null ? '' : `, limit ${formatNumber(Math.abs(threshold))}`;
  return `, ${[formatNumber(Math.abs(measured)), unit].join(' ').trim()}${allowed}`;
}

function spansOf({ measured, threshold, unit, duration_s }: EventDetails, before = ' '): string {
  const span_s = duration_s ?? (unit === 's' ? measured : null);
  if (span_s === null) return '';
  const allowed =
    threshold !== null && (unit === null || unit === 's') ? `, limit ${formatDuration(threshold)}` : '';
  return `${before}for ${formatDuration(span_s)}${allowed}`;
}

const formatNumber = (value: number): string => value.toFixed(Number.isInteger(value) || value >= 20 ? 0 : 1);

const units: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** The greatest unit and what is left in the next: `2 h 5 min`, `20 min`, `45 s`. */
export function formatDuration(span_s: number): string {
  const whole_s = Math.max(0, Math.round(span_s));
  const at = units.findIndex(([seconds]) => whole_s >= seconds);
  const parts = units.slice(at < 0 ? -1 : at).slice(0, 2);
  let left_s = whole_s;
  const words = parts.flatMap(([seconds, name], place) => {
    const count = Math.floor(left_s / seconds);
    left_s -= count * seconds;
    return count === 0 && (place > 0 || parts.length > 1) ? [] : [`${count} ${name}`];
  });
  return words.join(' ');
}
