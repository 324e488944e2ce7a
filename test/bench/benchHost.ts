import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { z } from 'zod';
import { makeDealer, startServer } from '../../server/app.ts';
import { callerFor, dealerLogin, dealerPassword, wideLimits, type Caller } from '../support/testHost.ts';

export interface BenchHost {
  url: string;
  dealer: Caller;
  terminals: string[];
  /** Stores one position of each of these vehicles; resolves after the commit. */
  report(terminals: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** A host as it runs in a depot, but for the limits on calls, with so many vehicles and a position of each. */
export async function startBenchHost(vehicles: number): Promise<BenchHost> {
  const data = await mkdtemp(join(tmpdir(), 'fleetdeck-bench-'));
  await makeDealer(data, dealerLogin, dealerPassword);
  const host = await startServer({
    config: {
      ...{ data, host: '127.0.0.1', port: 0, intakeHost: '127.0.0.1', osmandPort: 0, jwtTtl_s: null },
      ...{ timezone: null, tlsCert: null, tlsKey: null, allowHosts: [], insecureLan: false },
    },
    log: pino({ level: 'silent' }),
    consoleFolder: join(data, 'no-console'),
    limits: wideLimits,
  });
  const credentials = { login: dealerLogin, password: dealerPassword };
  const login = await callerFor(host.url, '').post('/auth/login?jwt=1', credentials);
  const dealer = callerFor(host.url, z.object({ jwt: z.string() }).parse(login.body).jwt);
  const terminals = Array.from({ length: vehicles }, (_, at) => `bench-${at}`);
  await accepted(
    dealer,
    '/api/v1/vehicles/import',
    terminals.map((terminal_id) => ({
      terminal_id,
      name: `Van ${terminal_id}`,
      plate: 'B AB 1234',
      type: 'van',
    })),
  );
  let reports = 0;
  const report: BenchHost['report'] = async (some) => {
    reports += 1;
    // One millisecond apart at the least: two of one vehicle at one time would be one position.
    const time = new Date(Date.now() - 60_000 + reports).toISOString();
    const positions = some.map((terminal_id, at) => ({
      ...{ terminal_id, time, lat: 52 + at / 10_000, lon: 13 + at / 10_000 },
      ...{ speed_kmh: 42.5, course_deg: 270, altitude_m: 35, satellites: 11, ignition: true },
    }));
    await accepted(dealer, '/api/v1/positions', { positions });
  };
  await report(terminals);
  return {
    url: host.url,
    dealer,
    terminals,
    report,
    async close() {
      await host.close();
      await rm(data, { recursive: true, force: true });
    },
  };
}

async function accepted(dealer: Caller, path: string, body: unknown): Promise<void> {
  const answer = await dealer.post(path, body);
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
}
