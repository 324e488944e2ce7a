import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { Accept, Outcome } from '../../../../server/telemetry/gateway/accept.ts';
import type { WatchedListener } from '../../../../server/telemetry/gateway/doorParts.ts';
import { openDoor } from '../../../../server/telemetry/gateway/openDoor.ts';
import { createWialon } from '../../../../server/telemetry/gateway/wialonConversation.ts';
import type { Report } from '../../../../server/telemetry/report.ts';
import {
  connectFakeWialon,
  openFakeWialonUdp,
  type FakeWialon,
  type FakeWialonUdp,
  type WialonVersion,
} from '../../../support/fakeWialon.ts';
import { createHandClock, type HandClock } from '../../../support/handClock.ts';

export interface WialonDoor {
  listener: WatchedListener;
  clock: HandClock;
  /** The numbers that vehicles have. */
  known: Set<string>;
  /** What was handed in, in order. */
  taken: Report[];
  /** Whose signs of life were noted. */
  heard: string[];
  connect(version?: WialonVersion): Promise<FakeWialon>;
  /** Connects and logs in as the terminal that is known. */
  come(version?: WialonVersion): Promise<FakeWialon>;
  udp(): Promise<FakeWialonUdp>;
}

export const imei = '356307042441013';

/** A door on a free port that knows one terminal, with what takes reports in made up. */
export async function openWialonDoor(
  answer: Outcome | ((report: Report) => Promise<Outcome> | Outcome) = { status: 'stored' },
): Promise<WialonDoor> {
  const taken: Report[] = [];
  const heard: string[] = [];
  const known = new Set([imei]);
  const clock = createHandClock();
  const log = pino({ level: 'silent' });
  const accept: Accept = (reports) => {
    taken.push(...reports);
    return Promise.all(
      reports.map(async (report): Promise<Outcome> => {
        if (!known.has(report.terminal_id)) return { status: 'unknown' };
        return typeof answer === 'function' ? answer(report) : answer;
      }),
    );
  };
  const parts = {
    isKnown: (id: string) => known.has(id),
    heard: (id: string) => {
      heard.push(id);
      return Promise.resolve();
    },
  };
  const listener = await openDoor(0, '127.0.0.1', createWialon(parts), { accept, clock, log });
  onTestFinished(() => listener.close());

  async function connect(version?: WialonVersion): Promise<FakeWialon> {
    const terminal = await connectFakeWialon(listener.port, version);
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
    async come(version) {
      const terminal = await connect(version);
      const answered = await terminal.logIn(imei);
      if (answered !== '#AL#1') throw new Error(`the login was answered ${answered}`);
      return terminal;
    },
    async udp() {
      const sender = await openFakeWialonUdp(listener.port);
      onTestFinished(() => sender.close());
      return sender;
    },
  };
}
