/** The signalling side of JT/T terminals, as the video side needs it: who is there, and how it is asked. */
export interface TerminalLinks {
  /**
   * The link of the terminal with this ID (leading zeros and letter case do not matter), the newest where two came
   * with one number; null while it is off line.
   */
  find(terminalId: string): TerminalLink | null;
}

/** One connection of a terminal to the signalling port (JT/T 808), past its authentication. */
export interface TerminalLink {
  /** The address of this host as the terminal reached it. */
  readonly localAddress: string;
  /** The number as the terminal wrote it in its header, as hex digits of the BCD field. */
  readonly phoneBcd: string;
  /** Aborted when the connection ends. */
  readonly ended: AbortSignal;
  /**
   * Sends a platform message and resolves with the terminal's answer: the body of the message whose id is `answer`,
   * joined of its sub-packages, whose first WORD names our serial; or, with `answer` 0x0001, its result byte's body.
   * A general answer 0x0001 with a result other than 0 rejects with a `TerminalRefusal`.
   */
  ask(order: LinkOrder): Promise<Uint8Array>;
  /** Sends and does not wait. */
  send(id: number, body: Uint8Array): void;
}

export interface LinkOrder {
  id: number;
  body: Uint8Array;
  /** The id of the message that answers. */
  answer: number;
  timeoutMs: number;
  /** Not sent again when no answer comes: a terminal would do it twice. */
  once?: boolean;
  signal: AbortSignal;
}
