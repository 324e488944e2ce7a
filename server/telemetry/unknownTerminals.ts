import { terminalKey } from '../contract/sameKeys.ts';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Act } from '../store/acts.ts';
import type { UnknownTerminalRow } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import type { IncomingReport } from './admission.ts';
import { keptId } from './boundedReport.ts';

/** Unknown terminals are stored together, at most once in this time. */
const writePauseMs = 1_000;

export type UnknownTerminals = ReturnType<typeof createUnknownTerminals>;

/** @param deps.onUnknownTerminal called after the commit, with the counts of all messages of its terminals so far */
export function createUnknownTerminals(deps: {
  store: Pick<Store, 'noteUnknown'>;
  clock: Clock;
  log: Logger;
  onUnknownTerminal: (rows: UnknownTerminalRow[]) => void;
}) {
  const waiting = new Map<string, UnknownTerminalRow>();
  let stopTimer: (() => void) | null = null;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const rows = [...waiting.values()];
    waiting.clear();
    if (rows.length === 0) return;
    try {
      deps.onUnknownTerminal(await deps.store.noteUnknown(rows));
    } catch (error) {
      // They will send again: only the count is lost.
      deps.log.warn({ err: error }, 'unknown terminals were not stored');
    }
  }

  function flush(): void {
    stopTimer = null;
    writing = writing.then(write);
  }

  return {
    noted(arrivals: readonly IncomingReport[]): void {
      for (const { report, origin, received_ms } of arrivals) {
        const terminal_id = keptId(report.terminal_id);
        const before = waiting.get(terminal_id);
        waiting.set(terminal_id, {
          terminal_id,
          protocol: origin.protocol,
          first_seen_ms: before?.first_seen_ms ?? received_ms,
          last_seen_ms: received_ms,
          message_count: (before?.message_count ?? 0) + 1,
          address: origin.address,
          lat: report.place?.lat ?? before?.lat ?? null,
          lon: report.place?.lon ?? before?.lon ?? null,
        });
      }
      stopTimer ??= deps.clock.after(writePauseMs, flush);
    },
    /** In this act vehicles get these terminals. */
    forget(terminalIds: readonly string[], act: Pick<Act, 'write'>): void {
      const keys = new Set(terminalIds.map(terminalKey));
      const forgetWaiting = () => {
        for (const id of waiting.keys()) if (keys.has(terminalKey(id))) waiting.delete(id);
      };
      forgetWaiting();
      act.write('forgetUnknown', [...keys], forgetWaiting);
    },
    async close(): Promise<void> {
      stopTimer?.();
      writing = writing.then(write);
      await writing;
    },
  };
}
