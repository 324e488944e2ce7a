import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { createWorkerLine } from '../../server/workerLine.ts';
import type { WorkerLine } from '../../server/workerLine.ts';

/** Answers an order with itself; `crash` ends the thread, `hang` never comes back, `bad` is refused. */
const PROGRAM = `
  const { parentPort, threadId } = require('node:worker_threads');
  parentPort.on('message', (order) => {
    parentPort.postMessage({ kind: 'progress', share: 0.5 });
    if (order === 'crash') throw new Error('out of luck');
    if (order === 'hang') for (;;);
    if (order === 'bad') parentPort.postMessage({ kind: 'failed', code: 'bad_media', detail: 'zero bytes' });
    else parentPort.postMessage({ kind: 'done', result: { order, threadId } });
  });
`;

interface Answer {
  order: string;
  threadId: number;
}

const never = new AbortController().signal;
let lines: WorkerLine<string, Answer>[] = [];

function lineWithThreads() {
  const threads: Worker[] = [];
  const line = createWorkerLine<string, Answer>(() => {
    const thread = new Worker(PROGRAM, { eval: true });
    threads.push(thread);
    return thread;
  });
  lines.push(line);
  return { line, threads };
}

afterEach(async () => {
  await Promise.all(lines.map((line) => line.close()));
  lines = [];
});

describe('a worker line', () => {
  it('starts no thread before the first order', () => {
    expect(lineWithThreads().threads).toHaveLength(0);
  });

  it('serves orders in the order of their coming, by one thread', async () => {
    const { line, threads } = lineWithThreads();
    const finished: string[] = [];
    await Promise.all(['a', 'b', 'c'].map(async (o) => finished.push((await line.run(o, never)).order)));
    expect(finished).toEqual(['a', 'b', 'c']);
    expect(threads).toHaveLength(1);
  });

  it('passes on what the worker says on the way, and why it refuses', async () => {
    const { line } = lineWithThreads();
    const shares: number[] = [];
    await expect(line.run('bad', never, (share) => shares.push(share))).rejects.toMatchObject({
      code: 'bad_media',
      message: 'zero bytes',
    });
    expect(shares).toEqual([0.5]);
  });

  it('fails the order in whose middle the thread crashed, and serves the next by a new thread', async () => {
    const { line, threads } = lineWithThreads();
    const crashed = line.run('crash', never);
    const next = line.run('next', never);
    await expect(crashed).rejects.toMatchObject({
      code: 'failed',
      message: 'the worker failed: out of luck',
    });
    expect((await next).order).toBe('next');
    expect(threads).toHaveLength(2);
  });

  it('ends an order that hangs when it is cancelled, and goes on', async () => {
    const { line } = lineWithThreads();
    const cancel = new AbortController();
    const hanging = line.run('hang', cancel.signal, () => cancel.abort(new Error('not wanted')));
    const next = line.run('next', never);
    await expect(hanging).rejects.toThrow('not wanted');
    expect((await next).order).toBe('next');
  });

  it('takes a cancelled order out of the line without disturbing the one under way', async () => {
    const { line, threads } = lineWithThreads();
    const cancel = new AbortController();
    const first = line.run('first', never);
    const second = line.run('second', cancel.signal);
    cancel.abort(new Error('not wanted'));
    await expect(second).rejects.toThrow('not wanted');
    expect((await first).order).toBe('first');
    expect(threads).toHaveLength(1);
  });

  it('refuses an order that was cancelled before it came', async () => {
    const { line, threads } = lineWithThreads();
    await expect(line.run('late', AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
    expect(threads).toHaveLength(0);
  });

  it('fails everything with closed when it closes, and ends the thread', async () => {
    const { line, threads } = lineWithThreads();
    let hanging: Promise<Answer> | undefined;
    await new Promise<void>((started) => {
      hanging = line.run('hang', never, () => started());
    });
    const waiting = line.run('waiting', never);
    const [thread] = threads;
    if (thread === undefined) throw new Error('no thread');
    const exit = once(thread, 'exit');
    await Promise.all([
      expect(hanging).rejects.toMatchObject({ code: 'closed' }),
      expect(waiting).rejects.toMatchObject({ code: 'closed' }),
      line.close(),
      exit,
    ]);
    await expect(line.run('after', never)).rejects.toMatchObject({ code: 'closed' });
  });
});
