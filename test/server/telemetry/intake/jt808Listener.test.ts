import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Outcome } from '../../../../server/telemetry/terminalReport.ts';
import { listenJt808 } from '../../../../server/telemetry/intake/jt808Listener.ts';
import {
  createCommandLinks,
  createTerminalLinks,
} from '../../../../server/telemetry/intake/terminalLinks.ts';
import { maxFrame } from '../../../../server/telemetry/protocols/jt808/frames.ts';
import { bcdTime, frameBytes, positionBody, words, type FakePosition } from '../../../support/fakeJt808.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';
import { openJt808TestListener, phone, terminalId } from './jt808TestListener.ts';

const at_ms = Date.UTC(2026, 10, 21, 4, 43);
const fix: FakePosition = { lat: 56.95, lon: 24.1, time_ms: at_ms };
const minute = 60_000;

/** An outcome that is known when the test says so. */
function later() {
  let settle: (outcome: Outcome) => void = () => undefined;
  const outcome = new Promise<Outcome>((resolve) => (settle = resolve));
  return { answer: () => outcome, settle };
}

describe.each(['2013', '2019'] as const)('a terminal with the header of %s', (form) => {
  test('a terminal with the header of %s registers, authenticates, and is accepted from then on', async () => {
    const testListener = await openJt808TestListener();
    const terminal = await testListener.connect({ form });
    expect(await terminal.register()).toEqual({ result: 0, code: terminalId });
    expect(await terminal.authenticate(terminalId)).toBe(0);
    expect(await terminal.position({ ...fix, speed_kmh: 10 })).toBe(0);
    expect(testListener.taken).toMatchObject([{ terminal_id: terminalId, time_ms: at_ms, speed_kmh: 10 }]);
    expect(await terminal.heartbeat()).toBe(0);
    expect(testListener.heard).toEqual([terminalId]);
    expect(terminal.received.every((it) => it.phoneBcd === terminal.phoneBcd)).toBe(true);
    expect(terminal.received.map((it) => it.serial)).toEqual([0, 1, 2, 3]);
  });

  test('a terminal with the header of %s hands in positions that it kept back, in one message or in its parts', async () => {
    const testListener = await openJt808TestListener();
    const terminal = await testListener.come({ form });
    const many = Array.from({ length: 50 }, (_, at) => ({ ...fix, time_ms: at_ms - at * minute }));
    expect(await terminal.batch(many.slice(0, 3), 1)).toBe(0);
    const bodies = many.slice(3).map(positionBody);
    const body = Buffer.concat([
      words(bodies.length),
      Buffer.of(1),
      ...bodies.flatMap((it) => [words(it.length), it]),
    ]);
    const serials = terminal.sendParts(0x0704, body, 500);
    for (const _ of serials) await terminal.next(0x8001);
    const answers = terminal.received.filter((it) => it.id === 0x8001).slice(-serials.length);
    expect(answers.map((it) => it.body.toString('hex'))).toEqual(
      serials.map((serial) => Buffer.concat([words(serial, 0x0704), Buffer.of(0)]).toString('hex')),
    );
    expect(testListener.taken.map((it) => it.time_ms)).toEqual(many.map((it) => it.time_ms));
  });
});

describe('a position is answered', () => {
  test('a position is answered after it is stored, not before', async () => {
    const store = later();
    const testListener = await openJt808TestListener(store.answer);
    const terminal = await testListener.come();
    const answered = terminal.position(fix);
    await expect.poll(() => testListener.taken.length).toBe(1);
    expect(await terminal.heartbeat()).toBe(0);
    expect(terminal.received.filter((it) => it.body.readUInt16BE(2) === 0x0200)).toEqual([]);
    store.settle({ status: 'stored' });
    expect(await answered).toBe(0);
  });

  test.each<Outcome>([
    { status: 'duplicate' },
    { status: 'merged' },
    { status: 'rejected', code: 'time_in_future', detail: 'It is in the future.' },
  ])('a position is answered when it is %o', async (outcome) => {
    const testListener = await openJt808TestListener(outcome);
    expect(await (await testListener.come()).position(fix)).toBe(0);
  });

  test('a position is answered not at all when it could not be stored: the terminal sends it again', async () => {
    let works = false;
    const testListener = await openJt808TestListener(() =>
      works ? { status: 'stored' } : { status: 'failed', code: 'disk_full', detail: 'The disk is full.' },
    );
    const terminal = await testListener.come();
    terminal.send(0x0200, positionBody(fix));
    terminal.send(0x0704, Buffer.concat([words(1), Buffer.of(0), words(28), positionBody(fix)]));
    await expect.poll(() => testListener.taken.length).toBe(2);
    expect(await terminal.heartbeat()).toBe(0);
    works = true;
    expect(await terminal.position(fix)).toBe(0);
    expect(terminal.received.map((it) => it.id)).toEqual([0x8100, 0x8001, 0x8001, 0x8001]);
  });

  test('a position is answered not at all when taking it in fails, and the next one is', async () => {
    let works = false;
    const testListener = await openJt808TestListener(() =>
      works ? { status: 'stored' } : Promise.reject(new Error('broken')),
    );
    const terminal = await testListener.come();
    terminal.send(0x0200, positionBody(fix));
    expect(await terminal.heartbeat()).toBe(0);
    works = true;
    expect(await terminal.position(fix)).toBe(0);
  });

  test('a position is answered as not understood when it is too short', async () => {
    const testListener = await openJt808TestListener();
    const terminal = await testListener.come();
    expect(await terminal.emit(0x0200, Buffer.alloc(27))).toBe(2);
    expect(await terminal.emit(0x0704, Buffer.of(0, 1, 0))).toBe(2);
    const why = ': not whole';
    expect(testListener.taken).toMatchObject([
      { undecodable: `0x0200 position of ${terminalId}${why}`, attributes: { hex: '00'.repeat(27) } },
      {
        undecodable: `0x0704 batch of positions of ${terminalId}, 0 of 1${why}`,
        attributes: { hex: '000100' },
      },
    ]);
    expect(await terminal.heartbeat()).toBe(0);
    expect(testListener.listener.rejections().undecodable).toBe(2);
    expect(testListener.listener.messages.latest().map((it) => [it.note, it.isUnreadable])).toEqual([
      [`0x0002 heartbeat of ${terminalId}`, false],
      [`0x0704 batch of positions of ${terminalId}, 0 of 1: not whole`, true],
      [`0x0200 position of ${terminalId}: not whole`, true],
      [`0x0102 authentication of ${terminalId}`, false],
      [`0x0100 registration of ${terminalId}`, false],
    ]);
  });

  test('a terminal whose vehicle is gone has to register again', async () => {
    const testListener = await openJt808TestListener();
    const [terminal, silent] = [
      await testListener.come(),
      await testListener.come({ phone: '000000000077' }).catch(() => null),
    ];
    expect(silent).toBeNull();
    testListener.known.delete(terminalId);
    terminal.send(0x0200, positionBody(fix));
    await terminal.ended;
    expect(testListener.links.find(terminalId)).toBeNull();
  });
});

describe('other messages', () => {
  test('other messages without an effect here are answered as not supported, whole and in parts', async () => {
    const testListener = await openJt808TestListener();
    const terminal = await testListener.come();
    expect(await terminal.emit(0x0900, Buffer.from('hello'))).toBe(3);
    terminal.sendParts(0x0900, Buffer.alloc(1_000), 500);
    for (let at = 0; at < 2; at += 1) {
      const answer = await terminal.next(0x8001);
      expect(answer.body.subarray(2).toString('hex')).toBe('090003');
    }
  });

  test('other messages report the driver and the pictures taken', async () => {
    const testListener = await openJt808TestListener();
    const terminal = await testListener.come();
    expect(await terminal.emit(0x0702, Buffer.concat([Buffer.of(2), bcdTime(at_ms)]))).toBe(0);
    expect(await terminal.emit(0x0800, Buffer.from('0000007b00000701', 'hex'))).toBe(0);
    expect(testListener.taken).toMatchObject([
      { terminal_id: terminalId, time_ms: at_ms, attributes: { driver_card: 'out' } },
      { terminal_id: terminalId, time_ms: null, attributes: { media_id: 123, media_event: 7 } },
    ]);
    expect(await terminal.emit(0x0702, Buffer.of(1))).toBe(2);
    expect(await terminal.emit(0x0800, Buffer.alloc(7))).toBe(2);
    expect(testListener.taken).toHaveLength(4);
  });

  test('other messages that answer an expired question are accepted', async () => {
    const terminal = await (await openJt808TestListener()).come();
    expect(await terminal.emit(0x1205, Buffer.alloc(6))).toBe(0);
    expect(await terminal.emit(0x1206, Buffer.alloc(3))).toBe(0);
  });

  test('other messages ask for the time, which is answered in UTC', async () => {
    const testListener = await openJt808TestListener();
    const terminal = await testListener.come({ form: '2019' });
    terminal.send(0x0004);
    expect((await terminal.next(0x8004)).body.toString('hex')).toBe('261121120000');
  });

  test('other messages end the registration, and the connection with it', async () => {
    const testListener = await openJt808TestListener();
    const terminal = await testListener.come();
    expect(await terminal.emit(0x0003)).toBe(0);
    await terminal.ended;
    await expect.poll(() => testListener.links.find(terminalId)).toBeNull();
  });

  test('other messages of another number on the same connection are refused', async () => {
    const testListener = await openJt808TestListener();
    testListener.known.add('77');
    const terminal = await testListener.come();
    const header = Buffer.concat([words(0x0200, 28), Buffer.from('000000000077', 'hex'), words(9)]);
    terminal.write(frameBytes(Buffer.concat([header, positionBody(fix)])));
    expect((await terminal.next(0x8001)).body.toString('hex')).toBe('0009020001');
    // An answer is not answered.
    const answer = Buffer.concat([words(0x0001, 5), Buffer.from('000000000077', 'hex'), words(10)]);
    terminal.write(frameBytes(Buffer.concat([answer, words(1, 0x8104), Buffer.of(0)])));
    expect(await terminal.heartbeat()).toBe(0);
    expect(testListener.taken).toEqual([]);
    expect(testListener.links.find('77')).toBeNull();
  });

  test('other messages that are encrypted are not supported', async () => {
    const testListener = await openJt808TestListener();
    const terminal = await testListener.come();
    const header = Buffer.concat([words(0x0200, 28 | (1 << 10)), Buffer.from(phone, 'hex'), words(9)]);
    terminal.write(frameBytes(Buffer.concat([header, positionBody(fix)])));
    expect((await terminal.next(0x8001)).body.toString('hex')).toBe('0009020003');
    expect(testListener.taken).toEqual([]);
  });

  test('other messages that are garbage cost nothing but themselves', async () => {
    const testListener = await openJt808TestListener();
    const terminal = await testListener.come();
    terminal.write(Buffer.alloc(1_000, 0x55));
    terminal.write(Buffer.from('7e7e02007d037e7e0200aa7e7e', 'hex'));
    expect(await terminal.position(fix)).toBe(0);
    expect(testListener.taken).toHaveLength(1);
  });

  test.each([
    ['of a browser', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['of TLS', Buffer.from('16030102000100', 'hex')],
    ['without an end', Buffer.alloc(maxFrame, 0x55)],
  ])('other messages that are %s end the connection', async (_, bytes) => {
    const testListener = await openJt808TestListener();
    const terminal = await testListener.come();
    terminal.write(bytes);
    await terminal.ended;
    expect(testListener.listener.rejections().protocol_mismatch).toBe(1);
    expect(testListener.taken).toEqual([]);
  });
});

describe('connections', () => {
  test('a new one of a terminal takes the place of the old one', async () => {
    const testListener = await openJt808TestListener();
    const old = await testListener.come();
    const before = testListener.links.find(terminalId);
    const fresh = await testListener.come();
    await old.ended;
    await expect.poll(() => before?.ended.aborted).toBe(true);
    expect(testListener.links.find(terminalId)).not.toBeNull();
    expect(testListener.links.find(terminalId)).not.toBe(before);
    expect(await fresh.position(fix)).toBe(0);
  });

  test('connections end after six minutes without a message, and not while there are some', async () => {
    const testListener = await openJt808TestListener();
    const [talking, silent] = [await testListener.come(), await testListener.connect()];
    testListener.known.add('77');
    const other = await testListener.come({ phone: '000000000077' });
    for (let at = 0; at < 5; at += 1) {
      testListener.clock.advance(minute);
      expect(await talking.heartbeat()).toBe(0);
    }
    await silent.ended;
    testListener.clock.advance(minute);
    await other.ended;
    expect(await talking.heartbeat()).toBe(0);
    testListener.clock.advance(6 * minute);
    await talking.ended;
    await expect.poll(() => testListener.listener.connections()).toBe(0);
  });

  test('connections end earlier where the depot wants that', async () => {
    const depot = { connections: 10, connectionsPerAddress: 10, idleMs: 24 * 60 * minute };
    const testListener = await openJt808TestListener(undefined, undefined, () => depot);
    const first = await testListener.come();
    testListener.clock.advance(6 * minute);
    await first.ended;
    depot.idleMs = 2 * minute;
    const second = await testListener.come();
    testListener.clock.advance(2 * minute);
    await second.ended;
  });

  test('bytes that are no message keep none open', async () => {
    const testListener = await openJt808TestListener();
    const terminal = await testListener.come();
    for (let at = 0; at < 6; at += 1) {
      terminal.write(Buffer.from('7e00ff7e', 'hex'));
      testListener.clock.advance(minute);
    }
    await terminal.ended;
  });

  test.each([
    { of: 'a stranger', isKnown: false, max: 16 },
    { of: 'a terminal', isKnown: true, max: 1_024 },
  ])('connections of $of end after $most frames in a row that are no message', async ({ isKnown, max }) => {
    const testListener = await openJt808TestListener();
    const terminal = await (isKnown ? testListener.come() : testListener.connect());
    const noMessage = (count: number) =>
      Buffer.concat(Array.from({ length: count }, () => Buffer.from('7e00ff7e', 'hex')));
    terminal.write(noMessage(max));
    // One that is a message counts again.
    await (isKnown ? terminal.heartbeat() : terminal.register());
    terminal.write(noMessage(20_000));
    await terminal.ended;
    expect(testListener.listener.rejections().protocol_mismatch).toBe(1);
    const looked = testListener.listener.messages.latest()[0]?.number ?? 0;
    // Those up to the limit twice, three that are messages, and the 64 that may be under way at once.
    expect(looked).toBeLessThanOrEqual(2 * max + 3 + 64 + 1);
  });

  test('connections wait while too much of theirs is to be stored, and lose nothing', async () => {
    const store = later();
    const testListener = await openJt808TestListener(store.answer);
    const terminal = await testListener.come();
    const serials = Array.from({ length: 20_000 }, (_, at) =>
      terminal.send(0x0200, positionBody({ ...fix, time_ms: at_ms + at * 1_000 })),
    );
    await expect.poll(() => testListener.taken.length).toBeGreaterThanOrEqual(64);
    expect(testListener.taken.length).toBeLessThan(10_000);
    store.settle({ status: 'stored' });
    for (const _ of serials) await terminal.next(0x8001);
    expect(testListener.taken.map((it) => it.time_ms)).toEqual(serials.map((_, at) => at_ms + at * 1_000));
  });

  test('connections that take no answers end', async () => {
    const testListener = await openJt808TestListener();
    const terminal = await testListener.come();
    const socket = connect(testListener.listener.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause();
    const header = (id: number, serial: number, length: number) =>
      Buffer.concat([words(id, length), Buffer.from('000000000077', 'hex'), words(serial)]);
    testListener.known.add('77');
    socket.write(frameBytes(header(0x0102, 0, 0)));
    const chatter = Buffer.concat(
      Array.from({ length: 20_000 }, (_, at) => frameBytes(header(0x0900, at, 0))),
    );
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const pump = (): void => {
      if (socket.writable) socket.write(chatter, pump);
    };
    pump();
    await closed;
    expect(await terminal.heartbeat()).toBe(0);
  });

  test('many terminals at once are all accepted', async () => {
    const testListener = await openJt808TestListener();
    const phones = Array.from({ length: 200 }, (_, at) => String(50_000 + at));
    for (const one of phones) testListener.known.add(one);
    const terminals = await Promise.all(phones.map((one) => testListener.come({ phone: one })));
    expect(await Promise.all(terminals.map((it) => it.position(fix)))).toEqual(phones.map(() => 0));
    expect(testListener.listener.connections()).toBe(200);
    expect(new Set(testListener.taken.map((it) => it.terminal_id))).toEqual(new Set(phones));
  });
});

describe('closing', () => {
  test('closing lets what is under way be answered, and takes no more', async () => {
    const store = later();
    const testListener = await openJt808TestListener(store.answer);
    const terminal = await testListener.come();
    const silent = await testListener.connect();
    const answered = terminal.position(fix);
    await expect.poll(() => testListener.taken.length).toBe(1);
    const closed = testListener.listener.close();
    await silent.ended;
    store.settle({ status: 'stored' });
    expect(await answered).toBe(0);
    await Promise.all([closed, terminal.ended]);
    expect(testListener.links.find(terminalId)).toBeNull();
  });

  test('closing says that a port is taken', async () => {
    const { listener } = await openJt808TestListener();
    const second = listenJt808(listener.port, '127.0.0.1', {
      accept: () => Promise.resolve([]),
      isKnown: () => false,
      heard: () => Promise.resolve(),
      links: createTerminalLinks(),
      commands: createCommandLinks(),
      clock: createFakeClock(),
      log: pino({ level: 'silent' }),
    });
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE', syscall: 'listen' });
  });
});
