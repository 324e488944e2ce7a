import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';

/** In the place of a worker thread: ends its job on request. */
class FakeThread<Order = unknown> extends EventEmitter {
  readonly orders: Order[] = [];
  ended = false;
  private readonly startsSlowly: boolean;

  constructor(startsSlowly: boolean) {
    super();
    this.startsSlowly = startsSlowly;
  }

  postMessage(order: Order): void {
    this.orders.push(order);
    if (!this.startsSlowly) this.begin();
  }

  /** Takes its order up, as a thread does once it has started. */
  begin(): void {
    this.emit('message', { kind: 'begun' });
  }

  /** @param result the job itself, unless given */
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

/** Starts such threads, in the order of `threads`; one that starts slowly waits for `begin` with each order. */
export function fakeThreads<Order = unknown>({ startsSlowly = false } = {}) {
  const threads: FakeThread<Order>[] = [];
  function start(): Worker {
    const thread = new FakeThread<Order>(startsSlowly);
    threads.push(thread);
    return thread as unknown as Worker;
  }
  return { threads, start };
}
