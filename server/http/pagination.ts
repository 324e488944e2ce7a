import { ApiError } from './apiError.ts';

/** Cursors are opaque to clients: base64url of the JSON of the last row's sort key. */
export function encodeCursor(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/** Throws 400 for a cursor that this server did not write. */
export function decodeCursor(cursor: string): (string | number)[] {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(key) && key.every((part) => typeof part === 'string' || typeof part === 'number'))
      return key;
  } catch {
    // falls through to the answer
  }
  throw new ApiError('validation_failed', 'cursor: was not given by this server', {
    faults: [{ path: 'cursor', message: 'was not given by this server' }],
  });
}

type Key<T> = (item: T) => readonly [string, string];

/** How large the items of one page may be together. */
export interface PageBudget<T> {
  max: number;
  of: (item: T) => number;
}

/** A page of a list held in memory, sorted by `key`, which is unique. */
export function paginate<T>(
  list: readonly T[],
  key: Key<T>,
  query: { limit: number; cursor?: string | undefined },
  budget?: PageBudget<T>,
): { items: T[]; next_cursor: string | null } {
  return paginateSorted(sortedBy(list, key), key, query, budget);
}

export function sortedBy<T>(list: readonly T[], key: Key<T>): T[] {
  return [...list].sort((a, b) => compareKeys(key(a), key(b)));
}

/** The same of a list that stands in the order of `key` already. One item that is beyond the budget is a page alone. */
export function paginateSorted<T>(
  sorted: readonly T[],
  key: Key<T>,
  query: { limit: number; cursor?: string | undefined },
  budget?: PageBudget<T>,
): { items: T[]; next_cursor: string | null } {
  const start = query.cursor === undefined ? 0 : firstAfter(sorted, key, decodeCursor(query.cursor));
  const items = within(sorted.slice(start, start + query.limit), budget);
  const last = items.at(-1);
  const more = start + items.length < sorted.length;
  return { items, next_cursor: more && last !== undefined ? encodeCursor(key(last)) : null };
}

/** As many of the first as the budget allows, and one at the least. */
export function within<T>(items: T[], budget: PageBudget<T> | undefined): T[] {
  if (budget === undefined) return items;
  let size = 0;
  const over = items.findIndex((item, at) => (size += budget.of(item)) > budget.max && at > 0);
  return over < 0 ? items : items.slice(0, over);
}

/** Where in a sorted list the items after this key begin. */
function firstAfter<T>(sorted: readonly T[], key: Key<T>, [a = '', b = '']: (string | number)[]): number {
  const after = [String(a), String(b)] as const;
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = sorted[middle];
    if (item !== undefined && compareKeys(key(item), after) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareKeys(a: readonly [string, string], b: readonly [string, string]): number {
  return compareText(a[0], b[0]) || compareText(a[1], b[1]);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * A page of a list that the telemetry store sorts from new to old; rows beyond `limit` only show that there are more.
 *
 * @param unread where the store ended its search before the page was full
 */
export function newestFirst<Row, Item>(
  rows: Row[],
  limit: number,
  key: (row: Row) => { ms: number; id: string },
  present: (row: Row) => Item,
  unread: { ms: number; id: string } | null = null,
): { items: Item[]; next_cursor: string | null } {
  const visible = rows.slice(0, limit);
  const last = visible.at(-1);
  const next = rows.length > limit && last !== undefined ? key(last) : unread;
  return {
    items: visible.map(present),
    next_cursor: next === null ? null : encodeCursor([next.ms, next.id]),
  };
}

export function beforeOf(cursor: string | undefined): { before?: { ms: number; id: string } } {
  if (cursor === undefined) return {};
  const [ms, id] = decodeCursor(cursor);
  if (typeof ms !== 'number' || typeof id !== 'string') {
    throw new ApiError('validation_failed', 'cursor: belongs to another list', {
      faults: [{ path: 'cursor', message: 'belongs to another list' }],
    });
  }
  return { before: { ms, id } };
}
