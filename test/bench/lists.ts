import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { startBenchHost } from './benchHost.ts';
import { load } from './load.ts';

const vehicles = 5_000;
const connections = 4;
const seconds = 3;

/** Long lists, beside an Express handler that has the same bytes ready. */
export async function benchLists(): Promise<void> {
  const host = await startBenchHost(vehicles);
  const headers = { Authorization: `JWT ${host.dealer.jwt}` };
  console.log(`lists: ${vehicles} vehicles, ${connections} connections, ${seconds} s each`);
  for (const path of ['/api/v1/positions/latest', '/api/v1/vehicles?limit=1000']) {
    const { text } = await host.dealer.get(path);
    const app = express();
    app.get('/', (_request, response) => {
      response.type('json').send(text);
    });
    const bare = createServer(app).listen(0, '127.0.0.1');
    await once(bare, 'listening');
    const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;
    const asked = { headers, connections };
    await load({ ...asked, url: `${host.url}${path}`, seconds: 0.5 });
    await load({ ...asked, url: bareUrl, seconds: 0.5 });
    const ours = await load({ ...asked, url: `${host.url}${path}`, seconds });
    const theirs = await load({ ...asked, url: bareUrl, seconds });
    bare.close();
    console.log(`  GET ${path} (${Math.round(text.length / 1_000)} kB)`);
    console.log(
      `    ours                 ${ours.perSecond.toFixed(1)}/s, median ${ours.medianMs.toFixed(1)} ms`,
    );
    console.log(
      `    the same bytes       ${theirs.perSecond.toFixed(1)}/s, median ${theirs.medianMs.toFixed(1)} ms`,
    );
    console.log(`    ratio                ${(ours.perSecond / theirs.perSecond).toFixed(2)}`);
  }
  await host.close();
}
