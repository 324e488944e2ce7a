import { setTimeout as startTimer } from 'node:timers';
import { parentPort } from 'node:worker_threads';
import type { Worker } from 'node:worker_threads';

/** One worker thread and the line of orders before it: first come, first served, one at a time. */
export interface WorkerLine<Order, Result> {
  /**
   * @param signal takes the order out of the line, or ends it by ending the thread: also one that hangs in a
   *   hostile file stops. When the promise rejects, nothing of the order runs any more.
   * @throws WorkFailed, or the signal's reason
   */
  run: (order: Order, signal: AbortSignal, onProgress?: (share: number) => void) => Promise<Result>;
  /** Ends the thread; every order under way or in the line fails with `closed`. */
  close: () => Promise<void>;
}

/**
 * `failed`: the thread ended in the middle of the order, or its work threw what it gives no code of its own;
 * `closed`: the host is shutting down; any other code is the worker's.
 */
export class WorkFailed extends Error {
  override name = 'WorkFailed';
  readonly code: string;

  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** What a worker tells the host about the one order that it is working on. */
export type WorkerReply<Result> =
  | { kind: 'progress'; share: number }
  | { kind: 'done'; result: Result }
  | { kind: 'failed'; code: string; detail: string };

interface Job<Order, Result> {
  order: Order;
  signal: AbortSignal;
  onProgress: (share: number) => void;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** A thread without work is given back after this long: an encoder's memory is some 20 MB. */
const IDLE_STOP_MS = 30_000;

/** @param start starts the thread; called at the first order, and again after a crash, a cancel or a rest */
export function createWorkerLine<Order, Result>(start: () => Worker): WorkerLine<Order, Result> {
  const waiting: Job<Order, Result>[] = [];
  let worker: Worker | null = null;
  let running: Job<Order, Result> | null = null;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  function next(): void {
    if (running !== null) return;
    const job = waiting.shift();
    if (job === undefined) {
      rest();
      return;
    }
    clearTimeout(idle);
    worker ??= startWorker();
    worker.ref();
    running = job;
    worker.postMessage(job.order);
  }

  /** An idle thread keeps no process alive. */
  function rest(): void {
    worker?.unref();
    idle = startTimer(() => void dropWorker(), IDLE_STOP_MS).unref();
  }

  function startWorker(): Worker {
    const started = start();
    started.on('message', (reply: WorkerReply<Result>) => {
      if (started === worker) take(reply);
    });
    started.on('error', (error: Error) => lost(started, `the worker failed: ${error.message}`));
    started.on('exit', (code) => lost(started, `the worker ended with code ${code}`));
    return started;
  }

  function take(reply: WorkerReply<Result>): void {
    const job = running;
    if (job === null) return;
    if (reply.kind === 'progress') {
      job.onProgress(reply.share);
      return;
    }
    running = null;
    if (reply.kind === 'done') job.resolve(reply.result);
    else job.reject(new WorkFailed(reply.code, reply.detail));
    next();
  }

  function lost(gone: Worker, detail: string): void {
    if (gone !== worker) return;
    worker = null;
    const job = running;
    running = null;
    job?.reject(new WorkFailed('failed', detail));
    next();
  }

  async function dropWorker(): Promise<void> {
    const dropped = worker;
    worker = null;
    clearTimeout(idle);
    await dropped?.terminate();
  }

  async function abort(job: Job<Order, Result>): Promise<void> {
    const place = waiting.indexOf(job);
    if (place !== -1) {
      waiting.splice(place, 1);
    } else if (running === job) {
      await dropWorker();
      running = null;
      next();
    } else {
      return;
    }
    job.reject(job.signal.reason);
  }

  return {
    run(order, signal, onProgress = () => undefined) {
      return new Promise<Result>((resolve, reject) => {
        if (closed) throw new WorkFailed('closed', 'the host is shutting down');
        signal.throwIfAborted();
        const onAbort = () => void abort(job);
        const settle =
          <T>(settled: (value: T) => void) =>
          (value: T) => {
            signal.removeEventListener('abort', onAbort);
            settled(value);
          };
        const job = { order, signal, onProgress, resolve: settle(resolve), reject: settle(reject) };
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.push(job);
        next();
      });
    },
    async close() {
      closed = true;
      const left = waiting.splice(0);
      const last = running;
      running = null;
      await dropWorker();
      for (const job of last === null ? left : [last, ...left]) {
        job.reject(new WorkFailed('closed', 'the host is shutting down'));
      }
    },
  };
}

/**
 * The worker's side: takes orders one after the other, as `WorkerLine` sends them.
 *
 * @param codeOf what the host is told of an error; every one is `failed` unless told
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the one place that names the type of what arrives untyped
export function serveOrders<Order, Result>(
  work: (order: Order, onProgress: (share: number) => void) => Result | Promise<Result>,
  codeOf: (error: unknown) => { code: string; detail: string } = asFailed,
): void {
  const port = parentPort;
  if (port === null) throw new Error('runs as a worker only');
  const reply = (message: WorkerReply<Result>) => port.postMessage(message);
  async function answer(order: Order): Promise<WorkerReply<Result>> {
    try {
      return { kind: 'done', result: await work(order, (share) => reply({ kind: 'progress', share })) };
    } catch (error) {
      return { kind: 'failed', ...codeOf(error) };
    }
  }
  port.on('message', (order: Order) => void answer(order).then(reply));
}

function asFailed(error: unknown): { code: string; detail: string } {
  return { code: 'failed', detail: error instanceof Error ? error.message : String(error) };
}
