import type { Server, Socket } from 'node:net';
import type { DoorParts } from './doorParts.ts';

/**
 * Hands the connections of a server to `take` as far as the limits of its door allow; the others are turned away.
 * Returns those that are open, each with what was made of it.
 */
export function takeConnections<Taken>(
  server: Server,
  { limits, turnedAway }: Pick<DoorParts, 'limits' | 'turnedAway'>,
  take: (socket: Socket) => Taken,
): ReadonlyMap<Socket, Taken> {
  const open = new Map<Socket, Taken>();
  const perAddress = new Map<string, number>();
  server.maxConnections = limits.connections;
  server.on('drop', (about) => {
    const address = about?.remoteAddress ?? null;
    turnedAway.add('full', { address, detail: 'all connections are taken' });
  });
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    const others = perAddress.get(address) ?? 0;
    if (others >= limits.connectionsPerAddress) {
      turnedAway.add('full', { address, detail: 'all connections of its address are taken' });
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
