import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { Accept, Outcome } from '../../../../server/telemetry/gateway/accept.ts';
import type { WatchedListener } from '../../../../server/telemetry/gateway/doorParts.ts';
import { openDoor } from '../../../../server/telemetry/gateway/openDoor.ts';
import { createTeltonika } from '../../../../server/telemetry/gateway/teltonikaConversation.ts';
import type { Report } from '../../../../server/telemetry/report.ts';
import { connectFakeTeltonika, type FakeTeltonika } from '../../../support/fakeTeltonika.ts';
import { createHandClock, type HandClock } from '../../../support/handClock.ts';

export interface TeltonikaDoor {
  listener: WatchedListener;
  clock: HandClock;
  /** The IMEIs that vehicles have. */
  known: Set<string>;
  /** What was handed in, in order. */
  taken: Report[];
  /** Whose signs of life were noted. */
  heard: string[];
  connect(imei?: string): Promise<FakeTeltonika>;
  /** Connects and logs on. */
  come(imei?: string): Promise<FakeTeltonika>;
  /** A terminal that sends datagrams. */
  datagrams(): Promise<{ send(bytes: Uint8Array): void; answer(): Promise<Buffer> }>;
}

export const imei = '356307042441013';

/** A door on a free port that knows one terminal, with what takes reports in made up. */
export async function openTeltonikaDoor(
  answer: Outcome | ((report: Report) => Promise<Outcome> | Outcome) = { status: 'stored' },
): Promise<TeltonikaDoor> {
  const taken: Report[] = [];
  const heard: string[] = [];
  const known = new Set([imei]);
  const clock = createHandClock();
  const accept: Accept = (reports) => {
    taken.push(...reports);
    return Promise.all(
      reports.map(async (report): Promise<Outcome> => {
        if (!known.has(report.terminal_id)) return { status: 'unknown' };
        return typeof answer === 'function' ? answer(report) : answer;
      }),
    );
  };
  const protocols = createTeltonika({
    isKnown: (id) => known.has(id),
    heard(id) {
      heard.push(id);
      return Promise.resolve();
    },
  });
  const log = pino({ level: 'silent' });
  const listener = await openDoor(0, '127.0.0.1', protocols, { accept, clock, log });
  onTestFinished(() => listener.close());

  async function connect(from = imei): Promise<FakeTeltonika> {
    const terminal = await connectFakeTeltonika({ port: listener.port, imei: from });
    onTestFinished(() => terminal.abort());
    return terminal;
  }
  return {
    listener,
    clock,
    known,
    taken,
    heard,
    connect,
    async come(from) {
      const terminal = await connect(from);
      const said = await terminal.logIn();
      if (said !== 1) throw new Error(`the login was answered ${said}`);
      return terminal;
    },
    async datagrams() {
      const socket = createSocket('udp4');
      socket.connect(listener.port, '127.0.0.1');
      await once(socket, 'connect');
      onTestFinished(() => {
        socket.close();
      });
      return {
        send: (bytes) => socket.send(bytes),
        async answer() {
          const [bytes] = (await once(socket, 'message')) as [Buffer];
          return bytes;
        },
      };
    },
  };
}
