import type { NotificationRow } from '../store/telemetry/rows.ts';
import { repeatKey, type RecentRows } from './ruleEngine.ts';

/** The rows that an event may still count on or belong to, as the last commit left them. */
export interface RecentNotifications extends RecentRows {
  apply(rows: readonly NotificationRow[]): void;
  /** Takes over what the store holds in the place of all that is remembered. */
  reload(rows: readonly NotificationRow[]): void;
}

/** No cool-down is longer than a day: a row whose last event is older than this counts no more, open or not. */
export const retentionMs = 2 * 86_400_000;
const sweepEvery = 1_000;

/** A row, and apart from it the ids of its events in one text: a hundred of them weigh more than all the rest. */
interface Kept {
  row: NotificationRow;
  event_ids: string;
}

const none: string[] = [];

function folded(row: NotificationRow): Kept {
  return { row: { ...row, event_ids: none }, event_ids: row.event_ids.join() };
}

function newestEvent({ event_ids }: Kept): string | undefined {
  return event_ids === '' ? undefined : event_ids.slice(event_ids.lastIndexOf(',') + 1);
}

function unfolded({ row, event_ids }: Kept): NotificationRow {
  return { ...row, event_ids: event_ids === '' ? [] : event_ids.split(',') };
}

export function createRecentNotifications(
  rows: readonly NotificationRow[],
  clock: { now(): number },
): RecentNotifications {
  const byId = new Map<string, Kept>();
  const openByKey = new Map<string, Set<string>>();
  const byEvent = new Map<string, Set<string>>();
  let applied = 0;

  function put(row: NotificationRow): void {
    const retained = folded(row);
    byId.set(row.notification_id, retained);
    const key = repeatKey(row);
    if (row.state === 'open') openByKey.set(key, (openByKey.get(key) ?? new Set()).add(row.notification_id));
    else close(key, row.notification_id);
    // An event that grows or ends is the newest of its row; older ones are history.
    const newest = row.event_ids.at(-1);
    if (newest !== undefined) {
      const holders = byEvent.get(newest) ?? new Set();
      byEvent.set(newest, holders.add(row.notification_id));
    }
  }

  function close(key: string, id: string): void {
    const open = openByKey.get(key);
    open?.delete(id);
    if (open?.size === 0) openByKey.delete(key);
  }

  function sweep(): void {
    const old = clock.now() - retentionMs;
    for (const { row } of byId.values()) {
      if (row.last_ms >= old) continue;
      byId.delete(row.notification_id);
      close(repeatKey(row), row.notification_id);
    }
    for (const [event, ids] of byEvent) {
      const held = [...ids].some((id) => {
        const retained = byId.get(id);
        return retained !== undefined && newestEvent(retained) === event;
      });
      if (!held) byEvent.delete(event);
    }
  }

  function reload(stored: readonly NotificationRow[]): void {
    for (const retained of [byId, openByKey, byEvent]) retained.clear();
    for (const row of stored) put(row);
  }

  function known(ids: ReadonlySet<string> = new Set()): NotificationRow[] {
    return [...ids].flatMap((id) => {
      const retained = byId.get(id);
      return retained === undefined ? [] : unfolded(retained);
    });
  }

  reload(rows);
  return {
    reload,
    open: (key) => known(openByKey.get(key)),
    withEvent: (eventId) => known(byEvent.get(eventId)),
    apply(changed) {
      for (const row of changed) put(row);
      applied += changed.length;
      if (applied < sweepEvery) return;
      applied = 0;
      sweep();
    },
  };
}
