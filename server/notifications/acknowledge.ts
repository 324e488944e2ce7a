import type { NotificationRow, Written } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import type { RecentNotifications } from './recentNotifications.ts';

export type Acknowledgement = NonNullable<NotificationRow['ack']>;

/**
 * Acknowledges those of the rows that are open; what somebody has acknowledged before stays as it is. Resolves after
 * the commit with all rows as they are then, in the order of `ids`; ids that name none are left out.
 */
export type Acknowledge = (ids: readonly string[], ack: Acknowledgement) => Promise<NotificationRow[]>;

export interface AcknowledgerDeps {
  store: Pick<Store, 'notificationsById' | 'saveNotifications'>;
  recent: Pick<RecentNotifications, 'apply'>;
  /** Runs a change while no batch does: the engine counts on these rows too, and the later write would win. */
  between: <T>(change: () => Promise<T>) => Promise<T>;
  onSaved: (rows: NotificationRow[], written: Written) => void;
}

export function createAcknowledger(deps: AcknowledgerDeps): Acknowledge {
  return (ids, ack) =>
    deps.between(async () => {
      const found = await deps.store.notificationsById([...new Set(ids)]);
      const acknowledged = found
        .filter((row) => row.state === 'open')
        .map((row): NotificationRow => ({ ...row, state: 'acknowledged', ack, updated_ms: ack.at_ms }));
      if (acknowledged.length > 0) {
        const written = await deps.store.saveNotifications(acknowledged);
        deps.recent.apply(acknowledged);
        deps.onSaved(acknowledged, written);
      }
      const rows = new Map([...found, ...acknowledged].map((row) => [row.notification_id, row]));
      return ids.flatMap((id) => rows.get(id) ?? []);
    });
}
