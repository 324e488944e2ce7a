import { causeOf } from '../../contract/causeTexts.ts';
import type { Tx } from '../operation.ts';
import { everybody, recordChanges } from './changesTable.ts';
import { toVehicleId } from './columns.ts';
import type { Database } from './database.ts';
import { Refused } from './entityTables.ts';
import type { IncidentRow } from './incidentRows.ts';
import { incidentsById, writeIncident } from './incidentsTable.ts';
import type { VehiclePeriod, Written } from './rows.ts';

/** Rows that one slice deletes, and incidents that one slice writes or logs; some 10 ms of work. */
const SLICE = 5_000;
const WRITTEN = 200;

const attachedTables = ['incident_alarms', 'incident_clips', 'incident_snapshots', 'incident_entries'];

function remove(db: Database, incidentIds: readonly string[]): void {
  for (const table of [...attachedTables, 'incidents'])
    db.run(`DELETE FROM ${table} WHERE incident_id IN (SELECT value FROM json_each(?))`, [
      JSON.stringify(incidentIds),
    ]);
}

/**
 * Deletes those that were closed before a moment, oldest first, as many as have a slice of lines; one at least. Their
 * changes are for those who see the vehicle; of those of no vehicle the number is all that is published.
 */
export function pruneIncidents(tx: Tx, before_ms: number): Written & { deleted: number; more: boolean } {
  const { db } = tx;
  const closed = db.all<{ incident_id: string; vehicle_id: string; entries: number; groups: string }>(
    `SELECT incident_id, vehicle_id, entries,
        (SELECT json_group_array(group_id) FROM memberships
          WHERE member_kind = 'vehicle' AND member_id = vehicle_id AND to_ms IS NULL) AS groups
      FROM incidents INDEXED BY incidents_closed WHERE closed_ms < ? ORDER BY closed_ms LIMIT ${WRITTEN}`,
    [before_ms],
  );
  let lines = 0;
  const slice = closed.filter(({ entries }, at) => {
    lines += entries;
    return at === 0 || lines <= SLICE;
  });
  remove(
    db,
    slice.map((it) => it.incident_id),
  );
  const changes = recordChanges(
    tx,
    slice.map(({ incident_id, vehicle_id, groups }) => ({
      topic: 'incident',
      resource_id: incident_id,
      visible_to: toVehicleId(vehicle_id) === null ? [everybody] : (JSON.parse(groups) as string[]),
    })),
  );
  return {
    deleted: slice.length,
    changes,
    more: slice.length < closed.length || closed.length === WRITTEN,
  };
}

/**
 * Takes a vehicle's incidents away, and its alarms and clips, and the snapshots that show it, out of those of others.
 * Returns those others; that its own are gone is for those who could see the vehicle until now.
 */
export function forgetIncidentsOf(tx: Tx, vehicle_id: string): Written & { incidents: IncidentRow[] } {
  const { db, at_ms } = tx;
  const own = db
    .all<{ incident_id: string }>('SELECT incident_id FROM incidents WHERE vehicle_id = ?', [vehicle_id])
    .map((it) => it.incident_id);
  remove(db, own);
  const others = db
    .all<{ incident_id: string }>('SELECT DISTINCT incident_id FROM incident_entries WHERE vehicle_id = ?', [
      vehicle_id,
    ])
    .map((it) => it.incident_id)
    .concat(removeSnapshots(db, `snapshot_id IN (${showing})`, { vehicle_id }));
  for (const table of attachedTables) db.run(`DELETE FROM ${table} WHERE vehicle_id = ?`, [vehicle_id]);
  const incidents = incidentsById(db, others).map((row) => ({ ...row, revision: row.revision + 1 }));
  for (const row of incidents) writeIncident(db, row);
  const visible_to = groupsOf(db, vehicle_id, at_ms);
  const changes = recordChanges(tx, [
    ...own.map((resource_id) => ({ topic: 'incident' as const, resource_id, visible_to })),
    ...incidents.map(({ incident_id: resource_id }) => ({
      ...{ topic: 'incident' as const, resource_id, visible_to: null },
    })),
  ]);
  return { incidents, changes };
}

/** Those in which a vehicle is, or was until this moment. */
function groupsOf(db: Database, vehicle_id: string, at_ms: number): string[] {
  return db
    .all<{ group_id: string }>(
      `SELECT DISTINCT group_id FROM memberships
        WHERE member_kind = 'vehicle' AND member_id = ? AND (to_ms IS NULL OR to_ms >= ?)`,
      [vehicle_id, at_ms],
    )
    .map((it) => it.group_id);
}

/** How many incidents of these vehicles are not closed, of those that have such. */
export function openIncidentCounts(db: Database, vehicleIds: readonly string[]): [string, number][] {
  return [...new Set(vehicleIds)].flatMap((vehicle_id): [string, number][] => {
    const open = openCount(db, vehicle_id);
    return open === 0 ? [] : [[vehicle_id, open]];
  });
}

const openCount = (db: Database, vehicle_id: string): number =>
  db.all(
    `SELECT 1 FROM incidents INDEXED BY incidents_by_vehicle WHERE vehicle_id = ? AND status <> 'closed'`,
    [vehicle_id],
  ).length;

/** Of what is closed so many are reported, the newest, to those who see or lose it from now on: no console holds more. */
const MOST_REPORTED = 200;

/**
 * In the transaction that archives a vehicle, whose incidents only those see from then on who see what is archived. One
 * that is not closed would be lost to those who handle it, so it keeps the vehicle in service; not where the vehicle is
 * deleted with all its data. Returns the incidents of other vehicles that are not closed and show something of it.
 *
 * @throws {Refused}
 */
export function archiveIncidentsOf(
  tx: Tx,
  { vehicle_id, isDeleted }: { vehicle_id: string; isDeleted: boolean },
): Written & { incidents: IncidentRow[] } {
  const { db, at_ms } = tx;
  const open = openCount(db, vehicle_id);
  if (open > 0 && !isDeleted) throw new Refused('in_use', null, causeOf('vehicle.open_incidents', { open }));
  const own = db.all<{ incident_id: string }>(
    `SELECT incident_id FROM incidents INDEXED BY incidents_by_vehicle WHERE vehicle_id = ?
      ORDER BY created_ms DESC LIMIT ?`,
    [vehicle_id, MOST_REPORTED],
  );
  const others = db.all<{ incident_id: string }>(
    `SELECT DISTINCT incident_id FROM incident_entries AS entry JOIN incidents USING (incident_id)
      WHERE entry.vehicle_id = :vehicle_id AND incidents.vehicle_id <> :vehicle_id AND status <> 'closed'`,
    { vehicle_id },
  );
  const incidents = incidentsById(
    db,
    others.map((it) => it.incident_id),
  );
  const visible_to = groupsOf(db, vehicle_id, at_ms);
  const of = (rows: readonly { incident_id: string }[], seenBy: string[] | null) =>
    rows.map(({ incident_id: resource_id }) => ({
      ...{ topic: 'incident' as const, resource_id, visible_to: seenBy },
    }));
  return { incidents, changes: recordChanges(tx, [...of(own, visible_to), ...of(incidents, null)]) };
}

/**
 * In the transaction in which vehicles change their groups or are restored: returns the incidents of these that are not
 * closed, and the newest closed ones.
 *
 * @param moved each with the groups before
 */
export function regroupIncidents(
  tx: Tx,
  moved: readonly { vehicle_id: string; visible_to: string[] }[],
): Written & { incidents: IncidentRow[] } {
  const { db } = tx;
  const groupsBefore = new Map(moved.map((it) => [it.vehicle_id, it.visible_to]));
  const open = db.all<{ incident_id: string }>(
    `SELECT incident_id FROM incidents INDEXED BY incidents_not_closed
      WHERE status <> 'closed' AND vehicle_id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify([...groupsBefore.keys()])],
  );
  const incidents = incidentsById(
    db,
    [...open, ...newestClosed(db, groupsBefore.keys())].map((it) => it.incident_id),
  );
  const changes = incidents.map(({ incident_id: resource_id, vehicle_id }) => ({
    ...{ topic: 'incident' as const, resource_id, visible_to: groupsBefore.get(vehicle_id ?? '') ?? null },
  }));
  return { incidents, changes: recordChanges(tx, changes) };
}

/** Of all these vehicles together; each costs a look into the index, and what is newer than the oldest found so far. */
function newestClosed(db: Database, vehicleIds: Iterable<string>): { incident_id: string }[] {
  let newest: { incident_id: string; created_ms: number }[] = [];
  for (const vehicle_id of vehicleIds) {
    const oldest_ms = newest.length < MOST_REPORTED ? null : (newest.at(-1)?.created_ms ?? null);
    const closed = db.all<{ incident_id: string; created_ms: number }>(
      `SELECT incident_id, created_ms FROM incidents INDEXED BY incidents_by_vehicle
        WHERE vehicle_id = :vehicle_id AND created_ms > coalesce(:oldest_ms, -9e15) AND status = 'closed'
        ORDER BY created_ms DESC LIMIT :most`,
      { vehicle_id, oldest_ms, most: MOST_REPORTED },
    );
    if (closed.length === 0) continue;
    newest = [...newest, ...closed].sort((a, b) => b.created_ms - a.created_ms).slice(0, MOST_REPORTED);
  }
  return newest;
}

/** The snapshots on which a vehicle can be seen: of it, or of others. */
const showing = `SELECT snapshot_id FROM incident_snapshots WHERE vehicle_id = :vehicle_id
  UNION SELECT snapshot_id FROM incident_snapshot_vehicles WHERE vehicle_id = :vehicle_id`;

const inPeriod = `snapshot_id IN (${showing}) AND time_ms >= :from_ms AND time_ms < :to_ms`;

/** Of a period, those on which a vehicle can be seen. */
export function countSnapshots(db: Database, period: VehiclePeriod): number {
  const sql = `SELECT count(*) AS count FROM incident_snapshots WHERE ${inPeriod}`;
  return db.get<{ count: number }>(sql, { ...period })?.count ?? 0;
}

/** Deletes snapshots, with what the timeline says of them. Returns the ids of their incidents, one for each. */
function removeSnapshots(db: Database, where: string, params: Record<string, string | number>): string[] {
  const gone = db.all<{ incident_id: string; snapshot_id: string }>(
    `DELETE FROM incident_snapshots WHERE ${where} RETURNING incident_id, snapshot_id`,
    params,
  );
  const incidentIds = gone.map((it) => it.incident_id);
  db.run(
    `DELETE FROM incident_entries WHERE incident_id IN (SELECT value FROM json_each(?))
      AND snapshot_id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(incidentIds), JSON.stringify(gone.map((it) => it.snapshot_id))],
  );
  return incidentIds;
}

/**
 * Takes what was recorded of a vehicle in a period out of incidents: the alarms that are deleted with it and one slice of
 * the snapshots that show it, with what the timeline says of them; of one slice of those whose moment lies in it the place
 * and the driver. What people wrote stays.
 */
export function eraseFromIncidents(
  tx: Tx,
  { vehicle_id, from_ms, to_ms }: VehiclePeriod,
  notificationIds: readonly string[],
): Written & { incidents: IncidentRow[]; snapshots: number; more: boolean } {
  const { db } = tx;
  const ids = JSON.stringify(notificationIds);
  const attached = db.all<{ incident_id: string }>(
    'DELETE FROM incident_alarms WHERE notification_id IN (SELECT value FROM json_each(?)) RETURNING incident_id',
    [ids],
  );
  db.run(
    `DELETE FROM incident_entries
      WHERE vehicle_id = ? AND notification_id IN (SELECT value FROM json_each(?))`,
    [vehicle_id, ids],
  );
  const pictured = removeSnapshots(
    db,
    `snapshot_id IN (SELECT snapshot_id FROM incident_snapshots WHERE ${inPeriod} LIMIT ${WRITTEN})`,
    { vehicle_id, from_ms, to_ms },
  );
  const placed = db.all<{ incident_id: string }>(
    `SELECT incident_id FROM incidents WHERE vehicle_id = ? AND time_ms >= ? AND time_ms < ?
        AND (described = 0 OR coalesce(lat, geozone_id, driver, place) IS NOT NULL) LIMIT ${WRITTEN}`,
    [vehicle_id, from_ms, to_ms],
  );
  const isPlaced = new Set(placed.map((it) => it.incident_id));
  const touched = new Set([...attached, ...placed].map((it) => it.incident_id).concat(pictured));
  const incidents = incidentsById(db, [...touched]).map((row): IncidentRow => ({
    ...row,
    ...(isPlaced.has(row.incident_id) && {
      ...{ lat: null, lon: null, place: null, geozone_id: null },
      ...{ driver: null, described: true },
    }),
    revision: row.revision + 1,
  }));
  for (const row of incidents) writeIncident(db, row);
  const changes = recordChanges(
    tx,
    incidents.map((it) => ({ topic: 'incident', resource_id: it.incident_id, visible_to: null })),
  );
  const snapshots = pictured.length;
  return { incidents, changes, snapshots, more: placed.length === WRITTEN || snapshots === WRITTEN };
}

/** Of a driver who is deleted stays what the terminal read: the number of a card. */
export function forgetDriver({ db }: Pick<Tx, 'db'>, driver_id: string): void {
  db.run(
    `UPDATE incidents SET revision = revision + 1,
        driver = CASE WHEN driver ->> 'card' IS NOT NULL
          THEN json_object('driver_id', NULL, 'name', NULL, 'phone', NULL, 'card', driver ->> 'card') END,
        -- The title is the first line.
        folded = substr(folded, 1, instr(folded, char(10))) || char(10)
      WHERE driver IS NOT NULL AND driver ->> 'driver_id' = ?`,
    [driver_id],
  );
}
