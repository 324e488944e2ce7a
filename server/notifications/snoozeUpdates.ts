import type { Logger } from 'pino';
import type { NotificationRow, Written } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import type { Snoozed, Snoozes } from './snoozes.ts';

export interface SnoozeUpdatesParts {
  store: Pick<Store, 'notifications' | 'recordChanges'>;
  snoozes: Pick<Snoozes, 'onChange'>;
  /** Runs while no batch does: nothing published here may come after something newer. */
  between: <T>(change: () => Promise<T>) => Promise<T>;
  /** Notifications to publish again in their present state; `written` numbers them in their order. */
  onShown: (rows: NotificationRow[], written: Written) => void;
  /** They could not be written to the log. */
  onFailed: () => void;
  log: Logger;
}

const rowsPerPage = 1_000;

/**
 * When a snooze begins or ends, the open notifications that it silences are written to the log of changes, so that all
 * who look on see them move, also those who come back later. Returns its undo.
 */
export function followSnoozes(parts: SnoozeUpdatesParts): () => void {
  const { store, snoozes, between, onShown, onFailed, log } = parts;
  return snoozes.onChange((changes) => {
    const snoozed = changes.map(({ before, after }) => before ?? after);
    between(async () => {
      const rows = await openOf(store, snoozed);
      if (rows.length === 0) return;
      const written = await store.recordChanges(
        rows.map((row) => ({ topic: 'notification', resource_id: row.notification_id, seen_by: null })),
      );
      onShown(rows, written);
    }).catch((error: unknown) => {
      // The snooze itself is stored; lists that are read show what it does.
      log.error({ err: error }, 'effect of a snooze on open notifications was not published');
      onFailed();
    });
  });
}

/** All open ones of these vehicles and these rules, each once. */
async function openOf(
  store: Pick<Store, 'notifications'>,
  snoozed: readonly Snoozed[],
): Promise<NotificationRow[]> {
  const vehicles = new Set(snoozed.flatMap((it) => it.vehicle_id ?? []));
  const rules = new Set(snoozed.flatMap((it) => it.rule_id ?? []));
  const found: NotificationRow[] = [];
  let before: { ms: number; id: string } | null = null;
  for (;;) {
    const rows: NotificationRow[] = await store.notifications({
      limit: rowsPerPage,
      state: 'open',
      // Those of a rule are found only among all.
      ...(rules.size === 0 ? { vehicle_ids: [...vehicles] } : {}),
      ...(before === null ? {} : { before }),
    });
    found.push(...rows.filter((row) => vehicles.has(row.vehicle_id) || rules.has(row.rule_id)));
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerPage) return found;
    before = { ms: last.last_ms, id: last.notification_id };
  }
}
