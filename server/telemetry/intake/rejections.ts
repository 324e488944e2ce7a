import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Redact } from '../protocols/redact.ts';
import { createLogRateLimit } from './logRateLimit.ts';
import { createMessageRecord, type RecordedMessage } from './messageLog.ts';

/** Why a connection was ended, or a message left alone, by this side. */
export type RejectReason =
  /** One message that cannot be read, of a terminal that is heard further. */
  | 'undecodable'
  /** Bytes that are not the protocol's. */
  | 'protocol_mismatch'
  /** It did not say who it is in time. */
  | 'unidentified'
  /** A message that did not get on. */
  | 'incomplete'
  | 'idle'
  /** It did not read its answers. */
  | 'slow_reader'
  /** There were as many connections as there may be, of its address or in all. */
  | 'limit';

const shownBytes = 32;

export type Rejections = ReturnType<typeof createRejections>;

/**
 * @param listener its name, as in the log
 * @param redact what of the bytes is not logged
 */
export function createRejections(listener: string, clock: Clock, log: Logger, redact?: Redact) {
  const counts: Record<RejectReason, number> = {
    undecodable: 0,
    protocol_mismatch: 0,
    unidentified: 0,
    incomplete: 0,
    idle: 0,
    slow_reader: 0,
    limit: 0,
  };
  const limit = createLogRateLimit(clock);

  return {
    /** Counts, and says so in the log unless it has said much already. */
    add(reason: RejectReason, about?: { address: string | null; first?: Uint8Array; detail?: string }): void {
      counts[reason] += 1;
      // Terminals that have gone or lost their network are the everyday case.
      if (about === undefined) return;
      const left = limit();
      if (left === null) return;
      const { address, first, detail } = about;
      log.warn(
        {
          listener,
          reason,
          address,
          ...(detail === undefined ? {} : { detail }),
          ...(first === undefined ? {} : { first: hexOf(first, redact), looks_like: looksLike(first) }),
          ...left,
        },
        'a stranger, or a message that cannot be read',
      );
    },
    /** Since the start. */
    counts: (): Readonly<Record<RejectReason, number>> => ({ ...counts }),
  };
}

function hexOf(bytes: Uint8Array, redact?: Redact): string {
  const excerpt = Buffer.from(bytes.subarray(0, shownBytes));
  redact?.(excerpt);
  return excerpt.toString('hex');
}

/** What most often comes to a wrong port; null for anything else. */
export function looksLike(bytes: Uint8Array): string | null {
  // RFC 8446, 5.1: handshake (22), legacy version 3.x.
  if (bytes[0] === 0x16 && bytes[1] === 0x03) return 'TLS';
  const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  if (/^(GET|HEAD|POST|PUT|OPTIONS|CONNECT|PRI) /.test(start)) return 'HTTP';
  return start.startsWith('SSH-') ? 'SSH' : null;
}

/** What is recorded of a listener since the start, however often it was reopened. */
export interface ListenerMonitor {
  readonly record: RecordedMessage;
  readonly rejections: Rejections;
}

/**
 * @param name of the listener, as in the log
 * @param deps.redact removes secrets before bytes are kept or logged; nothing is removed if it is left out
 */
export function createListenerMonitor(
  name: string,
  { clock, log, redact }: { clock: Clock; log: Logger; redact?: Redact },
): ListenerMonitor {
  return {
    record: createMessageRecord(clock, redact),
    rejections: createRejections(name, clock, log, redact),
  };
}
