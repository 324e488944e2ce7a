import { describe, expect, test } from 'vitest';
import { createCommandLinks } from '../../../../server/telemetry/intake/terminalLinks.ts';
import { connectFake, imei, openCommandFixture, said, settled } from './commandBench.ts';
import { commandRow } from './commandRow.ts';

describe('a command that waits', () => {
  test('a command that waits is over when its time is', async () => {
    const bench = await openCommandFixture();
    const short = await bench.give('short', { expires_in_s: 10 });
    const long = await bench.give('long', { expires_in_s: 3_600 });
    bench.clock.advance(10_000);
    await settled();
    expect(bench.row(short.command_id)).toMatchObject({
      status: 'expired',
      completed_ms: short.created_ms + 10_000,
    });
    expect(bench.row(long.command_id)?.status).toBe('queued');
    const link = bench.connect();
    await settled();
    expect(link.written).toEqual([{ kind: 'text', text: 'long' }]);
  });

  test('a command that waits may not go out after its time even before its expiry was noticed', async () => {
    const over = commandRow({ expires_ms: commandRow().created_ms });
    const links = createCommandLinks();
    const link = connectFake(links, imei);
    const bench = await openCommandFixture([over], { links });
    await settled();
    expect(bench.row('command')?.status).toBe('expired');
    expect(link.written).toEqual([]);
  });

  test('a command that waits may not go out after its time to a terminal that connects before its expiry was noticed', async () => {
    const bench = await openCommandFixture();
    const { command_id, expires_ms } = await bench.give('getinfo', { expires_in_s: 10 });
    // As after a sleep of the machine, in which its timers stand still.
    bench.clock.now = () => expires_ms;
    const link = bench.connect();
    await settled();
    expect(link.written).toEqual([]);
    expect(bench.row(command_id)).toMatchObject({
      status: 'expired',
      sent_ms: null,
      completed_ms: expires_ms,
    });
  });

  test('a command that waits can be cancelled, and is then never sent', async () => {
    const bench = await openCommandFixture();
    const { command_id } = await bench.give('getinfo');
    const cancelled = await bench.commands.cancel('van', command_id);
    expect(cancelled).toMatchObject({ status: 'cancelled', sent_ms: null });
    const link = bench.connect();
    await settled();
    expect(link.written).toEqual([]);
    await expect(bench.commands.cancel('van', command_id)).rejects.toMatchObject({
      code: 'in_use',
      message: expect.stringContaining('its end') as string,
    });
  });

  test('a command that waits cannot be cancelled by way of another vehicle', async () => {
    const bench = await openCommandFixture();
    const { command_id } = await bench.give('getinfo');
    await expect(bench.commands.cancel('bus', command_id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(bench.commands.find('bus', command_id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each([
    ['is archived', { archived_at: '2026-11-21T12:00:00.000Z' }],
    ['gets another terminal', { terminal_id: '77' }],
  ])('a command that waits is cancelled when its vehicle %s; what is on its way is not', async (_, part) => {
    const bench = await openCommandFixture();
    const link = bench.connect();
    const [sent, waiting] = [await bench.give('one'), await bench.give('two')];
    await settled();
    bench.change(part);
    await settled();
    expect(bench.row(waiting.command_id)?.status).toBe('cancelled');
    link.settle(said('1'));
    await settled();
    expect(bench.row(sent.command_id)?.status).toBe('responded');
    expect(link.written).toHaveLength(1);
  });

  test('a command that waits stays when something else of its vehicle changes', async () => {
    const bench = await openCommandFixture();
    const { command_id } = await bench.give('one');
    bench.change({ name: 'bus', terminal_id: `00${imei}` });
    await settled();
    expect(bench.row(command_id)?.status).toBe('queued');
  });
});

test('a sent command cannot be cancelled', async () => {
  const bench = await openCommandFixture();
  bench.connect();
  const { command_id } = await bench.give('getinfo');
  await settled();
  await expect(bench.commands.cancel('van', command_id)).rejects.toMatchObject({
    code: 'in_use',
    message: 'The command was sent already.',
  });
});

test('an archived vehicle takes no command, and says nothing of its former terminal', async () => {
  const bench = await openCommandFixture();
  bench.connect();
  expect(bench.commands.reach(bench.vehicle)).toEqual({ protocol: 'teltonika', kinds: ['text'] });
  bench.change({ archived_at: '2026-11-21T12:00:00.000Z' });
  await expect(bench.give('getinfo')).rejects.toMatchObject({ code: 'in_use' });
  expect(bench.commands.reach(bench.vehicle)).toEqual({ protocol: null, kinds: [] });
});

describe('a vehicle whose data is deleted', () => {
  test('a vehicle whose data is deleted is released: nothing of it is written any more', async () => {
    const bench = await openCommandFixture();
    const link = bench.connect();
    await bench.give('one');
    await bench.give('two');
    await settled();
    await bench.commands.forgetVehicle('van');
    const writes = bench.log.length;
    link.settle(said('1'));
    await settled();
    expect(bench.log).toHaveLength(writes);
    expect(link.written).toHaveLength(1);
  });
});
