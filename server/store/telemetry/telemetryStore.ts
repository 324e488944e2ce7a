import type {
  ChangeRow,
  DeliveryRow,
  EventRow,
  IdempotencyRow,
  NewChange,
  NotificationRow,
  PositionRow,
  RejectedPositionRow,
  RuleVersionRow,
  SessionRow,
  SnoozeRow,
  TaskRow,
  TerminalCommandRow,
  UnknownTerminalRow,
  VehicleStateRow,
  VideoAccessRow,
} from './rows.ts';

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
  /** Video tasks that a rule ordered. */
  tasks: TaskRow[];
  states: VehicleStateRow[];
  refused: RejectedPositionRow[];
}

/** The numbers in the log of changes that a write was given, in its order. */
export interface Written {
  changes: ChangeRow[];
}

/** A page of a list that runs from new to old; `before` is the sort key of the last row of the page before. */
export interface PageQuery {
  limit: number;
  before?: { ms: number; id: string };
}

export interface EventQuery extends PageQuery {
  vehicle_ids?: string[];
  kinds?: string[];
  from_ms?: number;
  to_ms?: number;
  event_ids?: string[];
}

export interface NotificationQuery extends PageQuery {
  vehicle_ids?: string[];
  state?: 'open' | 'acknowledged';
  severities?: string[];
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

/**
 * All that grows with time. A write resolves after its commit is on the disk; writes run in the order of their calls.
 * Errors: `DiskFull` when the disk is full, `StoreFailed` for everything else; after either nothing of that call is
 * stored.
 */
export interface TelemetryStore {
  /** Names this database; another one (a restored copy counts) has another name. */
  readonly epoch: string;

  commit(batch: Batch): Promise<Written>;
  /** The rows that stand at these keys. */
  positionsAt(keys: { vehicle_id: string; time_ms: number }[]): Promise<PositionRow[]>;
  /** Positions from `from_ms` to `to_ms`, both included, in order of time, in pages of a few thousand. */
  track(query: { vehicle_id: string; from_ms: number; to_ms: number }): AsyncIterable<PositionRow[]>;
  vehicleStates(): Promise<VehicleStateRow[]>;
  refused(page: {
    limit: number;
    before?: number;
  }): Promise<(RejectedPositionRow & { refused_id: number })[]>;
  /** Deletes all data of a vehicle: positions, state, events, notifications. Its tasks are the video domain's. */
  purgeVehicle(vehicle_id: string): Promise<void>;

  /** Counts a message of each terminal; at most 1,000 terminals are kept, the one seen longest ago is dropped first. */
  noteUnknown(unknownTerminals: UnknownTerminalRow[]): Promise<UnknownTerminalRow[]>;
  forgetUnknown(terminal_ids: string[]): Promise<void>;
  unknownTerminals(): Promise<UnknownTerminalRow[]>;

  events(query: EventQuery): Promise<EventRow[]>;
  notifications(query: NotificationQuery): Promise<NotificationRow[]>;
  notificationsById(ids: string[]): Promise<NotificationRow[]>;
  /** Those whose last event is at or after `since_ms`: what the rules engine needs at a start. */
  recentNotifications(since_ms: number): Promise<NotificationRow[]>;
  saveNotifications(rows: NotificationRow[]): Promise<Written>;

  /** A rule as it was; null where no notification was made by that version. */
  ruleVersion(rule_id: string, version: number): Promise<RuleVersionRow | null>;

  saveSnoozes(rows: SnoozeRow[]): Promise<Written>;
  /** `seen_by` as in the log of changes. */
  deleteSnoozes(snoozes: { snooze_id: string; seen_by: string[] }[]): Promise<Written>;
  snoozes(): Promise<SnoozeRow[]>;

  saveDeliveries(rows: DeliveryRow[]): Promise<void>;
  /** Those that are neither sent nor given up, oldest first. */
  waitingDeliveries(): Promise<DeliveryRow[]>;
  deliveriesOf(notification_id: string): Promise<DeliveryRow[]>;

  saveTasks(rows: TaskRow[]): Promise<Written>;
  tasks(query: TaskQuery): Promise<TaskRow[]>;
  tasksById(ids: string[]): Promise<TaskRow[]>;
  /** Tasks in one of these statuses, oldest first. */
  tasksIn(statuses: string[]): Promise<TaskRow[]>;

  saveAccess(rows: VideoAccessRow[]): Promise<void>;
  /** The access log of a task's video, newest first; the newest 1,000. */
  accessOf(task_id: string): Promise<VideoAccessRow[]>;

  saveTerminalCommands(rows: TerminalCommandRow[]): Promise<Written>;
  /** The commands to a vehicle's terminal, newest first. */
  terminalCommands(query: PageQuery & { vehicle_id: string }): Promise<TerminalCommandRow[]>;
  terminalCommandsById(ids: string[]): Promise<TerminalCommandRow[]>;
  /** Those without an end, of all vehicles, oldest first. */
  openTerminalCommands(): Promise<TerminalCommandRow[]>;

  saveSessions(rows: SessionRow[]): Promise<void>;
  deleteSessions(ids: string[]): Promise<void>;
  sessions(): Promise<SessionRow[]>;

  idempotent(key: Pick<IdempotencyRow, 'user_id' | 'operation' | 'key'>): Promise<IdempotencyRow | null>;
  saveIdempotent(row: IdempotencyRow): Promise<void>;
  /** Keeps so many of a user's answers, the newest. */
  trimIdempotent(user_id: string, max: number): Promise<void>;

  /** Adds to the log of changes; for resources that live in documents. */
  recordChanges(changes: NewChange[]): Promise<Written>;
  /** Changes after `seq` in order; null when some of them are no longer known. */
  changesAfter(seq: number, limit: number): Promise<ChangeRow[] | null>;
  lastSeq(): Promise<number>;

  /**
   * Deletes one slice of what was received before these moments; call again while `more` is true, so that other writes
   * come in between.
   */
  prune(before: {
    positions_ms: number;
    events_ms: number;
    changes_ms: number;
    idempotency_ms: number;
    refused_ms: number;
  }): Promise<{ deleted: number; more: boolean }>;

  /** Bytes on disk, rows written and commits since the start. */
  stats(): Promise<{ bytes: number; positions: number; commits: number }>;
  close(): Promise<void>;
}
