import { describe, expect, test } from 'vitest';
import type { TerminalCommandRow } from '../../../../server/store/telemetry/rows.ts';
import { answerMs, imei, openCommandFixture, said, settled } from './commandBench.ts';
import { commandRow } from './commandRow.ts';

const statusOf = ({ status, response, error }: TerminalCommandRow) => [
  status,
  response ?? error?.code ?? null,
];

describe('a command', () => {
  test('a command to a terminal that is on line is sent at once, and its answer kept', async () => {
    const bench = await openCommandFixture();
    const link = bench.connect();
    const given = await bench.give('getinfo');
    expect(given).toMatchObject({ status: 'queued', terminal_id: imei, created_by: 'user', protocol: null });
    await settled();
    expect(link.written).toEqual([{ kind: 'text', text: 'getinfo' }]);
    expect(bench.row(given.command_id)).toMatchObject({
      status: 'sent',
      protocol: 'teltonika',
      completed_ms: null,
    });
    bench.clock.advance(2_000);
    link.settle(said('RST:2'));
    await settled();
    expect(bench.row(given.command_id)).toMatchObject({
      ...{ status: 'responded', response: 'RST:2', error: null },
      ...{ sent_ms: given.created_ms, completed_ms: given.created_ms + 2_000 },
    });
    expect(bench.log).toEqual(['getinfo queued', 'getinfo sent', 'getinfo responded']);
  });

  test('a command to one that is off line waits until it comes', async () => {
    const bench = await openCommandFixture();
    const given = await bench.give('getinfo');
    await settled();
    expect(bench.row(given.command_id)?.status).toBe('queued');
    bench.clock.advance(3_000_000);
    const link = bench.connect();
    await settled();
    expect(link.written).toHaveLength(1);
    link.settle(said('1'));
    await settled();
    expect(bench.stored().map(statusOf)).toEqual([['responded', '1']]);
  });

  test('a command is stored as sent before a byte of it is written', async () => {
    const bench = await openCommandFixture();
    let before: string[] = [];
    const link = bench.connect({
      send() {
        before = [...bench.log];
        return Promise.resolve(said('1'));
      },
    });
    expect(link.isOpen()).toBe(true);
    await bench.give('getinfo');
    await settled();
    expect(before).toEqual(['getinfo queued', 'getinfo sent']);
  });

  test('a command of a kind that the protocol does not have fails with words that say so', async () => {
    const bench = await openCommandFixture();
    const link = bench.connect();
    const wanted = { kind: 'position', text: null, expires_in_s: 60 } as const;
    const { command_id } = await bench.commands.send(bench.vehicle, wanted, { userId: 'user' });
    await settled();
    expect(bench.row(command_id)).toMatchObject({
      status: 'failed',
      protocol: null,
      sent_ms: null,
      error: { code: 'not_supported', detail: 'A terminal cannot be asked for its position by Teltonika.' },
    });
    expect(link.written).toEqual([]);
  });

  test('a command in letters that the protocol does not have is refused while the terminal is on line', async () => {
    const bench = await openCommandFixture();
    bench.connect();
    await expect(bench.give('ķēde')).rejects.toMatchObject({
      code: 'validation_failed',
      faults: [{ path: 'text', message: 'There is no ķ.' }],
    });
    expect(bench.stored()).toEqual([]);
  });

  test('a command in such letters that was given before fails when it comes on line', async () => {
    const bench = await openCommandFixture();
    const { command_id } = await bench.give('ķēde');
    bench.connect();
    await settled();
    expect(bench.row(command_id)?.error).toEqual({ code: 'not_supported', detail: 'There is no ķ.' });
  });

  test('a command of which not a byte was written waits for the next connection', async () => {
    const bench = await openCommandFixture();
    const first = bench.connect({
      send: () => Promise.resolve({ outcome: 'not_written' }),
      isOpen: () => bench.log.length < 2,
    });
    const { command_id } = await bench.give('getinfo');
    await settled();
    expect(first.written).toEqual([]);
    expect(bench.row(command_id)).toMatchObject({ status: 'queued', protocol: null, sent_ms: null });
    const link = bench.connect();
    await settled();
    link.settle(said('1'));
    await settled();
    expect(bench.log).toEqual(['queued', 'sent', 'queued', 'sent', 'responded'].map((it) => `getinfo ${it}`));
  });

  test('a command whose connection ends, or that is not answered, is not sent again', async () => {
    const bench = await openCommandFixture();
    const link = bench.connect();
    const one = await bench.give('one');
    await settled();
    link.cut();
    await settled();
    const fresh = bench.connect();
    const two = await bench.give('two');
    await settled();
    fresh.settle({ outcome: 'silent' });
    await settled();
    bench.connect();
    await settled();
    expect(bench.row(one.command_id)?.error?.code).toBe('no_response');
    expect(bench.row(two.command_id)?.error?.code).toBe('no_response');
    expect(fresh.written).toEqual([{ kind: 'text', text: 'two' }]);
  });

  test('a command is given so long to be answered as was said', async () => {
    const bench = await openCommandFixture();
    let waited = 0;
    bench.connect({
      send(_, timeoutMs) {
        waited = timeoutMs;
        return Promise.resolve({ outcome: 'silent' });
      },
    });
    await bench.give('getinfo');
    await settled();
    expect(waited).toBe(answerMs);
  });

  test('a command with an unknown result has no answer', async () => {
    const bench = await openCommandFixture();
    bench.connect({ send: () => Promise.reject(new Error('a fault of ours')) });
    const { command_id } = await bench.give('getinfo');
    await settled();
    expect(bench.row(command_id)?.error?.code).toBe('no_response');
  });
});

describe('commands to one terminal', () => {
  test('commands to one terminal go out one after the other, in the order in which they were given', async () => {
    const bench = await openCommandFixture();
    for (const text of ['one', 'two', 'three']) await bench.give(text);
    const link = bench.connect();
    for (const text of ['one', 'two', 'three']) {
      await settled();
      expect(link.written.at(-1)).toEqual({ kind: 'text', text });
      link.settle(said(text));
    }
    await settled();
    expect(link.written).toHaveLength(3);
    expect(bench.stored().map(statusOf)).toEqual([
      ['responded', 'one'],
      ['responded', 'two'],
      ['responded', 'three'],
    ]);
  });

  test('commands to one terminal that two give in one moment go out one after the other', async () => {
    const bench = await openCommandFixture();
    const link = bench.connect();
    const [one, two] = await Promise.all([bench.give('one'), bench.give('two')]);
    await settled();
    expect(link.written).toHaveLength(1);
    expect(two.created_ms).toBeGreaterThan(one.created_ms);
    link.settle(said('1'));
    await settled();
    expect(link.written).toEqual([
      { kind: 'text', text: 'one' },
      { kind: 'text', text: 'two' },
    ]);
  });

  test('commands to one terminal keep their order when the wall clock is set back', async () => {
    const newest = commandRow({
      command_id: 'newest',
      text: 'first',
      created_ms: commandRow().created_ms + 3_600_000,
    });
    const bench = await openCommandFixture([newest]);
    const { created_ms } = await bench.give('second');
    expect(created_ms).toBe(newest.created_ms + 1);
  });

  test('commands to one terminal are not more than fifty that wait', async () => {
    const bench = await openCommandFixture();
    for (let at = 0; at < 50; at += 1) await bench.give(`text ${at}`);
    await expect(bench.give('one more')).rejects.toMatchObject({ code: 'quota_exceeded' });
    bench.connect();
    await settled();
    expect((await bench.give('one more')).status).toBe('queued');
  });
});
