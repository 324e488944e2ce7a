import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import { readCrashes } from '../../electron/crashRecords.ts';
import { loginResponse } from '../../server/contract/auth.ts';
import { track as trackReply } from '../../server/contract/positions.ts';
import type { Order } from '../electron/fakeElectron.ts';
import { withFakeElectron } from '../electron/withFakeElectron.ts';
import { anyPort } from '../support/freePorts.ts';
import { callerFor } from '../support/testHost.ts';
import { statusOf } from './packedWork.ts';

const dealer = { login: 'dealer', password: 'a dealer of the depot' };
const terminal = 'desktop-1';
/** Smaller than Node's own choice, so that it is soon full. */
const HEAP_MB = 512;
const patience = { timeout: 60_000, interval: 100 };

/**
 * Starts the desktop with Node and a stand-in for Electron, and has it hang, run out of memory and be killed: each time it
 * is back by itself, has recorded why, and has each position that it acknowledged once. It ends when it is asked to.
 *
 * @param main its main entry
 * @param folder an empty one, for all of its files
 * @param makeDealer makes the dealer of the data folder
 */
export async function desktopSurvives(
  main: string,
  folder: string,
  makeDealer: (data: string, who: typeof dealer) => Promise<void>,
): Promise<void> {
  mkdirSync(folder);
  await makeDealer(join(folder, 'data'), dealer);
  const [consolePort, osmandPort] = [anyPort(), anyPort()];
  writeFileSync(join(folder, 'ports.json'), JSON.stringify({ ports: [consolePort] }));
  const url = `http://127.0.0.1:${consolePort}`;
  const first = fork(main, {
    execArgv: [],
    silent: true,
    env: {
      ...process.env,
      ...withFakeElectron(folder, `--max-old-space-size=${HEAP_MB}`),
      'FAKE_osmand-port': String(osmandPort),
      FLEETDECK_RESTART_PAUSES_S: '0.1,0.1,0.1,0.1',
      // A start on a busy machine may be silent for some seconds.
      FLEETDECK_HUNG_AFTER_S: '15',
    },
  });
  const pidOf = (which: string) => Number(readFileSync(join(folder, `${which}.pid`), 'utf8'));
  /** What those that came back asked Electron for. */
  const published = () => readFileSync(join(folder, 'published.jsonl'), 'utf8');
  const order = (order: Order) => first.send(order);

  const begun_s = Math.floor(Date.now() / 1_000) - 60;
  let sent = 0;
  const send = async () => {
    const query = `id=${terminal}&lat=52.5&lon=13.4&speed=10&timestamp=${begun_s + sent++}`;
    expect(await statusOf(`http://127.0.0.1:${osmandPort}/?${query}`)).toBe(200);
  };
  const caller = async () => {
    const { body } = await callerFor(url, '').post('/auth/login?jwt=1', dealer);
    return callerFor(url, loginResponse.parse(body).jwt);
  };
  const isUp = async () => (await fetch(`${url}/api/v1/health`).catch(() => null))?.ok ?? false;
  let pid = 0;
  /** Ends it in one way, waits until another process serves in its place, and sends to that. */
  const survives = async (end: () => unknown, reasons: string[]) => {
    end();
    await expect.poll(() => pidOf('program') !== pid, patience).toBe(true);
    await expect.poll(isUp, patience).toBe(true);
    // The last that it does at a start: one that ends before shows it at the next.
    await expect
      .poll(() => published().match(/was restarted automatically/g)?.length ?? 0, patience)
      .toBe(reasons.length);
    pid = pidOf('program');
    expect(readCrashes(folder).map((it) => it.reason)).toEqual(reasons);
    await send();
  };

  try {
    await expect.poll(isUp, patience).toBe(true);
    pid = pidOf('program');
    const vehicle = { terminal_id: terminal, name: 'Desktop van', plate: 'DV 1' };
    const { status, body } = await (await caller()).post('/api/v1/vehicles', vehicle);
    expect(status).toBe(201);
    const { vehicle_id } = z.object({ vehicle_id: z.string() }).parse(body);
    await send();
    await survives(() => order({ order: 'hang' }), ['hung']);
    await survives(() => process.kill(pid, 'SIGUSR2'), ['hung', 'out_of_memory']);
    await survives(() => process.kill(pid, 'SIGKILL'), ['hung', 'out_of_memory', 'killed']);

    const query = `from=${iso(begun_s)}&to=${iso(begun_s + sent)}`;
    const track = await (await caller()).get(`/api/v1/vehicles/${vehicle_id}/track?${query}`);
    expect(trackReply.parse(track.body).positions).toHaveLength(sent);
    const health = await (await caller()).get('/api/v1/health');
    expect(JSON.stringify(health.body)).toContain('Fleetdeck was ended by another program or by the system.');
    expect(published().match(/Fleetdeck ran out of memory/g)).toHaveLength(1);

    process.kill(pid, 'SIGTERM');
    await expect.poll(() => isRunning(pid), patience).toBe(false);
    await expect.poll(() => isRunning(pidOf('watch')), patience).toBe(false);
    expect(readCrashes(folder)).toHaveLength(3);
  } finally {
    for (const which of ['watch', 'program']) killIfRunning(pidOf(which));
    if (first.exitCode === null && first.signalCode === null) await once(first, 'exit');
  }
}

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString();

/** Not as one that has ended and whose parent has not asked for its exit code. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function killIfRunning(pid: number): void {
  if (isRunning(pid)) process.kill(pid, 'SIGKILL');
}
