import type { NotificationRow, Written } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import type { RecentNotifications } from './recentNotifications.ts';

/** A row as it is after the commit, and whether this call acknowledged it. */
export interface Acknowledged {
  row: NotificationRow;
  isNew: boolean;
}

/**
 * Acknowledges those of the rows that are open, in one transaction; what somebody has acknowledged before stays as it
 * is. Resolves after the commit, by id; ids that name none are left out.
 *
 * @param ack null where they are closed by their age, by nobody
 */
export type Acknowledge = (
  ids: readonly string[],
  ack: NotificationRow['ack'],
  at_ms: number,
) => Promise<ReadonlyMap<string, Acknowledged>>;

export interface AcknowledgerDeps {
  store: Pick<Store, 'notificationsById' | 'saveNotifications'>;
  recent: Pick<RecentNotifications, 'apply'>;
  /** Runs a change while no batch does: the engine counts on these rows too, and the later write would win. */
  between: <T>(change: () => Promise<T>) => Promise<T>;
  onSaved: (rows: NotificationRow[], written: Written) => void;
}

export function createAcknowledger(deps: AcknowledgerDeps): Acknowledge {
  return (ids, ack, at_ms) =>
    deps.between(async () => {
      const found = await deps.store.notificationsById([...new Set(ids)]);
      const acknowledged = found
        .filter((row) => row.state === 'open')
        .map((row): NotificationRow => ({ ...row, state: 'acknowledged', ack, updated_ms: at_ms }));
      if (acknowledged.length > 0) {
        const written = await deps.store.saveNotifications(acknowledged);
        deps.recent.apply(acknowledged);
        deps.onSaved(acknowledged, written);
      }
      const result = new Map<string, Acknowledged>();
      for (const row of found) result.set(row.notification_id, { row, isNew: false });
      for (const row of acknowledged) result.set(row.notification_id, { row, isNew: true });
      return result;
    });
}
