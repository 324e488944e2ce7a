import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { intakeRoutes, listenerName, type ListenerName } from '../../../server/contract/intake.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { firstBytes, firstBytesOfOthers, firstDatagrams } from '../../support/firstBytes.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

const clock = createFakeClock();
let host: TestHost;
let dealer: Caller;
beforeAll(async () => {
  host = await startTestHost({ clock });
  dealer = await host.login();
});
afterAll(() => host.close());

const names = {
  osmand: 'OsmAnd',
  teltonika: 'Teltonika',
  wialon: 'Wialon',
  jt808: 'JT/T 808',
  jt1078: 'JT/T 1078',
};
const wordsOf = (protocol: ListenerName, listener: ListenerName) =>
  `${names[protocol]} on the ${names[listener]} port: use ${host.intake[protocol] ?? 0}`;
const pairs = listenerName.options.flatMap((protocol) =>
  listenerName.options.filter((it) => it !== protocol).map((listener) => [protocol, listener] as const),
);

/** Resolves when the host has ended the connection. */
function send(listener: ListenerName, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port: host.intake[listener] ?? 0, host: '127.0.0.1' });
    socket.on('error', () => undefined).on('close', () => resolve());
    socket.resume().write(bytes);
  });
}

async function wrongAt(listener: ListenerName) {
  const { listeners } = await dealer.ask(intakeRoutes.state);
  return listeners.find(({ name }) => name === listener)?.wrong_port ?? [];
}

describe('a terminal that connects to the port of another protocol', () => {
  it.each(pairs)('%s on the port of %s is named in the log and in the intake', async (protocol, listener) => {
    // The log is limited.
    clock.advance(60_000);
    const [bytes = Buffer.alloc(0)] = Object.values(firstBytes[protocol]);
    await send(listener, bytes);
    const words = wordsOf(protocol, listener);
    expect(await wrongAt(listener)).toContainEqual(
      expect.objectContaining({ protocol, message: words, count: 1, address: '127.0.0.1' }),
    );
    expect(host.logged).toContainEqual(
      expect.objectContaining({
        level: 40,
        msg: words,
        listener,
        address: '127.0.0.1',
        reason: 'protocol_mismatch',
      }),
    );
    if (listener === 'jt1078') return;
    const { messages } = await dealer.ask(intakeRoutes.messages, { query: { listener, limit: 1 } });
    expect(messages).toMatchObject([{ undecodable: true }]);
    expect(messages[0]?.summary?.startsWith(`${words} (`)).toBe(true);
  });

  it.each([
    ['teltonika', 'wialon'],
    ['wialon', 'teltonika'],
  ] as const)('%s on the port of %s is named by its datagrams too', async (protocol, listener) => {
    const before = (await wrongAt(listener)).find((it) => it.protocol === protocol)?.count ?? 0;
    const [bytes = Buffer.alloc(0)] = Object.values(firstDatagrams[protocol] ?? {});
    const socket = createSocket('udp4');
    socket.send(bytes, host.intake[listener] ?? 0, '127.0.0.1');
    await expect
      .poll(async () => (await wrongAt(listener)).find((it) => it.protocol === protocol))
      .toMatchObject({ count: before + 1, message: wordsOf(protocol, listener) });
    socket.close();
  });

  it.each(['teltonika', 'wialon', 'jt808', 'jt1078', 'osmand'] as const)(
    'TLS on the port of %s is named',
    async (listener) => {
      await send(listener, firstBytesOfOthers.tls);
      expect(await wrongAt(listener)).toContainEqual(
        expect.objectContaining({
          message: `TLS on the ${names[listener]} port: terminals connect without TLS`,
        }),
      );
    },
  );

  it.each(['teltonika', 'wialon', 'jt808', 'jt1078'] as const)(
    'HTTP on the port of %s is named',
    async (listener) => {
      await send(listener, firstBytesOfOthers.http);
      expect(await wrongAt(listener)).toContainEqual(
        expect.objectContaining({ message: `HTTP on the ${names[listener]} port` }),
      );
    },
  );

  it('a password that comes to the port of another protocol is neither kept nor logged', async () => {
    clock.advance(60_000);
    await send('teltonika', Buffer.from('#L#352093081234567;a-secret\r\n'));
    const { messages } = await dealer.ask(intakeRoutes.messages, {
      query: { listener: 'teltonika', limit: 1 },
    });
    expect(messages).toMatchObject([{ masked: true }]);
    const secret = Buffer.from('a-secret').toString('hex');
    expect(JSON.stringify([messages, host.logged])).not.toContain(secret);
  });
});
