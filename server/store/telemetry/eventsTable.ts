import type { EventKind } from '../../contract/events.ts';
import { namedNow } from '../namesOf010.ts';
import { fromFlag, fromJson, fromVehicleId, toFlag, toJson, toVehicleId } from './columns.ts';
import { upsert } from './database.ts';
import type { Database } from './database.ts';
import { newestFirst } from './newestFirst.ts';
import type { Listing, ListQuery, Slice, VehicleSlice } from './newestFirst.ts';
import type { EventQuery, EventRow } from './rows.ts';

interface Stored extends Omit<EventRow, 'kind' | 'vehicle_id' | 'late' | 'details'> {
  vehicle_id: string;
  kind: EventKind;
  late: number;
  details: string;
}

export const eventListing: Listing = {
  table: 'events',
  id: 'event_id',
  sort: 'time_ms',
  byTime: 'events_by_time',
  byVehicle: 'events_by_vehicle',
};

const write = upsert(
  'events',
  ['event_id'],
  [
    'kind',
    'vehicle_id',
    'time_ms',
    'received_ms',
    'late',
    'lat',
    'lon',
    'geozone_id',
    'details',
    'rule_id',
    'rule_version',
  ],
);

export function writeEvents(db: Database, rows: readonly EventRow[]): void {
  for (const row of rows) {
    write(db, {
      ...row,
      vehicle_id: fromVehicleId(row.vehicle_id),
      late: fromFlag(row.late),
      details: fromJson(row.details),
    });
  }
}

export function eventList(query: EventQuery): ListQuery {
  const where: ListQuery['where'] = [];
  const { geozone_id } = query;
  if (geozone_id !== undefined)
    where.push({ sql: 'geozone_id = :geofence', params: { geofence: geozone_id }, byIndex: 'any' });
  if (query.kinds !== undefined) {
    where.push({
      sql: 'kind IN (SELECT value FROM json_each(:kinds))',
      params: { kinds: JSON.stringify(query.kinds) },
    });
  }
  if (query.from_ms !== undefined)
    where.push({ sql: 'time_ms >= :from_ms', params: { from_ms: query.from_ms }, byIndex: 'any' });
  return {
    limit: query.limit,
    ...(query.before && { before: query.before }),
    to_ms: query.to_ms,
    vehicle_ids: query.vehicle_ids,
    ids: query.event_ids,
    where,
    ...(geozone_id !== undefined && {
      index: 'events_by_geofence',
      vehicleIndex: 'events_by_geofence_vehicle',
    }),
  };
}

/** Of a vehicle, those after a place in their order, oldest first. */
export const eventsOfVehicleSql = `SELECT * FROM events INDEXED BY events_by_vehicle
  WHERE vehicle_id = ? AND (time_ms, event_id) > (?, ?) AND time_ms < ? ORDER BY time_ms, event_id LIMIT ?`;

export function eventsOfVehicle(db: Database, params: VehicleSlice): EventRow[] {
  return db.all<Stored>(eventsOfVehicleSql, params).map(fromStored);
}

export function events(db: Database, query: EventQuery): Slice<EventRow> {
  const { rows, next } = newestFirst<Stored>(db, eventListing, eventList(query));
  return { next, rows: rows.map(fromStored) };
}

function fromStored({ details, ...row }: Stored): EventRow {
  return {
    ...row,
    vehicle_id: toVehicleId(row.vehicle_id),
    late: toFlag(row.late),
    details: namedNow('limit', toJson<EventRow['details']>(details)),
  };
}
