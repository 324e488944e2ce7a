import { createSocket } from 'node:dgram';
import type { ReadyHost } from '../journey/hostProcess.ts';
import { messageFrame, positionBody } from '../support/fakeJt808.ts';
import { datagramBytes, imeiBytes } from '../support/fakeTeltonika.ts';
import { packetText } from '../support/fakeWialon.ts';
import type { Random } from './random.ts';
import { request } from './dialects.ts';
import { openConnection, pause, type Connection } from './connection.ts';
import type { Counters } from './counters.ts';

export interface InvalidClientsParts {
  dice: Random;
  tally: Counters;
  host: () => ReadyHost | null;
  goesOn: () => boolean;
  paceMs: number;
  /** The identifier of a vehicle's terminal, for those who would speak for it. */
  victim: string;
}

type InvalidClient = (line: Connection, dice: Random, goesOn: () => boolean) => Promise<void> | void;

const unknownImei = '999999999999999';
/** Longer than a host waits for a word, or for the rest of one. */
const longStayMs = 45_000;
const wildTime = Date.UTC(2024, 0, 1);

/** Other clients that connect to the port of a terminal; nothing that they send may become a position. */
export async function sendInvalidClients(deps: InvalidClientsParts): Promise<void> {
  const { dice, tally, host, goesOn, paceMs, victim } = deps;
  const all = invalidClientsAt(victim);
  const under = new Set<Promise<void>>();

  async function visit(to: ReadyHost): Promise<void> {
    const osmandPort = Number(new URL(to.intakeUrl).port);
    const port = dice.pick([to.teltonikaPort, to.wialonPort, to.jt808Port, osmandPort]);
    const [name, stranger] = dice.pick(all);
    tally.add('strangers');
    tally.add(`strangers: ${name}`);
    try {
      const line = await openConnection(port);
      await stranger(line, dice, goesOn);
      await stay(line, dice.chance(0.1) ? longStayMs : dice.whole(0, 3_000));
      line.reset();
    } catch {
      // The host was being killed.
    }
  }

  /** No longer than the others speak. */
  async function stay(line: Connection, ms: number): Promise<void> {
    const until_ms = Date.now() + ms;
    while (goesOn() && !line.isOver() && Date.now() < until_ms) await pause(100);
  }

  function throwDatagrams(to: ReadyHost): void {
    tally.add('datagrams of strangers');
    const socket = createSocket('udp4');
    socket.on('error', () => undefined);
    const unknown = datagramBytes(unknownImei, [{ time_ms: wildTime, lat: 1, lon: 2 }], {
      packet: 1,
      avl: 1,
    });
    const bytes = dice.pick([dice.bytes(dice.whole(1, 600)), unknown, Buffer.from(`${victim}#SD#\r\n`)]);
    socket.send(bytes, dice.pick([to.teltonikaPort, to.wialonPort]), '127.0.0.1', () => socket.close());
  }

  while (goesOn()) {
    const to = host();
    if (to !== null && under.size < 60) {
      const one = visit(to).finally(() => under.delete(one));
      under.add(one);
      if (dice.chance(0.5)) throwDatagrams(to);
    }
    await pause(dice.whole(0, 2 * paceMs));
  }
  await Promise.all(under);
}

function invalidClientsAt(victim: string): readonly [[string, InvalidClient], ...[string, InvalidClient][]] {
  const say =
    (bytes: (dice: Random) => Uint8Array | string): InvalidClient =>
    (line, dice) =>
      line.write(Buffer.from(bytes(dice)));
  const position = `/?id=${victim}&lat=10&lon=20&timestamp=${wildTime}`;
  const page = 'User-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\nOrigin: http://example.invalid';
  return [
    ['random bytes', say((dice) => dice.bytes(dice.whole(1, 3_000)))],
    ['a browser', say(() => request('GET', '/', '', '', page))],
    ['a web page that would move a vehicle', say(() => request('GET', position, '', '', page))],
    ['TLS', say((dice) => Buffer.concat([Buffer.from('16030100a5010000a10303', 'hex'), dice.bytes(160)]))],
    ['SSH', say(() => 'SSH-2.0-OpenSSH_9.6\r\n')],
    [
      'an absurd length',
      say(() => Buffer.concat([imeiBytes(victim), Buffer.from('00000000fffffff0', 'hex')])),
    ],
    ['an absurd IMEI', say(() => Buffer.from('ffff3132333435', 'hex'))],
    ['a line without end', say((dice) => `#L#${'9'.repeat(dice.whole(5_000, 200_000))}`)],
    [
      'a frame without end',
      say((dice) => Buffer.concat([Buffer.of(0x7e), Buffer.alloc(dice.whole(3_000, 90_000), 1)])),
    ],
    ['a request without end', say(() => 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n')],
    ['headers without end', say(() => `GET / HTTP/1.1\r\nX: ${'a'.repeat(40_000)}`)],
    ['an unknown Teltonika', say(() => imeiBytes(unknownImei))],
    ['an unknown Wialon', say(() => packetText('2.0', 'L', `2.0;${unknownImei};NA`))],
    ['an unknown OsmAnd', say(() => request('GET', `/?id=${unknownImei}&lat=1&lon=2&timestamp=${wildTime}`))],
    ['a position before the authentication', say(() => unauthenticated(victim))],
    ['silence', () => undefined],
    [
      'a slow one',
      async (line, dice, goesOn) => {
        for (let left = dice.whole(5, 200); left > 0 && goesOn() && !line.isOver(); left -= 1) {
          line.write(dice.bytes(1));
          await pause(250);
        }
      },
    ],
  ];
}

/** 0x0200 of a terminal that has not said who it is on this connection. */
function unauthenticated(victim: string): Buffer {
  const phoneBcd = victim.replaceAll(/\D/g, '').padStart(12, '0').slice(-12);
  const body = positionBody({ time_ms: wildTime, lat: 1, lon: 2 });
  return messageFrame({ phoneBcd, form: '2013', id: 0x0200, serial: 1 }, body);
}
