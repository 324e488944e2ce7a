import { once } from 'node:events';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createDoorParts } from '../../../../server/telemetry/gateway/doorParts.ts';
import { openMovable, retryMs } from '../../../../server/telemetry/gateway/movableListener.ts';
import { openDoor } from '../../../../server/telemetry/gateway/openDoor.ts';
import { createHandClock } from '../../../support/handClock.ts';
import { isHeard, occupy } from '../../../support/portUse.ts';
import { connectToy, createSlowStore, toy } from './toyDoor.ts';

const here = '127.0.0.1';
/** Stands for the network: an address of this machine all the same. */
const there = '127.0.0.2';

async function openMovableDoor() {
  const clock = createHandClock();
  const store = createSlowStore();
  const logged: Record<string, unknown>[] = [];
  const log = pino(
    { base: null },
    { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const watch = createDoorParts('toy', { accept: store.accept, clock, log });
  const listener = await openMovable(
    (port, host) =>
      openDoor(port, host, { tcp: toy, udp: toy.udp }, { accept: store.accept, clock, log, watch }),
    0,
    here,
    { clock, log, door: 'toy' },
  );
  onTestFinished(async () => {
    store.open();
    await listener.close();
  });
  return { clock, store, logged, listener, watch };
}

test('a listener that moves keeps its port and what it knows, and is no longer where it was', async () => {
  const { listener, store, watch } = await openMovableDoor();
  store.open();
  const before = await connectToy({ listener });
  before.say('hello A7\nat 1\n');
  expect(await before.line()).toBe('at 1');
  const { port } = listener;
  await listener.moveTo(there);
  expect(listener).toMatchObject({ port, host: there });
  expect(listener.fault()).toBeNull();
  await before.ended;
  expect(await isHeard(port, here)).toBe(false);
  const after = await connectToy({ listener, host: there });
  after.say('hello B8\nat 2\n');
  expect(await after.line()).toBe('at 2');
  expect(watch.record.ofDoor().map((it) => [it.number, it.note])).toEqual([
    [4, 'at'],
    [3, 'hello'],
    [2, 'at'],
    [1, 'hello'],
  ]);
});

test('a message that waits for the store is answered before its connection is ended', async () => {
  const { listener, store } = await openMovableDoor();
  const terminal = await connectToy({ listener });
  terminal.say('hello A7\nat 1\nat 2\n');
  await store.came(2);
  const moved = listener.moveTo(there);
  store.open();
  expect(await terminal.line()).toBe('at 1');
  expect(await terminal.line()).toBe('at 2');
  await terminal.ended;
  await moved;
});

test('where it is already it does not end anybody’s connection', async () => {
  const { listener, store } = await openMovableDoor();
  store.open();
  const terminal = await connectToy({ listener });
  await listener.moveTo(here);
  terminal.say('hello A7\nat 1\n');
  expect(await terminal.line()).toBe('at 1');
});

test('one whose port is taken there says so, and can be sent back', async () => {
  const { listener, store, logged } = await openMovableDoor();
  store.open();
  await occupy(listener.port, there);
  await expect(listener.moveTo(there)).rejects.toThrow('EADDRINUSE');
  expect(listener.fault()).toMatchObject({ code: 'EADDRINUSE' });
  expect(listener.connections()).toBe(0);
  expect(logged.at(-1)).toMatchObject({ door: 'toy', host: there, level: 50 });
  await listener.moveTo(here);
  expect(listener.fault()).toBeNull();
  const terminal = await connectToy({ listener });
  terminal.say('hello A7\nat 1\n');
  expect(await terminal.line()).toBe('at 1');
});

test('one that is shut tries again until it is let in, and never where it was before', async () => {
  const { listener, clock, logged } = await openMovableDoor();
  const other = await occupy(listener.port, there);
  await expect(listener.moveTo(there)).rejects.toThrow();
  clock.advance(retryMs);
  await expect(listener.moveTo(there)).rejects.toThrow();
  other.close();
  await once(other, 'close');
  clock.advance(retryMs);
  await expect.poll(() => listener.fault()).toBeNull();
  expect(listener.host).toBe(there);
  expect(await isHeard(listener.port, here)).toBe(false);
  expect(logged.at(-1)).toMatchObject({ door: 'toy', msg: 'a door that was shut is open again' });
});

test('one that is closed while it is shut, or on its way, stays closed', async () => {
  const { listener, clock } = await openMovableDoor();
  const { port } = listener;
  const other = await occupy(port, there);
  await expect(listener.moveTo(there)).rejects.toThrow();
  await listener.close();
  other.close();
  await once(other, 'close');
  clock.advance(retryMs);
  expect(await isHeard(port, there)).toBe(false);

  const second = await openMovableDoor();
  const moved = second.listener.moveTo(there);
  await second.listener.close();
  await moved;
  expect(await isHeard(second.listener.port, here)).toBe(false);
  expect(await isHeard(second.listener.port, there)).toBe(false);
});
