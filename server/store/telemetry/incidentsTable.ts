import { fromJson, fromVehicleId, toFlag, toJson, toVehicleId } from './columns.ts';
import { upsert, type Database } from './database.ts';
import { newestFirst, type Listing, type ListQuery, type Slice } from './newestFirst.ts';
import type { IncidentEntryRow, IncidentRow, IncidentSearch, SnapshotRow } from './incidentRows.ts';
import type { PageQuery } from './rows.ts';
import { foldText } from '../../contract/searchText.ts';
import type { IncidentStatus } from '../../contract/incidents.ts';

interface Stored extends Omit<
  IncidentRow,
  'vehicle_id' | 'described' | 'driver' | 'checklist' | 'alarms' | 'clips' | 'snapshots' | 'last_entry'
> {
  vehicle_id: string;
  folded: string;
  described: number;
  driver: string | null;
  checklist: string;
}

export const incidentListing: Listing = {
  table: 'incidents',
  id: 'incident_id',
  sort: 'created_ms',
  byTime: 'incidents_by_creation',
  byVehicle: 'incidents_by_vehicle',
};

const write = upsert(
  'incidents',
  ['incident_id'],
  [
    'number',
    'title',
    'folded',
    'status',
    'close_reason',
    'severity',
    'opened_by',
    'repeat_key',
    'event_kind',
    'rule_id',
    'rule_owner',
    'owner_id',
    'owner_name',
    'vehicle_id',
    'geozone_id',
    'lat',
    'lon',
    'time_ms',
    'from_ms',
    'to_ms',
    'described',
    'driver',
    'place',
    'checklist',
    'notes',
    'note_chars',
    'entries',
    'created_by',
    'created_ms',
    'updated_ms',
    'closed_ms',
    'version',
    'revision',
  ],
);

/** The incident alone; its entries, alarms, clips and snapshots are written where they are added. */
export function writeIncident(db: Database, row: IncidentRow): void {
  write(db, {
    ...row,
    folded: [row.title, row.driver?.name, row.driver?.phone].map((it) => foldText(it ?? '')).join('\n'),
    vehicle_id: fromVehicleId(row.vehicle_id),
    described: Number(row.described),
    driver: fromJson(row.driver),
    checklist: JSON.stringify(row.checklist),
  });
}

export interface IncidentQuery extends PageQuery {
  /** `''` among them: those without a vehicle. Left out: all. */
  vehicle_ids?: string[];
  /** Of those without a vehicle only what this user opened or owns; left out: all. */
  own_of?: string;
  statuses?: IncidentStatus[];
  /** Null: nobody's. */
  owner_id?: string | null;
  /** When they were opened. */
  from_ms?: number;
  to_ms?: number;
  search?: IncidentSearch;
}

export function incidentList(query: IncidentQuery): ListQuery {
  const where: ListQuery['where'] = [];
  const { statuses, owner_id, own_of, search } = query;
  const isOpen = statuses !== undefined && !statuses.includes('closed');
  if (statuses !== undefined) {
    where.push({
      // The first condition makes the partial index usable.
      sql: `${isOpen ? "status <> 'closed' AND " : ''}status IN (SELECT value FROM json_each(:statuses))`,
      params: { statuses: JSON.stringify(statuses) },
    });
    // What ends a slice is looked for by the same index.
    if (isOpen) where.push({ sql: "status <> 'closed'", params: {}, byIndex: 'index' });
  }
  if (owner_id === null) where.push({ sql: 'owner_id IS NULL', params: {} });
  else if (owner_id !== undefined) where.push({ sql: 'owner_id = :owner_id', params: { owner_id } });
  if (own_of !== undefined) {
    where.push({
      sql: "(vehicle_id <> '' OR created_by = :own_of OR owner_id = :own_of)",
      params: { own_of },
    });
  }
  if (query.from_ms !== undefined)
    where.push({ sql: 'created_ms >= :from_ms', params: { from_ms: query.from_ms }, byIndex: 'any' });
  if (search !== undefined) where.push(searched(search));
  return {
    limit: query.limit,
    ...(query.before && { before: query.before }),
    ...(query.to_ms === undefined ? {} : { to_ms: query.to_ms }),
    vehicle_ids: query.vehicle_ids,
    where,
    index: isOpen ? 'incidents_not_closed' : undefined,
  };
}

function searched({ number, words, in_driver, vehicle_ids }: IncidentSearch): ListQuery['where'][number] {
  const params: Record<string, string | number> = {
    searched_number: number ?? -1,
    searched_vehicles: JSON.stringify(vehicle_ids),
  };
  // The title is the first line.
  const text = in_driver ? 'folded' : 'substr(folded, 1, instr(folded, char(10)))';
  const inWords = words.map((word, at) => {
    params[`word_${at}`] = word;
    return `instr(${text}, :word_${at}) > 0`;
  });
  const sql = [
    'number = :searched_number',
    'vehicle_id IN (SELECT value FROM json_each(:searched_vehicles))',
    ...(inWords.length === 0 ? [] : [`(${inWords.join(' AND ')})`]),
  ].join(' OR ');
  return { sql: `(${sql})`, params };
}

export function incidents(db: Database, query: IncidentQuery): Slice<IncidentRow> {
  const { rows, next } = newestFirst<Stored>(db, incidentListing, incidentList(query));
  return { next, rows: withParts(db, rows) };
}

export function incidentsById(db: Database, ids: readonly string[]): IncidentRow[] {
  return withParts(
    db,
    db.all<Stored>('SELECT * FROM incidents WHERE incident_id IN (SELECT value FROM json_each(?))', [
      JSON.stringify(ids),
    ]),
  );
}

/** Those that are not closed: of each the clips that are kept for it. */
export function openIncidentClips(db: Database): { incident_id: string; task_ids: string[] }[] {
  const rows = db.all<{ incident_id: string; task_ids: string }>(
    `SELECT incident_id,
        (SELECT json_group_array(task_id) FROM incident_clips WHERE incident_id = open.incident_id) AS task_ids
      FROM incidents AS open INDEXED BY incidents_not_closed WHERE status <> 'closed'`,
  );
  return rows.map((row) => ({ ...row, task_ids: toJson<string[]>(row.task_ids) }));
}

/** Of all incidents: the names of the files that are kept. */
export function snapshotIds(db: Database): string[] {
  return db
    .all<{ snapshot_id: string }>('SELECT snapshot_id FROM incident_snapshots')
    .map((it) => it.snapshot_id);
}

/** What people call them, of those that are there. */
export function incidentNames(db: Database, ids: readonly string[]): { incident_id: string; name: string }[] {
  return db.all(
    `SELECT incident_id, '#' || number || ' ' || title AS name FROM incidents
      WHERE incident_id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(ids)],
  );
}

/** A driver who was looked up before, unless the record was deleted meanwhile. */
export function driverStillKnown(db: Database, driver: IncidentRow['driver']): IncidentRow['driver'] {
  const id = driver?.driver_id ?? null;
  if (driver === null || id === null) return driver;
  if (db.get('SELECT 1 FROM drivers WHERE driver_id = ?', [id]) !== undefined) return driver;
  return driver.card === null ? null : { driver_id: null, name: null, phone: null, card: driver.card };
}

/** Oldest first. */
export function incidentsNotDescribed(db: Database, limit: number): IncidentRow[] {
  return withParts(
    db,
    db.all<Stored>(
      'SELECT * FROM incidents INDEXED BY incidents_not_described WHERE described = 0 ORDER BY created_ms LIMIT ?',
      [limit],
    ),
  );
}

/** Newest first; `before`: those that were added before this one. */
export function incidentEntries(
  db: Database,
  { incident_id, limit, before }: { incident_id: string; limit: number; before: number | null },
): IncidentEntryRow[] {
  return db
    .all<IncidentEntryRow>(
      `SELECT * FROM incident_entries WHERE incident_id = ? AND entry_id < ? ORDER BY entry_id DESC LIMIT ?`,
      [incident_id, before ?? Number.MAX_SAFE_INTEGER, limit],
    )
    .map(entryOf);
}

export function entryOf(row: IncidentEntryRow): IncidentEntryRow {
  return { ...row, vehicle_id: row.vehicle_id === null ? null : toVehicleId(row.vehicle_id) };
}

function withParts(db: Database, rows: readonly Stored[]): IncidentRow[] {
  return rows.map(({ folded: _, ...row }) => {
    const { incident_id } = row;
    const alarms = db.all<{ notification_id: string; vehicle_id: string }>(
      'SELECT notification_id, vehicle_id FROM incident_alarms WHERE incident_id = ? ORDER BY rowid',
      [incident_id],
    );
    const clips = db.all<{ task_id: string; vehicle_id: string }>(
      'SELECT task_id, vehicle_id FROM incident_clips WHERE incident_id = ? ORDER BY rowid',
      [incident_id],
    );
    const snapshots = db.all<SnapshotRow & { incident_id: string; vehicle_id: string }>(
      'SELECT * FROM incident_snapshots WHERE incident_id = ? ORDER BY rowid',
      [incident_id],
    );
    return {
      ...row,
      vehicle_id: toVehicleId(row.vehicle_id),
      described: toFlag(row.described),
      driver: row.driver === null ? null : toJson<NonNullable<IncidentRow['driver']>>(row.driver),
      checklist: toJson<IncidentRow['checklist']>(row.checklist),
      last_entry: incidentEntries(db, { incident_id, limit: 1, before: null })[0] ?? null,
      alarms: alarms.map((it) => ({ ...it, vehicle_id: toVehicleId(it.vehicle_id) })),
      clips: clips.map((it) => ({ ...it, vehicle_id: toVehicleId(it.vehicle_id) })),
      snapshots: snapshots.map(({ incident_id: _id, ...it }) => ({
        ...it,
        vehicle_id: toVehicleId(it.vehicle_id),
      })),
    };
  });
}
