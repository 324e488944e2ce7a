import { parentPort } from 'node:worker_threads';
import type { Worker } from 'node:worker_threads';
import { systemClock, type Clock } from './clock.ts';
import { createFairQueue, type FairQueue } from './fairQueue.ts';
import { endWorker } from './startWorker.ts';

/** Worker threads and the orders that wait for them: round-robin by user, a thread works on one order at a time. */
export interface WorkerChannel<Order, Result> {
  /**
   * @param makeOrder called when the job begins, so that a waiting job takes no memory; and again when it restarts
   * @throws WorkFailed; what `makeOrder` throws; the signal's reason
   */
  run: (makeOrder: () => Order, ask: WorkAsk) => Promise<Result>;
  /** How many orders wait: of one user, or of all. */
  waiting: (user_id?: string) => number;
  /** Ends the threads; every order under way or in the queue fails with `closed`. */
  close: () => Promise<void>;
}

/** On whose behalf, and until when. */
export interface WorkAsk {
  user_id: string;
  /**
   * Takes the order out of the queue, or ends it by ending its thread: also one that hangs in a hostile file stops.
   */
  signal: AbortSignal;
  /** Called with the fraction done, 0 to 1; lower again when the job restarts. */
  onProgress?: (fraction: number) => void;
}

export interface WorkerChannelOptions {
  /** Starts a thread; called at the first order, and again after a crash, a cancel or a rest. */
  start: () => Worker;
  /**
   * Orders that may wait; beyond them the newest of the user with the most of them is refused with `queue_full`. Left
   * out: as many as are asked for, by the host itself.
   */
  waiting?: { per_user: number; all: number };
  /**
   * Rising times of work on one order, each with a thread. An order begins at the first; one that takes longer keeps
   * its thread where the next level has none at work, else it restarts there when its turn comes. So a short order
   * never waits for a long one to end, whatever they are. Beyond the last it fails with `too_long`. What it wrote
   * outside is not undone when it restarts. Left out: one thread, and no bound.
   */
  levels_ms?: readonly number[];
  clock?: Clock;
}

/**
 * `failed`: the work threw what it gives no code of its own; `ended`: its thread ended in the middle of the order;
 * `out_of_memory`: by the limit of its heap; `too_long`; `queue_full`; `closed`: the host is shutting down; any other
 * code is the worker's.
 */
export class WorkFailed extends Error {
  override name = 'WorkFailed';
  readonly code: string;
  /** Of which the message consists, as the contract has them; undefined where that has no codes. */
  readonly causes: { code: string; values: Record<string, string | number | string[]> }[] | undefined;

  constructor(code: string, detail: string, causes?: WorkFailed['causes']) {
    super(detail);
    this.code = code;
    this.causes = causes;
  }
}

/** What the host gets of an error that a worker threw. */
export type WorkFailure = Pick<WorkFailed, 'code'> & { detail: string; causes?: WorkFailed['causes'] };

/** What a worker reports to the host about its current job. */
export type WorkerReply<Result> =
  | { kind: 'begun' }
  | { kind: 'progress'; fraction: number }
  | { kind: 'done'; result: Result }
  | ({ kind: 'failed' } & WorkFailure);

interface Job<Order, Result> {
  user_id: string;
  makeOrder: () => Order;
  signal: AbortSignal;
  onProgress: (fraction: number) => void;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Thread<J> {
  worker: Worker;
  job: J | null;
  /** It works on nothing that anybody waits for. */
  isEnding: boolean;
  /** Of the end of its rest, or of its order's time. */
  stopTimer: () => void;
}

interface Level<J> {
  longest_ms: number | null;
  queue: FairQueue<J>;
  thread: Thread<J> | null;
}

/** A thread without work is given back after this long: an encoder's memory is some 20 MB. */
const IDLE_STOP_MS = 30_000;

export function createWorkerChannel<Order, Result>(
  options: WorkerChannelOptions,
): WorkerChannel<Order, Result> {
  type J = Job<Order, Result>;
  const { start, waiting = { per_user: Infinity, all: Infinity }, clock = systemClock } = options;
  const levels = (options.levels_ms ?? [null]).map((longest_ms): Level<J> => ({
    longest_ms,
    queue: createFairQueue(),
    thread: null,
  }));
  let closed = false;

  const waitingOf = (user_id?: string) => levels.reduce((sum, { queue }) => sum + queue.size(user_id), 0);

  function serve(level: Level<J>): void {
    if (level.thread !== null && (level.thread.job !== null || level.thread.isEnding)) return;
    const job = level.queue.take();
    if (job === undefined) {
      if (level.thread !== null) rest(level.thread);
      return;
    }
    try {
      const order = job.makeOrder();
      const thread = (level.thread ??= takeIdle() ?? startThread());
      thread.stopTimer();
      thread.job = job;
      thread.worker.ref();
      thread.worker.postMessage(order);
    } catch (error) {
      if (level.thread !== null) level.thread.job = null;
      job.reject(error);
      serve(level);
    }
  }

  /** One that rests at another level: a thread takes longer to start than most orders take. */
  function takeIdle(): Thread<J> | null {
    const at = levels.find(({ thread }) => thread !== null && thread.job === null && !thread.isEnding);
    const thread = at?.thread ?? null;
    if (at !== undefined) at.thread = null;
    return thread;
  }

  /** An idle thread keeps no process alive. */
  function rest(thread: Thread<J>): void {
    thread.worker.unref();
    thread.stopTimer();
    thread.stopTimer = clock.after(IDLE_STOP_MS, () => void end(thread));
  }

  function startThread(): Thread<J> {
    const worker = start();
    const thread: Thread<J> = { worker, job: null, isEnding: false, stopTimer: () => undefined };
    worker.on('message', (reply: WorkerReply<Result>) => take(thread, reply));
    worker.on('error', (error: Error & { code?: unknown }) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') lost(thread, 'out_of_memory', error.message);
      else lost(thread, 'ended', `the worker failed: ${error.message}`);
    });
    worker.on('exit', (code) => lost(thread, 'ended', `the worker ended with code ${code}`));
    return thread;
  }

  function take(thread: Thread<J>, reply: WorkerReply<Result>): void {
    const { job, isEnding } = thread;
    if (job === null || isEnding) return;
    if (reply.kind === 'progress') {
      job.onProgress(reply.fraction);
      return;
    }
    if (reply.kind === 'begun') {
      begin(thread);
      return;
    }
    thread.stopTimer();
    thread.job = null;
    if (reply.kind === 'done') job.resolve(reply.result);
    else job.reject(new WorkFailed(reply.code, reply.detail, reply.causes));
    serveOf(thread);
  }

  /** The start of a thread, slow on a busy machine, is not the order's time. */
  function begin(thread: Thread<J>): void {
    const longest_ms = levels.find((it) => it.thread === thread)?.longest_ms ?? null;
    if (longest_ms !== null) thread.stopTimer = clock.after(longest_ms, () => void overrun(thread));
  }

  function lost(thread: Thread<J>, code: string, detail: string): void {
    const level = levels.find((it) => it.thread === thread);
    if (level === undefined || thread.isEnding) return;
    level.thread = null;
    thread.stopTimer();
    thread.job?.reject(new WorkFailed(code, detail));
    serve(level);
  }

  function serveOf(thread: Thread<J>): void {
    const level = levels.find((it) => it.thread === thread);
    if (level !== undefined) serve(level);
  }

  /** Resolves when nothing runs in the thread any more; its level is then served by another one. */
  async function end(thread: Thread<J>): Promise<void> {
    thread.isEnding = true;
    thread.stopTimer();
    await endWorker(thread.worker);
    const level = levels.find((it) => it.thread === thread);
    if (level === undefined) return;
    level.thread = null;
    if (!closed) serve(level);
  }

  async function overrun(thread: Thread<J>): Promise<void> {
    const at = levels.findIndex((it) => it.thread === thread);
    const [level, next] = [levels[at], levels[at + 1]];
    const { job } = thread;
    if (level === undefined || job === null) return;
    if (next === undefined) {
      await end(thread);
      job.reject(new WorkFailed('too_long', `the work took more than ${level.longest_ms ?? 0} ms`));
      return;
    }
    if (next.thread === null || (next.thread.job === null && !next.thread.isEnding)) {
      next.thread?.stopTimer();
      [level.thread, next.thread] = [next.thread, thread];
      thread.stopTimer = clock.after(next.longest_ms ?? 0, () => void overrun(thread));
      serve(level);
      return;
    }
    thread.job = null;
    next.queue.add(job.user_id, job);
    await end(thread);
  }

  async function abort(job: J): Promise<void> {
    const thread = levels.find((it) => it.thread?.job === job)?.thread ?? null;
    if (thread !== null) {
      if (thread.isEnding) return;
      await end(thread);
    } else if (!levels.some(({ queue }) => queue.remove(job))) {
      return;
    }
    job.reject(job.signal.reason);
  }

  /** A flood of one user's orders does not keep others out. */
  function admit(job: J): void {
    const own = waitingOf(job.user_id);
    if (own >= waiting.per_user) throw full(`${own} pieces of work of this user`, waiting.per_user);
    if (waitingOf() >= waiting.all) {
      const users = new Set(levels.flatMap(({ queue }) => [...queue.users()]));
      const [max = job.user_id] = [...users].sort((a, b) => waitingOf(b) - waitingOf(a));
      const fault = full(`${waitingOf()} pieces of work of all users`, waiting.all);
      if (waitingOf(max) <= own + 1) throw fault;
      const queue = levels.find((it) => it.queue.size(max) > 0)?.queue;
      queue?.takeLast(max)?.reject(fault);
    }
    levels[0]?.queue.add(job.user_id, job);
  }

  return {
    run(makeOrder, { user_id, signal, onProgress = () => undefined }) {
      return new Promise<Result>((resolve, reject) => {
        if (closed) throw shutDown();
        signal.throwIfAborted();
        const onAbort = () => void abort(job);
        const settle =
          <T>(settled: (value: T) => void) =>
          (value: T) => {
            signal.removeEventListener('abort', onAbort);
            settled(value);
          };
        const job = {
          user_id,
          makeOrder,
          signal,
          onProgress,
          resolve: settle(resolve),
          reject: settle(reject),
        };
        admit(job);
        signal.addEventListener('abort', onAbort, { once: true });
        for (const level of levels) serve(level);
      });
    },
    waiting: waitingOf,
    async close() {
      closed = true;
      const threads = levels.flatMap(({ thread }) => thread ?? []);
      const left = [
        ...threads.flatMap(({ job }) => job ?? []),
        ...levels.flatMap(({ queue }) => [...queue.users()].flatMap((id) => drain(queue, id))),
      ];
      await Promise.all(threads.map(end));
      for (const job of left) job.reject(shutDown());
    },
  };
}

function drain<Item>(queue: FairQueue<Item>, user_id: string): Item[] {
  const items: Item[] = [];
  for (let item = queue.takeLast(user_id); item !== undefined; item = queue.takeLast(user_id))
    items.push(item);
  return items;
}

function full(what: string, max: number): WorkFailed {
  return new WorkFailed('queue_full', `${what} wait already, and no more than ${max} may.`);
}

function shutDown(): WorkFailed {
  return new WorkFailed('closed', 'the host is shutting down');
}

/**
 * The worker's side: takes orders one after the other, as `WorkerLine` sends them.
 *
 * @param codeOf the code that the host gets for an error; `failed` by default
 * @param transferOf what of a result is handed over instead of copied
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the one place that names the type of what arrives untyped
export function serveOrders<Order, Result>(
  work: (order: Order, onProgress: (fraction: number) => void) => Result | Promise<Result>,
  codeOf: (error: unknown) => WorkFailure = asFailed,
  transferOf: (result: Result) => ArrayBuffer[] = () => [],
): void {
  const port = parentPort;
  if (port === null) throw new Error('runs as a worker only');
  const reply = (message: WorkerReply<Result>, transfer: ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);
  async function answer(order: Order): Promise<void> {
    reply({ kind: 'begun' });
    try {
      const result = await work(order, (fraction) => reply({ kind: 'progress', fraction }));
      reply({ kind: 'done', result }, transferOf(result));
    } catch (error) {
      reply({ kind: 'failed', ...codeOf(error) });
    }
  }
  port.on('message', (order: Order) => void answer(order));
}

function asFailed(error: unknown): WorkFailure {
  return { code: 'failed', detail: error instanceof Error ? error.message : String(error) };
}
