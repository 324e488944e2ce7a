import type { ListenerName } from '../../contract/intake.ts';
import type { CommandKind } from '../../contract/terminalCommands.ts';
import type { TerminalReport } from '../terminalReport.ts';
import { createLinkRegistry, type LinkRegistry } from './linkRegistry.ts';

/** A command to a terminal. */
export type TerminalCommandRequest = { kind: 'text'; text: string } | { kind: 'position' };

/** What became of it. */
export type CommandResult =
  /** Null: it executed the command and returned no text. */
  | { outcome: 'responded'; text: string | null }
  /** Where it is, by its own clock; handed in by the usual road as well. Null: what came cannot be read. */
  | { outcome: 'position'; report: TerminalReport | null }
  /** It says that it does not do it: for good, or (`unsupported`) because it cannot. */
  | { outcome: 'refused' | 'unsupported'; detail: string }
  /** It was written, and nothing came back in time, or before the connection ended. */
  | { outcome: 'silent' | 'ended' }
  /** The connection was over before a byte was written. */
  | { outcome: 'not_written' };

/** One connection of a terminal on which it takes commands, past its login; one command at a time. */
export interface CommandLink {
  readonly protocol: ListenerName;
  readonly kinds: readonly CommandKind[];
  /** Whether what is sent now goes out; once it does not, it never does again. */
  isOpen(): boolean;
  /** Why this text cannot be said by this protocol, naming what is in the way; null: it can. */
  textFault(text: string): string | null;
  /**
   * Writes a command of one of the kinds, its text without a fault, once and at once, and waits so long for the answer.
   */
  send(order: TerminalCommandRequest, timeoutMs: number): Promise<CommandResult>;
}

/** The terminals that accept commands. */
export type CommandLinks = LinkRegistry<CommandLink>;

export function createCommandLinks(): CommandLinks {
  return createLinkRegistry<CommandLink>();
}
