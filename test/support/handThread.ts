import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';

/** In the place of a worker thread: ends the order that it has when it is told to. */
class HandThread<Order = unknown> extends EventEmitter {
  readonly orders: Order[] = [];
  ended = false;

  postMessage(order: Order): void {
    this.orders.push(order);
    this.emit('message', { kind: 'begun' });
  }

  /** @param result the order itself, unless told */
  finish(result: unknown = this.orders.at(-1)): void {
    this.emit('message', { kind: 'done', result });
  }

  ref(): void {
    // Keeps no process alive.
  }

  unref(): void {
    // Keeps no process alive.
  }

  terminate(): Promise<number> {
    this.ended = true;
    this.emit('exit', 1);
    return Promise.resolve(1);
  }
}

/** Starts such threads, in the order of `threads`. */
export function handThreads<Order = unknown>() {
  const threads: HandThread<Order>[] = [];
  function start(): Worker {
    const thread = new HandThread<Order>();
    threads.push(thread);
    return thread as unknown as Worker;
  }
  return { threads, start };
}
