import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { startBenchHost } from './benchHost.ts';
import { load, type Load } from './load.ts';

const vehicles = 5_000;
const connections = 4;
const rounds = 6;
const roundSeconds = 1;

/** Long lists, beside an Express handler that has the same bytes ready. */
export async function benchLists(): Promise<void> {
  const host = await startBenchHost(vehicles);
  const headers = { Authorization: `JWT ${host.dealer.jwt}` };
  console.log(`lists: ${vehicles} vehicles, ${connections} connections, ${rounds * roundSeconds} s each`);
  for (const path of ['/api/v1/positions/latest', '/api/v1/vehicles?limit=1000']) {
    const { text } = await host.dealer.get(path);
    const app = express();
    app.get('/', (_request, response) => {
      response.type('json').send(text);
    });
    const bare = createServer(app).listen(0, '127.0.0.1');
    await once(bare, 'listening');
    const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;
    const asked = { headers, connections, seconds: roundSeconds };
    const ours: Load[] = [];
    const theirs: Load[] = [];
    // In turns, so that what else the machine does falls on both; the first round only warms up.
    for (let round = 0; round <= rounds; round++) {
      const mine = await load({ ...asked, urls: [`${host.url}${path}`] });
      const bareLoad = await load({ ...asked, urls: [bareUrl] });
      if (round === 0) continue;
      ours.push(mine);
      theirs.push(bareLoad);
    }
    bare.close();
    console.log(`  GET ${path} (${Math.round(text.length / 1_000)} kB)`);
    print('ours', ours);
    print('the same bytes', theirs);
    console.log(`    ratio                ${(rate(ours) / rate(theirs)).toFixed(2)}`);
  }
  await host.close();
}

function rate(loads: readonly Load[]): number {
  return loads.reduce((sum, it) => sum + it.perSecond, 0) / loads.length;
}

function print(name: string, loads: readonly Load[]): void {
  const medians = loads.map((it) => it.medianMs).sort((a, b) => a - b);
  const median = medians[Math.floor(medians.length / 2)] ?? Number.NaN;
  console.log(`    ${name.padEnd(20)} ${rate(loads).toFixed(1)}/s, median ${median.toFixed(1)} ms`);
}
