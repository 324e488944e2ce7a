import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import {
  createListenerContext,
  type ListenerContext,
} from '../../../../server/telemetry/intake/listenerContext.ts';
import {
  type Outcome,
  emptyReport,
  type TerminalReport,
} from '../../../../server/telemetry/terminalReport.ts';
import {
  ProtocolMismatch,
  type DepotLimits,
  type IntakeLimits,
  type TcpProtocol,
  type UdpProtocol,
} from '../../../../server/telemetry/intake/protocolHandler.ts';
import type { Listener } from '../../../../server/telemetry/intake/listener.ts';
import { listenTcp } from '../../../../server/telemetry/intake/tcpListener.ts';
import { createFakeClock, type FakeClock } from '../../../support/fakeClock.ts';

// A protocol that is no more than what a listener needs: lines. `hello NAME`, then `at N` for a report at that time,
// `many N` for so many, `long N` for an answer of so many bytes, `bye`; anything else is foreign.

export const toy: TcpProtocol & { udp: UdpProtocol } = {
  name: 'toy',
  longest: 64,
  frameLength(bytes) {
    if (!/^[a-z]/.test(bytes.toString('latin1', 0, 1)))
      throw new ProtocolMismatch('it begins with no letter');
    return bytes.indexOf(0x0a) + 1;
  },
  begin(wire) {
    let name = '';
    return {
      async take(message) {
        const [word, about = ''] = message.bytes.toString('latin1').trim().split(' ');
        message.note(word ?? '');
        if (word === 'hello') {
          name = about;
          wire.identify(name);
          return null;
        }
        if (word === 'bye') {
          wire.end();
          return Buffer.from('bye\n');
        }
        if (word === 'long') return Buffer.alloc(Number(about), 0x2e);
        if (word === 'crash') throw new Error('a fault of the decoder');
        if (word !== 'at' && word !== 'many') throw new ProtocolMismatch('no such word');
        const outcomes = await message.accept(reportsOf(name, word, Number(about)));
        return outcomes.some((it) => it.status === 'failed') ? null : Buffer.from(`${word} ${about}\n`);
      },
    };
  },
  udp: {
    name: 'toy',
    async take(message) {
      const [word, about = ''] = message.bytes.toString('latin1').trim().split(' ');
      if (word === 'crash') throw new Error('a fault of the decoder');
      if (word !== 'at') throw new ProtocolMismatch('no such word');
      await message.accept(reportsOf('udp', word, Number(about)));
      return Buffer.from(`at ${about}\n`);
    },
  },
};

function reportsOf(terminal_id: string, word: string, number: number): TerminalReport[] {
  const times = word === 'at' ? [number] : Array.from({ length: number }, (_, at) => at);
  return times.map((time_ms) => ({ ...emptyReport, terminal_id, time_ms }));
}

/** Stands for the pipeline: what is handed in is answered when the test says so. */
export interface SlowStore {
  /** Times of what waits, in the order in which it came. */
  waiting(): number[];
  /** Answers the hand-in that waits at this place, counted from the first. */
  settle(at?: number, outcome?: Outcome): Promise<void>;
  /** Answers all, now and from now on. */
  open(): void;
  /** Resolves when so many reports have been handed in. */
  came(count: number): Promise<void>;
}

export interface ToyListener {
  listener: Listener;
  deps: ListenerContext;
  store: SlowStore;
  clock: FakeClock;
  /** Lines of the log, parsed. */
  logged: Record<string, unknown>[];
}

export function createSlowStore(): SlowStore & { accept: ListenerContext['accept'] } {
  let waiting: { reports: readonly TerminalReport[]; resolve: (outcomes: Outcome[]) => void }[] = [];
  let isOpen = false;
  let handedIn = 0;
  let watchers: { count: number; call: () => void }[] = [];
  const stored: Outcome = { status: 'stored' };
  return {
    accept(reports) {
      handedIn += reports.length;
      for (const one of watchers) if (one.count <= handedIn) one.call();
      watchers = watchers.filter((one) => one.count > handedIn);
      if (isOpen) return Promise.resolve(reports.map(() => stored));
      return new Promise((resolve) => {
        waiting.push({ reports, resolve });
      });
    },
    waiting: () => waiting.flatMap(({ reports }) => reports.map((it) => it.time_ms ?? 0)),
    async settle(at = 0, outcome = stored) {
      const [one] = waiting.splice(at, 1);
      if (one === undefined) throw new Error('nothing waits');
      one.resolve(one.reports.map(() => outcome));
      await Promise.resolve();
    },
    open() {
      isOpen = true;
      for (const { reports, resolve } of waiting) resolve(reports.map(() => stored));
      waiting = [];
    },
    came: (count) =>
      handedIn >= count
        ? Promise.resolve()
        : new Promise((call) => {
            watchers.push({ count, call });
          }),
  };
}

/** @param depotLimits those of the depot, where they change */
export async function openToyListener(
  limits: Partial<IntakeLimits> = {},
  depotLimits?: () => DepotLimits,
): Promise<ToyListener> {
  const clock = createFakeClock();
  const store = createSlowStore();
  const logged: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'debug', base: null },
    { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const deps = createListenerContext('toy', {
    accept: store.accept,
    clock,
    log,
    limits,
    ...(depotLimits === undefined ? {} : { depotLimits }),
  });
  const listener = await listenTcp(0, '127.0.0.1', toy, deps);
  onTestFinished(async () => {
    store.open();
    await listener.close();
  });
  return { listener, deps, store, clock, logged };
}

export interface ToyTerminal {
  socket: Socket;
  say(text: string): void;
  /** Resolves with the next line of an answer. */
  line(): Promise<string>;
  ended: Promise<void>;
}

export async function connectToy(
  { listener, host = '127.0.0.1' }: Pick<ToyListener, 'listener'> & { host?: string },
  localAddress?: string,
) {
  const from = localAddress === undefined ? {} : { localAddress };
  const socket = connect({ port: listener.port, host, ...from });
  socket.setNoDelay(true);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  let text = '';
  let isOver = false;
  let wake = (): void => undefined;
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    wake();
  });
  const ended = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isOver = true;
      wake();
      resolve();
    });
  });
  return {
    socket,
    ended,
    say: (words: string) => void socket.write(words, 'latin1'),
    async line() {
      while (!text.includes('\n')) {
        if (isOver) throw new Error('the connection is over');
        await new Promise<void>((resolve) => (wake = resolve));
      }
      const end = text.indexOf('\n');
      const line = text.slice(0, end);
      text = text.slice(end + 1);
      return line;
    },
  } satisfies ToyTerminal;
}
