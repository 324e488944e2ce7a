import type { Server, Socket } from 'node:net';
import type { DoorParts } from './doorParts.ts';

/**
 * Hands the connections of a server to `take` as far as the depot's limits allow; the others are turned away. Returns
 * those that are open, each with what was made of it.
 */
export function takeConnections<Taken>(
  server: Server,
  { depotLimits, turnedAway }: Pick<DoorParts, 'depotLimits' | 'turnedAway'>,
  take: (socket: Socket) => Taken,
): ReadonlyMap<Socket, Taken> {
  const open = new Map<Socket, Taken>();
  const perAddress = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    const others = perAddress.get(address) ?? 0;
    const { connections, connectionsPerAddress } = depotLimits();
    const isFull = open.size >= connections;
    if (isFull || others >= connectionsPerAddress) {
      const whose = isFull ? 'all connections are taken' : 'all connections of its address are taken';
      turnedAway.add('full', { address, detail: whose });
      socket.destroy();
      return;
    }
    perAddress.set(address, others + 1);
    open.set(socket, take(socket));
    socket.once('close', () => {
      open.delete(socket);
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left === 0) perAddress.delete(address);
      else perAddress.set(address, left);
    });
  });
  return open;
}
