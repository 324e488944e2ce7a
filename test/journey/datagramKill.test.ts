import { expect, test } from 'vitest';
import { track } from '../../server/contract/positions.ts';
import { askByDatagram } from '../support/datagrams.ts';
import { datagramBytes } from '../support/fakeTeltonika.ts';
import { longBody, packetText } from '../support/fakeWialon.ts';
import type { ReadyHost } from './hostProcess.ts';
import { startKillableHost } from './killableHost.ts';

const second = 1_000;
const day = 24 * 3_600 * second;
const kills = 2;
const terminals = 6;

interface Fix {
  time_ms: number;
  lat: number;
  lon: number;
}

/** A protocol whose datagrams are acknowledged. */
interface ByDatagram {
  portOf: (host: ReadyHost) => number;
  /** How many positions a terminal puts into its so-manyth datagram at most. */
  max: number;
  datagram: (id: string, at: number, fixes: readonly Fix[]) => Uint8Array | string;
  /** The answer that acknowledges all of them. */
  thanks: (at: number, count: number) => Uint8Array;
}

const protocols: [string, ByDatagram][] = [
  [
    'Teltonika',
    {
      portOf: (host) => host.teltonikaPort,
      max: 12,
      datagram: (id, at, fixes) => datagramBytes(id, fixes, { packet: at % 0x1_0000, avl: at % 0x100 }, 0x8e),
      thanks: (at, count) => Buffer.of(0, 5, (at >> 8) % 0x100, at % 0x100, 1, at % 0x100, count),
    },
  ],
  ['Wialon IPS 1.1', wialon('1.1')],
  ['Wialon IPS 2.0', wialon('2.0')],
];

function wialon(version: '1.1' | '2.0'): ByDatagram {
  return {
    portOf: (host) => host.wialonPort,
    max: 8,
    datagram: (id, _, fixes) => {
      const sender = version === '1.1' ? id : `2.0;${id}`;
      const type = fixes.length === 1 ? 'D' : 'B';
      return `${sender}${packetText(version, type, fixes.map(longBody).join('|'))}`;
    },
    thanks: (_, count) => Buffer.from(count === 1 ? '#AD#1\r\n' : `#AB#${count}\r\n`),
  };
}

test.each(protocols)(
  'kills lose no acknowledged position that came by %s over UDP, and double none',
  async (_, { portOf, max, datagram, thanks }) => {
    const ids = Array.from({ length: terminals }, (_, at) => `35630704246${100 + at}`);
    const host = await startKillableHost(ids);
    // So far back that the longest run does not come to the present.
    const start_ms = Math.floor(Date.now() / second) * second - 30 * day;
    const fix = (terminal: number, at: number): Fix => ({
      time_ms: start_ms + at * second,
      lat: 52.5 + at * 1e-5,
      lon: 13.4 + terminal * 0.01,
    });
    const acknowledged = ids.map(() => 0);
    let port = portOf(await host.ready());
    let answers = 0;
    let enough = Number.POSITIVE_INFINITY;
    let onAnswer = (): void => undefined;

    /** One datagram after the other, each until it is answered: that the host is killed is nothing to a terminal. */
    async function talk(terminal: number, id: string): Promise<void> {
      while (answers < enough) {
        const from = acknowledged[terminal] ?? 0;
        const fixes = Array.from({ length: 1 + (from % max) }, (_, at) => fix(terminal, from + at));
        const answer = await askByDatagram(() => port, datagram(id, from, fixes));
        expect(answer).toEqual(thanks(from, fixes.length));
        acknowledged[terminal] = from + fixes.length;
        answers += 1;
        onAnswer();
      }
    }

    const talks = Promise.all(ids.map((id, at) => talk(at, id)));
    // Waited for at the end.
    talks.catch(() => undefined);
    for (let killed = 0; killed < kills; killed += 1) {
      const wanted = answers + 20 + Math.floor(Math.random() * 80);
      await Promise.race([
        new Promise<void>((resolve) => {
          onAnswer = () => {
            if (answers >= wanted) resolve();
          };
        }),
        talks,
      ]);
      await host.kill();
      host.restart();
      port = portOf(await host.ready());
    }
    enough = answers + 50;
    await talks;

    const dealer = await host.dealer();
    const period = `from=${new Date(start_ms).toISOString()}&to=${new Date(start_ms + day).toISOString()}`;
    for (const [terminal, id] of ids.entries()) {
      const { positions } = track.parse((await dealer.get(`/api/v1/vehicles/${id}/track?${period}`)).body);
      const planned = Array.from({ length: acknowledged[terminal] ?? 0 }, (_, at) => fix(terminal, at));
      expect(positions.map((it) => Date.parse(it.time))).toEqual(planned.map((it) => it.time_ms));
      expect(positions.map((it) => [it.lat, it.lon].map((value) => value.toFixed(5)))).toEqual(
        planned.map((it) => [it.lat, it.lon].map((value) => value.toFixed(5))),
      );
    }
    expect(answers).toBeGreaterThan(kills * 20);
    await host.end();
  },
  120_000,
);
