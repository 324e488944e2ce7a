import { terminalKey } from '../../contract/sameKeys.ts';
import type { ListenerName } from '../../contract/intake.ts';
import type { CommandKind } from '../../contract/terminalCommands.ts';
import type { TerminalReport } from '../terminalReport.ts';

/** Who is there: one link for each terminal, the newest. Leading zeros and letter case of an ID do not matter. */
interface LinkRegistry<Link> {
  /** Null while the terminal is off line. */
  find(terminalId: string): Link | null;
  /** Puts a link in the place of the terminal's earlier one. Returns what takes it out again. */
  attach(terminalId: string, link: Link): () => void;
  /** Called with the ID of each terminal that comes on line. Returns its undo. */
  onAttach(listener: (terminalId: string) => void): () => void;
}

function createLinkRegistry<Link>(): LinkRegistry<Link> {
  const attached = new Map<string, { link: Link }>();
  const listeners = new Set<(terminalId: string) => void>();
  return {
    find: (terminalId) => attached.get(terminalKey(terminalId))?.link ?? null,
    attach(terminalId, link) {
      const key = terminalKey(terminalId);
      const one = { link };
      attached.set(key, one);
      for (const listener of listeners) listener(terminalId);
      return () => {
        if (attached.get(key) === one) attached.delete(key);
      };
    },
    onAttach(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export interface LinkRequest {
  id: number;
  body: Uint8Array;
  /** The id of the message that answers. */
  answer: number;
  timeoutMs: number;
  /** Not sent again when no answer comes: a terminal would do it twice. */
  once?: boolean;
  /** When it is aborted, nobody waits for the answer any more. */
  signal?: AbortSignal;
}

/** One connection of a terminal on which it can be asked for something, past its authentication. */
export interface TerminalLink {
  /** The address of this host as the terminal reached it; of IPv4, without the mapping of a socket of both families. */
  readonly localAddress: string;
  /** The number as the terminal wrote it in its header, as hex digits of the BCD field. */
  readonly phoneBcd: string;
  /** Aborted when the connection ends. */
  readonly ended: AbortSignal;
  /**
   * Sends a message of the platform, again while nothing comes back, and resolves with the terminal's answer: the body
   * of the message whose id is `answer`, joined of its parts, whose first WORD names our serial; or, with `answer`
   * 0x0001, its result byte. Rejects with `TerminalRefusal`, `TerminalSilence`, `LinkEnded`, or the signal's reason.
   */
  request(order: LinkRequest): Promise<Uint8Array>;
  /** Sends and does not wait; nothing happens once the connection has ended. */
  send(id: number, body: Uint8Array): void;
}

/** The terminals of JT/T 808 that can be asked for something. */
export type TerminalLinks = LinkRegistry<TerminalLink>;

/** The terminal says that it does not do what it was asked for. */
export class TerminalRefusal extends Error {
  override name = 'TerminalRefusal';
  /** Of the general answer (JT/T 808-2013, table 4): 1 failed, 2 not understood, 3 not supported. */
  readonly result: number;

  constructor(id: number, result: number) {
    super(`the terminal answered ${hex(id)} with result ${result}`);
    this.result = result;
  }
}

/** The terminal did not answer in time. */
export class TerminalTimeout extends Error {
  override name = 'TerminalSilence';

  constructor(id: number, waitedMs: number) {
    super(`the terminal did not answer ${hex(id)} within ${waitedMs} ms`);
  }
}

/** The connection ended before the answer came. */
export class LinkClosed extends Error {
  override name = 'LinkEnded';

  constructor() {
    super('the connection of the terminal ended');
  }
}

export function createTerminalLinks(): TerminalLinks {
  return createLinkRegistry<TerminalLink>();
}

function hex(id: number): string {
  return `0x${id.toString(16).padStart(4, '0')}`;
}

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
