import { terminalKey } from '../../contract/sameKeys.ts';
import type { Redact } from '../protocols/redact.ts';
import { keptId } from '../boundedReport.ts';
import type { TerminalReport, Outcome, OutcomeCode } from '../terminalReport.ts';

/** One message as it came and what was made of it; to understand a terminal that does not get through. */
export interface LastMessage {
  /** Counts the messages of the listener. */
  number: number;
  at_ms: number;
  transport: 'tcp' | 'udp';
  address: string | null;
  /** Null: nobody had said who it is. */
  terminal_id: string | null;
  /** Its first bytes, and how many there were. */
  bytes: Uint8Array;
  length: number;
  /** What may be a password is overwritten in them. */
  isRedacted: boolean;
  /** What it was, in words. */
  note: string | null;
  /** It, or a part of it, could not be read. */
  isUnreadable: boolean;
  /** The first of those that it was decoded to, how many there were, and what became of them. */
  reports: readonly TerminalReport[];
  decoded: number;
  outcomes: Partial<Record<Outcome['status'], number>>;
  /** Why some were rejected, or could not be stored. */
  codes: Partial<Record<OutcomeCode, number>>;
  /** The answer's first bytes; null: none so far. */
  answer: Uint8Array | null;
}

export interface MessageLog {
  /** The last messages of a listener, newest first. */
  latest(): LastMessage[];
  /** The newest of one terminal (leading zeros and letter case do not matter). */
  ofTerminal(terminalId: string): LastMessage | null;
}

export interface RecordedMessage extends MessageLog {
  /** Begins the record of a message; what it is filled in with later is seen at once. */
  open(
    transport: LastMessage['transport'],
    address: string | null,
    terminalId: string | null,
    bytes: Uint8Array,
  ): LastMessage;
  /** The message turned out to be this terminal's. */
  belongs(message: LastMessage, terminalId: string): void;
}

export const keptBytes = 512;
export const keptReports = 3;
const retainedOfListener = 50;
const keptTerminals = 5_000;

/**
 * Keeps the last messages of a listener and the last message of each of the most recent terminals.
 *
 * @param redact what of their bytes is not kept
 */
export function createMessageRecord(clock: { now(): number }, redact?: Redact): RecordedMessage {
  const ring: LastMessage[] = [];
  let next = 0;
  let count = 0;
  /** By terminal, the one that spoke longest ago first. */
  const byTerminal = new Map<string, LastMessage>();

  function belongs(message: LastMessage, terminalId: string): void {
    message.terminal_id = keptId(terminalId);
    const key = terminalKey(message.terminal_id);
    // Whose a message is may be known only after the next one has come.
    if ((byTerminal.get(key)?.number ?? 0) > message.number) return;
    byTerminal.delete(key);
    byTerminal.set(key, message);
    if (byTerminal.size <= keptTerminals) return;
    for (const oldest of byTerminal.keys()) {
      byTerminal.delete(oldest);
      return;
    }
  }

  return {
    open(transport, address, terminalId, bytes) {
      count += 1;
      const retained = firstBytes(bytes);
      const isRedacted = redact?.(retained) ?? false;
      const message: LastMessage = {
        number: count,
        at_ms: clock.now(),
        transport,
        address,
        terminal_id: terminalId,
        bytes: retained,
        length: bytes.length,
        isRedacted,
        note: null,
        isUnreadable: false,
        reports: [],
        decoded: 0,
        outcomes: {},
        codes: {},
        answer: null,
      };
      ring[next] = message;
      next = (next + 1) % retainedOfListener;
      if (terminalId !== null) belongs(message, terminalId);
      return message;
    },
    belongs,
    latest: () => [...ring.slice(next), ...ring.slice(0, next)].reverse(),
    ofTerminal: (terminalId) => byTerminal.get(terminalKey(terminalId)) ?? null,
  };
}

/** A copy: a view would keep the whole chunk that the message came in. */
export function firstBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.subarray(0, keptBytes));
}
