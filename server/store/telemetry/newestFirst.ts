import { maxListedVehicles } from '../../contract/fields.ts';
import type { Call } from '../operation.ts';
import type { Database, SqlParams } from './database.ts';
import type { PageQuery } from './rows.ts';

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
  /** The list ends with this row. */
  end?: Mark | undefined;
  /** Further conditions, each with the named parameters that it uses, and whether the index finds its rows by it. */
  where: { sql: string; params: Record<string, string | number>; byIndex?: true }[];
  /** Stands in the place of `byTime`: an index that begins with the column of an equality in `where`. */
  index?: string | undefined;
  /** The same in the place of `byVehicle`; after that column it goes on as `byVehicle` does. */
  vehicleIndex?: string | undefined;
}

/**
 * Up to this many vehicles each give their own newest rows, which are then merged: a few look-ups, however rare their
 * rows are. More of them would read too much for one page, and are likely to be found soon on the way back in time.
 */
const MOST_VEHICLES_ONE_BY_ONE = maxListedVehicles;

/** What a filter leaves out is read too: so many rows at a time, some 10 ms, so that other reads come in between. */
const MOST_SCANNED = 20_000;

/** Some 0.5 s: what a filter leaves out for longer is read on by the caller's next call. */
const MOST_SLICES = 50;

/** A part of a list; `next` is where the search goes on, null at its end. */
export interface Slice<Row> {
  rows: Row[];
  next: Mark | null;
}

/** Of a list of one vehicle, oldest first: after which row, before which moment, and how many. */
export type VehicleSlice = [
  vehicle_id: string,
  after_ms: number,
  after_id: string,
  to_ms: number,
  limit: number,
];

interface Mark {
  ms: number;
  id: string;
}

export function newestFirst<Row extends object>(
  db: Database,
  listing: Listing,
  query: ListQuery,
  max = MOST_SCANNED,
): Slice<Row> {
  const next = isSearch(query) ? (db.get<Mark>(...endOfSlice(listing, query, max)) ?? null) : null;
  const { sql, params } = newestFirstSql(listing, { ...query, end: next ?? undefined });
  return { rows: db.all<Row>(sql, params), next };
}

/** Whether rows may be read that are not in the list. Few vehicles have few rows, and so has an index of its own. */
function isSearch({ ids, vehicle_ids, where }: ListQuery): boolean {
  if (ids !== undefined) return false;
  return vehicle_ids === undefined ? where.length > 0 : vehicle_ids.length > MOST_VEHICLES_ONE_BY_ONE;
}

/** Finds the row at which `most` rows of the index have been read. */
function endOfSlice(listing: Listing, query: ListQuery, max: number): [string, SqlParams] {
  const { table, id, sort, byTime } = listing;
  const where = query.where.filter((it) => it.byIndex === true);
  const { conditions, params } = conditionsOf(listing, { ...query, where });
  const sql = `SELECT ${sort} AS ms, ${id} AS id FROM ${table} INDEXED BY ${query.index ?? byTime}
    WHERE ${conditions.join(' AND ')} ORDER BY ${sort} DESC, ${id} DESC LIMIT 1 OFFSET :max`;
  return [sql, { ...params, max: max - 1 }];
}

function conditionsOf({ id, sort }: Listing, { before, to_ms, end, where }: ListQuery) {
  const last = Number.MAX_SAFE_INTEGER;
  const params: Record<string, string | number> = { newest_ms: Math.min(to_ms ?? last, before?.ms ?? last) };
  // The plain comparisons let SQLite begin and end at the right places of the index.
  const conditions = [`${sort} <= :newest_ms`];
  if (before !== undefined) {
    conditions.push(`(${sort}, ${id}) < (:before_ms, :before_id)`);
    Object.assign(params, { before_ms: before.ms, before_id: before.id });
  }
  if (end !== undefined) {
    conditions.push(`${sort} >= :end_ms`, `(${sort}, ${id}) >= (:end_ms, :end_id)`);
    Object.assign(params, { end_ms: end.ms, end_id: end.id });
  }
  for (const condition of where) {
    conditions.push(condition.sql);
    Object.assign(params, condition.params);
  }
  return { conditions, params };
}

/** The indexes are named, so that the plan depends neither on statistics nor on SQLite's guesses. */
export function newestFirstSql(listing: Listing, query: ListQuery): { sql: string; params: SqlParams } {
  const { table, id, sort } = listing;
  const { conditions, params } = conditionsOf(listing, query);
  params.limit = query.limit;
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
        SELECT ${id} FROM ${table} INDEXED BY ${query.vehicleIndex ?? listing.byVehicle}
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

/** Reads slices of a list until the page is full or there is no more; other reads come in between. */
export function wholePage<Query extends PageQuery, Row>(
  read: Call<Query, Slice<Row>>,
): (query: Query) => Promise<Row[]> {
  const page = boundedPage(read, Infinity);
  return async (query) => (await page(query)).rows;
}

/**
 * The same, but hands on what was found in so many slices: `next` is where the search goes on, null for a page that is
 * full and at the end of the list.
 */
export function boundedPage<Query extends PageQuery, Row>(
  read: Call<Query, Slice<Row>>,
  mostSlices = MOST_SLICES,
): (query: Query) => Promise<Slice<Row>> {
  return async (query) => {
    const rows: Row[] = [];
    let { before } = query;
    for (let slices = 1; ; slices += 1) {
      const limit = query.limit - rows.length;
      const slice = await read({ ...query, limit, ...(before && { before }) });
      rows.push(...slice.rows);
      if (slice.next === null || rows.length >= query.limit) return { rows, next: null };
      if (slices >= mostSlices) return { rows, next: slice.next };
      before = slice.next;
    }
  };
}
