import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { openMbtiles } from '../../server/maps/mbtilesFile.ts';
import { demoFiles, townFile } from './makeDemo.ts';
import { createTown } from './town.ts';
import { townTiles } from './townTiles.ts';

const FOLDER = new URL('../../resources/demo/', import.meta.url);

it('the stored files of the demo are what its script makes, and together less than 2 MB', () => {
  const stored = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name, readFileSync(new URL(name, FOLDER), 'utf8')]);
  const made = Object.entries(demoFiles(1)).map(([name, text]) => [name, `${text}\n`]);
  // Compared as a truth: a difference of megabytes is nothing to print.
  expect(JSON.stringify(stored) === JSON.stringify(made.sort())).toBe(true);
  expect(stored.reduce((sum, [, text = '']) => sum + text.length, 0)).toBeLessThan(2_000_000);
});

it('the stored map of the town has the tiles that its script makes', async () => {
  const file = openMbtiles(fileURLToPath(townFile));
  expect(file.about).toMatchObject({ schema: 'fleetdeck', min_zoom: 8, max_zoom: 14 });
  const made = townTiles(createTown(1).features);
  expect(made.length).toBeGreaterThan(40);
  for (const { z, x, y, bytes } of made) {
    const stored = await file.tile(z, x, y);
    // Compressed by whichever release of zlib: the bytes within are what counts.
    expect(stored !== null && gunzipSync(stored).equals(gunzipSync(bytes)), `${z}/${x}/${y}`).toBe(true);
  }
  file.close();
});
