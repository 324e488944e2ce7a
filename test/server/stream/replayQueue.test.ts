import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createCatchUpQueue } from '../../../server/stream/replayQueue.ts';
import { openHub } from './hubBench.ts';

describe('beginnings of streams', () => {
  it('beginnings of streams of which one user opens twenty-four together are written one message at a time', async () => {
    const bench = await openHub({ vehicles: 2_000, isHeld: true });
    const clients = await Promise.all(
      Array.from({ length: 24 }, (_, at) => bench.open({ user: 'anna', session: `session ${at % 8}` })),
    );
    bench.letBegin();
    await Promise.all(clients.map((it) => it.until('"v1999"')));
    // A message of 64 KiB holds 147 of these positions.
    expect(bench.maxPositions()).toBeGreaterThan(0);
    expect(bench.maxPositions()).toBeLessThanOrEqual(150);
  });

  it('beginnings of streams give each user one message after the other, however many streams one of them has', async () => {
    const queue = createCatchUpQueue(1);
    const written: string[] = [];
    const begin = (user: string, messages: number) =>
      queue.add(user, () => {
        written.push(user);
        if (messages > 1) begin(user, messages - 1);
        return true;
      });
    for (let at = 0; at < 20; at += 1) begin('anna', 10);
    begin('boris', 10);
    await nextTurn();
    expect(written.length).toBeLessThanOrEqual(1);
    await expect.poll(() => written.length).toBe(210);
    expect(written.slice(0, 20).filter((it) => it === 'boris')).toHaveLength(10);
  });

  it('beginnings of streams are written in every fourth turn of the event loop, so that new connections are accepted in between', async () => {
    const queue = createCatchUpQueue(4);
    let written = 0;
    let turns = 0;
    const begin = () =>
      queue.add('anna', () => {
        written += 1;
        if (written < 20) begin();
        return true;
      });
    begin();
    for (; written < 20; turns += 1) await nextTurn();
    expect(turns).toBeGreaterThanOrEqual(4 * 19);
  });

  it('beginnings of streams that are over by their turn do not take it from others', async () => {
    const queue = createCatchUpQueue(1);
    let written = 0;
    for (let at = 0; at < 100; at += 1) queue.add('anna', () => false);
    queue.add('anna', () => (written += 1) > 0);
    await nextTurn();
    expect(written).toBe(1);
  });
});
