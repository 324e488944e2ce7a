import type { ReportKind } from './reportRows.ts';

/**
 * What reports, their columns and the codes in them are called: on the screen, and in files for people. A column's name
 * may be another one in one kind of report. Numbers of metres, bytes and seconds bear no unit here.
 */
export const reportTexts = {
  'reports.code.distance_by.mixed': 'Both',
  'reports.code.distance_by.odometer': 'Odometer',
  'reports.code.distance_by.track': 'Track',
  'reports.code.limit_source.geofence': 'Geofence',
  'reports.code.limit_source.query': 'Report',
  'reports.code.limit_source.vehicle': 'Vehicle',
  'reports.code.severity.alarm': 'Alarm',
  'reports.code.severity.info': 'Info',
  'reports.code.severity.warning': 'Warning',
  'reports.code.status.done': 'Ready',
  'reports.code.stream.main': 'Main stream',
  'reports.code.stream.sub': 'Sub-stream',
  'reports.column.acknowledged_after_s': 'Acknowledged after',
  'reports.column.acknowledged_at': 'Acknowledged',
  'reports.column.acknowledged_by': 'Acknowledged by',
  'reports.column.alarm': 'Alarm of the terminal',
  'reports.column.attempts': 'Attempts',
  'reports.column.average_speed_kmh': 'Average, km/h',
  'reports.column.channel': 'Channel',
  'reports.column.created_by': 'Requested by',
  'reports.column.date': 'Day',
  'reports.column.day_s': 'Day length',
  'reports.column.distance_by': 'Distance by',
  'reports.column.distance_m': 'Distance',
  'reports.column.done_at': 'Ready',
  'reports.column.driver': 'Driver',
  'reports.column.driving_s': 'Driving',
  'reports.column.driving_share': 'Driving, %',
  'reports.column.duration_s': 'Duration',
  'reports.column.end_time': 'End',
  'reports.column.enter_time': 'Entered',
  'reports.column.error': 'Reason',
  'reports.column.event_id': 'Event ID',
  'reports.column.exit_time': 'Exited',
  'reports.column.first_departure': 'First departure',
  'reports.column.first_time': 'First position',
  'reports.column.gap_s': 'No data',
  'reports.column.geozone_id': 'Geofence',
  'reports.column.idle_s': 'Idle',
  'reports.column.ignition_on_s': 'Ignition on',
  'reports.column.kind': 'Event',
  'reports.column.last_arrival': 'Last arrival',
  'reports.column.last_time': 'Last position',
  'reports.column.late': 'Received late',
  'reports.column.limit_kmh': 'Limit, km/h',
  'reports.column.limit_source': 'Limit of',
  'reports.column.max_speed_kmh': 'Top, km/h',
  'reports.column.max_speed_time': 'Top speed at',
  'reports.column.measured': 'Measured',
  'reports.column.note': 'Note',
  'reports.column.odometer_m': 'By odometer',
  'reports.column.open_end': 'Ongoing',
  'reports.column.open_start': 'Started earlier',
  'reports.column.out_of_hours_m': 'Out of hours, distance',
  'reports.column.out_of_hours_s': 'Out of hours',
  'reports.column.place': 'Location',
  'reports.column.positions': 'Positions',
  'reports.column.requested_at': 'Requested',
  'reports.column.rule_id': 'Rule',
  'reports.column.severity': 'Severity',
  'reports.column.size_bytes': 'Size',
  'reports.column.start_time': 'Start',
  'reports.column.status': 'Status',
  'reports.column.stopped_s': 'Stopped',
  'reports.column.stops': 'Stops',
  'reports.column.stops.end_time': 'Until',
  'reports.column.stops.start_time': 'From',
  'reports.column.stream': 'Stream',
  'reports.column.task_id': 'Task ID',
  'reports.column.threshold': 'Allowed',
  'reports.column.time': 'Time',
  'reports.column.took_s': 'Took',
  'reports.column.trips': 'Trips',
  'reports.column.trips.end': 'To',
  'reports.column.trips.end_time': 'Arrival',
  'reports.column.trips.start': 'From',
  'reports.column.trips.start_time': 'Departure',
  'reports.column.unit': 'Unit',
  'reports.column.vehicle_id': 'Vehicle',
  'reports.column.video.end_time': 'Clip to',
  'reports.column.video.start_time': 'Clip from',
  'reports.kind.daily': 'Daily',
  'reports.kind.events': 'Events',
  'reports.kind.geofence_visits': 'Geofence visits',
  'reports.kind.hours': 'Hours',
  'reports.kind.overspeed': 'Overspeed',
  'reports.kind.stops': 'Stops',
  'reports.kind.summary': 'Summary',
  'reports.kind.trips': 'Trips',
  'reports.kind.utilisation': 'Utilisation',
  'reports.kind.video': 'Video',
  'reports.no_driver': 'No driver',
  'reports.no_group': 'No group',
} as const;

/** What the kinds of events are called. */
export const eventKindTexts = {
  'alarm.geofence_dwell': 'Long stay',
  'alarm.geofence_enter': 'Entered geofence',
  'alarm.geofence_exit': 'Left geofence',
  'alarm.harsh_acceleration': 'Harsh acceleration',
  'alarm.harsh_braking': 'Harsh braking',
  'alarm.harsh_cornering': 'Harsh cornering',
  'alarm.host_trouble': 'Server trouble',
  'alarm.idling': 'Idling',
  'alarm.ignition_off': 'Ignition off',
  'alarm.ignition_on': 'Ignition on',
  'alarm.low_battery': 'Low battery',
  'alarm.moving': 'Moving',
  'alarm.offline': 'Offline',
  'alarm.online': 'Back online',
  'alarm.overspeed': 'Overspeed',
  'alarm.power_cut': 'Power cut',
  'alarm.silent_inside': 'Lost contact inside',
  'alarm.sos': 'SOS button',
  'alarm.stopped': 'Stopped',
  'alarm.terminal_alarm': 'Terminal alarm',
  'alarm.video_done': 'Video ready',
  'alarm.video_failed': 'Video failed',
} as const;

/** Why there is no video, by the codes of its task. */
export const videoReasonTexts = {
  'reason.bad_media': 'The terminal sent no video',
  'reason.disk_full': 'The server’s disk is full',
  'reason.file_missing': 'The file is missing on the server',
  'reason.internal': 'The server failed',
  'reason.interrupted': 'The transfer was interrupted',
  'reason.no_recording': 'This recording no longer exists',
  'reason.terminal_offline': 'The terminal did not come online',
  'reason.terminal_refused': 'The terminal refused',
} as const;

/** What the thresholds are called by which reports are computed; their units are those of the fields. */
export const thresholdTexts = {
  'numbers.crossing_max_gap_s': 'Longest gap bridged, s',
  'numbers.idle_s': 'Idle after, s',
  'numbers.idle_speed_kmh': 'Idle below, km/h',
  'numbers.overspeed_clear_s': 'Ends once below limit for, s',
  'numbers.overspeed_gap_s': 'Ends after a gap of, s',
  'numbers.overspeed_min_duration_s': 'For at least, s',
  'numbers.overspeed_tolerance_kmh': 'Tolerance, km/h',
  'numbers.trip_gap_s': 'Trip ends after data gap, s',
  'numbers.trip_ignition_off_s': 'Trip ends after ignition off, s',
  'numbers.trip_min_m': 'Shortest trip, m',
  'numbers.trip_radius_m': 'Stop radius, m',
  'numbers.trip_speed_kmh': 'Trip start speed, ignition on, km/h',
  'numbers.trip_stop_s': 'Trip ends after stop, s',
} as const;

const texts: Readonly<Record<string, string>> = { ...reportTexts, ...eventKindTexts, ...videoReasonTexts };

/** What a column is called: as in its own kind of report, else as in all. */
export function reportColumnText(kind: ReportKind, key: string): string {
  const hour = /^driving_s_(\d\d)$/.exec(key)?.[1];
  if (hour !== undefined) return `${hour}:00`;
  const own = `reports.column.${kind.replaceAll('-', '_')}.${key}`;
  return texts[own] ?? texts[`reports.column.${key}`] ?? inWords(key);
}

/** Codes whose texts stand elsewhere, by the keys of columns. */
const codes: Readonly<Record<string, string>> = { kind: 'alarm', error: 'reason' };

/** A code of the contract in words. */
export function reportCodeText(key: string, code: string): string {
  return texts[`${codes[key] ?? `reports.code.${key}`}.${code}`] ?? inWords(code);
}

export const reportTitle = (kind: ReportKind): string =>
  texts[`reports.kind.${kind.replaceAll('-', '_')}`] ?? inWords(kind);

function inWords(code: string): string {
  const text = code.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
