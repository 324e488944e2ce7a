import PQueue from 'p-queue';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Listener } from './listener.ts';

/** A listener that can be opened at another address of this machine, on the port that it has. */
export interface RebindableListener extends Listener {
  /**
   * Takes no more, lets what is under way be answered, ends the connections, and listens there. Rejects when it cannot:
   * it is closed then, and retries until it listens there or is rebound elsewhere.
   */
  rebind(host: string): Promise<void>;
  /** Why it is shut; null: it listens. */
  fault(): Error | null;
}

/** Whoever has taken the port may let it go again. */
export const retryMs = 5_000;

/**
 * Opens a listener that can be moved. Rejects when the port cannot be had.
 *
 * @param open opens it; called again, with the port that the first one had, after the one before is closed
 */
export async function openMovable(
  open: (port: number, host: string) => Promise<Listener>,
  port: number,
  host: string,
  {
    clock,
    log,
    listener,
  }: { clock: Pick<Clock, 'after'>; log: Pick<Logger, 'error' | 'info'>; listener: string },
): Promise<RebindableListener> {
  const first = await open(port, host);
  const ownPort = first.port;
  let current: Listener | null = first;
  let wanted = host;
  let fault: Error | null = null;
  let isClosed = false;
  let stopRetry = (): void => undefined;
  /** One move after the other. */
  const queue = new PQueue({ concurrency: 1 });

  async function listen(): Promise<void> {
    stopRetry();
    if (isClosed || current !== null) return;
    try {
      current = await open(ownPort, wanted);
      if (fault !== null) log.info({ listener, host: wanted, port: ownPort }, 'listener is open again');
      fault = null;
    } catch (error) {
      fault = error instanceof Error ? error : new Error(String(error));
      stopRetry = clock.after(retryMs, () => void queue.add(listen).catch(() => undefined));
      throw fault;
    }
  }

  return {
    port: ownPort,
    get host() {
      return current?.host ?? wanted;
    },
    connections: () => current?.connections() ?? 0,
    fault: () => fault,
    rebind: (to) =>
      queue.add(async () => {
        if (to === wanted && current !== null) return;
        wanted = to;
        const before = current;
        current = null;
        await before?.close();
        try {
          await listen();
        } catch (error) {
          log.error(
            { err: error, listener, host: to, port: ownPort },
            'listener could not be opened; retrying',
          );
          throw error;
        }
      }),
    async close() {
      isClosed = true;
      stopRetry();
      await queue.onIdle();
      await current?.close();
    },
  };
}
