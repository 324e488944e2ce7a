/**
 * Writes the data of the demo to resources/demo: `node test/demo/makeDemo.ts`, with `--seed 2` for another town and
 * other drivers.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cameraData } from './cameraData.ts';
import { recordFleet } from './recordFleet.ts';
import { createTown } from './town.ts';

const FOLDER = new URL('../../resources/demo/', import.meta.url);

/** What is written, by the name of its file; the same for the same seed. */
export function demoFiles(seed: number): Record<string, string> {
  const town = createTown(seed);
  return {
    'camera.json': JSON.stringify(cameraData()),
    'town.json': JSON.stringify(town.features),
    'fleet.json': JSON.stringify(recordFleet(town, seed)),
  };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } });
  for (const [name, text] of Object.entries(demoFiles(Number(values.seed))))
    writeFileSync(new URL(name, FOLDER), `${text}\n`);
}
