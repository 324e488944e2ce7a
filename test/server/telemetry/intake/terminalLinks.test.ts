import { describe, expect, test } from 'vitest';
import {
  LinkClosed,
  TerminalRefusal,
  TerminalTimeout,
  type LinkRequest,
  type TerminalLink,
} from '../../../../server/telemetry/intake/terminalLinks.ts';
import { words, type FakeJt808 } from '../../../support/fakeJt808.ts';
import { openJt808TestListener, terminalId, type Jt808TestListener } from './jt808TestListener.ts';

interface Linked {
  listener: Jt808TestListener;
  terminal: FakeJt808;
  link: TerminalLink;
  ask: (order?: Partial<LinkRequest>) => Promise<Uint8Array>;
}

async function linked(form: '2013' | '2019' = '2013', resends = true): Promise<Linked> {
  const listener = await openJt808TestListener();
  const terminal = await listener.come({ form, resends });
  const link = listener.links.find(`000${terminalId}`);
  if (link === null) throw new Error('the terminal has no link');
  return {
    listener,
    terminal,
    link,
    ask: (order) =>
      link.request({
        id: 0x9205,
        body: Buffer.alloc(24),
        answer: 0x1205,
        timeoutMs: 200_000,
        ...order,
      }),
  };
}

/** What became of it, without an unhandled rejection meanwhile. */
const outcome = (asked: Promise<Uint8Array>) => asked.then(String, (error: unknown) => error);

describe('a link', () => {
  test('a link gives the terminal and the address where it reached this host', async () => {
    const { link, terminal, listener } = await linked('2019');
    expect(link).toMatchObject({ localAddress: '127.0.0.1', phoneBcd: terminal.phoneBcd });
    expect(link.phoneBcd).toHaveLength(20);
    expect(listener.links.find('13800001235')).toBeNull();
    expect(link.ended.aborted).toBe(false);
    terminal.abort();
    await expect.poll(() => link.ended.aborted).toBe(true);
    expect(listener.links.find(terminalId)).toBeNull();
    link.send(0x9102, Buffer.alloc(4));
  });

  test('a link sends in the header that the terminal uses', async () => {
    const { link, terminal } = await linked('2019');
    link.send(0x9102, Buffer.of(1, 2, 3, 4));
    const message = await terminal.next(0x9102);
    expect(message.phoneBcd).toBe(terminal.phoneBcd);
    expect([...message.body]).toEqual([1, 2, 3, 4]);
  });
});

describe('an answer', () => {
  test('an answer is the one that names the serial of the question', async () => {
    const { terminal, ask } = await linked();
    const [first, second] = [ask(), ask()];
    const [one, two] = [await terminal.next(0x9205), await terminal.next(0x9205)];
    expect(two.serial).toBe(one.serial + 1);
    await terminal.emit(0x1205, Buffer.concat([words(two.serial), Buffer.from('second')]));
    await terminal.emit(0x1205, Buffer.concat([words(one.serial), Buffer.from('first')]));
    expect(
      Buffer.from(await first)
        .subarray(2)
        .toString(),
    ).toBe('first');
    expect(
      Buffer.from(await second)
        .subarray(2)
        .toString(),
    ).toBe('second');
  });

  test('an answer is not another message, and not one to another question', async () => {
    const { terminal, ask } = await linked();
    const asked = ask();
    const { serial } = await terminal.next(0x9205);
    await terminal.emit(0x1206, words(serial));
    await terminal.emit(0x1205, words(serial + 7));
    await terminal.emit(0x1205, Buffer.of(1));
    await terminal.emit(0x1205, Buffer.concat([words(serial), Buffer.from('it')]));
    expect(
      Buffer.from(await asked)
        .subarray(2)
        .toString(),
    ).toBe('it');
  });

  test('an answer may come after the receipt of the question', async () => {
    const { terminal, ask } = await linked();
    const asked = ask();
    const question = await terminal.next(0x9205);
    terminal.answer(question);
    await terminal.emit(0x1205, words(question.serial));
    expect(await asked).toHaveLength(2);
  });

  test('an answer is the receipt itself where nothing else is to come', async () => {
    const { terminal, ask } = await linked();
    const asked = ask({ id: 0x9101, answer: 0x0001 });
    terminal.answer(await terminal.next(0x9101));
    expect([...(await asked)]).toEqual([0]);
  });

  test.each([1, 2, 3])('an answer with result %i is a refusal', async (result) => {
    const { terminal, ask } = await linked();
    const asked = outcome(ask());
    terminal.answer(await terminal.next(0x9205), result);
    const error = await asked;
    expect(error).toBeInstanceOf(TerminalRefusal);
    expect(error).toMatchObject({ name: 'TerminalRefusal', result });
  });

  test('an answer in parts is joined, and each part gets its receipt', async () => {
    const { terminal, ask } = await linked();
    const asked = ask();
    const { serial } = await terminal.next(0x9205);
    const body = Buffer.concat([words(serial), Buffer.from('a long list of recordings '.repeat(100))]);
    const serials = terminal.sendParts(0x1205, body, 400);
    expect(Buffer.from(await asked)).toEqual(body);
    for (const _ of serials) await terminal.next(0x8001);
    const receipts = terminal.received.filter((it) => it.id === 0x8001 && it.body.readUInt16BE(2) === 0x1205);
    expect(receipts.map((it) => [it.body.readUInt16BE(0), it.body[4]])).toEqual(serials.map((it) => [it, 0]));
  });

  test.each(['2013', '2019'] as const)(
    'an answer that lacks parts is asked for them once, header of %s',
    async (form) => {
      const { listener, terminal, ask } = await linked(form);
      const asked = ask();
      const { serial } = await terminal.next(0x9205);
      const body = Buffer.concat([words(serial), Buffer.from('recordings '.repeat(100))]);
      const serials = terminal.sendParts(0x1205, body, 200, [2, 4]);
      for (let at = 0; at < serials.length - 2; at += 1) await terminal.next(0x8001);
      listener.clock.advance(5_000);
      const wanted = await terminal.next(0x8003);
      expect(wanted.body).toEqual(
        Buffer.concat([words(serials[0] ?? 0), form === '2019' ? words(2) : Buffer.of(2), words(2, 4)]),
      );
      expect(Buffer.from(await asked)).toEqual(body);
    },
  );

  test('an answer whose parts never come is a silence, and they are asked for once alone', async () => {
    const { listener, terminal, ask } = await linked('2013', false);
    const asked = outcome(ask({ timeoutMs: 60_000 }));
    const { serial } = await terminal.next(0x9205);
    terminal.sendParts(0x1205, Buffer.concat([words(serial), Buffer.alloc(1_000)]), 200, [2]);
    for (let at = 0; at < 5; at += 1) await terminal.next(0x8001);
    for (let at = 0; at < 12; at += 1) listener.clock.advance(5_000);
    expect(await asked).toBeInstanceOf(TerminalTimeout);
    await terminal.heartbeat();
    expect(terminal.received.filter((it) => it.id === 0x8003)).toHaveLength(1);
  });
});

describe('a question that gets no answer', () => {
  test('a question that gets no answer is sent again after 5, 10 and 30 s with its serial, and then no more', async () => {
    const { listener, terminal, ask } = await linked();
    const asked = outcome(ask({ timeoutMs: 300_000 }));
    const times: number[] = [];
    const first = await terminal.next(0x9205);
    for (let second = 1; second < 300; second += 1) {
      const before = listener.clock.now();
      listener.clock.advance(1_000);
      await terminal.heartbeat();
      if (terminal.received.filter((it) => it.id === 0x9205).length > times.length + 1)
        times.push((before + 1_000 - Date.UTC(2026, 10, 21, 12)) / 1_000);
    }
    expect(times).toEqual([5, 15, 45]);
    const sent = terminal.received.filter((it) => it.id === 0x9205);
    expect(new Set(sent.map((it) => it.serial))).toEqual(new Set([first.serial]));
    listener.clock.advance(1_000);
    expect(await asked).toMatchObject({ name: 'TerminalSilence' });
  });

  test('a question that gets no answer is not sent again when it would be done twice', async () => {
    const { listener, terminal, ask } = await linked();
    const asked = outcome(ask({ timeoutMs: 60_000, once: true }));
    await terminal.next(0x9205);
    listener.clock.advance(60_000);
    expect(await asked).toBeInstanceOf(TerminalTimeout);
    await terminal.heartbeat();
    expect(terminal.received.filter((it) => it.id === 0x9205)).toHaveLength(1);
  });

  test('a question that gets no answer is not sent again once the terminal has it', async () => {
    const { listener, terminal, ask } = await linked();
    const asked = outcome(ask({ timeoutMs: 60_000 }));
    terminal.answer(await terminal.next(0x9205));
    await terminal.heartbeat();
    listener.clock.advance(59_000);
    await terminal.heartbeat();
    expect(terminal.received.filter((it) => it.id === 0x9205)).toHaveLength(1);
    listener.clock.advance(1_000);
    expect(await asked).toBeInstanceOf(TerminalTimeout);
  });

  test('a question that gets no answer ends with the connection', async () => {
    const { terminal, link, ask } = await linked();
    const asked = outcome(ask());
    await terminal.next(0x9205);
    terminal.abort();
    expect(await asked).toBeInstanceOf(LinkClosed);
    expect(link.ended.aborted).toBe(true);
    expect(await outcome(ask())).toBeInstanceOf(LinkClosed);
  });

  test('a question that gets no answer ends with the request for it', async () => {
    const { listener, terminal, ask } = await linked();
    const filter = new AbortController();
    const asked = outcome(ask({ signal: filter.signal }));
    await terminal.next(0x9205);
    filter.abort(new Error('no longer wanted'));
    expect(await asked).toMatchObject({ message: 'no longer wanted' });
    expect(await outcome(ask({ signal: filter.signal }))).toMatchObject({ message: 'no longer wanted' });
    listener.clock.advance(20_000);
    await terminal.heartbeat();
    expect(terminal.received.filter((it) => it.id === 0x9205)).toHaveLength(1);
  });

  test('a question that gets no answer ends when a new connection takes the place of its own', async () => {
    const { listener, terminal, ask } = await linked();
    const asked = outcome(ask());
    await terminal.next(0x9205);
    await listener.come();
    expect(await asked).toBeInstanceOf(LinkClosed);
  });

  test('a question that gets no answer that is too long to be sent is refused here', async () => {
    const { ask } = await linked();
    expect(await outcome(ask({ body: Buffer.alloc(1_024) }))).toBeInstanceOf(RangeError);
  });
});
