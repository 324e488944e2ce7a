import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createRoom } from '../protocols/jt808/parts.ts';
import { serveJt808, type Jt808Connection, type Jt808Parts } from './jt808Connection.ts';
import type { Listener } from './osmandListener.ts';

const mostConnections = 10_000;
/** Long messages that are half here, of all connections together. */
const mostPartBytes = 64 * 1024 * 1024;
const keepAliveMs = 60_000;

/** The intake for terminals of JT/T 808, 2011 to 2019. Rejects when the port cannot be had. */
export async function listenJt808(port: number, host: string, parts: Jt808Parts): Promise<Listener> {
  const room = createRoom(mostPartBytes);
  const open = new Map<Socket, Jt808Connection>();
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs });
  server.maxConnections = mostConnections;
  server.on('connection', (socket) => {
    open.set(socket, serveJt808(socket, parts, room));
    socket.once('close', () => open.delete(socket));
  });
  server.on('drop', () => parts.log.warn('a jt808 terminal found all connections taken'));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    host: address.address,
    connections: () => open.size,
    async close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      await Promise.all([...open.values()].map((it) => it.finish()));
      await closed;
    },
  };
}
