import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { makeDealer, startServer, type RunningHost, type StartOptions } from '../../server/app.ts';
import { dealerLogin, dealerPassword, wideLimits } from '../support/testHost.ts';

export interface BareHost {
  url: string;
  /** The processor time that its process has taken so far, all its threads together, in seconds. */
  cpu_s(): Promise<number>;
  close(): Promise<void>;
}

/** A host in this process, as it runs in a depot but for the limits on calls, with a dealer in it. */
export async function hostHere(): Promise<BareHost> {
  const data = await mkdtemp(join(tmpdir(), 'fleetdeck-bench-'));
  await makeDealer(data, dealerLogin, dealerPassword);
  const host = await startOver(data, {
    limits: { ...wideLimits, authorized_calls: 10_000_000, tiles: 10_000_000 },
    // All listeners of a benchmark are of one session.
    streamLimits: { perSession: 1_000, perUser: 1_000, perAddress: 1_000 },
  });
  return {
    url: host.url,
    cpu_s: () => Promise.resolve(ownCpuS()),
    async close() {
      await host.close();
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** Starts a host in this process over a data folder, as it runs in a depot. */
export function startOver(
  data: string,
  given: Pick<StartOptions, 'limits' | 'streamLimits'>,
): Promise<RunningHost> {
  return startServer({
    config: {
      ...{
        data,
        host: '127.0.0.1',
        port: 0,
        intakeHost: '127.0.0.1',
        osmandPort: 0,
        teltonikaPort: 0,
        wialonPort: 0,
        jt808Port: 0,
        jt1078Port: 0,
        mediaAddress: null,
      },
      ...{ jwtTtlS: null, timezone: null, tlsCert: null, tlsKey: null, tlsSelf: false },
      ...{ allowHosts: [], insecureLan: false, announce: false, apiAccess: 'open' },
    },
    log: pino({ level: 'silent' }),
    consoleFolder: join(data, 'no-console'),
    ...given,
  });
}

/** The same in a process of its own, so that its processor time is its own. */
export async function hostInChildProcess(): Promise<BareHost> {
  const child = fork(fileURLToPath(import.meta.url), [asked]);
  const answer = async () => {
    const [value] = (await once(child, 'message')) as [unknown];
    return value;
  };
  const url = String(await answer());
  return {
    url,
    async cpu_s() {
      child.send('cpu');
      return Number(await answer());
    },
    async close() {
      const gone = once(child, 'exit');
      child.send('close');
      await gone;
    },
  };
}

function ownCpuS(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

const asked = 'as-host-of-its-own';

if (process.argv[2] === asked) {
  const host = await hostHere();
  process.on('message', (message) => {
    if (message === 'cpu') process.send?.(ownCpuS());
    else void host.close().then(() => process.disconnect());
  });
  process.send?.(host.url);
}
