import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createDoorParts } from '../../../../server/telemetry/gateway/doorParts.ts';
import type { IntakeLimits } from '../../../../server/telemetry/gateway/intakeProtocol.ts';
import { openDoor } from '../../../../server/telemetry/gateway/openDoor.ts';
import { listenUdp } from '../../../../server/telemetry/gateway/udpListener.ts';
import { createHandClock } from '../../../support/handClock.ts';
import { createSlowStore, toy } from './toyDoor.ts';

async function openDatagramDoor(limits: Partial<IntakeLimits> = {}, log = pino({ level: 'silent' })) {
  const store = createSlowStore();
  const clock = createHandClock();
  const parts = createDoorParts('toy', {
    accept: store.accept,
    clock,
    log,
    limits,
  });
  const listener = await listenUdp(0, '127.0.0.1', toy.udp, parts);
  const socket = createSocket('udp4');
  socket.connect(listener.port, '127.0.0.1');
  await once(socket, 'connect');
  const answers: string[] = [];
  socket.on('message', (bytes) => answers.push(bytes.toString()));
  onTestFinished(() => closeSocket(socket));
  return { listener, store, parts, answers, say: (text: string) => socket.send(text) };
}

function closeSocket(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.close(() => resolve()));
}

test('a datagram is answered after what it says is stored', async () => {
  const door = await openDatagramDoor();
  door.say('at 1');
  await door.store.came(1);
  expect(door.answers).toEqual([]);
  await door.store.settle();
  await expect.poll(() => door.answers).toEqual(['at 1\n']);
  expect(door.parts.record.ofTerminal('udp')).toMatchObject({ transport: 'udp', outcomes: { stored: 1 } });
  await door.listener.close();
});

test('a datagram of something else is left alone, and counted', async () => {
  const door = await openDatagramDoor();
  door.say('GET / HTTP/1.1');
  await expect.poll(() => door.parts.turnedAway.counts().foreign).toBe(1);
  door.store.open();
  door.say('at 1');
  await expect.poll(() => door.answers).toEqual(['at 1\n']);
  await door.listener.close();
});

test('datagrams that a decoder has a fault with do not flood the log', async () => {
  const lines: string[] = [];
  const door = await openDatagramDoor(
    {},
    pino({ base: null }, { write: (line: string) => void lines.push(line) }),
  );
  for (let at = 0; at < 20; at += 1) door.say('crash');
  door.store.open();
  door.say('at 1');
  await expect.poll(() => door.answers).toEqual(['at 1\n']);
  expect(lines).toHaveLength(10);
  expect(lines[0]).toContain('a fault of the decoder');
  await door.listener.close();
});

test('a datagram for which the store has no room gets no answer, so that it comes again', async () => {
  const door = await openDatagramDoor({ reportsUnderWay: 1 });
  door.say('at 1');
  await door.store.came(1);
  door.say('at 2');
  await expect.poll(() => door.parts.turnedAway.counts().full).toBe(1);
  await door.store.settle();
  await expect.poll(() => door.answers).toEqual(['at 1\n']);
  door.store.open();
  door.say('at 2');
  await expect.poll(() => door.answers).toEqual(['at 1\n', 'at 2\n']);
  await door.listener.close();
});

test('what is under way is answered before the door closes', async () => {
  const door = await openDatagramDoor();
  door.say('at 1');
  await door.store.came(1);
  const closed = door.listener.close();
  await door.store.settle();
  await closed;
  await expect.poll(() => door.answers).toEqual(['at 1\n']);
});

test('both doors of a protocol are at the same port, and one that is taken is refused', async () => {
  const parts = {
    accept: createSlowStore().accept,
    clock: createHandClock(),
    log: pino({ level: 'silent' }),
  };
  const protocols = { tcp: toy, udp: toy.udp };
  const door = await openDoor(0, '127.0.0.1', protocols, parts);
  await expect(openDoor(door.port, '127.0.0.1', protocols, parts)).rejects.toThrow('EADDRINUSE');
  const other = createSocket('udp4');
  other.bind({ port: 0, address: '127.0.0.1', exclusive: true });
  await once(other, 'listening');
  onTestFinished(() => closeSocket(other));
  await expect(openDoor(other.address().port, '127.0.0.1', protocols, parts)).rejects.toThrow('EADDRINUSE');
  await door.close();
});
