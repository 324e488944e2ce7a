import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { placeOfTilePoint } from '../../server/maps/composeTile.ts';
import type { ReadableMap } from '../../server/maps/readTiles.ts';
import { createPlaces } from '../../server/places/places.ts';
import { openPlaceSearch } from '../../server/places/search/placeSearch.ts';
import { tileExtent } from '../../server/contract/mapLayers.ts';
import { makeMbtiles, type MadeTile } from '../support/mapFiles.ts';
import {
  boundsOf,
  chanceFrom,
  cityTiles,
  corner,
  makePmtiles,
  packed,
  placeFeature,
  readable,
  streetFeatures,
  streetName,
  townName,
  type Chance,
} from './madeMap.ts';
import { peakMemory } from './peakMemory.ts';

const caller = { user_id: 'bench', signal: new AbortController().signal };
const layers = ['transportation', 'place'];

/** Tiles from side to side: some 300 MB. */
const reverseSide = 86;
const batches = 60;
const batchPoints = 1_000;
const singleCalls = 2_000;

/** The addresses of points by the thread that the API asks. */
export async function benchPlacesReverse(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fleetdeck-bench-'));
  try {
    const about = readable('', reverseSide);
    const given = { bounds: boundsOf(about), layers };
    await nameAll(makePmtiles(join(folder, 'land.pmtiles'), cityTiles(reverseSide), about));
    await rm(join(folder, 'land.pmtiles'));
    await nameAll(makeMbtiles(join(folder, 'land.mbtiles'), { tiles: cityTiles(reverseSide), ...given }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function nameAll(path: string): Promise<void> {
  const places = createPlaces({ readable: () => [readable(path, reverseSide)], version: () => 1 });
  const chance = chanceFrom(7);
  const pointIn = (x: number, y: number) =>
    placeOfTilePoint([chance() * tileExtent, chance() * tileExtent], 14, x, y);
  const { size } = await stat(path);
  console.log(`places reverse: ${path.slice(path.lastIndexOf('.') + 1)} of ${Math.round(size / 1e6)} MB`);

  const middle = corner.x + reverseSide / 2;
  const points = Array.from({ length: batchPoints }, () => pointIn(middle, corner.y + 9));
  const named = (await places.of(points, caller)).filter((it) => it !== null).length;
  const together = await timesOf(batches, () => places.of(points, caller));
  const rate = (ms: number) => Math.round((1_000 * batchPoints) / ms).toLocaleString('en');
  console.log(
    `  within a cached tile   ${rate(at(together.taken_ms, 0.5))} points/s by calls of ${batchPoints} (${named} named), ` +
      `${rate(at(together.cpu_ms, 0.5))} for each second of the processor`,
  );
  const { result: single, growthMb } = await peakMemory(() =>
    timesOf(singleCalls, () => {
      const step = () => Math.floor(chance() * reverseSide);
      return places.of([pointIn(corner.x + step(), corner.y + step())], caller);
    }),
  );
  console.log(`  one point of any tile  ${quantiles(single)}`);
  console.log(`  memory                 +${growthMb.toFixed(0)} MB at the most`);
  await places.close();
}

const towns = 40;
const searchSide = 80;
const streetsPerTile = 160;
const queriesEach = 200;

/** The index of a million names, and searches in it by the thread that the API asks. */
export async function benchPlacesSearch(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fleetdeck-bench-'));
  const chance = chanceFrom(11);
  const kept: { street: string; town: string; lat: number; lon: number }[] = [];
  const map: ReadableMap = readable(join(folder, 'land.mbtiles'), searchSide);
  makeMbtiles(map.path, { tiles: namedTiles(chance, kept), bounds: boundsOf(map), layers });
  await mkdir(join(folder, 'maps'));
  const begun = performance.now();
  const search = await openPlaceSearch({
    maps: { folder: join(folder, 'maps'), readable: () => [map], onChange: () => () => undefined },
    log: pino({ level: 'silent' }),
  });
  try {
    await new Promise<void>((resolve) => void search.onChange(resolve));
    const index_s = (performance.now() - begun) / 1_000;
    const names = searchSide * searchSide * streetsPerTile;
    console.log(`places search: ${names.toLocaleString('en')} names of streets in ${towns} towns`);
    console.log(`  index                  ${((index_s / names) * 1e5).toFixed(1)} s for each 100,000 names`);
    const kinds: Record<string, (street: string, town: string) => string> = {
      'the whole name': (street) => street,
      'the name and the town': (street, town) => `${street} ${town}`,
      'its beginning': (street) => street.slice(0, Math.max(5, street.length - 4)),
      'two words of it': (street, town) => `${lastWord(street).slice(0, 6)} ${town.slice(0, 5)}`,
      'within a word of it': (street) => lastWord(street).slice(2, 9),
      'the town alone': (_, town) => town,
      'one letter': (street) => street.slice(0, 1),
      'three letters': (street) => lastWord(street).slice(0, 3),
      'with a typo': (street, town) => `${mistyped(street, chance)} ${town}`,
      'with a typo, no town': (street) => mistyped(street, chance),
    };
    for (const [kind, typedOf] of Object.entries(kinds)) {
      let found = 0;
      const times = await timesOf(queriesEach, async (call) => {
        const { street, town, lat, lon } = kept[Math.floor(chance() * kept.length)] ?? raise();
        // Every second one by a view that lies elsewhere.
        const near = call % 2 === 0 ? { lat, lon } : { lat: map.area.south, lon: map.area.east };
        const typed = typedOf(street, town);
        const items = await search.search(typed, near, 10, caller);
        if (items.some(({ name }) => name === street || name === typed)) found++;
      });
      console.log(`  ${kind.padEnd(22)} ${quantiles(times)}, ${found} of ${queriesEach} found`);
    }
  } finally {
    await search.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Each town has a strip of the land, and streets of its own; some names are in many towns. */
function* namedTiles(
  chance: Chance,
  kept: { street: string; town: string; lat: number; lon: number }[],
): Generator<MadeTile> {
  const everywhere = Array.from({ length: 400 }, () => streetName(chance));
  const perTown = searchSide ** 2 / towns;
  let town = '';
  for (let i = 0; i < searchSide ** 2; i++) {
    if (i % perTown === 0) town = townName(chance);
    // Blocks of tiles, so that a town is no line across the land.
    const [block, within] = [Math.floor(i / perTown), i % perTown];
    const x = corner.x + (block % 8) * 10 + (within % 10);
    const y = corner.y + Math.floor(block / 8) * 16 + Math.floor(within / 10);
    const names = Array.from({ length: streetsPerTile }, () =>
      chance() < 0.1 ? (everywhere[Math.floor(chance() * everywhere.length)] ?? '') : streetName(chance),
    );
    if (i % 10 === 5)
      kept.push({ street: names[0] ?? '', town, ...placeOfTilePoint([2_048, 2_048], 14, x, y) });
    const place = i % perTown === perTown / 2 + 5 ? [placeFeature('city', town, chance)] : [];
    yield { z: 14, x, y, bytes: packed({ transportation_name: streetFeatures(names, chance), place }) };
  }
}

const lastWord = (street: string) => street.slice(street.lastIndexOf(' ') + 1);

/** With another letter in the middle of its last word. */
function mistyped(street: string, chance: Chance): string {
  const at = street.length - Math.ceil(lastWord(street).length / 2);
  const letter = 'bcdfghjklmnpqrstvwxyz'.charAt(Math.floor(chance() * 21));
  return `${street.slice(0, at)}${letter}${street.slice(at + 1)}`;
}

function at(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

interface Times {
  taken_ms: number[];
  /** Of the processor, all threads together: a busy machine makes it little longer. */
  cpu_ms: number[];
}

async function timesOf(calls: number, run: (call: number) => Promise<unknown>): Promise<Times> {
  const times: Times = { taken_ms: [], cpu_ms: [] };
  for (let call = 0; call < calls; call++) {
    const [begun, before] = [performance.now(), process.cpuUsage()];
    await run(call);
    times.taken_ms.push(performance.now() - begun);
    const { user, system } = process.cpuUsage(before);
    times.cpu_ms.push((user + system) / 1_000);
  }
  return times;
}

function quantiles({ taken_ms, cpu_ms }: Times): string {
  const of = (times: readonly number[]) =>
    `p50 ${at(times, 0.5).toFixed(1)} ms, p99 ${at(times, 0.99).toFixed(1)} ms`;
  return `${of(taken_ms)}; of the processor ${of(cpu_ms)}`;
}

function raise(): never {
  throw new Error('there is no such street');
}
