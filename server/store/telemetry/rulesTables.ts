import type { Tx } from '../operation.ts';
import { fromVehicleId, toVehicleId } from './columns.ts';
import { upsert } from './database.ts';
import type { Database } from './database.ts';
import type { DeliveryRow, RuleVersionRow, SnoozeRow } from './rows.ts';

/** A version that is stored already stays as it is. */
export function writeRuleVersions(db: Database, rows: readonly RuleVersionRow[]): void {
  for (const row of rows) {
    db.run(
      'INSERT OR IGNORE INTO rule_versions (rule_id, version, rule) VALUES (:rule_id, :version, :rule)',
      {
        ...row,
      },
    );
  }
}

export function ruleVersion(
  db: Database,
  key: Pick<RuleVersionRow, 'rule_id' | 'version'>,
): RuleVersionRow | null {
  const row = db.get<RuleVersionRow>(
    'SELECT * FROM rule_versions WHERE rule_id = :rule_id AND version = :version',
    { ...key },
  );
  return row === undefined ? null : { ...row };
}

const writeSnooze = upsert(
  'snoozes',
  ['snooze_id'],
  ['vehicle_id', 'rule_id', 'until_ms', 'note', 'created_by', 'created_ms'],
);

export function writeSnoozes(db: Database, rows: readonly SnoozeRow[]): void {
  for (const row of rows) writeSnooze(db, row);
}

export function removeSnoozes(db: Database, ids: readonly string[]): void {
  db.run('DELETE FROM snoozes WHERE snooze_id IN (SELECT value FROM json_each(?))', [JSON.stringify(ids)]);
}

export function snoozes(db: Database): SnoozeRow[] {
  return db.all<SnoozeRow>('SELECT * FROM snoozes ORDER BY created_ms, snooze_id').map((row) => ({ ...row }));
}

const writeDelivery = upsert(
  'deliveries',
  ['delivery_id'],
  [
    'notification_id',
    'rule_id',
    'vehicle_id',
    'channel',
    'target',
    'status',
    'attempts',
    'next_attempt_ms',
    'last_error',
    'created_ms',
    'sent_ms',
    'step',
    'user_id',
  ],
);

export function saveDeliveries({ db }: Tx, rows: readonly DeliveryRow[]): void {
  for (const row of rows) writeDelivery(db, { ...row, vehicle_id: fromVehicleId(row.vehicle_id) });
}

export function waitingDeliveries(db: Database): DeliveryRow[] {
  return db
    .all<StoredDelivery>("SELECT * FROM deliveries WHERE status = 'waiting' ORDER BY created_ms, delivery_id")
    .map(fromStored);
}

export function deliveriesOf(db: Database, notification_id: string): DeliveryRow[] {
  return db
    .all<StoredDelivery>(
      'SELECT * FROM deliveries WHERE notification_id = ? ORDER BY created_ms, delivery_id',
      [notification_id],
    )
    .map(fromStored);
}

type StoredDelivery = DeliveryRow & { vehicle_id: string };

function fromStored(row: StoredDelivery): DeliveryRow {
  return { ...row, vehicle_id: toVehicleId(row.vehicle_id) };
}
