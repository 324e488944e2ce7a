import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { DoorParts } from './doorParts.ts';
import type { TcpProtocol } from './intakeProtocol.ts';
import type { Listener } from './listener.ts';
import { tellServerFaults } from './serverFaults.ts';
import { serveTcp, type TcpConnection } from './tcpConnection.ts';

/** A terminal that is gone without a word is noticed by this. */
const keepAliveMs = 60_000;
/** How often connections are looked at for having been silent too long. */
const lookMs = 5_000;

/** Listens for terminals of one protocol. Rejects when the port cannot be had. */
export async function listenTcp(
  port: number,
  host: string,
  protocol: TcpProtocol,
  door: DoorParts,
): Promise<Listener> {
  const { clock, limits, log, turnedAway } = door;
  const open = new Map<Socket, TcpConnection>();
  const perAddress = new Map<string, number>();
  const server = createServer({
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveMs,
    // What was sent before the terminal closed its side is answered still.
    allowHalfOpen: true,
  });
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
    open.set(socket, serveTcp(socket, protocol, door));
    socket.once('close', () => {
      open.delete(socket);
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left === 0) perAddress.delete(address);
      else perAddress.set(address, left);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  tellServerFaults(server, { door: protocol.name, clock, log });

  const look = (): void => {
    for (const connection of open.values()) connection.check();
    stopLooking = clock.after(lookMs, look);
  };
  let stopLooking = clock.after(lookMs, look);
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    host: address.address,
    connections: () => open.size,
    async close() {
      stopLooking();
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      // The server counts a connection as closed before those hear of it who wait for that.
      const gone = [...open.keys()].map(closing);
      for (const connection of open.values()) connection.finish();
      await Promise.all([closed, ...gone]);
    },
  };
}

function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}
