import { createLinkRegistry, type LinkRegistry } from './linkRegistry.ts';

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
