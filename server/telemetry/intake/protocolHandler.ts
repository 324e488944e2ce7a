import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import { standardIntake } from '../../contract/settings.ts';
import type { TerminalReport, Accept, Outcome } from '../terminalReport.ts';
import type { ListenerMonitor } from './rejections.ts';

// What a protocol is to the intake: how its bytes are cut into messages (a pure function), and what is answered to each
// (a conversation; for datagrams a function). Sockets, limits, time-outs, back-pressure and the order of the answers
// are the listeners' business (listenTcpAndUdp.ts opens both kinds on one port). To add a protocol: a folder under
// protocols/ for the decoder, one handler file here, a listener in app/intake.ts.

/** Bytes to write, or null: nothing is answered. */
export type Answer = Uint8Array | null;

/** One whole message of a terminal. */
export interface Message {
  /** As they came; they stay as they are. */
  readonly bytes: Buffer;
  /** Hands in what was decoded; resolves after the commit, with an outcome for each in their order. */
  accept(reports: readonly TerminalReport[]): Promise<Outcome[]>;
  /** Whose it says that it is; needed where no report does, and the connection does not belong to anybody yet. */
  from(terminalId: string): void;
  /** What the message was, in a few words, for whoever looks at what came last: "login", "the CRC does not fit". */
  note(words: string): void;
  /** As `note`, of a message that cannot be read: counted, and logged at a limited rate. */
  undecodable(words: string): void;
  /** As `note`, of what turns out to be no message: it keeps no connection, as silence would not. */
  ignore(words: string): void;
  /** Notes an answer that goes out by `Wire.write`; what `take` returns is noted automatically. */
  answered(bytes: Uint8Array): void;
}

/** A connection, as a conversation sees it. */
export interface HandlerConnection {
  readonly remoteAddress: string | null;
  /** The address of this host as the terminal reached it. */
  readonly localAddress: string;
  readonly log: Logger;
  /** Hands in what does not come of the message at hand; the connection ends after it. */
  accept(reports: readonly TerminalReport[]): Promise<Outcome[]>;
  /**
   * The connection belongs to this terminal from now on: it is identified, and its earlier connection is closed.
   */
  identify(terminalId: string): void;
  /** Says something unasked; answers are returned by `take`. */
  write(bytes: Uint8Array): void;
  /** Whether what is written now goes out; once it does not, it never does again. */
  isOpen(): boolean;
  /** Takes no more; ends when the answers to all that was taken are written, the one under way included. */
  end(): void;
  /** Ends at once; what was not answered comes again. */
  destroy(): void;
}

export interface ProtocolHandler {
  /**
   * Called for each message in turn, before the earlier ones are answered; the answers are written in the order of the
   * messages, whichever is known first. Null where the store failed: the terminal then sends it again. May throw
   * `Foreign`.
   */
  take(message: Message): Answer | Promise<Answer>;
  /** The connection is over. */
  ended?(): void;
}

export interface TcpProtocol {
  /** The name of its listener: `teltonika`. */
  readonly name: string;
  /** The longest message that there can be, in bytes. */
  readonly longest: number;
  /**
   * The length of the message that these bytes begin with, delimiters included, which may be more than is there; 0: not
   * known yet. Never called without a byte. Pure. Throws `Foreign` as soon as no message begins so.
   */
  frameLength(bytes: Buffer): number;
  begin(wire: HandlerConnection): ProtocolHandler;
  /** Without a message for so long a connection is over, where the depot's limit is longer. */
  readonly idleMs?: number;
}

export interface UdpProtocol {
  readonly name: string;
  /** The answer to a datagram. May throw `Foreign`. */
  take(message: Message & { readonly remoteAddress: string }): Answer | Promise<Answer>;
}

/** Bytes that are not the protocol's: the connection ends, with a line in the log that does not flood it. */
export class ProtocolMismatch extends Error {
  override name = 'Foreign';
}

/** Limits that the depot sets. Those who are connected stay when one is lowered. */
export interface DepotLimits {
  /** Of one listener. */
  connections: number;
  /** Of one listener; many terminals share the address of their mobile network's gateway. */
  connectionsPerAddress: number;
  /** Without a message for so long a connection is over. */
  idleMs: number;
}

export interface IntakeLimits extends DepotLimits {
  /** A terminal says who it is as soon as it is connected. */
  unidentifiedMs: number;
  /** Of a message that has begun, while a connection has not said whose it is. */
  unidentifiedBytes: number;
  /** From the first byte of a message to its last. */
  incompleteMessageTimeoutMs: number;
  /** Messages of one connection that may wait for the store before it is read no further. */
  messagesUnderWay: number;
  /**
   * How many reports of one listener may wait for the store before its connections are no longer read; a message counts
   * as a report for each kilobyte of it, if it holds fewer.
   */
  maxPendingReports: number;
  /** Answers that a terminal may leave unread. */
  unreadBytes: number;
  /** A terminal that takes in none of its answers gets no longer. */
  unreadMs: number;
  /** A terminal that does not read gets no longer to take the last answers. */
  endingMs: number;
}

export const standardLimits: IntakeLimits = {
  connections: standardIntake.connections,
  connectionsPerAddress: standardIntake.connectionsPerAddress,
  unidentifiedMs: 30_000,
  // What says it takes less than 2 kB, escapes included, by every protocol.
  unidentifiedBytes: 4 * 1024,
  idleMs: standardIntake.idleS * 1_000,
  incompleteMessageTimeoutMs: 30_000,
  messagesUnderWay: 64,
  maxPendingReports: 20_000,
  // Some hundreds of answers, on top of what the system's own buffers hold.
  unreadBytes: 32 * 1024,
  unreadMs: 30_000,
  endingMs: 1_000,
};

export interface IntakeDeps {
  accept: Accept;
  clock: Clock;
  log: Logger;
  /** Other than the standard ones. */
  limits?: Partial<IntakeLimits>;
  /** Those that the depot has set, asked for whenever one is needed; they never change when it is left out. */
  depotLimits?: () => DepotLimits;
  /** Continues the records of the listener; a new monitor is created if it is left out. */
  watch?: Pick<ListenerMonitor, 'record' | 'rejections'>;
}
