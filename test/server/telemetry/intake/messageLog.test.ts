import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createIntakeMessage } from '../../../../server/telemetry/intake/intakeMessage.ts';
import { createMessageRecord, keptBytes } from '../../../../server/telemetry/intake/messageLog.ts';
import { createRejections } from '../../../../server/telemetry/intake/rejections.ts';
import { createBacklog } from '../../../../server/telemetry/intake/listenerContext.ts';
import { emptyReport } from '../../../../server/telemetry/terminalReport.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';
import { connectToy, openToyListener } from './toyListener.ts';

test('a listener keeps its last messages with their results', async () => {
  const listener = await openToyListener();
  const terminal = await connectToy(listener);
  terminal.say('hello A7\nat 5\n');
  await listener.store.came(1);
  expect(listener.deps.record.ofTerminal('00a7')).toMatchObject({ decoded: 1, outcomes: {}, answer: null });
  await listener.store.settle();
  await terminal.line();
  const [last, first] = listener.deps.record.latest();
  expect(first).toMatchObject({ note: 'hello', terminal_id: 'A7', decoded: 0 });
  expect(last).toMatchObject({
    at_ms: listener.clock.now(),
    transport: 'tcp',
    address: '127.0.0.1',
    terminal_id: 'A7',
    length: 5,
    note: 'at',
    reports: [{ terminal_id: 'A7', time_ms: 5 }],
    decoded: 1,
    outcomes: { stored: 1 },
    isUnreadable: false,
  });
  expect(Buffer.from(last?.bytes ?? []).toString()).toBe('at 5\n');
  expect(Buffer.from(last?.answer ?? []).toString()).toBe('at 5\n');
  terminal.say('!');
  await terminal.ended;
  expect(listener.deps.record.latest()[0]).toMatchObject({
    note: 'it begins with no letter',
    isUnreadable: true,
    length: 1,
  });
});

test('a listener keeps few messages for itself and one per terminal, and of each the first bytes', () => {
  const record = createMessageRecord(createFakeClock());
  const long = Buffer.alloc(10_000, 7);
  for (let at = 0; at < 6_000; at += 1) record.open('tcp', null, `t${at}`, long);
  const ofListener = record.latest();
  expect(ofListener).toHaveLength(50);
  expect(ofListener.map((it) => it.terminal_id).slice(0, 2)).toEqual(['t5999', 't5998']);
  expect(ofListener[0]?.bytes).toHaveLength(keptBytes);
  expect(ofListener[0]?.bytes.buffer.byteLength).toBe(keptBytes);
  expect(ofListener[0]?.length).toBe(10_000);
  expect(record.ofTerminal('t999')).toBeNull();
  expect(record.ofTerminal('t1000')).not.toBeNull();
  // One that speaks again is not the oldest any more.
  record.open('udp', null, 't1000', long);
  record.open('udp', null, 'new', long);
  expect(record.ofTerminal('t1000')).toMatchObject({ transport: 'udp' });
  expect(record.ofTerminal('t1001')).toBeNull();
});

test('a listener keeps a limited amount of a report that any client may have sent', async () => {
  const record = createMessageRecord(createFakeClock());
  const entry = record.open('udp', null, null, Buffer.of(1));
  const work = createBacklog(100);
  const bytes = Buffer.alloc(5 * 1_024);
  const counts: number[] = [];
  const { message } = createIntakeMessage({
    bytes,
    entry,
    work,
    origin: { protocol: 'toy', address: null },
    rejections: createRejections('toy', createFakeClock(), pino({ level: 'silent' })),
    onSender: (terminalId) => record.belongs(entry, terminalId),
    accept: (reports) => {
      counts.push(work.size());
      return Promise.resolve(reports.map(() => ({ status: 'unknown' })));
    },
  });
  const long = 'x'.repeat(60_000);
  const attributes = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`${at}`, long]));
  const alarms = Array.from({ length: 1_000 }, () => long);
  const reports = [1, 2].map(() => ({
    ...emptyReport,
    terminal_id: long,
    alarms,
    attributes,
    undecodable: long,
  }));
  await message.accept(reports);
  await message.accept(reports);
  message.undecodable(long);
  const kept = record.latest()[0];
  expect(kept).toMatchObject({ decoded: 4, terminal_id: 'x'.repeat(64), note: 'x'.repeat(200) });
  expect(kept?.reports).toHaveLength(3);
  for (const report of kept?.reports ?? []) {
    expect(report.terminal_id).toBe('x'.repeat(64));
    expect(Object.keys(report.attributes)).toHaveLength(64);
    expect(report.attributes['63']).toBe('x'.repeat(200));
    expect(JSON.stringify(report).length).toBeLessThan(25_000);
  }
  // A long message takes up more room than its few reports.
  expect(counts).toEqual([5, 5]);
  expect(work.size()).toBe(0);
});

test('the reasons of refused or failed reports are kept, with their number', async () => {
  const listener = await openToyListener();
  const terminal = await connectToy(listener);
  terminal.say('hello A7\nat 5\n');
  await listener.store.came(1);
  await listener.store.settle(0, { status: 'rejected', code: 'time_in_future', detail: 'long ahead' });
  await terminal.line();
  expect(listener.deps.record.latest()[0]).toMatchObject({
    outcomes: { rejected: 1 },
    codes: { time_in_future: 1 },
    isUnreadable: false,
  });
  terminal.say('at 6\n');
  await listener.store.came(2);
  await listener.store.settle(0, { status: 'failed', code: 'disk_full', detail: 'no room' });
  await expect
    .poll(() => listener.deps.record.latest()[0])
    .toMatchObject({ outcomes: { failed: 1 }, codes: { disk_full: 1 } });
});

test('a terminal that calls itself by a long name is kept by the beginning of it', () => {
  const record = createMessageRecord(createFakeClock());
  record.open('tcp', null, 'x'.repeat(10_000), Buffer.of(1));
  expect(record.latest()[0]?.terminal_id).toBe('x'.repeat(64));
});
