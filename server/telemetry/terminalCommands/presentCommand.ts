import type { TerminalCommand } from '../../contract/terminalCommands.ts';
import type { TerminalCommandRow } from '../../store/telemetry/rows.ts';
import { isoTime } from '../presentPosition.ts';

export function presentCommand(row: TerminalCommandRow): TerminalCommand {
  const { created_ms, sent_ms, completed_ms, expires_ms, ...rest } = row;
  return {
    ...rest,
    created_at: isoTime(created_ms),
    sent_at: sent_ms === null ? null : isoTime(sent_ms),
    ended_at: completed_ms === null ? null : isoTime(completed_ms),
    expires_at: isoTime(expires_ms),
  };
}
