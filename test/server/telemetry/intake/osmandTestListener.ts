import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { Accept, Outcome, TerminalReport } from '../../../../server/telemetry/terminalReport.ts';
import type { MonitoredListener } from '../../../../server/telemetry/intake/listenerContext.ts';
import type { IntakeLimits } from '../../../../server/telemetry/intake/protocolHandler.ts';
import { listenOsmand } from '../../../../server/telemetry/intake/osmandListener.ts';
import { createFakeClock, type FakeClock } from '../../../support/fakeClock.ts';

export interface OsmandTestListener {
  listener: MonitoredListener;
  /** What was handed in, in order. */
  taken: TerminalReport[];
  clock: FakeClock;
  /** Lines of the log, parsed. */
  logged: Record<string, unknown>[];
  dial(localAddress?: string): Promise<Line>;
  /** The same by one who does not close its side when the other one does. */
  dialHalfOpen(): Promise<Line>;
}

/** One connection of a terminal that writes its own bytes. */
export interface Line {
  socket: Socket;
  write(bytes: string | Uint8Array): Promise<void>;
  /** The statuses of the next answers, so many; rejects when the connection ends before. */
  statuses(count: number): Promise<number[]>;
  ended: Promise<void>;
}

/** A listener on a free port, with a fake report handler. */
export async function openOsmandTestListener(
  answer: (report: TerminalReport) => Outcome | Promise<Outcome> = () => ({ status: 'stored' }),
  limits: Partial<IntakeLimits> = {},
): Promise<OsmandTestListener> {
  const taken: TerminalReport[] = [];
  const accept: Accept = (reports) => {
    taken.push(...reports);
    return Promise.all(reports.map(async (report) => answer(report)));
  };
  const clock = createFakeClock();
  const logged: Record<string, unknown>[] = [];
  const log = pino(
    { base: null },
    { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const listener = await listenOsmand(0, '127.0.0.1', {
    accept,
    speedUnit: () => 'kn',
    clock,
    log,
    limits,
  });
  onTestFinished(() => listener.close());
  return {
    listener,
    taken,
    clock,
    logged,
    dial: (localAddress) => dial(listener.port, localAddress),
    dialHalfOpen: () => dial(listener.port, undefined, true),
  };
}

async function dial(port: number, localAddress?: string, allowHalfOpen = false): Promise<Line> {
  const from = localAddress === undefined ? {} : { localAddress };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen, ...from });
  onTestFinished(() => void socket.destroy());
  let received = '';
  let read = 0;
  let isOver = false;
  let wake = (): void => undefined;
  socket.on('error', () => undefined);
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
    wake();
  });
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isOver = true;
      wake();
      resolve();
    });
  });
  await once(socket, 'connect');
  return {
    socket,
    ended,
    write: (bytes) =>
      new Promise((resolve) => {
        socket.write(bytes, () => resolve());
      }),
    async statuses(count) {
      for (;;) {
        const all = [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((it) => Number(it[1]));
        if (all.length >= read + count) {
          read += count;
          return all.slice(read - count, read);
        }
        if (isOver) throw new Error(`the connection ended after ${received}`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

/** A request as it stands on the wire. */
export function requestOf(
  method: string,
  target: string,
  headers: Record<string, string>,
  body = '',
): Buffer {
  const length = method === 'GET' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ Host: '127.0.0.1:5055', ...headers, ...length });
  const head = lines.map(([key, value]) => `${key}: ${value}`).join('\r\n');
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n\r\n${body}`, 'utf8');
}

/** A message that says no more than where terminal 7 was, so many seconds after 1970. */
export const messageAt = (at: number) => requestOf('GET', `/?id=7&lat=1&lon=2&timestamp=${at}`, {});

/** The same of this terminal. */
export const messageOf = (id: string) => requestOf('GET', `/?id=${encodeURIComponent(id)}&lat=1&lon=2`, {});
