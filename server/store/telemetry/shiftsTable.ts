import type { Tx } from '../operation.ts';
import type { AuditAction, AuditKind } from '../../contract/audit.ts';
import type { TaskStatus } from '../../contract/video.ts';
import { toFlag, toVehicleId } from './columns.ts';
import type { Database } from './database.ts';
import type { IncidentRow } from './incidentRows.ts';
import type { NotificationRow } from './rows.ts';

export const shiftTables = `
  CREATE TABLE shifts (
    shift_id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- With a rowid: the facts of a busy week have some hundred kilobytes.
  CREATE TABLE shift_records (
    shift_id TEXT PRIMARY KEY,
    facts BLOB NOT NULL
  ) STRICT;
  ALTER TABLE sessions ADD COLUMN earlier_seen_ms INTEGER;
  CREATE TABLE ended_sessions (
    user_id TEXT PRIMARY KEY,
    last_seen_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** A notification in the report of a shift. */
export interface NotificationFact extends Pick<
  NotificationRow,
  | 'notification_id'
  | 'rule_id'
  | 'rule_name'
  | 'event_kind'
  | 'vehicle_id'
  | 'severity'
  | 'state'
  | 'count'
  | 'late'
  | 'first_ms'
  | 'last_ms'
> {
  ack_by: string | null;
  ack_ms: number | null;
}

export interface TaskFact {
  task_id: string;
  vehicle_id: string;
  channel: number;
  from_ms: number;
  to_ms: number;
  status: TaskStatus;
  created_by: string;
  rule_id: string | null;
  created_ms: number;
}

/** An incident in the report of a shift. */
export type IncidentFact = Pick<
  IncidentRow,
  | 'incident_id'
  | 'number'
  | 'title'
  | 'severity'
  | 'status'
  | 'close_reason'
  | 'owner_id'
  | 'owner_name'
  | 'vehicle_id'
  | 'created_by'
  | 'created_ms'
  | 'closed_ms'
>;

/** How often somebody did something. */
export interface ChangeFact {
  actor: string;
  actor_name: string;
  kind: AuditKind;
  action: AuditAction;
  count: number;
}

export interface StoredFacts {
  /** That came in or were acknowledged since, and all that are open; each once, the newest first. */
  notifications: NotificationFact[];
  /** Ordered since, the newest first. */
  tasks: TaskFact[];
  changes: ChangeFact[];
  /** That were opened or closed since, and all that are not closed; the newest first. */
  incidents: IncidentFact[];
  /** Some rows were beyond the bounds. */
  is_cut: boolean;
}

/** Read in some ten milliseconds; other reads wait meanwhile. */
const mostScanned = 20_000;
/** Of each kind. The facts of one shift are packed and kept. */
const mostFacts = { notifications: 5_000, tasks: 1_000, changes: 300, incidents: 1_000 } as const;
/** One that was opened longer ago and is closed in a shift is not looked for. */
const incidentLeadMs = 31 * 86_400_000;

interface StoredNotification extends Omit<NotificationFact, 'late' | 'vehicle_id'> {
  late: number;
  vehicle_id: string;
}

const factColumns = `notification_id, rule_id, rule_name, event_kind, vehicle_id, severity, state, count, late,
  first_ms, last_ms, ack ->> 'user_id' AS ack_by, ack ->> 'at_ms' AS ack_ms`;

/**
 * What is stored of what happened since `from_ms`.
 *
 * @param query.vehicle_ids left out: of all vehicles, and of the host itself
 */
export function shiftFacts(
  db: Database,
  query: { from_ms: number; vehicle_ids?: readonly string[] | undefined },
): StoredFacts {
  const { from_ms, vehicle_ids } = query;
  let is_cut = false;
  const vehicles = vehicle_ids === undefined ? {} : { vehicles: JSON.stringify(vehicle_ids) };
  const ofVehicles =
    vehicle_ids === undefined ? '' : 'WHERE vehicle_id IN (SELECT value FROM json_each(:vehicles))';

  /** The newest rows of an index, of which those of the vehicles are taken. */
  function newest<Row extends object>(sql: {
    columns: string;
    from: string;
    bind: Record<string, number>;
    order: string;
    most: number;
  }): Row[] {
    const scan = `SELECT * FROM ${sql.from} ORDER BY ${sql.order} DESC LIMIT ${mostScanned}`;
    const rows = db.all<Row>(
      `SELECT ${sql.columns} FROM (${scan}) ${ofVehicles} ORDER BY ${sql.order} DESC LIMIT ${sql.most + 1}`,
      { ...sql.bind, ...vehicles },
    );
    const beyond = `SELECT 1 AS one FROM ${sql.from} LIMIT 1 OFFSET ${mostScanned}`;
    if (rows.length > sql.most || db.get(beyond, sql.bind) !== undefined) is_cut = true;
    return rows.slice(0, sql.most).map((row) => ({ ...row }));
  }

  const open = newest<StoredNotification>({
    columns: factColumns,
    from: "notifications INDEXED BY notifications_by_state WHERE state = 'open'",
    bind: {},
    order: 'last_ms',
    most: mostFacts.notifications,
  });
  const changed = newest<StoredNotification>({
    columns: factColumns,
    from: 'notifications INDEXED BY notifications_by_update WHERE updated_ms >= :from_ms',
    bind: { from_ms },
    order: 'updated_ms',
    most: mostFacts.notifications,
  }).filter((row) => row.first_ms >= from_ms || (row.ack_ms ?? 0) >= from_ms);
  const notifications = [...new Map([...open, ...changed].map((row) => [row.notification_id, row])).values()];

  const tasks = newest<TaskFact>({
    columns: 'task_id, vehicle_id, channel, from_ms, to_ms, status, created_by, rule_id, created_ms',
    from: 'video_tasks INDEXED BY tasks_by_creation WHERE created_ms >= :from_ms',
    bind: { from_ms },
    order: 'created_ms',
    most: mostFacts.tasks,
  });

  const incidents = db
    .all<Omit<IncidentFact, 'vehicle_id'> & { vehicle_id: string }>(
      `SELECT incident_id, number, title, severity, status, close_reason, owner_id, owner_name, vehicle_id,
          created_by, created_ms, closed_ms
        FROM incidents
        WHERE incident_id IN (
          SELECT incident_id FROM incidents INDEXED BY incidents_not_closed WHERE status <> 'closed'
          UNION SELECT incident_id FROM (
            SELECT incident_id FROM incidents INDEXED BY incidents_by_creation
              WHERE created_ms >= :lead_ms ORDER BY created_ms DESC LIMIT ${mostScanned}
          )
        )
        AND (status <> 'closed' OR created_ms >= :from_ms OR closed_ms >= :from_ms)
        ${vehicle_ids === undefined ? '' : "AND (vehicle_id = '' OR vehicle_id IN (SELECT value FROM json_each(:vehicles)))"}
        ORDER BY created_ms DESC LIMIT ${mostFacts.incidents + 1}`,
      { from_ms, lead_ms: from_ms - incidentLeadMs, ...vehicles },
    )
    .map((row) => ({ ...row, vehicle_id: toVehicleId(row.vehicle_id) }));
  if (incidents.length > mostFacts.incidents) is_cut = true;

  const changes = db.all<ChangeFact & { scanned: number }>(
    `SELECT actor, kind, action, count, scanned,
        (SELECT actor_name FROM change_log WHERE seq = newest) AS actor_name
      FROM (
        SELECT actor, topic AS kind, action, count(*) AS count, max(seq) AS newest,
            sum(count(*)) OVER () AS scanned
          FROM (
            SELECT actor, topic, action, seq FROM change_log INDEXED BY change_log_audit
              WHERE actor IS NOT NULL AND at_ms >= :from_ms ORDER BY at_ms DESC, seq DESC LIMIT ${mostScanned}
          ) GROUP BY actor, topic, action ORDER BY count DESC, actor LIMIT ${mostFacts.changes + 1}
      )`,
    { from_ms },
  );
  if (changes.length > mostFacts.changes || (changes[0]?.scanned ?? 0) >= mostScanned) is_cut = true;

  return {
    notifications: notifications.map((row) => ({
      ...row,
      vehicle_id: toVehicleId(row.vehicle_id),
      late: toFlag(row.late),
    })),
    tasks,
    changes: changes.slice(0, mostFacts.changes).map(({ scanned: _, ...row }) => ({ ...row })),
    incidents: incidents.slice(0, mostFacts.incidents),
    is_cut,
  };
}

/** As many as there are shifts. */
export function saveShiftRecord(
  { db }: Tx,
  { shift_id, facts }: { shift_id: string; facts: Uint8Array },
): void {
  db.run(
    `INSERT INTO shift_records (shift_id, facts) VALUES (?, ?)
      ON CONFLICT (shift_id) DO UPDATE SET facts = excluded.facts`,
    [shift_id, facts],
  );
  db.run('DELETE FROM shift_records WHERE shift_id NOT IN (SELECT shift_id FROM shifts)');
}

export function shiftRecord(db: Database, shiftId: string): Uint8Array | null {
  return (
    db.get<{ facts: Uint8Array }>('SELECT facts FROM shift_records WHERE shift_id = ?', [shiftId])?.facts ??
    null
  );
}
