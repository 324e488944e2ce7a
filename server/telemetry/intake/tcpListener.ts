import { createServer, type Socket } from 'node:net';
import type { ListenerContext } from './listenerContext.ts';
import type { TcpProtocol } from './protocolHandler.ts';
import { type Listener, listenOn } from './listener.ts';
import { limitConnections } from './limitConnections.ts';
import { serveTcp } from './tcpConnection.ts';

/** A terminal that is gone without a word is noticed by this. */
const keepAliveMs = 60_000;
/** How often connections are looked at for having been silent too long. */
const lookMs = 5_000;

/** Listens for terminals of one protocol. Rejects when the port cannot be had. */
export async function listenTcp(
  port: number,
  host: string,
  protocol: TcpProtocol,
  listener: ListenerContext,
): Promise<Listener> {
  const { clock, log } = listener;
  const server = createServer({
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveMs,
    // What was sent before the terminal closed its side is answered still.
    allowHalfOpen: true,
  });
  const open = limitConnections(server, listener, (socket, prove) =>
    serveTcp(socket, protocol, listener, prove),
  );
  const place = await listenOn(server, port, host, { listener: protocol.name, clock, log });

  const look = (): void => {
    for (const connection of open.values()) connection.check();
    stopLooking = clock.after(lookMs, look);
  };
  let stopLooking = clock.after(lookMs, look);
  return {
    ...place,
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
