import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeDealer } from '../../server/app.ts';
import { logIn, type ApiClient } from '../support/caller.ts';
import { freePorts } from '../support/freePorts.ts';
import { dealerLogin, dealerPassword } from '../support/testHost.ts';
import { ROOT } from './depot.ts';

/** A host as a depot runs it, in a process of its own that can be killed. */
export interface ServerProcess {
  url: string;
  intakeUrl: string;
  login(): Promise<ApiClient>;
  /** As when the machine loses its power. */
  kill(): Promise<void>;
  /** Starts it again, over the same data and on the same ports. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

interface Ready {
  url: string;
  intake: { osmand: number; jt808: number };
}

export async function startServerProcess(): Promise<ServerProcess> {
  const data = await mkdtemp(join(tmpdir(), 'fleetdeck-process-'));
  await makeDealer(data, dealerLogin, dealerPassword);
  let ports = freePorts();
  let child: ChildProcess | null = null;

  async function start(): Promise<Ready> {
    const command = [join(ROOT, 'server/commands/fleetdeck.cjs'), 'serve', '--data', data, ...ports];
    const made = spawn(process.execPath, command, {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child = made;
    for await (const line of createInterface({ input: made.stdout })) {
      const ready = JSON.parse(line) as Ready;
      ports = freePorts({
        port: new URL(ready.url).port,
        'osmand-port': ready.intake.osmand,
        'jt808-port': ready.intake.jt808,
      });
      return ready;
    }
    throw new Error('the host ended before it was ready');
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const running = child;
    child = null;
    if (running === null) return;
    const ended = once(running, 'exit');
    running.kill(signal);
    await ended;
  }

  const { url, intake } = await start();
  return {
    url,
    intakeUrl: `http://127.0.0.1:${intake.osmand}`,
    login: () => logIn(url, dealerLogin, dealerPassword),
    kill: () => end('SIGKILL'),
    async restart() {
      await start();
    },
    async close() {
      await end('SIGTERM');
      await rm(data, { recursive: true, force: true });
    },
  };
}
