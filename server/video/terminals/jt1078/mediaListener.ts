import { terminalKey } from '../../../contract/sameKeys.ts';
import { createServer, type Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Clock } from '../../../clock.ts';
import { listenOn, type Listener } from '../../../telemetry/intake/listener.ts';
import { createLogRateLimit } from '../../../telemetry/intake/logRateLimit.ts';
import type { WrongPorts } from '../../../telemetry/intake/wrongPort.ts';
import { createUnprovenConnections } from '../../../http/unprovenConnections.ts';
import { openMovable, type RebindableListener } from '../../../telemetry/intake/rebindableListener.ts';
import type { MediaPacket } from './mediaPacket.ts';
import { createPacketSplitter } from './packetSplitter.ts';

/** The port on which terminals deliver what they were asked for. They do not say who they are: their packets do. */
export interface MediaListener extends RebindableListener {
  /**
   * From now on a connection that brings packets of this terminal and channel is the claim's. Returns its undo, which
   * ends such connections.
   * @returns null when there is such a claim already
   */
  claim(claim: MediaClaim): (() => void) | null;
}

export interface MediaClaim {
  sim: string;
  channel: number;
  /** A connection brings its packets; a later one takes the place of an earlier one. */
  opened(): MediaReceiver;
  /** While none has come: another connection came and was none of a waiting claim's. @param what in words */
  stranger(what: string): void;
}

export interface MediaReceiver {
  /** So many bytes came, whatever they are. */
  bytes(count: number): void;
  /** No more is read until it resolves. */
  take(packet: MediaPacket): Promise<void>;
  /** @param isCut in the middle of a packet, or otherwise than in good order */
  closed(isCut: boolean): void;
}

export interface MediaListenerDeps {
  clock: Pick<Clock, 'after' | 'monotonic'>;
  log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
  /** Keeps what comes of other protocols; nothing is kept if it is left out. */
  wrongPorts?: WrongPorts;
  /** Hears of each connection that was waited for. */
  onDelivery?: () => void;
}

const name = 'jt1078';
/** A terminal connects in order to send, so its first packets come at once. */
export const strangersLeaveAfterMs = 10_000;
/** Packets of other channels may come first. */
const maxStrangeBytes = 1024 * 1024;
/**
 * Of more that nobody waits for, the oldest of the address with the most goes: who is waited for shows it by its first
 * packet.
 */
export const maxUnclaimed = 1_000;

interface Standing {
  claim: MediaClaim;
  /** Ends the connection that delivers now. */
  end: (() => void) | null;
}

/** Opens the port; rejects when it cannot be had. Claims hold when it is moved; the connections of theirs end. */
export async function listenMedia(
  port: number,
  host: string,
  deps: MediaListenerDeps,
): Promise<MediaListener> {
  const claims = new Map<string, Standing>();
  const strangers = createUnprovenConnections<Socket>();
  const wrongPortLimit = createLogRateLimit(deps.clock);
  let isClosing = false;

  async function openServer(wantedPort: number, wantedHost: string): Promise<Listener> {
    const open = new Set<Socket>();
    const server = createServer((socket) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      // The reading loop hears of it too.
      socket.on('error', () => undefined);
      serve(socket).catch((error: unknown) => {
        deps.log.error({ err: error }, 'media connection failed');
        socket.destroy();
      });
    });
    const place = await listenOn(server, wantedPort, wantedHost, { ...deps, listener: name });
    return {
      ...place,
      connections: () => open.size,
      close() {
        const closed = new Promise<void>((resolve) => {
          server.close(() => resolve());
        });
        for (const socket of open) socket.destroy();
        return closed;
      },
    };
  }

  async function serve(socket: Socket): Promise<void> {
    const splitter = createPacketSplitter();
    const to: { standing: Standing | null; taker: MediaReceiver | null } = { standing: null, taker: null };
    let first: MediaPacket | null = null;
    let received = 0;
    let isLost = false;
    const end = () => void socket.destroy();
    strangers.add(socket);
    const oldest = strangers.oldestOfMost();
    if (oldest !== undefined && strangers.size() > maxUnclaimed) {
      strangers.remove(oldest);
      oldest.destroy();
    }
    const stopTimer = deps.clock.after(strangersLeaveAfterMs, end);

    async function give(packets: readonly MediaPacket[]): Promise<void> {
      for (const packet of packets) {
        first ??= packet;
        const standing = claims.get(keyOf(packet));
        if (standing === undefined) continue;
        if (to.taker === null) {
          stopTimer();
          strangers.remove(socket);
          const earlier = standing.end;
          to.standing = standing;
          to.taker = standing.claim.opened();
          standing.end = end;
          earlier?.();
          deps.onDelivery?.();
          to.taker.bytes(received);
        }
        if (to.standing === standing) await to.taker.take(packet);
      }
    }

    try {
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        if (received === 0 && isOfOther(chunk, socket)) break;
        received += chunk.length;
        to.taker?.bytes(chunk.length);
        await give(splitter.push(chunk));
        if (to.taker === null && received > maxStrangeBytes) break;
      }
      await give(splitter.end());
    } catch (error) {
      isLost = true;
      deps.log.debug({ err: error }, 'media connection was lost');
    } finally {
      stopTimer();
      strangers.remove(socket);
      socket.destroy();
    }
    // Who is receiving is ended for the same reason, and knows it.
    if (isClosing) return;
    if (to.taker === null) logUnclaimed(received, first);
    else to.taker.closed(isLost || splitter.wasCut());
  }

  /** Whether a connection that begins so is of another protocol. */
  function isOfOther(first: Buffer, { remoteAddress }: Socket): boolean {
    const address = remoteAddress ?? null;
    const wrongPort = deps.wrongPorts?.note(first, address) ?? null;
    if (wrongPort === null) return false;
    const left = wrongPortLimit();
    if (left !== null)
      deps.log.warn({ listener: name, reason: 'protocol_mismatch', address, ...left }, wrongPort);
    return true;
  }

  function logUnclaimed(received: number, first: MediaPacket | null): void {
    if (received === 0) return;
    const what =
      first === null
        ? `${received} bytes that are no media packets`
        : `packets of terminal ${first.sim}, channel ${first.channel}`;
    deps.log.debug({ received, what }, 'unclaimed media connection was closed');
    for (const { claim, end } of claims.values()) if (end === null) claim.stranger(what);
  }

  const { clock, log } = deps;
  const listener = await openMovable(openServer, port, host, { clock, log, listener: name });
  return {
    port: listener.port,
    get host() {
      return listener.host;
    },
    connections: () => listener.connections(),
    fault: () => listener.fault(),
    rebind: (to) => listener.rebind(to),
    claim(claim) {
      const key = keyOf(claim);
      if (claims.has(key)) return null;
      const standing: Standing = { claim, end: null };
      claims.set(key, standing);
      return () => {
        claims.delete(key);
        standing.end?.();
      };
    },
    close() {
      isClosing = true;
      return listener.close();
    },
  };
}

function keyOf({ sim, channel }: Pick<MediaPacket, 'sim' | 'channel'>): string {
  return `${terminalKey(sim)} ${channel}`;
}
