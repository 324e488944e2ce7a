import type { Database, SqlParams } from './database.ts';
import type { PageQuery } from './telemetryStore.ts';

/** How a table is listed from new to old. Each index begins with what it is named after, then `sort`, then `id`. */
export interface Listing {
  table: string;
  id: string;
  /** The column of milliseconds that orders the list; equal ones are ordered by `id`. */
  sort: string;
  byTime: string;
  byVehicle: string;
}

export interface ListQuery extends PageQuery {
  vehicle_ids?: string[] | undefined;
  /** Only these rows, found by their ids. */
  ids?: string[] | undefined;
  /** The newest that is asked for, by `sort`. */
  to_ms?: number | undefined;
  /** Further conditions, each with the named parameters that it uses. */
  where: { sql: string; params: Record<string, string | number> }[];
  /** Stands in the place of `byTime`: an index that begins with the column of an equality in `where`. */
  index?: string | undefined;
}

/**
 * Up to this many vehicles each give their own newest rows, which are then merged: a few look-ups, however rare their
 * rows are. More of them would read too much for one page, and are likely to be found soon on the way back in time.
 */
const MOST_VEHICLES_ONE_BY_ONE = 64;

export function newestFirst<Row extends object>(db: Database, listing: Listing, query: ListQuery): Row[] {
  const { sql, params } = newestFirstSql(listing, query);
  return db.all<Row>(sql, params);
}

/** The indexes are named, so that the plan depends neither on statistics nor on SQLite's guesses. */
export function newestFirstSql(listing: Listing, query: ListQuery): { sql: string; params: SqlParams } {
  const { table, id, sort } = listing;
  const params: Record<string, string | number> = {
    limit: query.limit,
    newest_ms: Math.min(query.to_ms ?? Number.MAX_SAFE_INTEGER, query.before?.ms ?? Number.MAX_SAFE_INTEGER),
  };
  // The plain comparison lets SQLite begin at the right place of the index.
  const conditions = [`${sort} <= :newest_ms`];
  if (query.before !== undefined) {
    params.before_ms = query.before.ms;
    conditions.push(`(${sort}, ${id}) < (:before_ms, :before_id)`);
    params.before_id = query.before.id;
  }
  for (const condition of query.where) {
    conditions.push(condition.sql);
    Object.assign(params, condition.params);
  }
  const order = `ORDER BY ${sort} DESC, ${id} DESC LIMIT :limit`;

  const vehicles = query.vehicle_ids && [...new Set(query.vehicle_ids)];
  if (vehicles !== undefined) params.vehicles = JSON.stringify(vehicles);
  const isOneOfVehicles = 'vehicle_id IN (SELECT value FROM json_each(:vehicles))';

  if (query.ids !== undefined) {
    params.ids = JSON.stringify([...new Set(query.ids)]);
    if (vehicles !== undefined) conditions.push(isOneOfVehicles);
    const sql = `SELECT listed.* FROM json_each(:ids) AS one CROSS JOIN ${table} AS listed
      WHERE listed.${id} = one.value AND ${conditions.join(' AND ')} ${order}`;
    return { sql, params };
  }
  if (vehicles !== undefined && vehicles.length <= MOST_VEHICLES_ONE_BY_ONE) {
    const sql = `SELECT listed.* FROM json_each(:vehicles) AS one CROSS JOIN ${table} AS listed
      WHERE listed.${id} IN (
        SELECT ${id} FROM ${table} INDEXED BY ${listing.byVehicle}
        WHERE vehicle_id = one.value AND ${conditions.join(' AND ')} ${order}
      ) ${order}`;
    return { sql, params };
  }
  if (vehicles !== undefined) conditions.push(isOneOfVehicles);
  // Filtered by the index alone, then looked up: a row that is not wanted costs a thirtieth (measured).
  const sql = `SELECT listed.* FROM (
      SELECT ${id} AS listed_id FROM ${table} INDEXED BY ${query.index ?? listing.byTime}
      WHERE ${conditions.join(' AND ')} ${order}
    ) CROSS JOIN ${table} AS listed WHERE listed.${id} = listed_id ${order}`;
  return { sql, params };
}
