import type { TerminalCommandRow } from '../../../../server/store/telemetry/rows.ts';

/** 21 November 2026, 12:00 UTC, as the clock by hand begins. */
const noon = Date.UTC(2026, 10, 21, 12);

/** A command that waits. */
export function commandRow(part: Partial<TerminalCommandRow> = {}): TerminalCommandRow {
  return {
    command_id: 'command',
    vehicle_id: 'van',
    terminal_id: '356307042441013',
    kind: 'text',
    text: 'getinfo',
    status: 'queued',
    protocol: null,
    answer: null,
    error: null,
    created_by: 'user',
    created_ms: noon,
    sent_ms: null,
    ended_ms: null,
    expires_ms: noon + 86_400_000,
    ...part,
  };
}
