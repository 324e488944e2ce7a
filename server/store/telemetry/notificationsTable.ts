import { namedNow } from '../namesOf010.ts';
import { fromFlag, fromJson, fromVehicleId, toFlag, toJson, toVehicleId } from './columns.ts';
import { upsert } from './database.ts';
import type { Database } from './database.ts';
import { newestFirst } from './newestFirst.ts';
import type { Listing, ListQuery, Slice, VehicleSlice } from './newestFirst.ts';
import type { NotificationQuery, NotificationRow, SnoozeRow } from './rows.ts';

interface Stored extends Omit<
  NotificationRow,
  'vehicle_id' | 'late' | 'quiet' | 'details' | 'event_ids' | 'ack'
> {
  vehicle_id: string;
  late: number;
  quiet: number;
  details: string;
  event_ids: string;
  ack: string | null;
}

export const notificationListing: Listing = {
  table: 'notifications',
  id: 'notification_id',
  sort: 'last_ms',
  byTime: 'notifications_by_last',
  byVehicle: 'notifications_by_vehicle',
};

const write = upsert(
  'notifications',
  ['notification_id'],
  [
    'rule_id',
    'rule_name',
    'rule_version',
    'event_kind',
    'vehicle_id',
    'geozone_id',
    'severity',
    'quiet',
    'sound',
    'state',
    'count',
    'late',
    'first_ms',
    'last_ms',
    'ongoing_until_ms',
    'details',
    'lat',
    'lon',
    'event_ids',
    'ack',
    'updated_ms',
  ],
);

export function writeNotifications(db: Database, rows: readonly NotificationRow[]): void {
  for (const row of rows) {
    write(db, {
      ...row,
      vehicle_id: fromVehicleId(row.vehicle_id),
      event_ids: fromJson(row.event_ids),
      details: fromJson(row.details),
      ack: fromJson(row.ack),
      late: fromFlag(row.late),
      quiet: fromFlag(row.quiet),
    });
  }
}

/** Rows of before rules had the field are quiet by their severity alone. */
const isQuiet = "(quiet = 1 OR severity = 'info')";

/** `from_ms` and `to_ms` choose those whose events touch the period. */
export function notificationList(query: NotificationQuery): ListQuery {
  const where: ListQuery['where'] = [];
  const ofRule = query.rule_id !== undefined;
  if (query.rule_id !== undefined)
    where.push({ sql: 'rule_id = :rule', params: { rule: query.rule_id }, byIndex: 'index' });
  // The index of the rule excludes other vehicles, in slices; theirs would look up each of their rows at once.
  if (ofRule && query.vehicle_ids !== undefined)
    where.push({
      sql: 'vehicle_id IN (SELECT value FROM json_each(:of_vehicles))',
      params: { of_vehicles: JSON.stringify(query.vehicle_ids) },
    });
  if (query.state !== undefined)
    where.push({
      sql: 'state = :state',
      params: { state: query.state },
      ...(!ofRule && { byIndex: 'index' as const }),
    });
  if (query.severities !== undefined) {
    where.push({
      sql: 'severity IN (SELECT value FROM json_each(:severities))',
      params: { severities: JSON.stringify(query.severities) },
    });
  }
  if (query.quiet !== undefined) where.push({ sql: query.quiet ? isQuiet : `NOT ${isQuiet}`, params: {} });
  if (query.from_ms !== undefined)
    where.push({ sql: 'last_ms >= :from_ms', params: { from_ms: query.from_ms }, byIndex: 'any' });
  if (query.to_ms !== undefined) where.push({ sql: 'first_ms <= :to_ms', params: { to_ms: query.to_ms } });
  return {
    limit: query.limit,
    ...(query.before && { before: query.before }),
    vehicle_ids: ofRule ? undefined : query.vehicle_ids,
    where,
    index: ofRule
      ? 'notifications_by_rule'
      : query.state === undefined
        ? undefined
        : 'notifications_by_state',
  };
}

export function notifications(db: Database, query: NotificationQuery): Slice<NotificationRow> {
  const { rows, next } = newestFirst<Stored>(db, notificationListing, notificationList(query));
  return { next, rows: rows.map(fromStored) };
}

/** Of a vehicle, those after a place in the order of their last events, oldest first. */
export const notificationsOfVehicleSql = `SELECT * FROM notifications INDEXED BY notifications_by_vehicle
  WHERE vehicle_id = ? AND (last_ms, notification_id) > (?, ?) AND first_ms < ?
  ORDER BY last_ms, notification_id LIMIT ?`;

export function notificationsOfVehicle(db: Database, params: VehicleSlice): NotificationRow[] {
  return db.all<Stored>(notificationsOfVehicleSql, params).map(fromStored);
}

export function notificationsById(db: Database, ids: readonly string[]): NotificationRow[] {
  return db
    .all<Stored>('SELECT * FROM notifications WHERE notification_id IN (SELECT value FROM json_each(?))', [
      JSON.stringify(ids),
    ])
    .map(fromStored);
}

export const recentNotificationsSql =
  'SELECT * FROM notifications INDEXED BY notifications_by_last WHERE last_ms >= ?';

export function recentNotifications(db: Database, since_ms: number): NotificationRow[] {
  return db.all<Stored>(recentNotificationsSql, [since_ms]).map(fromStored);
}

export const openQuietSql = `SELECT * FROM notifications INDEXED BY notifications_quiet
  WHERE state = 'open' AND ${isQuiet} AND last_ms < ? ORDER BY last_ms LIMIT ?`;

/** The open ones of the quiet list whose last event lies before a moment, oldest first. */
export function openQuiet(
  db: Database,
  { before_ms, limit }: { before_ms: number; limit: number },
): NotificationRow[] {
  return db.all<Stored>(openQuietSql, [before_ms, limit]).map(fromStored);
}

/** A screen shows fewer; all of a rule that fires all day would hold up whatever else is written. */
const maxMoved = 1_000;

/** The open ones of these vehicles and rules, of each the newest 1,000, each once. */
export function openSilencedBy(
  db: Database,
  snoozes: readonly Pick<SnoozeRow, 'vehicle_id' | 'rule_id'>[],
): NotificationRow[] {
  const rows = snoozes.flatMap(({ vehicle_id, rule_id }) => {
    const [index, column] =
      vehicle_id === null
        ? ['notifications_open_by_rule', 'rule_id']
        : ['notifications_by_vehicle', 'vehicle_id'];
    return db.all<Stored>(
      `SELECT * FROM notifications INDEXED BY ${index}
        WHERE state = 'open' AND ${column} = ? ORDER BY last_ms DESC LIMIT ${maxMoved}`,
      [vehicle_id ?? rule_id],
    );
  });
  return [...new Map(rows.map((row) => [row.notification_id, row])).values()].map(fromStored);
}

function fromStored({ details, ...row }: Stored): NotificationRow {
  return {
    ...row,
    vehicle_id: toVehicleId(row.vehicle_id),
    late: toFlag(row.late),
    quiet: toFlag(row.quiet) || row.severity === 'info',
    details: namedNow('limit', toJson<NotificationRow['details']>(details)),
    event_ids: toJson<string[]>(row.event_ids),
    ack: row.ack === null ? null : toJson<NonNullable<NotificationRow['ack']>>(row.ack),
  };
}
