import type { ReadyHost } from '../journey/hostProcess.ts';
import type { Random } from './random.ts';
import type { Said } from './ledger.ts';
import type { Fix } from './plan.ts';
import type { Counters } from './counters.ts';

/** What may befall a message on its way. */
export type Mischief =
  | 'none'
  /** The connection breaks in the middle of it. */
  | 'cut'
  /** The connection breaks behind it, before its answer is read. */
  | 'deaf'
  /** The terminal is never heard again on this connection, which nobody ends. */
  | 'half_open'
  /** A bit of it is turned over on the way. */
  | 'damaged'
  /** It comes in small pieces. */
  | 'dribble'
  /** It is sent twice. */
  | 'twice'
  /** Something else comes before it. */
  | 'noise';

/** A virtual terminal's mouth: how it says what it means, by its protocol. */
export interface TerminalClient {
  /** The protocol, in words. */
  readonly kind: string;
  readonly terminalId: string;
  /** The time resolution of the protocol. */
  readonly resolution_ms: number;
  readonly maxFixes: number;
  /** How many messages it may have under way at a time. */
  readonly parallel: number;
  /** What the API must return for a fix. */
  saidOf(fix: Fix): Said;
  /** Sends a message; whether the host has acknowledged all of it. Never rejects. */
  deliver(fixes: readonly Fix[], host: ReadyHost, faultInjection: Mischief): Promise<boolean>;
  hangUp(): void;
}

export interface TerminalClientParts {
  terminalId: string;
  dice: Random;
  tally: Counters;
}

/** What every protocol here can say. */
export function commonOf({ lat, lon, altitude_m, speed_kmh, hasFix }: Fix): Said {
  return { lat, lon, altitude_m, speed_kmh, valid: hasFix };
}

/** With one bit turned over, at this byte or behind it. */
export function withBitTurned(bytes: Uint8Array, from: number, to: number, dice: Random): Buffer {
  const damaged = Buffer.from(bytes);
  const at = dice.whole(from, to);
  damaged[at] = (damaged[at] ?? 0) ^ (1 << dice.whole(0, 7));
  return damaged;
}

/** Some of the first bytes, at least one, never all. */
export function beginningOf(bytes: Uint8Array, dice: Random): Uint8Array {
  return bytes.subarray(0, dice.whole(1, Math.max(1, bytes.length - 1)));
}
