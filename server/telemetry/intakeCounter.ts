import type { Accept, Outcome } from './terminalReport.ts';

/** What one listener has received since the start. */
export interface IntakeCounts {
  messages: number;
  stored: number;
  duplicate: number;
  merged: number;
  rejected: number;
  unknown: number;
  last_message_ms: number | null;
}

export function noCounts(): IntakeCounts {
  return { messages: 0, stored: 0, duplicate: 0, merged: 0, rejected: 0, unknown: 0, last_message_ms: null };
}

/** Counts what passes through `accept`. */
export function countIntake(
  accept: Accept,
  clock: { now(): number },
): { accept: Accept; counts: IntakeCounts } {
  const counts = noCounts();
  return {
    counts,
    // Not async: one that waits for the store would keep the reports.
    accept(reports, origin) {
      counts.messages += reports.length;
      counts.last_message_ms = clock.now();
      return counted(accept(reports, origin), counts);
    },
  };
}

async function counted(accepted: Promise<Outcome[]>, counts: IntakeCounts): Promise<Outcome[]> {
  const outcomes = await accepted;
  for (const { status } of outcomes) if (isCounted(status)) counts[status] += 1;
  return outcomes;
}

function isCounted(status: Outcome['status']): status is Exclude<Outcome['status'], 'failed'> {
  return status !== 'failed';
}
