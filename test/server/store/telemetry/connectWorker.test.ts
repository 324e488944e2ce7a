import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { connectWorker } from '../../../../server/store/telemetry/connectWorker.ts';
import type { Connection } from '../../../../server/store/telemetry/connectWorker.ts';
import type { Database } from '../../../../server/store/telemetry/database.ts';
import { StoreFailed } from '../../../../server/store/storeErrors.ts';
import { handClock } from './handClock.ts';

/** A type and not an interface: those are open, and so no table of operations. */
type Dying = {
  echo: (db: Database, args: string) => string;
  /** Never answers. */
  hang: (db: Database, args: null) => null;
  die: (db: Database, args: null) => null;
};

async function connect(): Promise<{
  connection: Connection<Dying>;
  clock: ReturnType<typeof handClock>;
  lines: object[];
  starts: () => number;
}> {
  const clock = handClock(0);
  const lines: object[] = [];
  let starts = 0;
  const connection = await connectWorker<Dying, string>({
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
    connection.call('echo', 'a'),
    connection.call('hang', null),
    connection.call('die', null),
    connection.call('echo', 'b'),
  ]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
  ]);
  for (const outcome of outcomes.slice(1))
    expect(outcome).toMatchObject({ reason: expect.any(StoreFailed) as unknown });

  expect(await connection.call('echo', 'c')).toBe('c');
  expect(starts()).toBe(2);
  expect(lines).toEqual([
    { worker: 'writer', error: expect.any(Error) as unknown },
    { worker: 'writer', pauseMs: 0 },
  ]);
});

test('a worker that dies again and again is given growing pauses, and a call waits for it', async () => {
  const { connection, clock } = await connect();
  const pauses: number[] = [];
  for (let death = 0; death < 5; death++) {
    await expect(connection.call('die', null)).rejects.toBeInstanceOf(StoreFailed);
    pauses.push(...clock.pauses());
    const after = connection.call('echo', `${death}`);
    clock.advance(clock.pauses()[0] ?? 0);
    expect(await after).toBe(`${death}`);
  }
  expect(pauses).toEqual([200, 400, 800, 1_600]);

  clock.advance(60_000);
  await expect(connection.call('die', null)).rejects.toBeInstanceOf(StoreFailed);
  expect(clock.pauses()).toEqual([]);
});

test('closing in the pause before a restart fails what waits, and starts nothing', async () => {
  const { connection, clock, starts } = await connect();
  await expect(connection.call('die', null)).rejects.toBeInstanceOf(StoreFailed);
  expect(await connection.call('echo', 'x')).toBe('x');
  await expect(connection.call('die', null)).rejects.toBeInstanceOf(StoreFailed);
  const waiting = expect(connection.call('echo', 'y')).rejects.toThrow('closed');
  await connection.close();
  await waiting;
  clock.advance(100_000);
  expect(starts()).toBe(2);
});

test('a worker that cannot start at all says why', async () => {
  const connecting = connectWorker<Dying, string>({
    name: 'writer',
    clock: handClock(0),
    log: { info: () => undefined, warn: () => undefined },
    start: () => new Worker(new URL('./dyingWorker.ts', import.meta.url), { workerData: 'stillborn' }),
    onReady: () => undefined,
  });
  await expect(connecting).rejects.toMatchObject({ name: 'StoreFailed', cause: { message: 'no room' } });
});
