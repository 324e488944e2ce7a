import type { Server } from 'node:net';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import { createLineLimit } from './lineLimit.ts';

/**
 * Tells the log when a server that listens cannot take a connection, as when the process has no file descriptor left:
 * unheard, the error would end the program. The next connection may be taken again.
 */
export function tellServerFaults(
  server: Server,
  { door, clock, log }: { door: string; clock: Pick<Clock, 'monotonic'>; log: Pick<Logger, 'warn'> },
): void {
  const limit = createLineLimit(clock);
  server.on('error', (error) => {
    const left = limit();
    if (left !== null) log.warn({ err: error, door, ...left }, 'a connection could not be taken');
  });
}
