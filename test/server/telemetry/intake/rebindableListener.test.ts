import { once } from 'node:events';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createListenerContext } from '../../../../server/telemetry/intake/listenerContext.ts';
import { openMovable, retryMs } from '../../../../server/telemetry/intake/rebindableListener.ts';
import { listenTcpAndUdp } from '../../../../server/telemetry/intake/listenTcpAndUdp.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';
import { isPortOpen, occupy } from '../../../support/portUse.ts';
import { connectToy, createSlowStore, toy } from './toyListener.ts';

const here = '127.0.0.1';
/** Stands for the network: an address of this machine all the same. */
const there = '127.0.0.2';

async function openRebindableListener() {
  const clock = createFakeClock();
  const store = createSlowStore();
  const logged: Record<string, unknown>[] = [];
  const log = pino(
    { base: null },
    { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const watch = createListenerContext('toy', { accept: store.accept, clock, log });
  const listener = await openMovable(
    (port, host) =>
      listenTcpAndUdp(port, host, { tcp: toy, udp: toy.udp }, { accept: store.accept, clock, log, watch }),
    0,
    here,
    { clock, log, listener: 'toy' },
  );
  onTestFinished(async () => {
    store.open();
    await listener.close();
  });
  return { clock, store, logged, listener, watch };
}

test('a listener that moves keeps its port and what it knows, and is no longer where it was', async () => {
  const { listener, store, watch } = await openRebindableListener();
  store.open();
  const before = await connectToy({ listener });
  before.say('hello A7\nat 1\n');
  expect(await before.line()).toBe('at 1');
  const { port } = listener;
  await listener.rebind(there);
  expect(listener).toMatchObject({ port, host: there });
  expect(listener.fault()).toBeNull();
  await before.ended;
  expect(await isPortOpen(port, here)).toBe(false);
  const after = await connectToy({ listener, host: there });
  after.say('hello B8\nat 2\n');
  expect(await after.line()).toBe('at 2');
  expect(watch.record.latest().map((it) => [it.number, it.note])).toEqual([
    [4, 'at'],
    [3, 'hello'],
    [2, 'at'],
    [1, 'hello'],
  ]);
});

test('a message that waits for the store is answered before its connection is ended', async () => {
  const { listener, store } = await openRebindableListener();
  const terminal = await connectToy({ listener });
  terminal.say('hello A7\nat 1\nat 2\n');
  await store.came(2);
  const moved = listener.rebind(there);
  store.open();
  expect(await terminal.line()).toBe('at 1');
  expect(await terminal.line()).toBe('at 2');
  await terminal.ended;
  await moved;
});

test('a listener that moves to its own port ends no connection', async () => {
  const { listener, store } = await openRebindableListener();
  store.open();
  const terminal = await connectToy({ listener });
  await listener.rebind(here);
  terminal.say('hello A7\nat 1\n');
  expect(await terminal.line()).toBe('at 1');
});

test('a listener whose port is taken there reports it, and can be sent back', async () => {
  const { listener, store, logged } = await openRebindableListener();
  store.open();
  await occupy(listener.port, there);
  await expect(listener.rebind(there)).rejects.toThrow('EADDRINUSE');
  expect(listener.fault()).toMatchObject({ code: 'EADDRINUSE' });
  expect(listener.connections()).toBe(0);
  expect(logged.at(-1)).toMatchObject({ listener: 'toy', host: there, level: 50 });
  await listener.rebind(here);
  expect(listener.fault()).toBeNull();
  const terminal = await connectToy({ listener });
  terminal.say('hello A7\nat 1\n');
  expect(await terminal.line()).toBe('at 1');
});

test('a listener that is shut retries until it may open, and never at its old port', async () => {
  const { listener, clock, logged } = await openRebindableListener();
  const other = await occupy(listener.port, there);
  await expect(listener.rebind(there)).rejects.toThrow();
  clock.advance(retryMs);
  await expect(listener.rebind(there)).rejects.toThrow();
  other.close();
  await once(other, 'close');
  clock.advance(retryMs);
  await expect.poll(() => listener.fault()).toBeNull();
  expect(listener.host).toBe(there);
  expect(await isPortOpen(listener.port, here)).toBe(false);
  expect(logged.at(-1)).toMatchObject({ listener: 'toy', msg: 'listener is open again' });
});

test('a listener that is closed while it is shut, or on its way, stays closed', async () => {
  const { listener, clock } = await openRebindableListener();
  const { port } = listener;
  const other = await occupy(port, there);
  await expect(listener.rebind(there)).rejects.toThrow();
  await listener.close();
  other.close();
  await once(other, 'close');
  clock.advance(retryMs);
  expect(await isPortOpen(port, there)).toBe(false);

  const second = await openRebindableListener();
  const moved = second.listener.rebind(there);
  await second.listener.close();
  await moved;
  expect(await isPortOpen(second.listener.port, here)).toBe(false);
  expect(await isPortOpen(second.listener.port, there)).toBe(false);
});
