import type { Tx } from '../operation.ts';
import { fromVehicleId, toVehicleId } from './columns.ts';
import { recordChanges } from './changesTable.ts';
import { upsert, type Database } from './database.ts';
import type { ChangeRow, DeliveryRow, EscalationRow, EscalationStepRow } from './rows.ts';
import { saveDeliveries } from './rulesTables.ts';

/** A migration. The triggers hold for whatever acknowledges or deletes notifications. */
export const escalationTables = `
  CREATE TABLE escalations (
    notification_id TEXT PRIMARY KEY,
    rule_id TEXT NOT NULL,
    owner_id TEXT,
    vehicle_id TEXT NOT NULL,
    event_kind TEXT NOT NULL,
    steps TEXT NOT NULL,
    base_ms INTEGER NOT NULL,
    next_step INTEGER NOT NULL,
    status TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX escalations_open ON escalations (base_ms) WHERE status IN ('running', 'paused', 'done');

  CREATE TABLE escalation_steps (
    notification_id TEXT NOT NULL,
    step INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    PRIMARY KEY (notification_id, step)
  ) STRICT, WITHOUT ROWID;

  CREATE TRIGGER escalation_ends AFTER UPDATE OF state ON notifications WHEN NEW.state = 'acknowledged'
  BEGIN
    UPDATE escalations SET status = 'ended'
      WHERE notification_id = NEW.notification_id AND status IN ('running', 'paused', 'done');
  END;
  CREATE TRIGGER escalation_goes AFTER DELETE ON notifications
  BEGIN
    DELETE FROM escalations WHERE notification_id = OLD.notification_id;
    DELETE FROM escalation_steps WHERE notification_id = OLD.notification_id;
  END;

  ALTER TABLE deliveries ADD COLUMN step INTEGER;
  ALTER TABLE deliveries ADD COLUMN user_id TEXT;
`;

type Stored = EscalationRow & { vehicle_id: string };

const fromStored = (row: Stored): EscalationRow => ({ ...row, vehicle_id: toVehicleId(row.vehicle_id) });

const write = upsert(
  'escalations',
  ['notification_id'],
  ['rule_id', 'owner_id', 'vehicle_id', 'event_kind', 'steps', 'base_ms', 'next_step', 'status'],
);

export function writeEscalations(db: Database, rows: readonly EscalationRow[]): void {
  for (const row of rows) write(db, { ...row, vehicle_id: fromVehicleId(row.vehicle_id) });
}

/** A change of a running escalation, and what it sends. */
export interface EscalationMove {
  notification_id: string;
  /** As it has to be stored for the move to hold. */
  from_step: number;
  to: Pick<EscalationRow, 'base_ms' | 'next_step' | 'status'>;
  done: EscalationStepRow | null;
  deliveries: DeliveryRow[];
}

/**
 * Carries out those moves whose notification is open and whose escalation is where they begin; all else about the
 * others stays as it is. Returns the notifications that were moved, with their changes in the log.
 */
export function moveEscalations(
  tx: Tx,
  moves: readonly EscalationMove[],
): { moved: string[]; changes: ChangeRow[] } {
  const { db } = tx;
  const moved = moves.flatMap(({ notification_id, from_step, to, done, deliveries }) => {
    const found = db.run(
      `UPDATE escalations SET base_ms = :base_ms, next_step = :next_step, status = :status
        WHERE notification_id = :notification_id AND next_step = :from_step AND status IN ('running', 'paused')
          AND EXISTS (SELECT 1 FROM notifications AS n
            WHERE n.notification_id = escalations.notification_id AND n.state = 'open')`,
      { ...to, base_ms: Math.round(to.base_ms), notification_id, from_step },
    );
    if (found === 0) return [];
    if (done !== null)
      db.run(
        'INSERT INTO escalation_steps (notification_id, step, at_ms, outcome) VALUES (:notification_id, :step, :at_ms, :outcome)',
        { ...done, at_ms: Math.round(done.at_ms) },
      );
    saveDeliveries(tx, deliveries);
    return [notification_id];
  });
  const changes = recordChanges(
    tx,
    moved.map((resource_id) => ({ topic: 'notification', resource_id, visible_to: null })),
  );
  return { moved, changes };
}

/** Those of open notifications, oldest first, each with its newest step; null: none was carried out. */
export function openEscalations(db: Database): { row: EscalationRow; last: EscalationStepRow | null }[] {
  const rows = db.all<Stored>(
    `SELECT e.* FROM escalations AS e INDEXED BY escalations_open
      JOIN notifications AS n USING (notification_id)
      WHERE e.status IN ('running', 'paused', 'done') AND n.state = 'open' ORDER BY e.base_ms`,
  );
  return rows.map((row) => ({
    row: fromStored(row),
    last:
      db.get<EscalationStepRow>(
        'SELECT * FROM escalation_steps WHERE notification_id = ? ORDER BY step DESC LIMIT 1',
        [row.notification_id],
      ) ?? null,
  }));
}

/** Of one notification, with its steps in their order; null where it has none. */
export function escalationOf(
  db: Database,
  notification_id: string,
): { row: EscalationRow; steps: EscalationStepRow[] } | null {
  const row = db.get<Stored>('SELECT * FROM escalations WHERE notification_id = ?', [notification_id]);
  if (row === undefined) return null;
  const steps = db.all<EscalationStepRow>(
    'SELECT * FROM escalation_steps WHERE notification_id = ? ORDER BY step',
    [notification_id],
  );
  return { row: fromStored({ ...row }), steps: steps.map((it) => ({ ...it })) };
}
