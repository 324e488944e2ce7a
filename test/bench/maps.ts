import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { mapRoutes } from '../../server/contract/maps.ts';
import { placeRoutes } from '../../server/contract/places.ts';
import { makeMbtiles } from '../support/mapFiles.ts';
import { startBenchHost, type BenchHost } from './benchHost.ts';
import { load, type Load } from './load.ts';
import { boundsOf, cityTiles, corner, makePmtiles, readable } from './madeMap.ts';

/** 1,024 tiles: more than the host keeps. */
const side = 32;
const connections = 4;
const rounds = 6;
const roundSeconds = 1;

/** Tiles of both formats, beside express.static that has the same bytes in a file each. */
export async function benchMapTiles(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fleetdeck-bench-'));
  const host = await startBenchHost(1);
  try {
    const about = readable('', side);
    const tiles = [...cityTiles(side)];
    const layers = ['transportation', 'place'];
    const files = {
      PMTiles: makePmtiles(join(folder, 'city.pmtiles'), tiles, about),
      MBTiles: makeMbtiles(join(folder, 'city.mbtiles'), { tiles, bounds: boundsOf(about), layers }),
    };
    const near = tiles.filter(({ z }) => z === 14);
    await mkdir(join(folder, 'static'));
    for (const { x, y, bytes } of near) await writeFile(join(folder, 'static', `${x}-${y}`), bytes);
    const bare = createServer(express().use(express.static(join(folder, 'static')))).listen(0, '127.0.0.1');
    await once(bare, 'listening');
    const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`;
    const theirs = near.map(({ x, y }) => `${bareUrl}/${x}-${y}`);
    const mean = near.reduce((sum, { bytes }) => sum + bytes.length, 0) / near.length;
    console.log(
      `map tiles: of ${Math.round(mean / 1_000)} kB, ${connections} connections, ${rounds * roundSeconds} s each`,
    );
    for (const [format, path] of Object.entries(files)) {
      const { map_id } = await host.dealer.ask(mapRoutes.add, { body: { path } });
      // The map is indexed for the search meanwhile.
      while ((await host.dealer.ask(placeRoutes.indexes)).items.some(({ state }) => state === 'indexing'))
        await pause(200);
      const ours = near.map(({ x, y }) => `${host.url}/api/v1/maps/${map_id}/14/${x}/${y}`);
      await compare(`one tile of ${format}`, host, ours.slice(0, 1), theirs.slice(0, 1));
      await compare(`${near.length} tiles of ${format}`, host, ours, theirs);
    }
    const composed = `/api/v1/maps/streets/14/${corner.x}/${corner.y}`;
    const answer = await fetch(`${host.url}${composed}`, {
      headers: { Authorization: `JWT ${host.dealer.jwt}` },
    });
    await writeFile(join(folder, 'static', 'composed'), gzipSync(await answer.bytes(), { level: 1 }));
    await compare(
      'one tile, composed of all street maps',
      host,
      [`${host.url}${composed}`],
      [`${bareUrl}/composed`],
    );
    bare.close();
  } finally {
    await host.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** In turns, so that what else the machine does falls on both; the first round only warms up. */
async function compare(name: string, { dealer }: BenchHost, ours: string[], theirs: string[]): Promise<void> {
  const headers = { Authorization: `JWT ${dealer.jwt}`, 'Accept-Encoding': 'gzip' };
  const asked = { headers, connections, seconds: roundSeconds };
  const loads: { ours: Load[]; theirs: Load[] } = { ours: [], theirs: [] };
  for (let round = 0; round <= rounds; round++) {
    const mine = await load({ ...asked, urls: ours });
    const bare = await load({ ...asked, urls: theirs });
    if (round === 0) continue;
    loads.ours.push(mine);
    loads.theirs.push(bare);
  }
  const rate = (of: readonly Load[]) => of.reduce((sum, it) => sum + it.perSecond, 0) / of.length;
  console.log(`  ${name}`);
  console.log(`    ours                 ${rate(loads.ours).toFixed(0)}/s`);
  console.log(`    express.static       ${rate(loads.theirs).toFixed(0)}/s`);
  console.log(`    ratio                ${(rate(loads.ours) / rate(loads.theirs)).toFixed(2)}`);
}
