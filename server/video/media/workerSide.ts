import { parentPort } from 'node:worker_threads';
import { asMediaError } from './mediaError.ts';
import type { MediaErrorCode } from './mediaError.ts';

/** What a worker of this domain tells the host about the one order that it is working on. */
export type WorkerReply<Result> =
  | { kind: 'progress'; share: number }
  | { kind: 'done'; result: Result }
  | { kind: 'failed'; code: MediaErrorCode; detail: string };

/** Takes orders one after the other, as `WorkerLine` sends them. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the one place that names the type of what arrives untyped
export function serveOrders<Order, Result>(
  work: (order: Order, onProgress: (share: number) => void) => Promise<Result>,
): void {
  const port = parentPort;
  if (port === null) throw new Error('runs as a worker only');
  const reply = (message: WorkerReply<Result>) => port.postMessage(message);
  port.on('message', (order: Order) => {
    work(order, (share) => reply({ kind: 'progress', share })).then(
      (result) => reply({ kind: 'done', result }),
      (error: unknown) => {
        const { code, message } = asMediaError(error);
        reply({ kind: 'failed', code, detail: message });
      },
    );
  });
}
