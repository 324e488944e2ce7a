import { describe, expect, test } from 'vitest';
import { StoreFailed } from '../../../../server/store/storeErrors.ts';
import { createCommandLinks } from '../../../../server/telemetry/intake/terminalLinks.ts';
import { openCommandFixture, said, settled, storePauseMs } from './commandBench.ts';
import { commandRow } from './commandRow.ts';

const full = new StoreFailed('the disk is gone');

/** A command whose time ran out while the store failed, which works again. */
async function openWithOverdue() {
  const bench = await openCommandFixture();
  const { command_id } = await bench.give('getinfo', { expires_in_s: 10 });
  bench.failWith(full);
  bench.clock.advance(10_000);
  await settled();
  expect(bench.row(command_id)?.status).toBe('queued');
  bench.failWith(null);
  return { bench, command_id };
}

describe('while the store fails', () => {
  test('nothing new is taken', async () => {
    const bench = await openCommandFixture();
    const link = bench.connect();
    bench.failWith(full);
    await expect(bench.give('getinfo')).rejects.toBe(full);
    bench.failWith(null);
    bench.clock.advance(storePauseMs);
    await settled();
    expect(link.written).toEqual([]);
  });

  test('nothing is written to a terminal; it goes out when the store works again', async () => {
    const bench = await openCommandFixture();
    const { command_id } = await bench.give('getinfo');
    bench.failWith(full);
    const link = bench.connect();
    await settled();
    bench.clock.advance(storePauseMs);
    await settled();
    expect(link.written).toEqual([]);
    bench.failWith(null);
    bench.clock.advance(storePauseMs);
    await settled();
    expect(link.written).toHaveLength(1);
    expect(bench.row(command_id)?.status).toBe('sent');
  });

  test('an answer is kept until it can be stored, and the next command waits for that', async () => {
    const bench = await openCommandFixture();
    const link = bench.connect();
    const [one] = [await bench.give('one'), await bench.give('two')];
    await settled();
    bench.failWith(full);
    link.settle(said('1'));
    await settled();
    bench.clock.advance(storePauseMs);
    await settled();
    expect(bench.row(one.command_id)?.status).toBe('sent');
    expect(link.written).toHaveLength(1);
    bench.failWith(null);
    bench.clock.advance(storePauseMs);
    await settled();
    expect(bench.row(one.command_id)).toMatchObject({ status: 'responded', response: '1' });
    expect(link.written).toHaveLength(2);
  });

  test('a command that expired is ended later', async () => {
    const { bench, command_id } = await openWithOverdue();
    bench.clock.advance(storePauseMs);
    await settled();
    expect(bench.row(command_id)?.status).toBe('expired');
  });

  test('an expired command is not sent to a terminal that connects before that could be stored', async () => {
    const { bench, command_id } = await openWithOverdue();
    const link = bench.connect();
    await settled();
    expect(link.written).toEqual([]);
    expect(bench.row(command_id)?.status).toBe('expired');
  });

  test('a start goes on trying to end what was on its way', async () => {
    const links = createCommandLinks();
    const bench = await openCommandFixture([], { links });
    bench.failWith(full);
    const late = await openCommandFixture([commandRow({ status: 'sent', sent_ms: 1 })]);
    late.failWith(full);
    await settled();
    late.failWith(null);
    late.clock.advance(storePauseMs);
    await settled();
    expect(late.row('command')?.status).toBe('failed');
  });

  test('each vehicle is tried again once a pause, however often its terminal comes', async () => {
    const bench = await openCommandFixture();
    const { command_id } = await bench.give('getinfo');
    bench.failWith(full);
    for (let at = 0; at < 20; at += 1) {
      bench.connect();
      await settled();
      bench.clock.advance(100);
    }
    for (let pause = 1; pause <= 3; pause += 1) {
      const before = bench.tries();
      for (let step = 0; step < storePauseMs; step += 100) {
        bench.clock.advance(100);
        await settled();
      }
      expect(bench.tries()).toBe(before + 1);
    }
    bench.failWith(null);
    bench.clock.advance(storePauseMs);
    await settled();
    expect(bench.row(command_id)?.status).toBe('sent');
  });

  test('ten lines a minute say so, and then how many were left out', async () => {
    const bench = await openCommandFixture();
    await bench.give('getinfo');
    bench.failWith(full);
    for (let at = 0; at < 20; at += 1) {
      bench.connect();
      await settled();
    }
    expect(bench.logged).toHaveLength(10);
    bench.clock.advance(60_000);
    await settled();
    expect(bench.logged[10]).toMatchObject({
      ...{ msg: 'a command was not sent; tried again', vehicle_id: 'van', not_logged_before: 10 },
    });
  });

  test('a host that closes does not try again', async () => {
    const bench = await openCommandFixture();
    await bench.give('getinfo');
    bench.failWith(full);
    bench.connect();
    await settled();
    await bench.commands.close();
    expect(bench.timers()).toBe(0);
  });
});
