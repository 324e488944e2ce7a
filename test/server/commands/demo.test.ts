import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { logIn } from '../../../server/commands/restClient.ts';
import { freePorts } from '../../support/freePorts.ts';

const program = fileURLToPath(new URL('../../../server/commands/fleetdeck.cjs', import.meta.url));

/** Starts the demo on a data folder, counts its vehicles and ends it. Throws with what it printed when it ends early. */
async function vehiclesOfDemo(data: string): Promise<number> {
  const demo = spawn(process.execPath, [program, 'demo', '--data', data, ...freePorts()]);
  const exit = once(demo, 'exit');
  try {
    let printed = '';
    demo.stderr.on('data', (chunk) => (printed += String(chunk)));
    for await (const chunk of demo.stdout) {
      printed += String(chunk);
      const found = /(?<url>http:\S+)\s+login\s+(?<login>\S+)\s+password\s+(?<password>\S+)/.exec(printed);
      const { url, login, password } = found?.groups ?? {};
      if (url === undefined || login === undefined || password === undefined) continue;
      const dealer = await logIn(url, { login, password });
      return (await dealer.call(vehicleRoutes.list, { query: { limit: 1_000 } })).items.length;
    }
    throw new Error(`the demo ended: ${printed}`);
  } finally {
    demo.kill('SIGTERM');
    await exit;
  }
}

it('the demo starts again on its own data folder, with the same vehicles', { timeout: 240_000 }, async () => {
  const data = await mkdtemp(join(tmpdir(), 'fleetdeck-demo-test-'));
  try {
    const first = await vehiclesOfDemo(data);
    expect(first).toBeGreaterThan(0);
    expect(await vehiclesOfDemo(data)).toBe(first);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});
