import type { NotificationQuery, NotificationRow } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';

/** A page of the queue; `next` is the place after which the following one begins, null at the end. */
export interface QueuePage {
  rows: NotificationRow[];
  next: { ms: number; id: string } | null;
}

/** Read at a time once the first look was not enough. */
const readMore = 1_000;
/** For one page: a queue may hold years of what is not wanted. */
const maxRead = 20_000;

/**
 * Reads the queue from new to old and keeps what is wanted, until the page is full. A page that would take too long to
 * fill is handed on as it is, with the place where to go on.
 */
export async function readQueue(
  store: Pick<Store, 'notifications'>,
  query: NotificationQuery,
  isWanted: (row: NotificationRow) => boolean,
): Promise<QueuePage> {
  const retained: NotificationRow[] = [];
  let before = query.before;
  let limit = query.limit + 1;
  for (let read = 0; read < maxRead;) {
    const rows = await store.notifications({ ...query, limit, ...(before === undefined ? {} : { before }) });
    retained.push(...rows.filter(isWanted));
    if (retained.length > query.limit)
      return { rows: retained.slice(0, query.limit), next: placeOf(retained[query.limit - 1]) };
    if (rows.length < limit) return { rows: retained, next: null };
    before = placeOf(rows.at(-1)) ?? before;
    read += rows.length;
    limit = readMore;
  }
  return { rows: retained, next: before ?? null };
}

function placeOf(row: NotificationRow | undefined): { ms: number; id: string } | null {
  return row === undefined ? null : { ms: row.last_ms, id: row.notification_id };
}
