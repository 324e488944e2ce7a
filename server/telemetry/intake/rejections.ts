import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { ListenerName } from '../../contract/intake.ts';
import { redactAuthCode } from '../protocols/jt808/message.ts';
import type { Redact } from '../protocols/redact.ts';
import { redactPassword } from '../protocols/wialon/packets.ts';
import { createLogRateLimit } from './logRateLimit.ts';
import { createWrongPorts, protocolNameOf, recogniseProtocol, type WrongPorts } from './wrongPort.ts';
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
 * @param wrongPorts keeps what comes of other protocols
 */
export function createRejections(
  listener: string,
  clock: Clock,
  log: Logger,
  redact?: Redact,
  wrongPorts?: WrongPorts,
) {
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
    /**
     * Counts, and says so in the log unless it has said much already. Returns in words which protocol's port the bytes
     * belong to; null: they are not known.
     */
    add(
      reason: RejectReason,
      about?: { address: string | null; first?: Uint8Array; detail?: string },
    ): string | null {
      counts[reason] += 1;
      // Terminals that have gone or lost their network are the everyday case.
      if (about === undefined) return null;
      const { address, first, detail } = about;
      const isForeign = reason === 'protocol_mismatch' && first !== undefined;
      const wrongPort = isForeign ? (wrongPorts?.note(first, address) ?? null) : null;
      const left = limit();
      if (left === null) return wrongPort;
      log.warn(
        {
          listener,
          reason,
          address,
          ...(detail === undefined ? {} : { detail }),
          ...(first === undefined ? {} : { first: hexOf(first, redact), looks_like: protocolNameOf(first) }),
          ...left,
        },
        wrongPort ?? 'a stranger, or a message that cannot be read',
      );
      return wrongPort;
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

/** What is recorded of a listener since the start, however often it was reopened. */
export interface ListenerMonitor {
  readonly record: RecordedMessage;
  readonly rejections: Rejections;
  readonly wrongPorts: WrongPorts;
}

/**
 * @param name of the listener, as in the log
 * @param deps.redact removes secrets of its own protocol before bytes are kept or logged
 * @param deps.portOf where each protocol's own listener is
 */
export function createListenerMonitor(
  name: string,
  deps: {
    clock: Clock;
    log: Logger;
    redact?: Redact;
    portOf?: (name: ListenerName) => number | null;
  },
): ListenerMonitor {
  const { clock, log, portOf = () => null } = deps;
  /** Secrets of other protocols too: a terminal may have come to the wrong port. */
  const redact: Redact = (bytes) => {
    const isOwn = deps.redact?.(bytes) ?? false;
    const protocol = recogniseProtocol(bytes);
    const isOther =
      (protocol === 'wialon' && redactPassword(bytes)) || (protocol === 'jt808' && redactAuthCode(bytes));
    return isOwn || isOther;
  };
  const wrongPorts = createWrongPorts(name, { clock, portOf });
  return {
    record: createMessageRecord(clock, redact),
    rejections: createRejections(name, clock, log, redact, wrongPorts),
    wrongPorts,
  };
}
