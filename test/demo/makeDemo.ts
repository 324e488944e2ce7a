/**
 * Writes the data of the demo to resources/demo: `node test/demo/makeDemo.ts`, with `--seed 2` for another town and
 * other drivers.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cameraData } from './cameraData.ts';
import { recordFleet } from './recordFleet.ts';
import { makeMbtiles } from '../support/mapFiles.ts';
import { createTown } from './town.ts';
import { TOWN_NAME } from './townPlan.ts';
import { townTiles } from './townTiles.ts';

const FOLDER = new URL('../../resources/demo/', import.meta.url);

/** The town's map file: the same tiles for the same seed. */
export const townFile = new URL('town.mbtiles', FOLDER);

/** What else is written, by the name of its file; the same for the same seed. */
export function demoFiles(seed: number): Record<string, string> {
  const town = createTown(seed);
  return {
    'camera.json': JSON.stringify(cameraData()),
    'fleet.json': JSON.stringify(recordFleet(town, seed)),
  };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } });
  for (const [name, text] of Object.entries(demoFiles(Number(values.seed))))
    writeFileSync(new URL(name, FOLDER), `${text}\n`);
  rmSync(townFile, { force: true });
  const { features } = createTown(Number(values.seed));
  makeMbtiles(fileURLToPath(townFile), {
    tiles: townTiles(features),
    attribution: `${TOWN_NAME}, an invented town`,
  });
}
