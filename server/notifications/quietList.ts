import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Store } from '../store/operations.ts';
import type { Acknowledge } from './acknowledge.ts';

const everyMs = 600_000;
const hourMs = 3_600_000;
/** Closed in one transaction. */
const slice = 500;

/**
 * Closes what lies open in the quiet list for longer than the settings keep it, every ten minutes and in slices, so
 * that no write waits long. Nobody has acknowledged these: their `ack` stays null. Returns its undo.
 */
export function startQuietList(deps: {
  store: Pick<Store, 'openQuiet'>;
  acknowledge: Acknowledge;
  settings: () => { quiet_hours: number };
  clock: Pick<Clock, 'now' | 'after'>;
  log: Pick<Logger, 'error'>;
}): () => void {
  const { store, clock, log } = deps;
  let stopped = false;
  let stopTimer = clock.after(everyMs, run);

  function run(): void {
    closeOld()
      .catch((error: unknown) =>
        log.error({ err: error }, 'old quiet notifications were not closed; retrying'),
      )
      .finally(() => {
        if (!stopped) stopTimer = clock.after(everyMs, run);
      });
  }

  async function closeOld(): Promise<void> {
    const before_ms = clock.now() - deps.settings().quiet_hours * hourMs;
    while (!stopped) {
      const rows = await store.openQuiet({ before_ms, limit: slice });
      const ids = rows.map((row) => row.notification_id);
      if (ids.length > 0) await deps.acknowledge(ids, null, clock.now());
      if (ids.length < slice) return;
      await nextTurn();
    }
  }

  return () => {
    stopped = true;
    stopTimer();
  };
}
