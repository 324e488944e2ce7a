import type { Clock } from '../../clock.ts';
import type { ListenerName } from '../../contract/intake.ts';
import { looksLikeJt1078 } from '../protocols/jt1078/packetHead.ts';
import { looksLikeJt808 } from '../protocols/jt808/message.ts';
import { looksLikeOsmand } from '../protocols/osmand/osmandParameters.ts';
import { looksLikeTeltonika } from '../protocols/teltonika/frames.ts';
import { looksLikeWialon } from '../protocols/wialon/packets.ts';

/** The protocols of terminals, and what else often comes to their ports. */
type Recognised = ListenerName | 'http' | 'tls' | 'ssh';

const protocolNames: Readonly<Record<Recognised, string>> & Readonly<Record<string, string>> = {
  osmand: 'OsmAnd',
  teltonika: 'Teltonika',
  wialon: 'Wialon',
  jt808: 'JT/T 808',
  jt1078: 'JT/T 1078',
  http: 'HTTP',
  tls: 'TLS',
  ssh: 'SSH',
};

/** The most that is looked at. */
const lookedAt = 512;

/** Which protocol these first bytes of a connection, or of a datagram, are of; null for any other. */
export function recogniseProtocol(first: Uint8Array): Recognised | null {
  const bytes = Buffer.from(first.buffer, first.byteOffset, Math.min(first.length, lookedAt));
  if (looksLikeTeltonika(bytes)) return 'teltonika';
  if (looksLikeJt808(bytes)) return 'jt808';
  if (looksLikeJt1078(bytes)) return 'jt1078';
  if (looksLikeWialon(bytes)) return 'wialon';
  if (looksLikeOsmand(bytes)) return 'osmand';
  // RFC 8446, 5.1: handshake (22), legacy version 3.x.
  if (bytes[0] === 0x16 && bytes[1] === 0x03) return 'tls';
  const start = bytes.toString('latin1', 0, 8);
  if (/^(GET|HEAD|POST|PUT|OPTIONS|CONNECT|PRI) /.test(start)) return 'http';
  return start.startsWith('SSH-') ? 'ssh' : null;
}

/** The same as people call it. */
export function protocolNameOf(first: Uint8Array): string | null {
  const protocol = recogniseProtocol(first);
  return protocol === null ? null : protocolNames[protocol];
}

/** What of one protocol came to the port of another since the start. */
export interface WrongPort {
  protocol: Recognised;
  /** In words, with the port to use where there is one. */
  message: string;
  /** Connections and datagrams. */
  count: number;
  last_ms: number;
  address: string | null;
}

/**
 * Keeps what came to a listener of other protocols.
 *
 * @param listener its name, as in the log
 * @param portOf where a protocol's own listener is; null: nowhere
 */
export function createWrongPorts(
  listener: string,
  { clock, portOf }: { clock: Pick<Clock, 'now'>; portOf: (name: ListenerName) => number | null },
) {
  const seen = new Map<string, WrongPort>();

  function messageOf(protocol: Recognised): string {
    const what = `${protocolNames[protocol]} on the ${protocolNames[listener] ?? listener} port`;
    if (protocol === 'tls') return `${what}: terminals connect without TLS`;
    const port = protocol === 'http' || protocol === 'ssh' ? null : portOf(protocol);
    return port === null ? what : `${what}: use ${port}`;
  }

  return {
    /** Notes the first bytes of a connection, or a datagram. Returns what it was in words; null when it is not known. */
    note(first: Uint8Array, address: string | null): string | null {
      const protocol = recogniseProtocol(first);
      // HTTP is what OsmAnd speaks.
      if (protocol === null || protocol === listener || (protocol === 'http' && listener === 'osmand'))
        return null;
      const message = messageOf(protocol);
      const count = (seen.get(protocol)?.count ?? 0) + 1;
      seen.set(protocol, { protocol, message, count, last_ms: clock.now(), address });
      return message;
    },
    /** The latest first. */
    list: (): WrongPort[] => [...seen.values()].sort((a, b) => b.last_ms - a.last_ms),
  };
}

/** What is noted of a message that was rejected: which port is right, if that is known, and why it was rejected. */
export function withReason(wrongPort: string | null, reason: string): string {
  return wrongPort === null ? reason : `${wrongPort} (${reason})`;
}

export type WrongPorts = ReturnType<typeof createWrongPorts>;
