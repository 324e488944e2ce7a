import { pino, type Logger } from 'pino';
import { onTestFinished } from 'vitest';
import type { Accept, Outcome } from '../../../../server/telemetry/gateway/accept.ts';
import { listenJt808 } from '../../../../server/telemetry/gateway/jt808Listener.ts';
import type { WatchedListener } from '../../../../server/telemetry/gateway/doorParts.ts';
import {
  createTerminalLinks,
  type LinkRegistry,
} from '../../../../server/telemetry/gateway/terminalLinks.ts';
import type { Report } from '../../../../server/telemetry/report.ts';
import { connectFakeJt808, type FakeJt808, type FakeJt808Options } from '../../../support/fakeJt808.ts';
import { createHandClock, type HandClock } from '../../../support/handClock.ts';

export interface Jt808Door {
  listener: WatchedListener;
  links: LinkRegistry;
  clock: HandClock;
  /** The numbers that vehicles have; without leading zeros. */
  known: Set<string>;
  /** What was handed in, in order. */
  taken: Report[];
  /** Whose signs of life were noted. */
  heard: string[];
  connect(options?: Partial<FakeJt808Options>): Promise<FakeJt808>;
  /** Connects and logs on. */
  come(options?: Partial<FakeJt808Options>): Promise<FakeJt808>;
}

export const phone = '013800001234';
export const terminalId = '13800001234';

/** A door on a free port that knows one terminal, with what takes reports in made up. */
export async function openJt808Door(
  answer: Outcome | ((report: Report) => Promise<Outcome> | Outcome) = { status: 'stored' },
  log: Logger = pino({ level: 'silent' }),
): Promise<Jt808Door> {
  const taken: Report[] = [];
  const heard: string[] = [];
  const known = new Set([terminalId]);
  const links = createTerminalLinks();
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
  const listener = await listenJt808(0, '127.0.0.1', {
    accept,
    isKnown: (id) => known.has(id),
    heard: (id) => {
      heard.push(id);
      return Promise.resolve();
    },
    links,
    clock,
    log,
  });
  onTestFinished(() => listener.close());

  async function connect(options: Partial<FakeJt808Options> = {}): Promise<FakeJt808> {
    const terminal = await connectFakeJt808({ port: listener.port, phone, ...options });
    onTestFinished(() => terminal.abort());
    return terminal;
  }
  return {
    listener,
    links,
    clock,
    known,
    taken,
    heard,
    connect,
    async come(options) {
      const terminal = await connect(options);
      await terminal.logOn();
      return terminal;
    },
  };
}
