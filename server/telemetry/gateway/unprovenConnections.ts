import type { Socket } from 'node:net';
import { normalizeAddress } from '../../http/rateLimit.ts';

/**
 * Connections by which no known terminal has spoken yet. When there are as many connections as there may be, one of these
 * gives way to a newcomer: a flood of them then pushes itself out, and a terminal that has something to say gets in.
 */
export interface UnprovenConnections {
  /** As the newest of its address. */
  add(socket: Socket): void;
  remove(socket: Socket): void;
  /** The one that has been unproven longest, of this address; undefined: none. */
  oldestOf(address: string): Socket | undefined;
  /** The same of the address with the most of them. */
  oldestOfMost(): Socket | undefined;
  size(): number;
}

/** The address under which a connection is counted: whoever has a network of IPv6 addresses has one place. */
export function countedAddress(socket: Pick<Socket, 'remoteAddress'>): string {
  return normalizeAddress(socket.remoteAddress);
}

export function createUnprovenConnections(): UnprovenConnections {
  const byAddress = new Map<string, Set<Socket>>();
  /** The address is gone once a socket is closed. */
  const addresses = new Map<Socket, string>();

  const first = (sockets: Set<Socket> | undefined): Socket | undefined => {
    for (const socket of sockets ?? []) return socket;
    return undefined;
  };

  return {
    add(socket) {
      const address = countedAddress(socket);
      addresses.set(socket, address);
      const sockets = byAddress.get(address) ?? new Set();
      byAddress.set(address, sockets.add(socket));
    },
    remove(socket) {
      const address = addresses.get(socket);
      if (address === undefined) return;
      addresses.delete(socket);
      const sockets = byAddress.get(address);
      sockets?.delete(socket);
      if (sockets?.size === 0) byAddress.delete(address);
    },
    oldestOf: (address) => first(byAddress.get(address)),
    oldestOfMost() {
      let most: Set<Socket> | undefined;
      for (const sockets of byAddress.values()) if (sockets.size > (most?.size ?? 0)) most = sockets;
      return first(most);
    },
    size: () => addresses.size,
  };
}
