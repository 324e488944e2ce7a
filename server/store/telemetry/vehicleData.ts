import type { Tx } from '../operation.ts';
import { deleteCardReads } from './cardReads.ts';
import { logChanges } from './changesTable.ts';
import type { Database } from './database.ts';
import { dropDays } from './dayRecordsTable.ts';
import { countSnapshots, eraseFromIncidents } from './incidentErasure.ts';
import type { IncidentRow } from './incidentRows.ts';
import type { VehicleDataCounts, VehiclePeriod, Written } from './rows.ts';
import { knownVehicle } from './vehicleIds.ts';

/** Rows of each table that one slice deletes; some 10 ms of work. */
const SLICE = 2_000;

/** What a vehicle's data are, by the time of a fix, of an event, and of the last event of a notification. */
const tables = {
  positions: { table: 'positions', key: 'time_ms', time: 'time_ms', owner: 'vehicle_key' },
  events: { table: 'events', key: 'event_id', time: 'time_ms', owner: 'vehicle_id' },
  notifications: { table: 'notifications', key: 'notification_id', time: 'last_ms', owner: 'vehicle_id' },
} as const;

function ownerIn(db: Database, owner: 'vehicle_key' | 'vehicle_id', vehicle_id: string): string | number {
  return owner === 'vehicle_id' ? vehicle_id : (knownVehicle(db, vehicle_id) ?? -1);
}

/** From `from_ms` until before `to_ms`. */
export function countVehicleData(db: Database, period: VehiclePeriod): VehicleDataCounts {
  const { vehicle_id, from_ms, to_ms } = period;
  const count = (name: keyof typeof tables) => {
    const { table, time, owner } = tables[name];
    const sql = `SELECT count(*) AS count FROM ${table} WHERE ${owner} = ? AND ${time} >= ? AND ${time} < ?`;
    return db.get<{ count: number }>(sql, [ownerIn(db, owner, vehicle_id), from_ms, to_ms])?.count ?? 0;
  };
  return {
    ...{ positions: count('positions'), events: count('events'), notifications: count('notifications') },
    snapshots: countSnapshots(db, period),
  };
}

/** Deletes one slice of the same. Returns the incidents that have lost something of it. */
export function deleteVehicleData(
  tx: Tx,
  period: VehiclePeriod,
): Written & { deleted: VehicleDataCounts; incidents: IncidentRow[]; more: boolean } {
  const { db } = tx;
  const { vehicle_id, from_ms, to_ms } = period;
  const remove = (name: keyof typeof tables) => {
    const { table, key, time, owner } = tables[name];
    const params = { owner: ownerIn(db, owner, vehicle_id), from_ms, to_ms };
    return db.all<{ key: string | number }>(
      `DELETE FROM ${table} WHERE ${owner} = :owner AND ${key} IN (
        SELECT ${key} FROM ${table} WHERE ${owner} = :owner AND ${time} >= :from_ms AND ${time} < :to_ms
          ORDER BY ${time} LIMIT ${SLICE}
      ) RETURNING ${key} AS key`,
      params,
    );
  };
  deleteCardReads(db, { vehicle_key: Number(ownerIn(db, 'vehicle_key', vehicle_id)), from_ms, to_ms });
  const positions = remove('positions').length;
  const vehicle = knownVehicle(db, vehicle_id);
  if (vehicle !== null && positions > 0) dropDays(db, vehicle, from_ms, to_ms);
  const events = remove('events').length;
  const notifications = remove('notifications').map((row) => String(row.key));
  db.run('DELETE FROM deliveries WHERE notification_id IN (SELECT value FROM json_each(?))', [
    JSON.stringify(notifications),
  ]);
  const { changes, incidents, snapshots, more } = eraseFromIncidents(tx, period, notifications);
  return {
    ...{ changes, incidents },
    deleted: { positions, events, notifications: notifications.length, snapshots },
    more: more || positions === SLICE || events === SLICE || notifications.length === SLICE,
  };
}

/** To be called before anything is stored: an import that ends half-way has its entry too. */
export function logTrackImport(
  tx: Tx,
  { vehicle_id, ...what }: { vehicle_id: string; source: string; rows: number },
): void {
  logChanges(tx, [{ topic: 'vehicle_data', resource_id: vehicle_id, visible_to: null, after: what }]);
}

/** To be called before anything is deleted, so that no deletion is without its entry in the audit log. */
export function logVehicleDeletion(
  tx: Tx,
  {
    vehicle_id,
    ...what
  }: { vehicle_id: string; name: string; from: string; to: string; clips: number } & VehicleDataCounts,
): void {
  logChanges(tx, [{ topic: 'vehicle_data', resource_id: vehicle_id, visible_to: null, before: what }]);
}
