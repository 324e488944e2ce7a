import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { connectToy, openToyListener, type ToyListener } from './toyListener.ts';
import { serverOf } from './serverOf.ts';

const second = 1_000;
const minute = 60 * second;

/** Connects, and is known when it resolves. */
async function come(listener: ToyListener, name = 'a') {
  const terminal = await connectToy(listener);
  terminal.say(`hello ${name}\n`);
  await expect.poll(() => listener.deps.record.ofTerminal(name)?.note).toBe('hello');
  return terminal;
}

/** Resolves when the listener has read what was sent before: a message of another terminal has gone there and back. */
async function seen(listener: ToyListener) {
  const other = await come(listener, 'other');
  for (const word of ['long 0\n', 'long 1\n', 'bye\n']) other.say(word);
  expect(await other.line()).toBe('.bye');
  await other.ended;
}

const linesOf = (text: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${text} ${at}\n`).join('');

describe('answers', () => {
  test('answers come in the order of the messages, whichever is known first', async () => {
    const listener = await openToyListener();
    const terminal = await come(listener);
    terminal.say('at 1\nat 2\nat 3\n');
    await listener.store.came(3);
    expect(listener.store.waiting()).toEqual([1, 2, 3]);
    await listener.store.settle(2);
    await listener.store.settle(1);
    await listener.store.settle(0);
    expect([await terminal.line(), await terminal.line(), await terminal.line()]).toEqual([
      'at 1',
      'at 2',
      'at 3',
    ]);
  });

  test('answers are left out where the store failed', async () => {
    const listener = await openToyListener();
    const terminal = await come(listener);
    terminal.say('at 1\nat 2\n');
    await listener.store.came(2);
    await listener.store.settle(0, { status: 'failed', code: 'disk_full', detail: '' });
    await listener.store.settle(0);
    expect(await terminal.line()).toBe('at 2');
  });

  test('answers are given to all that came before the terminal closed its side', async () => {
    const listener = await openToyListener();
    const terminal = await come(listener);
    terminal.socket.end('at 1\nat 2\n');
    await listener.store.came(2);
    await seen(listener);
    listener.store.open();
    expect([await terminal.line(), await terminal.line()]).toEqual(['at 1', 'at 2']);
    await terminal.ended;
  });

  test('answers are given to what still waits when the terminal closes its side', async () => {
    const listener = await openToyListener({ messagesUnderWay: 2 });
    const terminal = await come(listener);
    terminal.socket.end(linesOf('at', 5));
    await listener.store.came(2);
    await seen(listener);
    listener.store.open();
    for (let at = 0; at < 5; at += 1) expect(await terminal.line()).toBe(`at ${at}`);
    await terminal.ended;
  });

  test('answers are given before the end that the protocol requests, and nothing after it is taken', async () => {
    const listener = await openToyListener();
    const terminal = await come(listener);
    terminal.say('at 1\nbye\nat 2\n');
    await listener.store.came(1);
    await listener.store.settle();
    expect([await terminal.line(), await terminal.line()]).toEqual(['at 1', 'bye']);
    await terminal.ended;
    expect(listener.store.waiting()).toEqual([]);
  });

  test('answers that a terminal does not read end its connection before they fill the memory', async () => {
    const listener = await openToyListener();
    const terminal = await come(listener);
    terminal.socket.pause();
    terminal.say('long 50000000\n');
    await expect.poll(() => listener.deps.rejections.counts().slow_reader).toBe(1);
    terminal.socket.resume();
    await terminal.ended;
  });
});

describe('a store that is slower than the wire', () => {
  test('a store that is slower than the wire lets a connection wait, and nothing is dropped', async () => {
    const listener = await openToyListener({ messagesUnderWay: 2 });
    const terminal = await come(listener);
    const count = 20_000;
    terminal.say(linesOf('at', count));
    await listener.store.came(2);
    expect(listener.store.waiting()).toEqual([0, 1]);
    await listener.store.settle();
    expect(await terminal.line()).toBe('at 0');
    expect(listener.store.waiting()).toEqual([1, 2]);
    listener.store.open();
    for (let at = 1; at < count; at += 1) expect(await terminal.line()).toBe(`at ${at}`);
  });

  test('a store that is slower than the wire lets all connections of the listener wait, each for its turn', async () => {
    const listener = await openToyListener({ maxPendingReports: 5 });
    const [first, second, third] = [
      await come(listener, 'a'),
      await come(listener, 'b'),
      await come(listener, 'c'),
    ];
    first.say('many 7\n');
    await listener.store.came(7);
    second.say('at 20\n');
    third.say('at 30\n');
    await seen(await openToyListener());
    expect(listener.deps.work.size()).toBe(7);
    expect(listener.store.waiting()).toHaveLength(7);
    await listener.store.settle();
    expect(await first.line()).toBe('many 7');
    await listener.store.came(9);
    expect(listener.store.waiting().sort()).toEqual([20, 30]);
    listener.store.open();
    expect([await second.line(), await third.line()]).toEqual(['at 20', 'at 30']);
    expect(listener.deps.work.size()).toBe(0);
  });

  test('a store that is slower than the wire is no silence of the terminals that wait for it', async () => {
    const listener = await openToyListener();
    const terminal = await come(listener);
    terminal.say('at 1\n');
    await listener.store.came(1);
    listener.clock.advance(60 * minute);
    await listener.store.settle();
    expect(await terminal.line()).toBe('at 1');
  });
});

describe('a connection is ended', () => {
  test('a connection that does not identify itself is closed after a time limit', async () => {
    const listener = await openToyListener();
    const stranger = await connectToy(listener);
    const known = await come(listener);
    listener.clock.advance(29 * second);
    expect(listener.listener.connections()).toBe(2);
    listener.clock.advance(6 * second);
    await stranger.ended;
    await expect.poll(() => listener.listener.connections()).toBe(1);
    expect(listener.deps.rejections.counts().unidentified).toBe(1);
    listener.store.open();
    known.say('at 1\n');
    expect(await known.line()).toBe('at 1');
  });

  test('a connection that does not identify itself is closed after more bytes than an identification takes', async () => {
    const listener = await openToyListener({ unidentifiedBytes: 16 });
    listener.store.open();
    const [stranger, known] = [await connectToy(listener), await come(listener)];
    known.say('at 00000000000000');
    stranger.say('at 00000000000000');
    await stranger.ended;
    expect(listener.deps.rejections.counts().unidentified).toBe(1);
    known.say('1\n');
    expect(await known.line()).toBe('at 000000000000001');
  });

  test('a connection is ended when a message does not get on, though its bytes drip in', async () => {
    const listener = await openToyListener();
    listener.store.open();
    const terminal = await come(listener);
    terminal.say('at 1\na');
    expect(await terminal.line()).toBe('at 1');
    for (const byte of 'bcd') {
      listener.clock.advance(10 * second);
      terminal.say(byte);
      await seen(listener);
    }
    listener.clock.advance(5 * second);
    await terminal.ended;
    expect(listener.deps.rejections.counts().incomplete).toBe(1);
  });

  test('a connection is ended when it has been silent for ten minutes', async () => {
    const listener = await openToyListener();
    listener.store.open();
    const terminal = await come(listener);
    terminal.say('at 1\n');
    expect(await terminal.line()).toBe('at 1');
    listener.clock.advance(9 * minute);
    terminal.say('at 2\n');
    expect(await terminal.line()).toBe('at 2');
    listener.clock.advance(9 * minute);
    expect(listener.listener.connections()).toBe(1);
    listener.clock.advance(minute + 5 * second);
    await terminal.ended;
    expect(listener.deps.rejections.counts().idle).toBe(1);
  });

  test('a connection is ended when its bytes are not of the protocol, after the answers to those that were', async () => {
    const listener = await openToyListener();
    const terminal = await come(listener);
    terminal.say('at 1\n!!!');
    await listener.store.came(1);
    await listener.store.settle();
    expect(await terminal.line()).toBe('at 1');
    await terminal.ended;
    const said = {
      listener: 'toy',
      reason: 'protocol_mismatch',
      first: '212121',
      detail: 'it begins with no letter',
    };
    expect(listener.logged).toMatchObject([said]);
  });

  test('a connection is ended when a message is longer than any can be', async () => {
    const listener = await openToyListener();
    const terminal = await come(listener);
    terminal.say('x'.repeat(64));
    await terminal.ended;
    expect(listener.logged).toMatchObject([{ detail: 'no end of a message in 64 bytes' }]);
  });

  test('a connection is ended when a decoder has an error, which the log has, and the others go on', async () => {
    const listener = await openToyListener();
    listener.store.open();
    const [first, second] = [await come(listener, 'a'), await come(listener, 'b')];
    first.say('crash\n');
    await first.ended;
    expect(listener.logged).toMatchObject([{ level: 50, err: { message: 'a fault of the decoder' } }]);
    second.say('at 1\n');
    expect(await second.line()).toBe('at 1');
  });
});

test('messages that a decoder fails on do not flood the log, on any connection', async () => {
  const listener = await openToyListener();
  for (let at = 0; at < 20; at += 1) {
    const one = await come(listener, `${at}`);
    one.say('crash\n');
    await one.ended;
  }
  const published = { level: 50, err: { message: 'a fault of the decoder' } };
  expect(listener.logged).toMatchObject(Array.from({ length: 10 }, () => published));
});

test('a server that cannot take a connection goes on, and the log has it without being flooded', async () => {
  const { opened: listener, server } = await serverOf(() => openToyListener());
  for (let at = 0; at < 20; at += 1) server.emit('error', new Error('accept EMFILE'));
  const published = { level: 40, listener: 'toy', err: { message: 'accept EMFILE' } };
  expect(listener.logged).toMatchObject(Array.from({ length: 10 }, () => published));
  await come(listener);
});

describe('connections', () => {
  test('connections of one address are limited, those of others are not', async () => {
    const listener = await openToyListener({ connectionsPerAddress: 2 });
    listener.store.open();
    const [first] = [await come(listener, 'a'), await come(listener, 'b')];
    const third = await connectToy(listener);
    await third.ended;
    const elsewhere = await connectToy(listener, '127.0.0.2');
    elsewhere.say('hello c\nat 1\n');
    expect(await elsewhere.line()).toBe('at 1');
    first.socket.destroy();
    await expect.poll(() => listener.listener.connections()).toBe(2);
    const fourth = await come(listener, 'd');
    fourth.say('at 2\n');
    expect(await fourth.line()).toBe('at 2');
    expect(listener.logged).toMatchObject([
      { reason: 'limit', detail: 'all connections of its address are taken' },
    ]);
  });

  test('connections are limited in all', async () => {
    const listener = await openToyListener({ connections: 2 });
    const there = [await come(listener, 'a'), await come(listener, 'b')];
    await (
      await connectToy(listener)
    ).ended;
    expect(listener.listener.connections()).toBe(there.length);
    expect(listener.deps.rejections.counts().limit).toBe(1);
  });

  test('connections that have not said whose they are give way when all are taken, the oldest of the fullest address first', async () => {
    const listener = await openToyListener({ connections: 4 });
    listener.store.open();
    const known = await come(listener, 'a');
    const elsewhere = await connectToy(listener, '127.0.0.2');
    const silent = [await connectToy(listener), await connectToy(listener)];
    const late = await come(listener, 'b');
    await silent[0]?.ended;
    late.say('at 1\n');
    expect(await late.line()).toBe('at 1');
    for (const one of [known, elsewhere]) expect(one.socket.destroyed).toBe(false);
    known.say('at 2\n');
    expect(await known.line()).toBe('at 2');
    expect(listener.listener.connections()).toBe(4);
    expect(listener.deps.rejections.counts().limit).toBe(1);
  });

  test('connections that take in none of their answers are ended, few as these are', async () => {
    const { opened: listener, server } = await serverOf(() => openToyListener({ unreadBytes: 100_000_000 }));
    const served: Socket[] = [];
    server.on('connection', (socket: Socket) => served.push(socket));
    const terminal = await come(listener);
    terminal.socket.pause();
    while ((served[0]?.writableLength ?? 0) === 0) {
      terminal.say('long 100000\n');
      await nextTurn();
    }
    listener.clock.advance(5_000);
    terminal.say('hello a\n');
    listener.clock.advance(25_000);
    expect(listener.deps.rejections.counts().slow_reader).toBe(0);
    listener.clock.advance(10_000);
    expect(listener.deps.rejections.counts().slow_reader).toBe(1);
    await expect.poll(() => listener.listener.connections()).toBe(0);
  });

  test('connections are limited as the depot says at that moment, and those that are open stay', async () => {
    const depot = { connections: 3, connectionsPerAddress: 3, idleMs: 60_000 };
    const listener = await openToyListener({}, () => depot);
    listener.store.open();
    const there = [await come(listener, 'a'), await come(listener, 'b')];
    depot.connections = 1;
    await (
      await connectToy(listener)
    ).ended;
    depot.connections = 3;
    depot.connectionsPerAddress = 1;
    await (
      await connectToy(listener)
    ).ended;
    for (const [at, one] of there.entries()) {
      one.say(`at ${at}\n`);
      expect(await one.line()).toBe(`at ${at}`);
    }
    depot.connectionsPerAddress = 3;
    const third = await come(listener, 'c');
    third.say('at 3\n');
    expect(await third.line()).toBe('at 3');
    expect(listener.logged.map((it) => it['detail'])).toEqual([
      'all connections are taken',
      'all connections of its address are taken',
    ]);
  });

  test('connections that are silent are ended by the time that the depot says when they are looked at', async () => {
    const depot = { connections: 3, connectionsPerAddress: 3, idleMs: 600_000 };
    const listener = await openToyListener({}, () => depot);
    const terminal = await come(listener);
    listener.clock.advance(120_000);
    expect(listener.deps.rejections.counts().idle).toBe(0);
    depot.idleMs = 60_000;
    listener.clock.advance(5_000);
    await terminal.ended;
    expect(listener.deps.rejections.counts().idle).toBe(1);
  });

  test('connections get the answers under way and are then closed when the listener closes', async () => {
    const listener = await openToyListener();
    const [busy, silent] = [await come(listener, 'a'), await come(listener, 'b')];
    busy.say('at 1\n');
    await listener.store.came(1);
    const closed = listener.listener.close();
    await silent.ended;
    await listener.store.settle();
    expect(await busy.line()).toBe('at 1');
    await busy.ended;
    await closed;
  });

  test('connections that do not take their end are ended all the same', async () => {
    const listener = await openToyListener();
    const terminal = await come(listener);
    terminal.socket.pause();
    const closed = listener.listener.close();
    listener.clock.advance(second);
    await closed;
  });
});
