import { z } from 'zod';
import { maxPositions } from '../../server/contract/positions.ts';
import { callerFor, dealerLogin, dealerPassword, type Caller } from '../support/testHost.ts';
import { hostHere, type BareHost } from './hostApart.ts';

export interface BenchHost extends BareHost {
  dealer: Caller;
  terminals: string[];
  /** Stores one position of each of these vehicles; resolves, after the commit, with the time that they all bear. */
  report(terminals: readonly string[]): Promise<string>;
}

/** A host with so many vehicles and a position of each. */
export async function startBenchHost(vehicles: number, start = hostHere): Promise<BenchHost> {
  const host = await start();
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
    for (let at = 0; at < positions.length; at += maxPositions)
      await accepted(dealer, '/api/v1/positions', { positions: positions.slice(at, at + maxPositions) });
    return time;
  };
  await report(terminals);
  return { ...host, dealer, terminals, report };
}

async function accepted(dealer: Caller, path: string, body: unknown): Promise<void> {
  const answer = await dealer.post(path, body);
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
}
