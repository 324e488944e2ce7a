import {
  eventKindTexts,
  reportTexts,
  thresholdTexts,
  videoReasonTexts,
} from '../../server/contract/reportTexts.ts';
import { aboutTexts } from './en/about.ts';
import { apiTokensTexts } from './en/apiTokens.ts';
import { auditTexts } from './en/audit.ts';
import { commandsTexts } from './en/commands.ts';
import { connectionsTexts } from './en/connections.ts';
import { driversTexts } from './en/drivers.ts';
import { escalationTexts } from './en/escalation.ts';
import { eventsTexts } from './en/events.ts';
import { geofencesTexts } from './en/geofences.ts';
import { historyTexts } from './en/history.ts';
import { incidentsTexts } from './en/incidents.ts';
import { intakeTexts } from './en/intake.ts';
import { liveTexts } from './en/live.ts';
import { mapsTexts } from './en/maps.ts';
import { numbersTexts } from './en/numbers.ts';
import { problemReportTexts } from './en/problemReport.ts';
import { queueTexts } from './en/queue.ts';
import { languageTexts } from './en/language.ts';
import { laterReportsTexts } from './en/laterReports.ts';
import { reportsTexts } from './en/reports.ts';
import { resourcesTexts } from './en/resources.ts';
import { rulesTexts } from './en/rules.ts';
import { setupTexts } from './en/setup.ts';
import { shiftsTexts } from './en/shifts.ts';
import { terminalCommandsTexts } from './en/terminalCommands.ts';
import { updatesTexts } from './en/updates.ts';
import { unitsTexts } from './en/units.ts';
import { usersTexts } from './en/users.ts';
import { vehicleBulkTexts } from './en/vehicleBulk.ts';
import { vehiclesTexts } from './en/vehicles.ts';
import { videoTexts } from './en/video.ts';
import { windowsTexts } from './en/windows.ts';

/** Messages of no one domain. */
export const generalTexts = {
  'connection.again': 'Reconnected',
  'connection.caught_up_one': '{{count}} missed event loaded',
  'connection.caught_up_other': '{{count}} missed events loaded',
  'connection.connecting': 'Connecting',
  'connection.last_message': 'last message {{age}} ago',
  'connection.live': 'Live',
  'connection.counts': 'Counts messages from terminals.',
  'connection.no_message': 'no message yet',
  'connection.lost_ago': 'Connection lost {{age}} ago.',
  'connection.lost_ago_short': 'Connection lost {{age}} ago',
  'connection.malformed_one': '{{count}} message was skipped because it could not be read.',
  'connection.malformed_other': '{{count}} messages were skipped because they could not be read.',
  'connection.next_try': 'retrying in {{age}}',
  'connection.too_many': 'Too many open sessions. Close other windows.',
  'connection.trying': 'retrying',

  'failure.answered': 'The server answered {{status}}: {{title}}.',
  'failure.next_try': 'Retrying in {{age}}.',
  'failure.no_response': 'The server is not responding.',
  'failure.not_saved': 'The server is not responding. Nothing was saved.',
  'failure.part': 'This screen could not be loaded',
  'failure.part_still': 'Screens that were open before still work.',
  'failure.rate_limited': 'Too many requests. Retrying in {{age}}.',
  'failure.unexpected': 'Unexpected response from the server.',

  'geofence.change': 'Edit',
  'geofence.copy_of': '{{name}} (copy)',
  'geofence.delete': 'Delete',
  'geofence.delete_really': 'Delete for good',
  'geofence.edit': 'Geofence {{name}}',
  'geofence.how.change': 'Drag the points on the map. Esc discards changes.',
  'geofence.how.circle': 'Click the centre, then the edge. Enter finishes, Esc cancels.',
  'geofence.how.line': 'Click along the road. Enter finishes, Esc cancels.',
  'geofence.how.parts':
    'This geofence has several parts and keeps its shape. Name and limits can be changed.',
  'geofence.how.polygon': 'Click the corners, the first one again to close. Enter finishes, Esc cancels.',
  'geofence.hysteresis': 'Exit margin, {{length_unit}}',
  'geofence.hysteresis_hint': 'Stops repeated entries and exits at the boundary.',
  'geofence.in_use': 'This geofence is in use: {{detail}}',
  'geofence.keep': 'Cancel',
  'geofence.limit': 'Speed limit, {{speed_unit}}',
  'geofence.limit_hint': 'Applies inside. Blank: no limit.',
  'geofence.limit_is': 'limit {{limit}}',
  'geofence.name': 'Name',
  'geofence.new': 'New geofence',
  'geofence.points_one': '{{count}} point',
  'geofence.points_other': '{{count}} points',
  'geofence.radius': 'Radius, {{length_unit}}',
  'geofence.radius_is': 'radius {{radius}}',
  'geofence.save_copy': 'Save as a copy',
  'geofence.save_new': 'Save geofence',
  'geofence.shape': 'Shape',
  'geofence.shape.circle': 'Circle',
  'geofence.shape.line': 'Line',
  'geofence.shape.polygon': 'Polygon',
  'geofence.title': 'Geofence',
  'geofence.width': 'Width, {{length_unit}}',

  'form.not_a_number': 'is not a number',

  'health.backup_overdue': 'backup overdue',
  'health.report_failing': 'scheduled report failing',
  'health.channel_failing': 'notifications are not delivered',
  'health.clock_jump': 'server clock changed',
  'health.disk_full': 'disk full, nothing is stored',
  'health.disk_low': 'disk almost full',
  'health.document_failed': 'settings cannot be saved',
  'health.host_asleep': 'server slept, nothing was received',
  'health.incidents_full': 'too many incidents, alarms open no more',
  'health.intake_silent': 'no contact with any terminal',
  'health.intake_stopped': 'a listener for terminals is closed',
  'health.more_one': '{{count}} more problem',
  'health.more_other': '{{count}} more problems',
  'health.restored_from_backup': 'data restored from a backup copy',
  'health.secrets_unreadable': 'passwords have to be entered again',
  'health.unexpected_restart': 'server restarted after an unexpected end',
  'health.unresponsive': 'server did not respond for a while',
  'health.since': 'Since',
  'health.title': 'Server: {{problem}}.',
  'health.store_failed': 'database failed, nothing is stored',

  'period.backwards': 'The end is not after the beginning',
  'period.from_date': 'From, day',
  'period.from_time': 'From, time',
  'period.hour': 'Last hour',
  'period.month': 'Last 30 days',
  'period.no_date': 'Not a date like 2026-11-21',
  'period.no_time': 'Not a time like 12:03',
  'period.own': 'Custom',
  'period.title': 'Period',
  'period.to_date': 'To, day',
  'period.to_time': 'To, time',
  'period.today': 'Today',
  'period.too_long': 'At most {{days}} days',
  'period.week': 'Last 7 days',
  'period.yesterday': 'Yesterday',

  'place.unknown_geofence': 'a geofence',

  'protocol.jt1078': 'JT/T 1078 video',
  'protocol.jt808': 'JT/T 808',
  'protocol.osmand': 'OsmAnd, Traccar Client',
  'protocol.other': 'unknown protocol',
  'protocol.teltonika': 'Teltonika',
  'protocol.wialon': 'Wialon IPS',

  'rail.badge_one': '{{label}}, {{count}} open alarm',
  'rail.badge_other': '{{label}}, {{count}} open alarms',
  'rail.events': 'Events',
  'rail.geofences': 'Geofences',
  'rail.reports': 'Reports',
  'rail.rules': 'Rules',
  'rail.users': 'Users',
  'rail.vehicles': 'Vehicles',
  'rail.history': 'History',
  'rail.live': 'Live',
  'rail.settings': 'Settings',
  'rail.shift': 'Shift',
  'rail.title': 'Screens',
  'rail.video': 'Video',

  'severity.alarm': 'alarm',
  'severity.info': 'info',
  'severity.warning': 'warning',

  'status.idle': 'idle',
  'status.idle.attention': 'idle, needs attention',
  'status.idle_for': 'idle {{age}}',
  'status.moving': 'moving',
  'status.moving.attention': 'moving, needs attention',
  'status.never': 'never reported',
  'status.never.attention': 'never reported, needs attention',
  'status.offline': 'offline',
  'status.offline.attention': 'offline, needs attention',
  'status.last_speed': 'last {{speed}}',
  'status.overdue': 'overdue',
  'status.overdue.attention': 'overdue, needs attention',
  'status.stopped': 'stopped',
  'status.stopped.attention': 'stopped, needs attention',

  'theme.to_dark': 'Dark theme',
  'theme.to_light': 'Light theme, for daylight',

  'time.ago': '{{age}} ago',

  'ui.cancel': 'Cancel',
  'ui.close': 'Close',
  'ui.copied': 'Copied',
  'ui.copy': 'Copy',
  'ui.copy_denied': 'Not allowed here',
  'ui.copy_request_id': 'Copy request id',
  'ui.discard': 'Discard',
  'ui.discard_about': 'What you entered has not been saved.',
  'ui.discard_title': 'Discard unsaved changes?',
  'ui.keep_editing': 'Keep editing',
  'ui.dismiss': 'Dismiss',
  'ui.save': 'Save',
  'ui.undo': 'Undo',
  'ui.try_now': 'Retry now',

  'unreachable.certificate': 'The certificate of the server was refused',
  'unreachable.title': 'The server is not responding',
  'unreachable.why': 'No response from {{host}}.',

  'user.another': 'another operator',
  'user.menu': '{{name}}, menu',

  'vehicle.add': 'Add vehicle',
  'vehicle.add_by_terminal': 'Add by terminal ID',
  'vehicle.driver': 'Driver',
  'vehicle.edit': 'Edit {{name}}',
  'vehicle.exists': 'A vehicle already has this terminal ID.',
  'vehicle.gone': 'a deleted vehicle',
  'vehicle.name': 'Name',
  'vehicle.phone': 'Phone',
  'vehicle.plate': 'Plate',
  'vehicle.speed_limit': 'Speed limit, {{speed_unit}}',
  'vehicle.terminal_id': 'Terminal ID',
  'vehicle.terminal_id_hint': 'As sent by the terminal, usually its IMEI.',
  'vehicle.type': 'Type',
  'vehicle.type.bus': 'Bus',
  'vehicle.type.car': 'Car',
  'vehicle.type.machine': 'Machine',
  'vehicle.type.none': 'Not set',
  'vehicle.type.trailer': 'Trailer',
  'vehicle.type.truck': 'Truck',
  'vehicle.type.van': 'Van',

  'video.failed': 'could not be fetched',
  'video.gone': 'deleted',
  'video.loading': 'Fetching video',
  'video.no_cameras': '{{name}} has no cameras set up.',
  'video.not_sent': 'The video of {{name}} was not requested: the server is not responding.',
  'video.part': '{{done}} of {{of}}',
  'video.ready': '{{done}} of {{of}} ready',
  'video.refused': 'The video of {{name}} was not requested: {{reason}}',
  'video.waits': 'waiting for terminal',
  'video.waits_since': 'Waiting for the terminal, since {{time}}',
} as const;

/** Every message of the console in English. `_one` and `_other` are the plural forms chosen by `count`. */
export const en = {
  ...eventKindTexts,
  ...reportTexts,
  ...thresholdTexts,
  ...videoReasonTexts,
  ...generalTexts,
  ...aboutTexts,
  ...apiTokensTexts,
  ...auditTexts,
  ...commandsTexts,
  ...connectionsTexts,
  ...driversTexts,
  ...escalationTexts,
  ...eventsTexts,
  ...geofencesTexts,
  ...historyTexts,
  ...incidentsTexts,
  ...intakeTexts,
  ...liveTexts,
  ...mapsTexts,
  ...numbersTexts,
  ...problemReportTexts,
  ...queueTexts,
  ...languageTexts,
  ...laterReportsTexts,
  ...reportsTexts,
  ...resourcesTexts,
  ...rulesTexts,
  ...setupTexts,
  ...shiftsTexts,
  ...terminalCommandsTexts,
  ...updatesTexts,
  ...usersTexts,
  ...vehicleBulkTexts,
  ...vehiclesTexts,
  ...videoTexts,
  ...windowsTexts,
  ...unitsTexts,
} as const;
