import type { AddressInfo, Server } from 'node:net';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import { createLogRateLimit } from './logRateLimit.ts';

/** Where terminals come in by one protocol. */
export interface Listener {
  readonly port: number;
  readonly host: string;
  connections(): number;
  /** Takes no more, lets what is under way be answered, then ends. */
  close(): Promise<void>;
}

/**
 * Opens the port of a listener; rejects when it cannot be opened. From then on it is logged when the server cannot
 * accept a connection, as when the process has no file descriptor left: unheard, the error would end the program. The
 * next connection may be taken again.
 */
export async function listenOn(
  server: Server,
  port: number,
  host: string,
  { listener, clock, log }: { listener: string; clock: Pick<Clock, 'monotonic'>; log: Pick<Logger, 'warn'> },
): Promise<Pick<Listener, 'port' | 'host'>> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const limit = createLogRateLimit(clock);
  server.on('error', (error) => {
    const left = limit();
    if (left !== null) log.warn({ err: error, listener, ...left }, 'connection was not accepted');
  });
  const { port: ownPort, address } = server.address() as AddressInfo;
  return { port: ownPort, host: address };
}
