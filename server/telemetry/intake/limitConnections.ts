import type { Server, Socket } from 'node:net';
import type { ListenerContext } from './listenerContext.ts';
import { countedAddress, createUnprovenConnections } from '../../http/unprovenConnections.ts';
import type { Clock } from '../../clock.ts';

/** Called with whether the connection belongs to a known terminal: then it is never closed in favour of another. */
export type Prove = (isProven: boolean) => void;

/**
 * Hands the connections of a server to `take` as far as the depot's limits allow. Beyond, the connection that has been
 * unproven longest gives way: of the newcomer's address where that one is full, else of the address with the most of
 * them. Where all are proven the new connection is rejected. Returns those that are open, each with what was made of
 * it.
 */
export function limitConnections<Taken>(
  server: Server,
  { depotLimits, rejections }: Pick<ListenerContext, 'depotLimits' | 'rejections'>,
  take: (socket: Socket, prove: Prove) => Taken,
): ReadonlyMap<Socket, Taken> {
  const open = new Map<Socket, Taken>();
  const addresses = new Map<Socket, string>();
  const perAddress = new Map<string, number>();
  const unproven = createUnprovenConnections<Socket>();

  function forget(socket: Socket): void {
    const address = addresses.get(socket);
    if (address === undefined) return;
    addresses.delete(socket);
    open.delete(socket);
    unproven.remove(socket);
    const left = (perAddress.get(address) ?? 1) - 1;
    if (left === 0) perAddress.delete(address);
    else perAddress.set(address, left);
  }

  /** False: nobody gives way. */
  function makeSpace(address: string): boolean {
    const { connections, connectionsPerAddress } = depotLimits();
    const isFull = open.size >= connections;
    const isAddressFull = (perAddress.get(address) ?? 0) >= connectionsPerAddress;
    if (!isFull && !isAddressFull) return true;
    const whose = isFull ? 'all connections are taken' : 'all connections of its address are taken';
    const other = isAddressFull ? unproven.oldestOf(address) : unproven.oldestOfMost();
    rejections.add('limit', {
      address: other === undefined ? address : countedAddress(other),
      detail: whose,
    });
    if (other === undefined) return false;
    forget(other);
    other.destroy();
    return true;
  }

  server.on('connection', (socket) => {
    const address = countedAddress(socket);
    if (!makeSpace(address)) {
      socket.destroy();
      return;
    }
    perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
    addresses.set(socket, address);
    unproven.add(socket);
    socket.once('close', () => forget(socket));
    open.set(
      socket,
      take(socket, (isProven) => {
        unproven.remove(socket);
        if (!isProven && addresses.has(socket)) unproven.add(socket);
      }),
    );
  });
  return open;
}

/** For how long the other side of a connection has taken in nothing of what was written to it. */
export function createUnreadWatch(clock: Pick<Clock, 'monotonic'>) {
  let seen = { bytes: 0, at_ms: 0 };
  return {
    /** Milliseconds, as seen whenever it is asked; 0 while nothing is unread. */
    silent_ms({ writableLength }: Pick<Socket, 'writableLength'>): number {
      const now = clock.monotonic();
      // More to read is no sign of life; less is.
      if (writableLength === 0 || seen.bytes === 0 || writableLength < seen.bytes)
        seen = { bytes: writableLength, at_ms: now };
      else seen.bytes = writableLength;
      return writableLength === 0 ? 0 : now - seen.at_ms;
    },
  };
}
