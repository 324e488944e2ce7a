import type { TerminalCommandRow } from '../../../../server/store/telemetry/rows.ts';
import { terminalCommand } from '../../store/telemetry/sampleRows.ts';

/** 21 November 2026, 12:00 UTC, as the clock by hand begins. */
const noon = Date.UTC(2026, 10, 21, 12);

/** A command that waits. */
export function commandRow(part: Partial<TerminalCommandRow> = {}): TerminalCommandRow {
  return terminalCommand({ created_ms: noon, expires_ms: noon + 86_400_000, ...part });
}
