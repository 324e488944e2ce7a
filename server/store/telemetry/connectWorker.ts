import type { Worker } from 'node:worker_threads';
import type { Clock } from '../../clock.ts';
import { createFairQueue } from '../../fairQueue.ts';
import { WorkFailed } from '../../workerChannel.ts';
import type { StoreLog } from '../documents/DocumentFile.ts';
import { StoreFailed } from '../storeErrors.ts';
import { asError } from './failure.ts';
import type { Call, FromWorker, Reply, ToWorker } from './messages.ts';

/** A line to a worker that `serve`s operations. */
export interface Connection {
  /** Calls are taken in their order, or by `turns`. @throws {DiskFull}, {StoreFailed}; WorkFailed `queue_full` */
  call(call: Omit<Call, 'id'>): Promise<unknown>;
  /** Puts another worker in this one's place, as if it had died after the calls that it has. */
  renew(): void;
  /** Waits for what was called, then ends the worker. Later calls fail. */
  close(): Promise<void>;
}

export interface WorkerOptions<Ready> {
  /** For the log. */
  name: string;
  start: () => Worker;
  /** At the first start and after each restart, before any call is sent. */
  onReady: (ready: Ready) => void;
  /** Left out: the worker is given all calls at once. */
  turns?: Turns;
  clock: Clock;
  log: StoreLog;
}

/** Calls wait here, round-robin by user, so that those of one user never wait for all of another's. */
export interface Turns {
  /** So many the worker has at a time. */
  under_way: number;
  /** So many of a user may wait; the host's own are never refused. */
  per_user: number;
}

interface Waiting {
  message: ToWorker & { kind: 'call' };
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** Pause before the second restart in a row, doubled for each further one; the first comes at once. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** A worker that has run this long was healthy; the restart delays start over. */
const WELL_AFTER_MS = 60_000;

/**
 * Starts the worker. One that dies fails the calls it had, and another one takes its place; calls made between the
 * two wait for it.
 *
 * @throws what `asError` makes of the reason why the first one did not start
 */
export async function connectWorker<Ready>(options: WorkerOptions<Ready>): Promise<Connection> {
  const { name, turns, clock, log } = options;
  /** Those that the worker has, or is given when it is ready. */
  const calls = new Map<number, Waiting>();
  const queue = createFairQueue<Waiting>();
  let lastId = 0;
  let worker: Worker | null = null;
  let isReady = false;
  let startedAt = 0;
  let restarts = 0;
  let cancelRestart: () => void = () => undefined;
  let closing: Promise<void> | null = null;
  let whenIdle: () => void = () => undefined;
  /** Those that have come and are not settled yet. */
  const replies: Reply[] = [];
  let isSettling = false;

  /** Resolves when the worker takes calls, rejects when it ends before that; `onEnd` is called when it ends. */
  function start(onEnd: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const started = options.start();
      let reason: Error = new StoreFailed(`The ${name} of the telemetry store has ended.`);
      worker = started;
      startedAt = clock.monotonic();
      started.on('message', (message: FromWorker<Ready>) => {
        if (message.kind === 'ready') {
          isReady = true;
          options.onReady(message.ready);
          for (const { message: call } of calls.values()) started.postMessage(call);
          sendNext();
          resolve();
        } else if (message.kind === 'not_started') {
          reason = asError(message.failure);
        } else if (message.kind === 'replies') {
          replies.push(...message.replies);
          if (!isSettling) settleNext();
        } else {
          log.warn({ worker: name }, message.detail);
        }
      });
      started.on('error', (error: Error & { code?: unknown }) => {
        const how = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'ran out of memory' : 'has died';
        reason = new StoreFailed(`The ${name} of the telemetry store ${how}.`, { cause: error });
        log.warn({ worker: name, error }, 'telemetry worker ended unexpectedly');
      });
      started.on('exit', () => {
        worker = null;
        isReady = false;
        // What was done is not said to have failed.
        replies.splice(0).forEach(settle);
        failAll(reason);
        if (closing !== null) failQueued(reason);
        reject(reason);
        onEnd();
      });
    });
  }

  function restart(): void {
    if (closing !== null) return;
    if (clock.monotonic() - startedAt >= WELL_AFTER_MS) restarts = 0;
    const pauseMs = restarts === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (restarts - 1), LONGEST_PAUSE_MS);
    restarts++;
    log.warn({ worker: name, pauseMs }, 'telemetry worker is restarted');
    const again = () => {
      start(restart).catch((error: unknown) => {
        log.warn({ worker: name, error }, 'telemetry worker could not be started');
      });
    };
    if (pauseMs === 0) again();
    else cancelRestart = clock.after(pauseMs, again);
  }

  /**
   * One reply in each turn of the event loop. A port hands over up to a thousand messages before anything else has its
   * turn: many tracks that are read at a time, each asking for its next page as soon as it has one, would keep it busy
   * until they end.
   */
  function settleNext(): void {
    const reply = replies.shift();
    isSettling = reply !== undefined;
    if (reply === undefined) return;
    setImmediate(settleNext);
    settle(reply);
  }

  function settle(reply: Reply): void {
    const waiting = calls.get(reply.id);
    calls.delete(reply.id);
    if ('failure' in reply) waiting?.reject(asError(reply.failure));
    else waiting?.resolve(reply.result);
    sendNext();
    if (calls.size === 0) whenIdle();
  }

  function failAll(reason: Error): void {
    const failed = [...calls.values()];
    calls.clear();
    for (const { reject } of failed) reject(reason);
    whenIdle();
  }

  function send(waiting: Waiting): void {
    if (isReady) worker?.postMessage(waiting.message);
    calls.set(waiting.message.call.id, waiting);
  }

  function sendNext(): void {
    if (turns === undefined || !isReady) return;
    while (calls.size < turns.under_way) {
      const next = queue.take();
      if (next === undefined) return;
      send(next);
    }
  }

  /** @throws WorkFailed */
  function queueUp(waiting: Waiting, { per_user }: Turns): void {
    const user_id = waiting.message.call.by?.user_id;
    if (user_id !== undefined && queue.size(user_id) >= per_user) {
      throw new WorkFailed('queue_full', `${per_user} reads of this user wait already, and no more may.`);
    }
    queue.add(user_id ?? '', waiting);
    sendNext();
  }

  function failQueued(reason: Error): void {
    for (let left = queue.take(); left !== undefined; left = queue.take()) left.reject(reason);
  }

  async function close(): Promise<void> {
    cancelRestart();
    if (worker === null) {
      const closed = new StoreFailed('The telemetry store is closed.');
      failAll(closed);
      failQueued(closed);
    }
    if (calls.size > 0) await new Promise<void>((resolve) => (whenIdle = resolve));
    const last = worker;
    if (last === null) return;
    const ended = new Promise((resolve) => last.once('exit', resolve));
    last.postMessage({ kind: 'close' } satisfies ToWorker);
    await ended;
  }

  let isFirst = true;
  await start(() => {
    if (!isFirst) restart();
  });
  isFirst = false;

  return {
    call(call) {
      return new Promise((resolve, reject) => {
        if (closing !== null) throw new StoreFailed('The telemetry store is closed.');
        const message = { kind: 'call' as const, call: { id: ++lastId, ...call } };
        const waiting = { message, resolve, reject };
        if (turns === undefined) send(waiting);
        else queueUp(waiting, turns);
      });
    },
    renew: () => worker?.postMessage({ kind: 'close' } satisfies ToWorker),
    close: () => (closing ??= close()),
  };
}
