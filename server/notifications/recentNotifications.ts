import type { NotificationRow } from '../store/telemetry/rows.ts';
import { repeatKey, type RecentRows } from './ruleEngine.ts';

/** The rows that an event may still count on or belong to, as the last commit left them. */
export interface RecentNotifications extends RecentRows {
  apply(rows: readonly NotificationRow[]): void;
  /** Takes over what the store holds in the place of all that is remembered. */
  reload(rows: readonly NotificationRow[]): void;
}

/** No cool-down is longer than a day: a row whose last event is older than this counts no more, open or not. */
export const keptMs = 2 * 86_400_000;
const sweepEvery = 1_000;

export function createRecentNotifications(
  rows: readonly NotificationRow[],
  clock: { now(): number },
): RecentNotifications {
  const byId = new Map<string, NotificationRow>();
  const openByKey = new Map<string, Set<string>>();
  const byEvent = new Map<string, Set<string>>();
  let applied = 0;

  function put(row: NotificationRow): void {
    byId.set(row.notification_id, row);
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
    const old = clock.now() - keptMs;
    for (const row of byId.values()) {
      if (row.last_ms >= old) continue;
      byId.delete(row.notification_id);
      close(repeatKey(row), row.notification_id);
    }
    for (const [event, ids] of byEvent) {
      const held = [...ids].some((id) => byId.get(id)?.event_ids.at(-1) === event);
      if (!held) byEvent.delete(event);
    }
  }

  function reload(stored: readonly NotificationRow[]): void {
    for (const kept of [byId, openByKey, byEvent]) kept.clear();
    for (const row of stored) put(row);
  }

  reload(rows);
  return {
    reload,
    open: (key) => [...(openByKey.get(key) ?? [])].flatMap((id) => byId.get(id) ?? []),
    withEvent: (eventId) => [...(byEvent.get(eventId) ?? [])].flatMap((id) => byId.get(id) ?? []),
    apply(changed) {
      for (const row of changed) put(row);
      applied += changed.length;
      if (applied < sweepEvery) return;
      applied = 0;
      sweep();
    },
  };
}
