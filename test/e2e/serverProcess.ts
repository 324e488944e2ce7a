import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeDealer } from '../../server/app.ts';
import { callerFor, dealerLogin, dealerPassword, type Caller } from '../support/testHost.ts';
import { ROOT } from './depot.ts';

/** A host as a depot runs it, in a process of its own that can be killed. */
export interface ServerProcess {
  url: string;
  intakeUrl: string;
  login(): Promise<Caller>;
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

/** Those that no terminal of a test comes in by. */
const otherDoors = ['--teltonika-port', '0', '--wialon-port', '0'];

export async function startServerProcess(): Promise<ServerProcess> {
  const data = await mkdtemp(join(tmpdir(), 'fleetdeck-process-'));
  await makeDealer(data, dealerLogin, dealerPassword);
  let ports = ['--port', '0', '--osmand-port', '0', ...otherDoors, '--jt808-port', '0', '--jt1078-port', '0'];
  let child: ChildProcess | null = null;

  async function start(): Promise<Ready> {
    const made = spawn(process.execPath, [join(ROOT, 'server/main.ts'), '--data', data, ...ports], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child = made;
    for await (const line of createInterface({ input: made.stdout })) {
      const ready = JSON.parse(line) as Ready;
      ports = [
        '--port',
        new URL(ready.url).port,
        '--osmand-port',
        String(ready.intake.osmand),
        ...otherDoors,
        '--jt808-port',
        String(ready.intake.jt808),
        '--jt1078-port',
        '0',
      ];
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
    async login() {
      const answer = await callerFor(url, '').post('/auth/login?jwt=1', {
        login: dealerLogin,
        password: dealerPassword,
      });
      return callerFor(url, (answer.body as { jwt: string }).jwt);
    },
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
