import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import {
  createCommandLinks,
  createTerminalLinks,
  type TerminalLinks,
} from '../../../../../server/telemetry/intake/terminalLinks.ts';
import {
  createJt1078Terminal,
  type Jt1078Deps,
} from '../../../../../server/video/terminals/jt1078/jt1078Terminal.ts';
import { listenMedia } from '../../../../../server/video/terminals/jt1078/mediaListener.ts';
import type { FragmentRequest, Terminal } from '../../../../../server/video/terminals/terminal.ts';
import { listenJt808 } from '../../../../../server/telemetry/intake/jt808Listener.ts';
import { startFakeJt1078, type FakeJt1078, type Playing } from '../../../../support/fakeJt1078.ts';
import { createFakeClock, type FakeClock } from '../../../../support/fakeClock.ts';

export const phone = '13900001111';
export const from_ms = Date.UTC(2026, 10, 21, 4, 43, 0);
/** Longer than the real stream. */
export const captureSpanMs = 110_000;

export interface TerminalBench {
  terminal: Terminal;
  clock: FakeClock;
  output: string;
  mediaPort: number;
  mediaConnections: () => number;
  links: TerminalLinks;
  /** A recorder that is logged on. */
  connect: (playing?: Playing & { phone?: string; form?: '2013' | '2019' }) => Promise<FakeJt1078>;
  order: (more?: Partial<FragmentRequest>) => FragmentRequest;
}

/** Signalling and media over real sockets, on free ports, with a clock driven by hand. */
export async function terminalFixture(
  more: Partial<Pick<Jt1078Deps, 'publicAddress' | 'clockOffsetS'>> = {},
): Promise<TerminalBench> {
  const folder = await mkdtemp(join(tmpdir(), 'jt1078-'));
  const clock = createFakeClock();
  const log = pino({ level: 'silent' });
  const links = createTerminalLinks();
  const signalling = await listenJt808(0, '127.0.0.1', {
    links,
    commands: createCommandLinks(),
    clock,
    log,
    accept: (reports) => Promise.resolve(reports.map(() => ({ status: 'stored' }))),
    isKnown: () => true,
    heard: () => Promise.resolve(),
  });
  const listener = await listenMedia(0, '127.0.0.1', { clock, log });
  const fakes: FakeJt1078[] = [];
  onTestFinished(async () => {
    await Promise.all(fakes.map((it) => it.close()));
    await Promise.all([signalling.close(), listener.close()]);
    await rm(folder, { recursive: true, force: true });
  });
  const output = join(folder, 'fragment.part');
  return {
    terminal: createJt1078Terminal({
      ...{ links, listener, clock, checkQuota: () => Promise.resolve() },
      ...{ publicAddress: null, clockOffsetS: () => 0, ...more },
    }),
    clock,
    output,
    links,
    mediaPort: listener.port,
    mediaConnections: () => listener.connections(),
    async connect(playing = {}) {
      const fake = await startFakeJt1078({ port: signalling.port, phone, ...playing });
      fakes.push(fake);
      return fake;
    },
    order: (more = {}) => ({
      vehicle_id: 'vehicle',
      terminal_id: phone,
      channel: { channel: 3, name: 'Cabin' },
      from_ms,
      to_ms: from_ms + captureSpanMs,
      connection: {},
      secret: null,
      output,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      ...more,
    }),
  };
}

/** A connection to the media port on which a test writes its own bytes. */
export async function openMedia(port: number): Promise<Socket & { over: Promise<void> }> {
  const socket = connect(port, '127.0.0.1');
  const over = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  socket.resume();
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return Object.assign(socket, { over });
}

/** What a program of the system writes; throws when it fails. */
export function run(program: string, args: readonly string[], input?: Uint8Array): Buffer {
  return execFileSync(program, args, {
    maxBuffer: 1e8,
    stdio: ['pipe', 'pipe', 'ignore'],
    ...(input === undefined ? {} : { input }),
  });
}

/** Whether a program answers to `-version`. */
export function has(program: string): boolean {
  try {
    run(program, ['-version']);
    return true;
  } catch {
    return false;
  }
}
