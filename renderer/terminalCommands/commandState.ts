import type { TerminalCommand } from '../../server/contract/terminalCommands.ts';

/** Nothing more becomes of it. */
export function isOver({ status }: Pick<TerminalCommand, 'status'>): boolean {
  return status !== 'queued' && status !== 'sent';
}

/** What was asked for did not happen, or it is not known whether it did. */
export function isTrouble({ status }: Pick<TerminalCommand, 'status'>): boolean {
  return status === 'failed' || status === 'expired';
}

/** It may be worth another try just as it was. */
export function isWorthAnotherTry({ status, error }: Pick<TerminalCommand, 'status' | 'error'>): boolean {
  return status === 'expired' || (status === 'failed' && error?.code === 'no_answer');
}
