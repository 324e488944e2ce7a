import type { AuditAction, AuditKind } from '../../contract/audit.ts';
import type { Attributes } from '../../contract/fields.ts';
import type { EventKind, EventDetails } from '../../contract/events.ts';
import type { RejectionCode } from '../../contract/positions.ts';
import type { ListenerName } from '../../contract/intake.ts';
import type { RuleSound, Severity } from '../../contract/rules.ts';
import type { CommandFault, CommandKind, CommandStatus } from '../../contract/terminalCommands.ts';
import type { TaskErrorCode, TaskStatus } from '../../contract/video.ts';
import type { IncidentOpening, IncidentRow } from './incidentRows.ts';

// What the telemetry database holds, as the server's own code sees it. Times are Unix milliseconds in UTC (`_ms`);
// speeds km/h, lengths metres, angles degrees clockwise from north.

/** One position of one vehicle; (vehicle_id, time_ms) is unique. */
export interface PositionRow {
  vehicle_id: string;
  time_ms: number;
  received_ms: number;
  lat: number;
  lon: number;
  altitude_m: number | null;
  speed_kmh: number | null;
  course_deg: number | null;
  accuracy_m: number | null;
  satellites: number | null;
  hdop: number | null;
  /** False for a position that is kept as status only: never drawn, moves no engine. */
  valid: boolean;
  ignition: boolean | null;
  odometer_m: number | null;
  battery_pct: number | null;
  alarms: string[];
  attributes: Attributes;
}

export interface EventRow {
  event_id: string;
  kind: EventKind;
  /** Null: it happened to the host itself. */
  vehicle_id: string | null;
  time_ms: number;
  received_ms: number;
  late: boolean;
  lat: number | null;
  lon: number | null;
  geozone_id: string | null;
  details: EventDetails;
  rule_id: string | null;
  rule_version: number | null;
}

export interface NotificationRow {
  notification_id: string;
  rule_id: string;
  rule_name: string;
  rule_version: number;
  event_kind: EventKind;
  /** Null: it happened to the host itself. */
  vehicle_id: string | null;
  geozone_id: string | null;
  severity: Severity;
  /** By its rule, or by severity `info`. */
  quiet: boolean;
  sound: RuleSound;
  state: 'open' | 'acknowledged';
  count: number;
  late: boolean;
  first_ms: number;
  last_ms: number;
  ongoing_until_ms: number | null;
  details: EventDetails;
  lat: number | null;
  lon: number | null;
  /** The newest 100, oldest first. */
  event_ids: string[];
  ack: { user_id: string; at_ms: number; note: string | null } | null;
  updated_ms: number;
}

export interface RejectedPositionRow {
  terminal_id: string;
  received_ms: number;
  code: RejectionCode;
  detail: string;
  protocol: string;
  raw: string;
}

export interface UnknownTerminalRow {
  terminal_id: string;
  protocol: string;
  first_seen_ms: number;
  last_seen_ms: number;
  message_count: number;
  address: string | null;
  lat: number | null;
  lon: number | null;
}

export interface TaskFile {
  size_bytes: number;
  duration_s: number;
  content_type: string;
  sha256: string;
  width: number;
  height: number;
  /** When its first frame was recorded, RFC 3339; null if the terminal does not report it. */
  starts_at: string | null;
}

export interface TaskRow {
  task_id: string;
  profile_id: string;
  vehicle_id: string;
  terminal_id: string;
  channel: number;
  from_ms: number;
  to_ms: number;
  event_id: string | null;
  /** Which of a terminal's two recordings; null: what the profile says. */
  stream: 'main' | 'sub' | null;
  /** The task that brings the same in full quality after this one. */
  main_task_id: string | null;
  status: TaskStatus;
  /** Its file is kept until somebody deletes it. */
  important: boolean;
  attempts: number;
  /** Not tried again before this moment; null: as soon as there is free space. */
  next_attempt_ms: number | null;
  error: { code: TaskErrorCode; detail: string } | null;
  file: TaskFile | null;
  /** Tasks for the same fragment share one file of this name in the video folder. */
  file_name: string | null;
  created_by: string;
  /** The rule that requested it automatically. */
  rule_id: string | null;
  created_ms: number;
  updated_ms: number;
  done_ms: number | null;
  expires_ms: number | null;
  version: number;
}

export interface SessionRow {
  session_id: string;
  user_id: string;
  created_ms: number;
  last_seen_ms: number;
  expires_ms: number;
  ip_address: string | null;
  user_agent: string | null;
  /** The last sign of life of the user's sessions before this one; null: there was none. */
  earlier_seen_ms: number | null;
}

/** How often an API token was used, and when last. */
export interface TokenUseRow {
  token_id: string;
  calls: number;
  last_used_ms: number;
}

/** What an engine remembers of a vehicle between two batches; the telemetry domain owns its form. */
export interface VehicleStateRow {
  vehicle_id: string;
  state: string;
}

/** A remembered answer to a request that bore an `Idempotency-Key`. */
export interface IdempotencyRow {
  user_id: string;
  operation: string;
  key: string;
  /** Of the request's body. */
  fingerprint: Uint8Array;
  /** Status, body and location as JSON. */
  response: string;
  at_ms: number;
}

/** A rule as it was when it created a notification, so that the reason can be shown after the rule has changed. */
export interface RuleVersionRow {
  rule_id: string;
  version: number;
  /** The rule as JSON, as REST showed it. */
  rule: string;
}

/** A vehicle or a rule that is silenced until a time; one of the two is null. */
export interface SnoozeRow {
  snooze_id: string;
  vehicle_id: string | null;
  rule_id: string | null;
  until_ms: number;
  note: string | null;
  created_by: string;
  created_ms: number;
}

/** A notification on its way out of the console. */
export interface DeliveryRow {
  delivery_id: string;
  notification_id: string;
  rule_id: string;
  vehicle_id: string | null;
  channel: 'webhook' | 'email';
  /** A URL or a mail address. */
  target: string;
  status: 'waiting' | 'sent' | 'failed';
  attempts: number;
  /** Not tried before this moment; null once it is sent or given up. */
  next_attempt_ms: number | null;
  last_error: string | null;
  created_ms: number;
  sent_ms: number | null;
  /** The step of the escalation that sends it, from 0; null: it was sent when the notification was opened. */
  step: number | null;
  /** The user who is reached by it, and reads no more in it than in the console; null: it goes to a place. */
  user_id: string | null;
}

/** What follows while nobody acknowledges a notification. */
export interface EscalationRow {
  notification_id: string;
  rule_id: string;
  /** Of the rule; null for one of the depot. */
  owner_id: string | null;
  /** Null: it happened to the host itself. */
  vehicle_id: string | null;
  event_kind: EventKind;
  /** As they were when the notification was opened, as JSON. */
  steps: string;
  /** From when its minutes count. */
  base_ms: number;
  /** From 0; after the last one their number. */
  next_step: number;
  /** `paused` while it is snoozed, `refused` where too many ran; `ended` once it is acknowledged. */
  status: 'running' | 'paused' | 'done' | 'refused' | 'ended';
}

/** A step of an escalation that was carried out. */
export interface EscalationStepRow {
  notification_id: string;
  step: number;
  at_ms: number;
  /** As JSON. */
  outcome: string;
}

/** A user accessed the video of a task: downloaded its file, or exported it as evidence. */
export interface VideoAccessRow {
  task_id: string;
  user_id: string;
  action: 'read' | 'exported';
  at_ms: number;
}

/** A command that was or will be sent to a terminal. */
export interface TerminalCommandRow {
  command_id: string;
  vehicle_id: string;
  terminal_id: string;
  kind: CommandKind;
  text: string | null;
  status: CommandStatus;
  /** By which it was sent. */
  protocol: ListenerName | null;
  response: string | null;
  error: { code: CommandFault; detail: string } | null;
  created_by: string;
  /** No two of a vehicle have the same: it is their order. */
  created_ms: number;
  sent_ms: number | null;
  /** Null: it waits, or is on its way. */
  completed_ms: number | null;
  expires_ms: number;
}

/** Everything that one batch from the terminals leaves behind; written in one transaction or not at all. */
export interface Batch {
  /** New positions, and merged ones in the place of what stood at their (vehicle, time). */
  positions: PositionRow[];
  /** New events, and changed ones (an episode's end) in the place of their event_id. */
  events: EventRow[];
  /** New and changed notifications, by notification_id. */
  notifications: NotificationRow[];
  /** The rules that made them, as they are; what is stored of a version stays. */
  rules: RuleVersionRow[];
  /** What leaves the console by webhook or mail. */
  deliveries: DeliveryRow[];
  /** Of notifications that begin to escalate. */
  escalations: EscalationRow[];
  /** Video tasks that a rule ordered. */
  tasks: TaskRow[];
  /** What alarms make of incidents. */
  openings: IncidentOpening[];
  states: VehicleStateRow[];
  rejected: RejectedPositionRow[];
}

/** The numbers in the log of changes that a write was given, in its order. */
export interface Written {
  changes: ChangeRow[];
  /** Those that changed with it, as they are now. */
  incidents?: IncidentRow[];
}

/** A page of a list that runs from new to old; `before` is the sort key of the last row of the page before. */
export interface PageQuery {
  limit: number;
  before?: { ms: number; id: string };
}

export interface EventQuery extends PageQuery {
  vehicle_ids?: string[];
  kinds?: string[];
  geozone_id?: string;
  from_ms?: number;
  to_ms?: number;
  event_ids?: string[];
}

export interface NotificationQuery extends PageQuery {
  vehicle_ids?: string[];
  state?: 'open' | 'acknowledged';
  severities?: string[];
  rule_id?: string;
  quiet?: boolean;
  from_ms?: number;
  to_ms?: number;
}

export interface TaskQuery extends PageQuery {
  vehicle_ids?: string[];
  statuses?: string[];
  event_id?: string;
  /** Fragments that overlap this period. */
  from_ms?: number;
  to_ms?: number;
}

/** One line of the log of changes from which the stream replays what a listener missed. */
export interface ChangeRow {
  seq: number;
  topic: ChangeTopic;
  resource_id: string;
  at_ms: number;
  /** For deletions and moves between groups: who could see the resource before (group ids), else null. */
  visible_to: string[] | null;
}

export type ChangeTopic =
  | 'event'
  | 'notification'
  | 'task'
  | 'vehicle'
  | 'driver'
  | 'assignment'
  | 'geofence'
  | 'rule'
  | 'snooze'
  | 'shift'
  | 'command'
  | 'incident'
  | 'group'
  | 'user'
  | 'profile'
  | 'settings';
export type NewChange = Omit<ChangeRow, 'seq' | 'at_ms'>;

/** One line of the audit log: of the log of changes, what somebody did. */
export interface AuditRow {
  seq: number;
  at_ms: number;
  topic: AuditKind;
  resource_id: string;
  action: AuditAction;
  /** A user_id, or what else acted from outside. */
  actor: string;
  actor_name: string;
  address: string | null;
  actor_token: string | null;
  actor_token_name: string | null;
  /** The fields that changed; secrets stand as `changed`. */
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export interface AuditQuery extends PageQuery {
  from_ms?: number;
  to_ms?: number;
  actor?: string | undefined;
  topic?: AuditKind | undefined;
  action?: AuditAction | undefined;
  resource_id?: string | undefined;
}

/** From `from_ms` until before `to_ms`. */
export interface VehiclePeriod {
  vehicle_id: string;
  from_ms: number;
  to_ms: number;
}

export interface VehicleDataCounts {
  positions: number;
  events: number;
  notifications: number;
  /** Of incidents, that show it. */
  snapshots: number;
}

export interface ExportRow {
  operation: string;
  asked: object;
}

/** A batch that leaves nothing behind, to be filled. */
export function emptyBatch(): Batch {
  return {
    positions: [],
    events: [],
    notifications: [],
    rules: [],
    deliveries: [],
    escalations: [],
    tasks: [],
    openings: [],
    states: [],
    rejected: [],
  };
}
