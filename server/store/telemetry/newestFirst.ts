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

interface Condition {
  sql: string;
  params: Record<string, string | number>;
  byIndex?: 'any' | 'index';
}

export interface ListQuery extends PageQuery {
  vehicle_ids?: string[] | undefined;
  /** Only these rows, found by their ids. */
  ids?: string[] | undefined;
  /** The newest that is asked for, by `sort`. */
  to_ms?: number | undefined;
  /** The list ends with this row. */
  end?: Mark | undefined;
  /**
   * Further conditions, each with the named parameters that it uses, and which index finds its rows by it: any, or only
   * `index`.
   */
  where: Condition[];
  /** Stands in the place of `byTime`: an index that begins with the column of an equality in `where`. */
  index?: string | undefined;
  /** The same in the place of `byVehicle`; after that column it goes on as `byVehicle` does. */
  vehicleIndex?: string | undefined;
}

/**
 * Up to this many vehicles are looked up by themselves, however rare their rows are. More of them would read too much for
 * one page, and are likely to be found soon on the way back in time. As many as a call may name (`maxListedVehicles`, whose
 * file this thread does not load: it needs a package).
 */
const MOST_VEHICLES_ONE_BY_ONE = 64;

/** Of an index so many rows are read at a time, some 10 ms, so that other reads come in between. */
const MOST_SCANNED = 20_000;

/** Some 0.3 s: what a filter leaves out for longer is read on by the caller's next call. */
const MOST_SLICES = 25;

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

/** The vehicles whose own rows are read, each once; null where an index of all vehicles is. */
function fewVehicles({ vehicle_ids }: ListQuery): string[] | null {
  if (vehicle_ids === undefined) return null;
  const vehicles = [...new Set(vehicle_ids)];
  return vehicles.length > MOST_VEHICLES_ONE_BY_ONE ? null : vehicles;
}

/** Whether rows may be read that are not in the list, or not in its order. */
function isSearch(query: ListQuery): boolean {
  const { ids, vehicle_ids, where } = query;
  if (ids !== undefined) return false;
  const few = fewVehicles(query);
  const isInOrder = vehicle_ids === undefined || few?.length === 1;
  return !isInOrder || !where.every((it) => isFound(it, few));
}

const isFound = ({ byIndex }: Condition, few: readonly string[] | null): boolean =>
  byIndex === 'any' || (byIndex === 'index' && few === null);

/** Finds the row down to which at most `max` rows of the index are. */
export function endOfSlice(listing: Listing, query: ListQuery, max: number): [string, SqlParams] {
  const { table, id, sort, byTime } = listing;
  const few = fewVehicles(query);
  const where = query.where.filter((it) => isFound(it, few));
  const { conditions, params } = conditionsOf(listing, { ...query, where });
  const order = `ORDER BY ${sort} DESC, ${id} DESC LIMIT 1`;
  if (few !== null) {
    // The newest of what ends the share of each.
    const sql = `SELECT listed.${sort} AS ms, listed.${id} AS id
      FROM json_each(:vehicles) AS one CROSS JOIN ${table} AS listed
      WHERE listed.${id} = (
        SELECT ${id} FROM ${table} INDEXED BY ${query.vehicleIndex ?? listing.byVehicle}
        WHERE vehicle_id = one.value AND ${conditions.join(' AND ')} ${order} OFFSET :max
      ) ORDER BY listed.${sort} DESC, listed.${id} DESC LIMIT 1`;
    const share = Math.max(Math.floor(max / Math.max(few.length, 1)), 1);
    return [sql, { ...params, vehicles: JSON.stringify(few), max: share - 1 }];
  }
  const sql = `SELECT ${sort} AS ms, ${id} AS id FROM ${table} INDEXED BY ${query.index ?? byTime}
    WHERE ${conditions.join(' AND ')} ${order} OFFSET :max`;
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

  const few = query.ids === undefined ? fewVehicles(query) : null;
  let from = `${table} INDEXED BY ${query.index ?? listing.byTime}`;
  if (few !== null) {
    const ofVehicle = `${table} INDEXED BY ${query.vehicleIndex ?? listing.byVehicle}`;
    const [one] = few;
    if (one !== undefined && few.length === 1) {
      // In their order.
      from = ofVehicle;
      conditions.push('vehicle_id = :one');
      params.one = one;
    } else {
      from = `(SELECT value AS one FROM json_each(:vehicles)) CROSS JOIN ${ofVehicle}`;
      conditions.push('vehicle_id = one');
      params.vehicles = JSON.stringify(few);
    }
  } else if (query.vehicle_ids !== undefined) {
    conditions.push('vehicle_id IN (SELECT value FROM json_each(:vehicles))');
    params.vehicles = JSON.stringify([...new Set(query.vehicle_ids)]);
  }

  if (query.ids !== undefined) {
    params.ids = JSON.stringify([...new Set(query.ids)]);
    const sql = `SELECT listed.* FROM json_each(:ids) AS one CROSS JOIN ${table} AS listed
      WHERE listed.${id} = one.value AND ${conditions.join(' AND ')} ${order}`;
    return { sql, params };
  }
  // Filtered by the index alone, then looked up: a row that is not wanted costs a thirtieth (measured).
  const sql = `SELECT listed.* FROM (
      SELECT ${id} AS listed_id FROM ${from}
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
