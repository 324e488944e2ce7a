import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { createWorkerChannel, WorkFailed, type WorkerChannelOptions } from '../../server/workerChannel.ts';
import type { WorkerChannel } from '../../server/workerChannel.ts';
import { createFakeClock } from '../support/fakeClock.ts';
import { fakeThreads } from '../support/fakeThread.ts';

/**
 * Answers an order with itself; `crash` ends the thread, `hang` never comes back, `bad` is refused, `greedy` takes
 * memory without end.
 */
const PROGRAM = `
  const { parentPort, threadId } = require('node:worker_threads');
  parentPort.on('message', (order) => {
    parentPort.postMessage({ kind: 'progress', fraction: 0.5 });
    if (order === 'crash') throw new Error('out of luck');
    if (order === 'hang') for (;;);
    if (order === 'greedy') for (const all = []; ; ) all.push(Array(1000).fill(all.length));
    if (order === 'bad') parentPort.postMessage({ kind: 'failed', code: 'bad_media', detail: 'zero bytes' });
    else parentPort.postMessage({ kind: 'done', result: { order, threadId } });
  });
`;

interface Answer {
  order: string;
  threadId: number;
}

const never = new AbortController().signal;
let lines: WorkerChannel<string, Answer>[] = [];

function lineWithThreads() {
  const threads: Worker[] = [];
  const line = createWorkerChannel<string, Answer>({
    start() {
      const thread = new Worker(PROGRAM, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } });
      threads.push(thread);
      return thread;
    },
  });
  lines.push(line);
  const run = (order: string, signal = never, onProgress: (fraction: number) => void = () => undefined) =>
    line.run(() => order, { user_id: 'ann', signal, onProgress });
  return { line: { ...line, run }, threads };
}

afterEach(async () => {
  await Promise.all(lines.map((line) => line.close()));
  lines = [];
});

describe('a worker line', () => {
  it('a worker line starts no thread before the first order', () => {
    expect(lineWithThreads().threads).toHaveLength(0);
  });

  it('a worker line serves orders in the order of their coming, by one thread', async () => {
    const { line, threads } = lineWithThreads();
    const finished: string[] = [];
    await Promise.all(['a', 'b', 'c'].map(async (o) => finished.push((await line.run(o)).order)));
    expect(finished).toEqual(['a', 'b', 'c']);
    expect(threads).toHaveLength(1);
  });

  it('a worker line passes on what the worker says on the way, and why it refuses', async () => {
    const { line } = lineWithThreads();
    const shares: number[] = [];
    await expect(line.run('bad', never, (fraction) => shares.push(fraction))).rejects.toMatchObject({
      code: 'bad_media',
      message: 'zero bytes',
    });
    expect(shares).toEqual([0.5]);
  });

  it('a worker line fails the order in whose middle the thread crashed, and serves the next by a new thread', async () => {
    const { line, threads } = lineWithThreads();
    const crashed = line.run('crash');
    const next = line.run('next');
    await expect(crashed).rejects.toMatchObject({
      code: 'ended',
      message: 'the worker failed: out of luck',
    });
    expect((await next).order).toBe('next');
    expect(threads).toHaveLength(2);
  });

  it('a worker line fails the order that exhausts the heap of its thread by name, and serves the next by a new thread', async () => {
    const { line, threads } = lineWithThreads();
    const greedy = line.run('greedy');
    const next = line.run('next');
    await expect(greedy).rejects.toMatchObject({ code: 'out_of_memory' });
    expect((await next).order).toBe('next');
    expect(threads).toHaveLength(2);
  });

  it('a worker line ends an order that hangs when it is cancelled, and goes on', async () => {
    const { line } = lineWithThreads();
    const cancel = new AbortController();
    const hanging = line.run('hang', cancel.signal, () => cancel.abort(new Error('not wanted')));
    const next = line.run('next');
    await expect(hanging).rejects.toThrow('not wanted');
    expect((await next).order).toBe('next');
  });

  it('a worker line takes a cancelled order out of the line without disturbing the one under way', async () => {
    const { line, threads } = lineWithThreads();
    const cancel = new AbortController();
    const first = line.run('first');
    const second = line.run('second', cancel.signal);
    cancel.abort(new Error('not wanted'));
    await expect(second).rejects.toThrow('not wanted');
    expect((await first).order).toBe('first');
    expect(threads).toHaveLength(1);
  });

  it('a worker line refuses an order that was cancelled before it came', async () => {
    const { line, threads } = lineWithThreads();
    await expect(line.run('late', AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
    expect(threads).toHaveLength(0);
  });

  it('a worker line fails everything with closed when it closes, and ends the thread', async () => {
    const { line, threads } = lineWithThreads();
    let hanging: Promise<Answer> | undefined;
    await new Promise<void>((started) => {
      hanging = line.run('hang', never, () => started());
    });
    const waiting = line.run('waiting');
    const [thread] = threads;
    if (thread === undefined) throw new Error('no thread');
    const exit = once(thread, 'exit');
    await Promise.all([
      expect(hanging).rejects.toMatchObject({ code: 'closed' }),
      expect(waiting).rejects.toMatchObject({ code: 'closed' }),
      line.close(),
      exit,
    ]);
    await expect(line.run('after')).rejects.toMatchObject({ code: 'closed' });
  });
});

function lineByHand({
  startsSlowly = false,
  ...options
}: Pick<WorkerChannelOptions, 'waiting' | 'levels_ms'> & { startsSlowly?: boolean } = {}) {
  const clock = createFakeClock();
  const { threads, start } = fakeThreads<string>({ startsSlowly });
  const line = createWorkerChannel<string, string>({ ...options, clock, start });
  const done: string[] = [];
  const failed: string[] = [];
  const made: string[] = [];
  function run(order: string, signal = never): Promise<void> {
    const makeOrder = () => {
      made.push(order);
      return order;
    };
    return line.run(makeOrder, { user_id: order.slice(0, 1), signal }).then(
      (result) => void done.push(result),
      (error: unknown) => void failed.push(`${order}: ${reasonOf(error)}`),
    );
  }
  const thread = (at: number) => threads[at] ?? expect.unreachable();
  return { line, clock, threads, thread, run, done, failed, made };
}

function reasonOf(error: unknown): string {
  if (error instanceof WorkFailed) return error.code;
  return error instanceof Error ? error.message : String(error);
}

/** Waits until settled results have been delivered. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the queue before the workers', () => {
  it('the queue before the workers delays the job of another user by no more than the one job that runs, whatever the number of jobs', async () => {
    const { line, run, thread, made } = lineByHand();
    for (let at = 0; at < 60; at++) void run(`a${at}`);
    expect(line.waiting('a')).toBe(59);
    void run('b');
    expect([line.waiting(), line.waiting('b')]).toEqual([60, 1]);
    thread(0).finish();
    expect(thread(0).orders).toEqual(['a0', 'b']);
    thread(0).finish();
    expect(thread(0).orders).toEqual(['a0', 'b', 'a1']);
    // What waits is not even made.
    expect(made).toEqual(['a0', 'b', 'a1']);
    await line.close();
  });

  it('the queue before the workers refuses what is beyond the bound of a user, and takes orders again when one was served', async () => {
    const { line, run, thread, failed } = lineByHand({ waiting: { per_user: 2, all: 10 } });
    for (const order of ['a0', 'a1', 'a2', 'a3']) void run(order);
    await settled();
    expect(failed).toEqual(['a3: queue_full']);
    thread(0).finish();
    void run('a4');
    await settled();
    expect(failed).toHaveLength(1);
    expect(line.waiting('a')).toBe(2);
    await line.close();
  });

  it('the queue before the workers refuses the newest job of the user who has the most of them, when the total bound is reached', async () => {
    const { line, run, failed } = lineByHand({ waiting: { per_user: 4, all: 4 } });
    for (const order of ['a0', 'a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'd1', 'e1']) void run(order);
    await settled();
    expect(failed).toEqual(['a4: queue_full', 'a3: queue_full', 'a2: queue_full', 'e1: queue_full']);
    expect(['a', 'b', 'c', 'd', 'e'].map((it) => line.waiting(it))).toEqual([1, 1, 1, 1, 0]);
    await line.close();
  });

  it('the queue before the workers gives the place of a cancelled order to another', async () => {
    const { line, run, thread, failed } = lineByHand({ waiting: { per_user: 1, all: 1 } });
    const cancel = new AbortController();
    void run('a0');
    void run('a1', cancel.signal);
    cancel.abort(new Error('not wanted'));
    expect(line.waiting()).toBe(0);
    void run('a2');
    void run('a3', AbortSignal.abort(new Error('too late')));
    thread(0).finish();
    await settled();
    expect(failed).toEqual(['a1: not wanted', 'a3: too late']);
    expect(thread(0).orders).toEqual(['a0', 'a2']);
    await line.close();
  });

  it('the queue before the workers fails an order that cannot be made any more, and serves the next', async () => {
    const { line, run, thread, failed } = lineByHand();
    const gone = line.run(
      () => {
        throw new Error('gone');
      },
      { user_id: 'a', signal: never },
    );
    await expect(gone).rejects.toThrow('gone');
    void run('a1');
    expect(thread(0).orders).toEqual(['a1']);
    expect(failed).toEqual([]);
    await line.close();
  });
});

describe('an order that takes longer than its level', () => {
  const levels_ms = [1_000, 30_000];

  it('an order that takes longer than its level keeps its thread where the next level is free, and another thread serves what waits', async () => {
    const { line, run, thread, threads, clock, done } = lineByHand({ levels_ms });
    void run('long');
    void run('short');
    expect(threads).toHaveLength(1);
    clock.advance(1_000);
    expect(threads.map((it) => it.orders)).toEqual([['long'], ['short']]);
    thread(1).finish();
    thread(0).finish();
    await settled();
    expect(done).toEqual(['short', 'long']);
    expect(threads.some((it) => it.ended)).toBe(false);
    await line.close();
  });

  it('a job that takes longer than its level restarts at the next level when that is at work, and delays no other meanwhile', async () => {
    const { line, run, thread, threads, clock, done } = lineByHand({ levels_ms });
    void run('a long');
    clock.advance(1_000);
    void run('b long');
    void run('c');
    clock.advance(1_000);
    await settled();
    expect(thread(1).ended).toBe(true);
    expect(threads.map((it) => it.orders)).toEqual([['a long'], ['b long'], ['c']]);
    expect([line.waiting('b'), line.waiting()]).toEqual([1, 1]);
    thread(2).finish();
    thread(0).finish();
    expect(thread(0).orders).toEqual(['a long', 'b long']);
    thread(0).finish();
    await settled();
    expect(done).toEqual(['c', 'a long', 'b long']);
    await line.close();
  });

  it('an order that takes longer than its level fails by name beyond the last level, and its thread is ended', async () => {
    const { line, run, thread, threads, clock, failed } = lineByHand({ levels_ms });
    void run('endless');
    clock.advance(31_000);
    await settled();
    expect(failed).toEqual(['endless: too_long']);
    expect(thread(0).ended).toBe(true);
    void run('next');
    expect(threads).toHaveLength(2);
    await line.close();
  });

  it('an order that takes longer than its level has its time counted from its beginning, however long its thread took to start', async () => {
    const { line, run, thread, threads, clock, failed } = lineByHand({
      levels_ms: [1_000],
      startsSlowly: true,
    });
    void run('short');
    clock.advance(60_000);
    await settled();
    expect([threads.length, thread(0).ended, failed]).toEqual([1, false, []]);
    thread(0).begin();
    clock.advance(999);
    await settled();
    expect(failed).toEqual([]);
    clock.advance(1);
    await settled();
    expect(failed).toEqual(['short: too_long']);
    await line.close();
  });

  it('a job that takes longer than its level can be cancelled while it waits to restart', async () => {
    const { line, run, clock, failed } = lineByHand({ levels_ms });
    const cancel = new AbortController();
    void run('a long');
    clock.advance(1_000);
    void run('b long', cancel.signal);
    clock.advance(1_000);
    cancel.abort(new Error('not wanted'));
    await settled();
    expect(failed).toEqual(['b long: not wanted']);
    expect(line.waiting()).toBe(0);
    await line.close();
  });
});

describe('a thread at rest', () => {
  it('a thread at rest is given back after a while', async () => {
    const { line, run, thread, threads, clock } = lineByHand();
    void run('a');
    thread(0).finish();
    clock.advance(30_000);
    expect(thread(0).ended).toBe(true);
    await settled();
    void run('b');
    expect(threads).toHaveLength(2);
    await line.close();
  });

  it('a thread at rest that dies takes its timer with it: the thread of a later order is not ended by it', async () => {
    const { line, run, thread, clock } = lineByHand();
    void run('a');
    thread(0).finish();
    thread(0).emit('exit', 1);
    void run('b');
    clock.advance(60_000);
    expect(thread(1).ended).toBe(false);
    await line.close();
  });
});

describe('the threads of the host', () => {
  it('the threads of the host are all started by startWorker, which limits the heap of each', () => {
    const server = fileURLToPath(new URL('../../server', import.meta.url));
    const sources = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((it) =>
      it.endsWith('.ts'),
    );
    const starting = sources.filter((it) => readFileSync(`${server}/${it}`, 'utf8').includes('new Worker('));
    expect(starting).toEqual(['startWorker.ts']);
  });
});
