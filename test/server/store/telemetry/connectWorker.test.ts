import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectWorker } from '../../../../server/store/telemetry/connectWorker.ts';
import { StoreFailed } from '../../../../server/store/storeErrors.ts';
import type { ToWorker } from '../../../../server/store/telemetry/messages.ts';
import { fakeThreads } from '../../../support/fakeThread.ts';
import { fakeClock } from './fakeClock.ts';

/** What a dyingWorker is asked: one that it answers, one that it never answers, one that it dies of. */
const echo = (text: string) => ({ op: 'echo', args: text, at_ms: 0, by: null });
const hang = { op: 'hang', args: null, at_ms: 0, by: null };
const die = { ...hang, op: 'die' };

async function connect() {
  const clock = fakeClock(0);
  const lines: object[] = [];
  let starts = 0;
  const connection = await connectWorker<string>({
    name: 'writer',
    clock,
    log: { info: () => undefined, warn: (what) => lines.push(what) },
    start() {
      starts++;
      return new Worker(new URL('./dyingWorker.ts', import.meta.url));
    },
    onReady: (ready) => expect(ready).toBe('here'),
  });
  onTestFinished(() => connection.close());
  return { connection, clock, lines, starts: () => starts };
}

test('a worker that dies fails all its waiting calls, and the next call works', async () => {
  const { connection, lines, starts } = await connect();
  const outcomes = await Promise.allSettled([
    connection.call(echo('a')),
    connection.call(hang),
    connection.call(die),
    connection.call(echo('b')),
  ]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
  ]);
  for (const outcome of outcomes.slice(1))
    expect(outcome).toMatchObject({ reason: expect.any(StoreFailed) as unknown });

  expect(await connection.call(echo('c'))).toBe('c');
  expect(starts()).toBe(2);
  expect(lines).toEqual([
    { worker: 'writer', error: expect.any(Error) as unknown },
    { worker: 'writer', pauseMs: 0 },
  ]);
});

test('a worker that exhausts its heap fails its calls with that reason, and the next call works', async () => {
  const { connection, starts } = await connect();
  await expect(connection.call({ ...hang, op: 'exhaust' })).rejects.toMatchObject({
    name: 'StoreFailed',
    message: 'The writer of the telemetry store ran out of memory.',
  });
  expect(await connection.call(echo('c'))).toBe('c');
  expect(starts()).toBe(2);
});

test('a worker that dies again and again is given growing delays, and a call waits for it', async () => {
  const { connection, clock } = await connect();
  const pauses: number[] = [];
  for (let death = 0; death < 5; death++) {
    await expect(connection.call(die)).rejects.toBeInstanceOf(StoreFailed);
    pauses.push(...clock.pauses());
    const after = connection.call(echo(`${death}`));
    clock.advance(clock.pauses()[0] ?? 0);
    expect(await after).toBe(`${death}`);
  }
  expect(pauses).toEqual([200, 400, 800, 1_600]);

  clock.advance(60_000);
  await expect(connection.call(die)).rejects.toBeInstanceOf(StoreFailed);
  expect(clock.pauses()).toEqual([]);
});

test('closing in the pause before a restart fails what waits, and starts nothing', async () => {
  const { connection, clock, starts } = await connect();
  await expect(connection.call(die)).rejects.toBeInstanceOf(StoreFailed);
  expect(await connection.call(echo('x'))).toBe('x');
  await expect(connection.call(die)).rejects.toBeInstanceOf(StoreFailed);
  const waiting = expect(connection.call(echo('y'))).rejects.toThrow('closed');
  await connection.close();
  await waiting;
  clock.advance(100_000);
  expect(starts()).toBe(2);
});

test('a worker that cannot start at all says why', async () => {
  const connecting = connectWorker<string>({
    name: 'writer',
    clock: fakeClock(0),
    log: { info: () => undefined, warn: () => undefined },
    start: () => new Worker(new URL('./dyingWorker.ts', import.meta.url), { workerData: 'stillborn' }),
    onReady: () => undefined,
  });
  await expect(connecting).rejects.toMatchObject({ name: 'StoreFailed', cause: { message: 'no room' } });
});

describe('a worker whose calls are queued', () => {
  async function connectByHand() {
    const { threads, start } = fakeThreads<ToWorker>();
    const connecting = connectWorker<null>({
      name: 'reader',
      clock: fakeClock(0),
      log: { info: () => undefined, warn: () => undefined },
      start,
      onReady: () => undefined,
      turns: { under_way: 2, per_user: 100 },
    });
    const latest = () => threads.at(-1) ?? expect.unreachable();
    const ready = () => latest().emit('message', { kind: 'ready', ready: null });
    ready();
    const connection = await connecting;
    const given = () => latest().orders.flatMap((it) => (it.kind === 'call' ? [it.call] : []));
    return {
      connection,
      threads,
      ready,
      /** The calls that it was sent. */
      given,
      /** What the worker was given, in its order. */
      texts: () => given().map((it) => it.args),
      call: (as: string | undefined, text: string) =>
        connection.call({
          ...echo(text),
          by: as === undefined ? null : { user_id: as, login: as, address: '::1', request_id: text },
        }),
      answer: (text: string) => {
        const id = given().find((it) => it.args === text)?.id;
        latest().emit('message', { kind: 'replies', replies: [{ id, result: text }] });
      },
      close: async () => {
        const closed = connection.close();
        latest().emit('exit', 0);
        await closed;
      },
    };
  }

  test('a worker whose calls are queued is given two calls at a time, and one of another user after those, however many wait', async () => {
    const { call, texts, answer, close } = await connectByHand();
    const anns = Array.from({ length: 60 }, (_, at) => call('ann', `a${at}`).catch(String));
    const bobs = call('bob', 'b');
    const own = call(undefined, 'host').catch(String);
    expect(texts()).toEqual(['a0', 'a1']);
    answer('a0');
    answer('a1');
    // One reply is settled in each turn of the event loop.
    await nextTurn();
    expect(texts()).toEqual(['a0', 'a1', 'b', 'host']);
    answer('b');
    await nextTurn();
    expect(texts()).toEqual(['a0', 'a1', 'b', 'host', 'a2']);
    expect(await bobs).toBe('b');
    await close();
    await Promise.all([...anns, own]);
  });

  test('a worker whose calls are queued is given each with its operation, its time and its caller', async () => {
    const { connection, given, close } = await connectByHand();
    const by = { user_id: 'ann', login: 'ann', address: '::1', request_id: 'r' };
    const call = connection.call({ ...echo('a'), at_ms: 7, by }).catch(String);
    expect(given()).toEqual([{ id: 1, op: 'echo', args: 'a', at_ms: 7, by }]);
    await close();
    await call;
  });

  test('a worker whose calls are queued refuses calls beyond the bound of a user, and none of the host', async () => {
    const { call, close } = await connectByHand();
    const anns = Array.from({ length: 102 }, () => call('ann', 'a').catch(String));
    await expect(call('ann', 'a')).rejects.toMatchObject({ code: 'queue_full' });
    const others = [call('bob', 'b').catch(String)];
    for (let at = 0; at < 200; at++) others.push(call(undefined, 'host').catch(String));
    await close();
    expect(new Set(await Promise.all([...anns, ...others]))).toEqual(
      new Set(['StoreFailed: The reader of the telemetry store has ended.']),
    );
  });

  test('a worker whose calls are queued fails the calls that it had when it dies, and its successor is given those that wait', async () => {
    const { call, threads, ready, texts, answer, close } = await connectByHand();
    const first = ['a', 'b', 'c'].map((text) => call('ann', text).catch(() => 'failed'));
    threads[0]?.emit('exit', 1);
    ready();
    expect(texts()).toEqual(['c']);
    answer('c');
    expect(await Promise.all(first)).toEqual(['failed', 'failed', 'c']);
    await close();
  });
});

test('one of the replies that wait together is settled in each turn of the event loop', async () => {
  const { connection } = await connect();
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  const settledIn: number[] = [];
  const all = Array.from({ length: 10 }, (_, at) =>
    connection.call(echo(`${at}`)).then(() => settledIn.push(turn)),
  );
  // Meanwhile the worker answers all of them.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  count();
  await Promise.all(all);
  isOver = true;
  expect(new Set(settledIn).size).toBe(10);
});
