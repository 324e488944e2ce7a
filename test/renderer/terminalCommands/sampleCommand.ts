import type { TerminalCommand } from '../../../server/contract/terminalCommands.ts';

/** One that waits for its terminal. */
export function sampleCommand(fields: Partial<TerminalCommand> = {}): TerminalCommand {
  return {
    command_id: 'c1',
    vehicle_id: 'v1',
    terminal_id: '352093081452251',
    kind: 'text',
    text: 'getver',
    status: 'queued',
    protocol: null,
    response: null,
    error: null,
    created_by: 'u1',
    created_at: '2026-11-21T12:00:00.000Z',
    sent_at: null,
    ended_at: null,
    expires_at: '2026-11-22T12:00:00.000Z',
    ...fields,
  };
}

export const sentCommand = (fields: Partial<TerminalCommand> = {}): TerminalCommand =>
  sampleCommand({
    status: 'sent',
    protocol: 'teltonika',
    sent_at: '2026-11-21T12:00:05.000Z',
    ...fields,
  });

export const respondedCommand = (fields: Partial<TerminalCommand> = {}): TerminalCommand =>
  sentCommand({
    status: 'responded',
    response: 'Ver:03.27.07_00 GPS:AXN_5.1',
    ended_at: '2026-11-21T12:00:09.000Z',
    ...fields,
  });

/** One that failed for this reason. */
export const failedCommand = (
  code: NonNullable<TerminalCommand['error']>['code'],
  detail: string,
): TerminalCommand =>
  sentCommand({ status: 'failed', error: { code, detail }, ended_at: '2026-11-21T12:01:05.000Z' });
