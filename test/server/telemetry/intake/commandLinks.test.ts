import { describe, expect, test } from 'vitest';
import type {
  CommandLink,
  CommandLinks,
  TerminalCommandRequest,
} from '../../../../server/telemetry/intake/terminalLinks.ts';
import { positionBody, words } from '../../../support/fakeJt808.ts';
import { imeiBytes, packetBytes, type FakeRecord } from '../../../support/fakeTeltonika.ts';
import { commandAnswer, readCommand, unaskedLine } from '../../../support/teltonikaCommands.ts';
import { openJt808TestListener, terminalId } from './jt808TestListener.ts';
import { imei, openTeltonikaTestListener } from './teltonikaTestListener.ts';
import { openWialonTestListener } from './wialonTestListener.ts';

const minute = 60_000;
const at_ms = Date.UTC(2026, 10, 21, 4, 43);
const fix: FakeRecord = { time_ms: at_ms, lat: 56.95, lon: 24.1 };
const text = (said: string): TerminalCommandRequest => ({ kind: 'text', text: said });
const where: TerminalCommandRequest = { kind: 'position' };

/** The link of a terminal, as soon as it has one. */
async function linkOf({ commands }: { commands: CommandLinks }, id: string): Promise<CommandLink> {
  await expect.poll(() => commands.find(id)).not.toBeNull();
  const link = commands.find(id);
  if (link === null) throw new Error('the terminal has no link');
  return link;
}

describe('a Teltonika terminal', () => {
  async function linked() {
    const listener = await openTeltonikaTestListener();
    const terminal = await listener.come();
    return { listener, terminal, link: await linkOf(listener, imei) };
  }

  test('a Teltonika terminal takes texts, and its answer is handed back', async () => {
    const { link, terminal } = await linked();
    expect(link).toMatchObject({ protocol: 'teltonika', kinds: ['text'] });
    const outcome = link.send(text('getinfo'), minute);
    expect(await readCommand(terminal)).toBe('getinfo');
    terminal.write(commandAnswer('RTC:2026/11/21 7:53 RST:2\r\n'));
    expect(await outcome).toEqual({ outcome: 'responded', text: 'RTC:2026/11/21 7:53 RST:2' });
  });

  test('a Teltonika terminal comes on line by its IMEI, and a command issued at once follows the answer to that', async () => {
    const listener = await openTeltonikaTestListener();
    const outcomes: Promise<unknown>[] = [];
    listener.commands.onAttach((id) =>
      outcomes.push(
        listener.commands.find(id)?.send(text('getver'), minute) ?? Promise.reject(new Error('none')),
      ),
    );
    const terminal = await listener.connect();
    terminal.write(imeiBytes(imei));
    expect(await terminal.read(1)).toEqual(Buffer.of(1));
    expect(await readCommand(terminal)).toBe('getver');
    terminal.write(commandAnswer('Ver:03.27'));
    expect(await outcomes[0]).toEqual({ outcome: 'responded', text: 'Ver:03.27' });
  });

  test('a Teltonika terminal of no vehicle takes none', async () => {
    const listener = await openTeltonikaTestListener();
    const terminal = await listener.connect('860000000000007');
    terminal.write(imeiBytes('860000000000007'));
    await terminal.ended;
    expect(listener.commands.find('860000000000007')).toBeNull();
  });

  test('a Teltonika terminal goes on sending positions while a command is sent, and both are answered', async () => {
    const { listener, link, terminal } = await linked();
    const outcome = link.send(text('getgps'), minute);
    expect(await readCommand(terminal)).toBe('getgps');
    expect(await terminal.send([fix])).toBe(1);
    terminal.write(Buffer.concat([packetBytes([fix, fix]), commandAnswer('GPS:1'), packetBytes([fix])]));
    expect((await terminal.read(4)).readUInt32BE()).toBe(2);
    expect((await terminal.read(4)).readUInt32BE()).toBe(1);
    expect(await outcome).toEqual({ outcome: 'responded', text: 'GPS:1' });
    expect(listener.taken).toHaveLength(4);
    expect(terminal.unread()).toHaveLength(0);
  });

  test('a Teltonika terminal receives one command at a time, and the next when it has answered', async () => {
    const { link, terminal } = await linked();
    const outcomes = [link.send(text('one'), minute), link.send(text('two'), minute)];
    expect(await readCommand(terminal)).toBe('one');
    expect(await terminal.send([fix])).toBe(1);
    expect(terminal.unread()).toHaveLength(0);
    terminal.write(commandAnswer('1'));
    expect(await readCommand(terminal)).toBe('two');
    terminal.write(commandAnswer('2'));
    expect(await Promise.all(outcomes)).toEqual([
      { outcome: 'responded', text: '1' },
      { outcome: 'responded', text: '2' },
    ]);
  });

  test('a Teltonika terminal may answer nothing in words', async () => {
    const { link, terminal } = await linked();
    const outcome = link.send(text('setdigout 1'), minute);
    await readCommand(terminal);
    terminal.write(commandAnswer(''));
    expect(await outcome).toEqual({ outcome: 'responded', text: null });
  });

  test('a Teltonika terminal that says a line of its own has not answered by that', async () => {
    const { listener, link, terminal } = await linked();
    const outcome = link.send(text('getinfo'), minute);
    await readCommand(terminal);
    terminal.write(unaskedLine('temperature 4'));
    terminal.write(commandAnswer('INI'));
    expect(await outcome).toEqual({ outcome: 'responded', text: 'INI' });
    expect(listener.listener.messages.latest().map((it) => it.note)).toContain('a text of codec 13');
  });

  test('a Teltonika terminal that answers too late is only noted, and takes the next command', async () => {
    const { listener, link, terminal } = await linked();
    const outcome = link.send(text('getinfo'), minute);
    await readCommand(terminal);
    listener.clock.advance(minute);
    expect(await outcome).toEqual({ outcome: 'silent' });
    terminal.write(commandAnswer('late'));
    await expect
      .poll(() => listener.listener.messages.latest().map((it) => it.note))
      .toContain('an answer nobody waits for: late');
    const next = link.send(text('getver'), minute);
    expect(await readCommand(terminal)).toBe('getver');
    terminal.write(commandAnswer('Ver'));
    expect(await next).toEqual({ outcome: 'responded', text: 'Ver' });
  });

  test('a Teltonika terminal with an outstanding response must reconnect before the next command: it would pass for that one’s', async () => {
    const { listener, link, terminal } = await linked();
    const outcome = link.send(text('cpureset'), minute);
    await readCommand(terminal);
    listener.clock.advance(minute);
    expect(await outcome).toEqual({ outcome: 'silent' });
    expect(await link.send(text('getver'), minute)).toEqual({ outcome: 'not_written' });
    expect(link.isOpen()).toBe(false);
    await terminal.ended;
    expect(terminal.unread()).toHaveLength(0);
    const again = await listener.come();
    // What it sends is taken in turn: by its answer the login has been over for long.
    expect(await again.send([fix])).toBe(1);
    expect(listener.commands.find(imei)).toBeNull();
    listener.clock.advance(5_000);
    const next = (await linkOf(listener, imei)).send(text('getver'), minute);
    expect(await readCommand(again)).toBe('getver');
    again.write(commandAnswer('Ver'));
    expect(await next).toEqual({ outcome: 'responded', text: 'Ver' });
  });

  test('a Teltonika terminal whose connection ended before its answer may give it by the next one, where it is only noted', async () => {
    const { listener, link, terminal } = await linked();
    const outcome = link.send(text('cpureset'), minute);
    await readCommand(terminal);
    terminal.abort();
    expect(await outcome).toEqual({ outcome: 'ended' });
    const again = await listener.come();
    const outcomes: Promise<unknown>[] = [];
    listener.commands.onAttach((id) => {
      const fresh = listener.commands.find(id);
      if (fresh !== null) outcomes.push(fresh.send(text('getver'), minute));
    });
    expect(await again.send([fix])).toBe(1);
    again.write(commandAnswer('Restarted'));
    expect(await readCommand(again)).toBe('getver');
    again.write(commandAnswer('Ver'));
    expect(await Promise.all(outcomes)).toEqual([{ outcome: 'responded', text: 'Ver' }]);
    expect(listener.listener.messages.latest().map((it) => it.note)).toContain(
      'an answer nobody waits for: Restarted',
    );
  });

  test('a Teltonika terminal with an outstanding response receives nothing for some seconds after it reconnected: it may answer late', async () => {
    const { listener, link, terminal } = await linked();
    const outcome = link.send(text('cpureset'), minute);
    await readCommand(terminal);
    terminal.abort();
    expect(await outcome).toEqual({ outcome: 'ended' });
    const outcomes: Promise<unknown>[] = [];
    listener.commands.onAttach((id) => {
      const fresh = listener.commands.find(id);
      if (fresh !== null) outcomes.push(fresh.send(text('getver'), minute));
    });
    const again = await listener.come();
    listener.clock.advance(4_999);
    expect(listener.commands.find(imei)).toBeNull();
    expect(await again.send([fix])).toBe(1);
    expect(again.unread()).toHaveLength(0);
    again.write(commandAnswer('Restarted'));
    expect(await readCommand(again)).toBe('getver');
    again.write(commandAnswer('Ver'));
    expect(await Promise.all(outcomes)).toEqual([{ outcome: 'responded', text: 'Ver' }]);
  });

  test('a Teltonika terminal that owed an answer is held back once, and takes commands at once when it comes again', async () => {
    const { listener, link, terminal } = await linked();
    const outcome = link.send(text('cpureset'), minute);
    await readCommand(terminal);
    terminal.abort();
    await outcome;
    const second = await listener.come();
    expect(await second.send([fix])).toBe(1);
    listener.clock.advance(5_000);
    await linkOf(listener, imei);
    second.abort();
    await expect.poll(() => listener.commands.find(imei)).toBeNull();
    await listener.come();
    expect((await linkOf(listener, imei)).isOpen()).toBe(true);
  });

  test('a Teltonika terminal whose connection ends has not answered, and takes nothing more by it', async () => {
    const { listener, link, terminal } = await linked();
    const outcomes = [link.send(text('one'), minute), link.send(text('two'), minute)];
    await readCommand(terminal);
    terminal.abort();
    expect(await Promise.all(outcomes)).toEqual([{ outcome: 'ended' }, { outcome: 'not_written' }]);
    expect(link.isOpen()).toBe(false);
    await expect.poll(() => listener.commands.find(imei)).toBeNull();
  });

  test.each([
    ['setparam 2001:ķēde', 'ķ'],
    ['two\nlines', 'U+000A'],
  ])('a Teltonika terminal cannot receive %j', async (said, named) => {
    const { link } = await linked();
    expect(link.textFault(said)).toContain(named);
    expect(link.textFault('setparam 2001:"a b"~')).toBeNull();
  });
});

describe('a terminal of JT/T 808', () => {
  async function linked(form: '2013' | '2019' = '2013') {
    const listener = await openJt808TestListener();
    const terminal = await listener.come({ form });
    return { listener, terminal, link: await linkOf(listener, terminalId) };
  }

  test.each([
    ['2013', '04d6d0cec441'],
    ['2019', '0401d6d0cec441'],
  ] as const)('a terminal of JT/T 808 of %s receives a text, and confirms it', async (form, hex) => {
    const { link, terminal } = await linked(form);
    expect(link).toMatchObject({ protocol: 'jt808', kinds: ['text', 'position'] });
    const outcome = link.send(text('中文A'), minute);
    const message = await terminal.next(0x8300);
    expect(message.body.toString('hex')).toBe(hex);
    terminal.answer(message);
    expect(await outcome).toEqual({ outcome: 'responded', text: null });
  });

  test('a terminal of JT/T 808 takes the longest text that there can be in one message', async () => {
    const { link, terminal } = await linked('2019');
    const outcome = link.send(text('中'.repeat(500)), minute);
    const message = await terminal.next(0x8300);
    expect(message.body).toHaveLength(1_002);
    terminal.answer(message);
    expect((await outcome).outcome).toBe('responded');
  });

  test.each([
    [1, 'refused'],
    [2, 'refused'],
    [3, 'unsupported'],
  ])('a terminal of JT/T 808 that answers with result %i has %s', async (result, outcome) => {
    const { link, terminal } = await linked();
    const asked = link.send(where, minute);
    terminal.answer(await terminal.next(0x8201), result);
    expect(await asked).toMatchObject({ outcome });
  });

  test('a terminal of JT/T 808 says where it is when it is asked, and that is stored as well', async () => {
    const { listener, link, terminal } = await linked('2019');
    const asked = link.send(where, minute);
    const question = await terminal.next(0x8201);
    expect(question.body).toHaveLength(0);
    const body = positionBody({ lat: 56.95, lon: 24.1, time_ms: at_ms, speed_kmh: 43.5 });
    expect(await terminal.emit(0x0201, Buffer.concat([words(question.serial), body]))).toBe(0);
    const stated = {
      terminal_id: terminalId,
      time_ms: at_ms,
      place: { lat: 56.95, lon: 24.1 },
      speed_kmh: 43.5,
    };
    expect(await asked).toMatchObject({ outcome: 'position', report: stated });
    expect(listener.taken).toMatchObject([stated]);
  });

  test('a terminal of JT/T 808 that answers a question with what is no position has answered all the same', async () => {
    const { link, terminal } = await linked();
    const asked = link.send(where, minute);
    const question = await terminal.next(0x8201);
    expect(await terminal.emit(0x0201, Buffer.concat([words(question.serial), Buffer.alloc(5)]))).toBe(2);
    expect(await asked).toEqual({ outcome: 'position', report: null });
  });

  test('a terminal of JT/T 808 that keeps silent does not receive it again', async () => {
    const { listener, link, terminal } = await linked();
    const asked = link.send(text('RESET#'), minute);
    await terminal.next(0x8300);
    listener.clock.advance(minute);
    expect(await asked).toEqual({ outcome: 'silent' });
    expect(await terminal.heartbeat()).toBe(0);
    expect(terminal.received.filter(({ id }) => id === 0x8300)).toHaveLength(1);
  });

  test('a terminal of JT/T 808 whose connection ends has not answered, and takes nothing more by it', async () => {
    const { listener, link, terminal } = await linked();
    const asked = link.send(text('RESET#'), minute);
    await terminal.next(0x8300);
    terminal.abort();
    expect(await asked).toEqual({ outcome: 'ended' });
    expect(await link.send(where, minute)).toEqual({ outcome: 'not_written' });
    expect(listener.commands.find(terminalId)).toBeNull();
  });

  test('a terminal of JT/T 808 that logs off takes nothing more', async () => {
    const { link, terminal } = await linked();
    expect(await terminal.emit(0x0003)).toBe(0);
    expect(link.isOpen()).toBe(false);
    expect(await link.send(where, minute)).toEqual({ outcome: 'not_written' });
  });

  test('a terminal of JT/T 808 cannot receive a character that GBK does not have', async () => {
    const { link, terminal } = await linked();
    expect(link.textFault('stop 😀')).toContain('😀');
    expect(link.textFault('请停车')).toBeNull();
    await expect(link.send(text('stop 😀'), minute)).rejects.toThrow(RangeError);
    expect(await terminal.heartbeat()).toBe(0);
    expect(terminal.received.map(({ id }) => id)).not.toContain(0x8300);
  });
});

describe('a terminal that reconnects', () => {
  test('a terminal that reconnects by Teltonika ends the old connection, and sends unanswered records again', async () => {
    let store = (): void => undefined;
    const stored = new Promise<void>((resolve) => (store = resolve));
    const listener = await openTeltonikaTestListener(async () => {
      await stored;
      return { status: 'stored' };
    });
    const old = await listener.come();
    old.write(packetBytes([fix]));
    await expect.poll(() => listener.taken).toHaveLength(1);
    const before = await linkOf(listener, imei);
    const fresh = await listener.come();
    await old.ended;
    expect(old.unread()).toHaveLength(0);
    expect(before.isOpen()).toBe(false);
    store();
    expect(await fresh.send([fix])).toBe(1);
    expect(listener.taken).toHaveLength(2);
    await expect.poll(() => listener.listener.connections()).toBe(1);
    expect((await linkOf(listener, imei)).isOpen()).toBe(true);
  });

  test('a terminal that reconnects by Wialon ends the old connection', async () => {
    const listener = await openWialonTestListener();
    const old = await listener.come();
    const fresh = await listener.come();
    await old.ended;
    expect(await fresh.ask('P', '')).toBe('#AP#');
  });

  test('connections of the same number take turns, each as it comes', async () => {
    const listener = await openTeltonikaTestListener();
    let last = await listener.come();
    for (let turn = 0; turn < 20; turn += 1) {
      const next = await listener.come();
      await last.ended;
      expect(await next.send([fix])).toBe(1);
      last = next;
    }
    await expect.poll(() => listener.listener.connections()).toBe(1);
    expect(listener.taken).toHaveLength(20);
  });

  test('a terminal that reconnects leaves those of other numbers alone', async () => {
    const listener = await openTeltonikaTestListener();
    listener.known.add('860000000000007');
    const one = await listener.come();
    const other = await listener.come('860000000000007');
    expect(await one.send([fix])).toBe(1);
    expect(await other.send([{ ...fix, lat: 57 }])).toBe(1);
  });
});
