import { normalizeAddress } from './rateLimit.ts';

interface Connection {
  readonly remoteAddress?: string | undefined;
}

/** The address under which a connection is counted: whoever has a network of IPv6 addresses has one place. */
export function countedAddress(connection: Connection): string {
  return normalizeAddress(connection.remoteAddress);
}

/**
 * Connections that do nothing yet for which they are worth their place: by which no known terminal has spoken, or no
 * whole request has come. When there are as many connections as there may be, one of these gives way to a newcomer: a
 * flood of them then pushes itself out, and whoever has something to say gets in.
 */
export function createUnprovenConnections<C extends Connection>() {
  const byAddress = new Map<string, Set<C>>();
  /** A closed socket no longer knows its address. */
  const addresses = new Map<C, string>();

  const first = (ones: Set<C> | undefined): C | undefined => {
    for (const one of ones ?? []) return one;
    return undefined;
  };

  return {
    /** As the newest of its address. */
    add(connection: C): void {
      const address = countedAddress(connection);
      addresses.set(connection, address);
      const ones = byAddress.get(address) ?? new Set();
      byAddress.set(address, ones.add(connection));
    },
    remove(connection: C): void {
      const address = addresses.get(connection);
      if (address === undefined) return;
      addresses.delete(connection);
      const ones = byAddress.get(address);
      ones?.delete(connection);
      if (ones?.size === 0) byAddress.delete(address);
    },
    /** The one that has been unproven longest, of this address; undefined: none. */
    oldestOf: (address: string): C | undefined => first(byAddress.get(address)),
    /** The same of the address with the most of them. */
    oldestOfMost(): C | undefined {
      let max: Set<C> | undefined;
      for (const ones of byAddress.values()) if (ones.size > (max?.size ?? 0)) max = ones;
      return first(max);
    },
    size: () => addresses.size,
  };
}
