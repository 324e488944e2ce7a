import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { positionRoutes } from '../../../../server/contract/positions.ts';
import {
  terminalCommandRoutes,
  type NewTerminalCommand,
} from '../../../../server/contract/terminalCommands.ts';
import { userRoutes } from '../../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../../server/contract/vehicles.ts';
import { connectFakeJt808, positionBody, words, type FakeJt808 } from '../../../support/fakeJt808.ts';
import { connectFakeTeltonika, datagramBytes, type FakeTeltonika } from '../../../support/fakeTeltonika.ts';
import { connectFakeWialon } from '../../../support/fakeWialon.ts';
import { openStream, type StreamReader } from '../../../support/streamReader.ts';
import { commandAnswer, readCommand } from '../../../support/teltonikaCommands.ts';
import { startTestHost, type Caller, type TestHost } from '../../../support/testHost.ts';

// Commands as a dispatcher gives them and terminals take them, over real sockets and a real store.

const imei = '356307042441013';
const phone = '13800001234';
const undo: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function begin(
  options: Parameters<typeof startTestHost>[0] = {},
): Promise<{ host: TestHost; dealer: Caller }> {
  const host = await startTestHost(options);
  undo.push(() => host.close());
  return { host, dealer: await host.login() };
}

async function vehicleOf(dealer: Caller, terminal_id: string, group_ids: string[] = []): Promise<string> {
  const body = { terminal_id, name: terminal_id, group_ids };
  return (await dealer.ask(vehicleRoutes.create, { body })).vehicle_id;
}

async function teltonika(host: TestHost): Promise<FakeTeltonika> {
  const terminal = await connectFakeTeltonika({ port: host.teltonikaPort, imei });
  undo.push(() => terminal.abort());
  if ((await terminal.logIn()) !== 1) throw new Error('the IMEI was refused');
  return terminal;
}

async function jt808(host: TestHost): Promise<FakeJt808> {
  const terminal = await connectFakeJt808({ port: host.jt808Port, phone, form: '2019' });
  undo.push(() => terminal.abort());
  await terminal.logOn();
  return terminal;
}

async function listen(host: TestHost, caller: Caller): Promise<StreamReader> {
  const stream = await openStream(host.url, caller, { query: 'topics=command' });
  undo.push(() => stream.close());
  return stream;
}

const give = (caller: Caller, vehicle: string, wanted: Partial<NewTerminalCommand>) =>
  caller.ask(terminalCommandRoutes.send, { params: { vehicle }, body: { kind: 'text', ...wanted } });

const published = (stream: StreamReader, command_id: string, status: string) =>
  stream.next('command', (it) => it.command_id === command_id && 'status' in it && it.status === status);

test('a command that is issued while the terminal is off line is sent when it reconnects, and is published at each step', async () => {
  const { host, dealer } = await begin();
  const vehicle = await vehicleOf(dealer, imei);
  const stream = await listen(host, dealer);
  const params = { vehicle };
  expect(await dealer.ask(terminalCommandRoutes.reach, { params })).toEqual({ protocol: null, kinds: [] });
  const { command_id } = await give(dealer, vehicle, { text: 'getinfo' });
  await published(stream, command_id, 'queued');

  const terminal = await teltonika(host);
  expect(await readCommand(terminal)).toBe('getinfo');
  const sent = await published(stream, command_id, 'sent');
  expect(sent.data).toMatchObject({ protocol: 'teltonika', ended_at: null });
  expect(await dealer.ask(terminalCommandRoutes.reach, { params })).toEqual({
    protocol: 'teltonika',
    kinds: ['text'],
  });
  expect(await terminal.send([{ time_ms: Date.now(), lat: 56.95, lon: 24.1 }])).toBe(1);
  terminal.write(commandAnswer('RTC:2026/11/21'));
  const answered = await published(stream, command_id, 'responded');
  expect(answered.data).toMatchObject({ response: 'RTC:2026/11/21' });
  const kept = await dealer.ask(terminalCommandRoutes.get, { params: { vehicle: imei, command_id } });
  expect(kept).toEqual(answered.data);
  expect((await dealer.ask(terminalCommandRoutes.list, { params })).items).toEqual([kept]);
});

test('a terminal of JT/T 808 receives a text and a position request', async () => {
  const { host, dealer } = await begin();
  const vehicle = await vehicleOf(dealer, phone);
  const stream = await listen(host, dealer);
  const terminal = await jt808(host);
  const text = await give(dealer, vehicle, { text: '请停车' });
  const message = await terminal.next(0x8300);
  expect(message.body.toString('hex')).toBe('0401c7ebcda3b3b5');
  terminal.answer(message);
  expect((await published(stream, text.command_id, 'responded')).data).toMatchObject({
    response: null,
    protocol: 'jt808',
  });

  const where = await give(dealer, vehicle, { kind: 'position' });
  const question = await terminal.next(0x8201);
  const time_ms = Math.floor(Date.now() / 1_000) * 1_000;
  const body = positionBody({ lat: 56.95, lon: 24.1, time_ms, speed_kmh: 12.5 });
  expect(await terminal.emit(0x0201, Buffer.concat([words(question.serial), body]))).toBe(0);
  const time = new Date(time_ms).toISOString().replace('.000Z', 'Z');
  expect((await published(stream, where.command_id, 'responded')).data).toMatchObject({
    response: `${time} 56.950000, 24.100000, 12.5 km/h`,
  });
  const { positions } = (await dealer.ask(positionRoutes.latest)) as { positions: object[] };
  expect(positions).toMatchObject([{ vehicle_id: vehicle, lat: 56.95, lon: 24.1 }]);

  const refused = await give(dealer, vehicle, { kind: 'position' });
  terminal.answer(await terminal.next(0x8201), 3);
  expect((await published(stream, refused.command_id, 'failed')).data).toMatchObject({
    error: { code: 'not_supported' },
  });
});

test('a command that a protocol lacks is refused: at once where possible, else when the terminal connects', async () => {
  const { host, dealer } = await begin();
  const vehicle = await vehicleOf(dealer, phone);
  const stream = await listen(host, dealer);
  const early = await give(dealer, vehicle, { text: 'stop 😀' });
  await jt808(host);
  expect((await published(stream, early.command_id, 'failed')).data).toMatchObject({
    error: { code: 'not_supported', detail: expect.stringContaining('😀') as string },
  });
  const answer = await dealer.post(`/api/v1/vehicles/${vehicle}/commands`, { kind: 'text', text: 'stop 😀' });
  expect([answer.status, answer.code]).toEqual([400, 'validation_failed']);
  expect(answer.text).toContain('😀');

  const other = await vehicleOf(dealer, imei);
  await teltonika(host);
  const where = await give(dealer, other, { kind: 'position' });
  expect((await published(stream, where.command_id, 'failed')).data).toMatchObject({
    error: { code: 'not_supported' },
  });
});

test('a terminal whose connection is cut does not receive the command again; the next command goes out by its next connection', async () => {
  const { host, dealer } = await begin();
  const vehicle = await vehicleOf(dealer, imei);
  const stream = await listen(host, dealer);
  const terminal = await teltonika(host);
  const one = await give(dealer, vehicle, { text: 'one' });
  const two = await give(dealer, vehicle, { text: 'two' });
  expect(await readCommand(terminal)).toBe('one');
  terminal.abort();
  expect((await published(stream, one.command_id, 'failed')).data).toMatchObject({
    error: { code: 'no_response' },
  });
  const again = await teltonika(host);
  // Late, and by another connection: it does not pass for that of the next.
  again.write(commandAnswer('1'));
  expect(await readCommand(again)).toBe('two');
  again.write(commandAnswer('2'));
  expect((await published(stream, two.command_id, 'responded')).data).toMatchObject({ response: '2' });
  expect(again.unread()).toHaveLength(0);
});

test('a host that stops and starts leaves what was sent without an answer, and sends what waits', async () => {
  const first = await begin();
  const vehicle = await vehicleOf(first.dealer, imei);
  const terminal = await teltonika(first.host);
  const one = await give(first.dealer, vehicle, { text: 'one' });
  const two = await give(first.dealer, vehicle, { text: 'two' });
  expect(await readCommand(terminal)).toBe('one');
  await first.host.stop();
  const { host, dealer } = await begin({ data: first.host.data });
  const params = { vehicle };
  const { items } = await dealer.ask(terminalCommandRoutes.list, { params });
  expect(items.map(({ command_id, status, error }) => [command_id, status, error?.code])).toEqual([
    [two.command_id, 'queued', undefined],
    [one.command_id, 'failed', 'no_response'],
  ]);
  const again = await teltonika(host);
  expect(await readCommand(again)).toBe('two');
});

test('a command that waits is cancelled by hand, and with its vehicle; a sent one is not', async () => {
  const { host, dealer } = await begin();
  const vehicle = await vehicleOf(dealer, imei);
  const stream = await listen(host, dealer);
  const terminal = await teltonika(host);
  const one = await give(dealer, vehicle, { text: 'one' });
  const two = await give(dealer, vehicle, { text: 'two' });
  const three = await give(dealer, vehicle, { text: 'three' });
  expect(await readCommand(terminal)).toBe('one');
  const cancel = (command_id: string) =>
    dealer.outcome(terminalCommandRoutes.cancel, { params: { vehicle, command_id } });
  expect(await cancel(one.command_id)).toBe('409 in_use');
  expect(await cancel(two.command_id)).toBe(200);
  expect(await cancel(two.command_id)).toBe('409 in_use');
  await dealer.ask(vehicleRoutes.patch, { params: { vehicle }, body: { terminal_id: '77' } });
  await published(stream, three.command_id, 'cancelled');
  terminal.write(commandAnswer('1'));
  await published(stream, one.command_id, 'responded');

  const four = await give(dealer, vehicle, { text: 'four' });
  await dealer.ask(vehicleRoutes.remove, { params: { vehicle } });
  await published(stream, four.command_id, 'cancelled');
  expect(
    await dealer.outcome(terminalCommandRoutes.send, { params: { vehicle }, body: { kind: 'position' } }),
  ).toBe('409 in_use');
  await dealer.ask(vehicleRoutes.remove, { params: { vehicle }, query: { purge: 'true' } });
  expect(await dealer.outcome(terminalCommandRoutes.list, { params: { vehicle } })).toBe('404 not_found');
});

test('a terminal that is on line by a protocol without commands receives nothing', async () => {
  const { host, dealer } = await begin();
  const vehicle = await vehicleOf(dealer, imei);
  const params = { vehicle };
  const { command_id } = await give(dealer, vehicle, { text: 'getinfo' });
  const wialon = await connectFakeWialon(host.wialonPort);
  undo.push(() => wialon.abort());
  expect(await wialon.logIn(imei)).toBe('#AL#1');
  const datagrams = createSocket('udp4');
  undo.push(() => void datagrams.close());
  const answered = once(datagrams, 'message');
  const records = [{ time_ms: Date.now(), lat: 56.95, lon: 24.1 }];
  datagrams.send(datagramBytes(imei, records, { packet: 1, avl: 1 }), host.teltonikaPort, '127.0.0.1');
  await answered;
  expect(await dealer.ask(terminalCommandRoutes.reach, { params })).toEqual({ protocol: null, kinds: [] });
  const kept = await dealer.ask(terminalCommandRoutes.get, { params: { vehicle, command_id } });
  expect(kept.status).toBe('queued');
});

test('the stream publishes commands only to users who may issue them, for vehicles that they see', async () => {
  const { host, dealer } = await begin({
    users: [
      { login: 'anna', rights: { vehicles: 'write' } },
      { login: 'boris', rights: { vehicles: 'read' } },
      { login: 'carl', rights: { vehicles: 'write' } },
    ],
  });
  const anna = await host.login('anna');
  const boris = await host.login('boris');
  const groupOf = async (caller: Caller) => (await caller.ask(userRoutes.me)).group_ids[0] ?? '';
  const vehicle = await vehicleOf(dealer, imei, [await groupOf(anna), await groupOf(boris)]);
  const streams = {
    anna: await listen(host, anna),
    boris: await listen(host, boris),
    carl: await listen(host, await host.login('carl')),
  };
  const { command_id } = await give(anna, vehicle, { text: 'getinfo' });
  await published(streams.anna, command_id, 'queued');
  // What comes after it has come: nothing was kept back.
  const seen = await vehicleOf(dealer, '77', [await groupOf(boris), await groupOf(await host.login('carl'))]);
  const other = await give(dealer, seen, { text: 'getver' });
  await published(streams.carl, other.command_id, 'queued');
  expect(streams.carl.messages.filter(({ topic }) => topic === 'command')).toHaveLength(1);
  expect(streams.boris.messages.filter(({ topic }) => topic === 'command')).toEqual([]);
  expect(await boris.outcome(terminalCommandRoutes.list, { params: { vehicle } })).toBe('403 forbidden');
});

test('a listener that was away learns how a command ended meanwhile', async () => {
  const { host, dealer } = await begin();
  const vehicle = await vehicleOf(dealer, imei);
  const stream = await listen(host, dealer);
  const { command_id } = await give(dealer, vehicle, { text: 'getinfo' });
  await published(stream, command_id, 'queued');
  stream.close();
  await stream.ended;
  await dealer.ask(terminalCommandRoutes.cancel, { params: { vehicle, command_id } });
  const back = await openStream(host.url, dealer, { query: 'topics=command', lastId: stream.lastId() });
  undo.push(() => back.close());
  await published(back, command_id, 'cancelled');
});
