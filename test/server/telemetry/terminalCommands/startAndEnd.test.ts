import { describe, expect, test } from 'vitest';
import { StoreFailed } from '../../../../server/store/storeErrors.ts';
import { createCommandLinks } from '../../../../server/telemetry/intake/terminalLinks.ts';
import { connectFake, imei, openCommandFixture, said, settled } from './commandBench.ts';
import { commandRow } from './commandRow.ts';

describe('after a start', () => {
  test('a command under way has no answer, and is not sent again; a waiting one goes out', async () => {
    const sent = commandRow({
      command_id: 'sent',
      text: 'one',
      status: 'sent',
      protocol: 'teltonika',
      sent_ms: 1,
    });
    const waiting = commandRow({ command_id: 'waiting', text: 'two', created_ms: sent.created_ms + 1 });
    const links = createCommandLinks();
    const link = connectFake(links, imei);
    const bench = await openCommandFixture([sent, waiting], { links });
    await settled();
    expect(bench.row('sent')).toMatchObject({
      status: 'failed',
      error: { code: 'no_response', detail: expect.stringContaining('host stopped') as string },
    });
    expect(link.written).toEqual([{ kind: 'text', text: 'two' }]);
  });

  test('a command stored as sent and never written is reported as unanswered', async () => {
    const links = createCommandLinks();
    const killed = await openCommandFixture([], { links });
    const link = connectFake(links, imei, { send: () => new Promise(() => undefined) });
    const { command_id } = await killed.give('getinfo');
    await settled();
    expect(link.written).toEqual([]);
    const again = await openCommandFixture(killed.stored());
    await settled();
    expect(again.row(command_id)?.error?.code).toBe('no_response');
    expect(again.connect().written).toEqual([]);
  });
});

describe('a host that closes', () => {
  test('a host that closes has stored the end of what was on its way, and sends nothing more', async () => {
    const bench = await openCommandFixture();
    const link = bench.connect();
    const one = await bench.give('one');
    const two = await bench.give('two');
    await settled();
    link.cut();
    await bench.commands.close();
    bench.connect();
    bench.clock.advance(86_400_000);
    await settled();
    expect(bench.row(one.command_id)?.error?.code).toBe('no_response');
    expect(bench.row(two.command_id)?.status).toBe('queued');
  });

  test('a host that closes lets wait what it has not written yet', async () => {
    const bench = await openCommandFixture();
    const link = bench.connect();
    const { command_id } = await bench.give('one');
    await bench.commands.close();
    expect(bench.row(command_id)?.status).toBe('queued');
    expect(link.written).toEqual([]);
  });

  test('a host that closes does not wait for a store that fails, but asks it once more', async () => {
    const bench = await openCommandFixture();
    const link = bench.connect();
    const { command_id } = await bench.give('one');
    await settled();
    bench.failWith(new StoreFailed('the disk is gone'));
    link.settle(said('1'));
    await settled();
    await bench.commands.close();
    expect(bench.row(command_id)?.status).toBe('sent');

    const other = await openCommandFixture();
    const answering = other.connect();
    const given = await other.give('one');
    await settled();
    other.failWith(new StoreFailed('the disk is gone'));
    answering.settle(said('1'));
    await settled();
    other.failWith(null);
    await other.commands.close();
    expect(other.row(given.command_id)?.response).toBe('1');
  });
});
