import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import createMulticastDns, { type ResponseOutgoingPacket } from 'multicast-dns';
import { describe, expect, it, onTestFinished } from 'vitest';
import { announceHost, lookForHosts } from '../../../server/remote/discovery.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

const SERVICE = '_fleetdeck._tcp.local';

/** Multicast that does not leave this machine, at a port of its own; `other` is a machine of the test's making. */
async function setUp() {
  const socket = createSocket({ type: 'udp4' });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  const network = { port, interface: '127.0.0.1', bind: '0.0.0.0' };
  const other = createMulticastDns(network);
  onTestFinished(() => new Promise<void>((resolve) => other.destroy(resolve)));
  await once(other, 'ready');
  return { network, other, clock: createFakeClock() };
}

/** Every socket of this machine has what one of them has by the next turn. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

const north = {
  instanceId: '1b4e28ba-2fa1-11d2-883f-0016d3cca427',
  port: 8471,
  tls: true,
  name: () => 'Depot North',
  addresses: () => ['127.0.0.1'],
};

describe('a host on the network', () => {
  it('a host on the network is found while it announces itself, once a second, and says when it goes', async () => {
    const { network, other, clock } = await setUp();
    const answers: number[] = [];
    other.on('response', ({ answers: [pointer] = [] }) => {
      if (pointer?.type === 'PTR') answers.push(pointer.ttl ?? 0);
    });
    const faults: Error[] = [];
    const stop = announceHost(north, { clock, network, warn: (error) => void faults.push(error) });
    other.query({ questions: [{ name: '_other._tcp.local', type: 'PTR' }] });
    const looking = lookForHosts({ clock, network });
    await once(other, 'response');
    for (let at = 0; at < 5; at++) other.query({ questions: [{ name: SERVICE, type: 'PTR' }] });
    for (let at = 0; at < 5; at++) await once(other, 'query');
    await nextTurn();
    clock.advance(3_000);
    expect(await looking).toEqual([{ name: 'Depot North', url: 'https://127.0.0.1:8471' }]);
    expect(answers).toEqual([120]);
    await stop();
    await once(other, 'response');
    expect([answers, faults]).toEqual([[120, 0], []]);
  });

  it('hosts on the network are 32 at most, with short names of plain text, whatever is answered', async () => {
    const { network, other, clock } = await setUp();
    const looking = lookForHosts({ clock, network });
    await once(other, 'query');
    const hostile: ResponseOutgoingPacket[] = [
      { answers: [{ name: `a.${SERVICE}`, type: 'SRV', ttl: 120, data: { port: 0, target: 'x' } }] },
      { answers: [{ name: 'a._other._tcp.local', type: 'SRV', ttl: 120, data: { port: 1, target: 'x' } }] },
      { answers: [{ name: `b.${SERVICE}`, type: 'TXT', ttl: 120, data: ['name=nobody'] }] },
    ];
    const host = (at: number): ResponseOutgoingPacket['answers'] => [
      {
        name: `h${at}.${SERVICE}`,
        type: 'SRV',
        ttl: 120,
        data: { port: 1_000 + at, target: 'evil.example' },
      },
      {
        name: `h${at}.${SERVICE}`,
        type: 'TXT',
        ttl: 120,
        data: [`name=<b>\u202e\u0007${'x'.repeat(180)}`, 'tls=0'],
      },
    ];
    // Three in a message: the last of those that are taken has more than there is a place for.
    for (let at = 0; at < 42; at += 3)
      hostile.push({ answers: [at, at + 1, at + 2].flatMap((it) => host(it)) });
    for (const packet of hostile) other.respond(packet);
    const found = await looking;
    expect(found).toHaveLength(32);
    expect(found[0]).toEqual({ name: `<b>  ${'x'.repeat(55)}`, url: 'http://127.0.0.1:1000' });
  });

  it('a host on the network reads 100 messages a second, and none that is no message', async () => {
    const { network, other, clock } = await setUp();
    const looking = lookForHosts({ clock, network });
    await once(other, 'query');
    const socket = createSocket('udp4');
    onTestFinished(() => void socket.close());
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    socket.setMulticastInterface('127.0.0.1');
    const send = (bytes: Buffer) =>
      new Promise((resolve) => socket.send(bytes, network.port, '224.0.0.251', resolve));
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(40, 0xff), Buffer.alloc(20_000, 0xc0)])
      await send(bytes);
    for (let at = 0; at < 150; at++) await send(Buffer.from('0000840000000000', 'hex'));
    other.respond({
      answers: [{ name: `a.${SERVICE}`, type: 'SRV', ttl: 120, data: { port: 1, target: 'x' } }],
    });
    await once(other, 'response');
    await nextTurn();
    clock.advance(3_000);
    expect(await looking).toEqual([]);
  });
});
