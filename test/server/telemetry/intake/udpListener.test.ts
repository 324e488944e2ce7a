import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createListenerContext } from '../../../../server/telemetry/intake/listenerContext.ts';
import type { IntakeLimits } from '../../../../server/telemetry/intake/protocolHandler.ts';
import { listenTcpAndUdp } from '../../../../server/telemetry/intake/listenTcpAndUdp.ts';
import { listenUdp } from '../../../../server/telemetry/intake/udpListener.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';
import { createSlowStore, toy } from './toyListener.ts';

async function openDatagramListener(limits: Partial<IntakeLimits> = {}, log = pino({ level: 'silent' })) {
  const store = createSlowStore();
  const clock = createFakeClock();
  const deps = createListenerContext('toy', {
    accept: store.accept,
    clock,
    log,
    limits,
  });
  const listener = await listenUdp(0, '127.0.0.1', toy.udp, deps);
  const socket = createSocket('udp4');
  socket.connect(listener.port, '127.0.0.1');
  await once(socket, 'connect');
  const answers: string[] = [];
  socket.on('message', (bytes) => answers.push(bytes.toString()));
  onTestFinished(() => closeSocket(socket));
  return { listener, store, parts: deps, answers, say: (text: string) => socket.send(text) };
}

function closeSocket(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.close(() => resolve()));
}

test('a datagram is answered after what it says is stored', async () => {
  const testListener = await openDatagramListener();
  testListener.say('at 1');
  await testListener.store.came(1);
  expect(testListener.answers).toEqual([]);
  await testListener.store.settle();
  await expect.poll(() => testListener.answers).toEqual(['at 1\n']);
  expect(testListener.parts.record.ofTerminal('udp')).toMatchObject({
    transport: 'udp',
    outcomes: { stored: 1 },
  });
  await testListener.listener.close();
});

test('a datagram of something else is left alone, and counted', async () => {
  const testListener = await openDatagramListener();
  testListener.say('GET / HTTP/1.1');
  await expect.poll(() => testListener.parts.rejections.counts().protocol_mismatch).toBe(1);
  testListener.store.open();
  testListener.say('at 1');
  await expect.poll(() => testListener.answers).toEqual(['at 1\n']);
  await testListener.listener.close();
});

test('datagrams that a decoder has an error with do not flood the log', async () => {
  const lines: string[] = [];
  const testListener = await openDatagramListener(
    {},
    pino({ base: null }, { write: (line: string) => void lines.push(line) }),
  );
  for (let at = 0; at < 20; at += 1) testListener.say('crash');
  testListener.store.open();
  testListener.say('at 1');
  await expect.poll(() => testListener.answers).toEqual(['at 1\n']);
  expect(lines).toHaveLength(10);
  expect(lines[0]).toContain('a fault of the decoder');
  await testListener.listener.close();
});

test('a datagram for which the store has no space gets no answer, so that it comes again', async () => {
  const testListener = await openDatagramListener({ maxPendingReports: 1 });
  testListener.say('at 1');
  await testListener.store.came(1);
  testListener.say('at 2');
  await expect.poll(() => testListener.parts.rejections.counts().limit).toBe(1);
  await testListener.store.settle();
  await expect.poll(() => testListener.answers).toEqual(['at 1\n']);
  testListener.store.open();
  testListener.say('at 2');
  await expect.poll(() => testListener.answers).toEqual(['at 1\n', 'at 2\n']);
  await testListener.listener.close();
});

test('a message under way is answered before the listener closes', async () => {
  const testListener = await openDatagramListener();
  testListener.say('at 1');
  await testListener.store.came(1);
  const closed = testListener.listener.close();
  await testListener.store.settle();
  await closed;
  await expect.poll(() => testListener.answers).toEqual(['at 1\n']);
});

test('both listeners of a protocol are at the same port, and one that is taken is refused', async () => {
  const parts = {
    accept: createSlowStore().accept,
    clock: createFakeClock(),
    log: pino({ level: 'silent' }),
  };
  const protocols = { tcp: toy, udp: toy.udp };
  const testListener = await listenTcpAndUdp(0, '127.0.0.1', protocols, parts);
  await expect(listenTcpAndUdp(testListener.port, '127.0.0.1', protocols, parts)).rejects.toThrow(
    'EADDRINUSE',
  );
  const other = createSocket('udp4');
  other.bind({ port: 0, address: '127.0.0.1', exclusive: true });
  await once(other, 'listening');
  onTestFinished(() => closeSocket(other));
  await expect(listenTcpAndUdp(other.address().port, '127.0.0.1', protocols, parts)).rejects.toThrow(
    'EADDRINUSE',
  );
  await testListener.close();
});
