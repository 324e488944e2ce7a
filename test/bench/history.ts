import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { chromium, type Page } from '@playwright/test';
import { build } from 'esbuild';
import { startConsoleHost } from '../e2e/depot.ts';
import { Operator } from '../e2e/operator.ts';
import { chromiumArguments, chromiumPath } from '../support/chromium.ts';
import { historyRoutes } from '../../server/contract/history.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { workOnHistory } from '../../server/history/historyWork.ts';
import type { HistoryReader } from '../../server/store/telemetry/historyReader.ts';
import type { PositionRow } from '../../server/store/telemetry/rows.ts';
import { presentPosition } from '../../server/telemetry/presentPosition.ts';

const vehicles = 1_000;
const dayMs = 86_400_000;
/** A working day of ten hours at a fix every ten seconds; the rest of the day one every five minutes. */
const drives = { fromHour: 7, toHour: 17, every_s: 10, parked_s: 300 };
const measured_s = 10;
const decoded = 200;

const builtConsole = fileURLToPath(new URL('../../dist/console/index.html', import.meta.url));
const pastTrackFile = fileURLToPath(new URL('../../renderer/history/pastTrack.ts', import.meta.url));
const packedTracksFile = fileURLToPath(new URL('../../server/contract/packedTracks.ts', import.meta.url));

/**
 * A day of a large fleet on the History screen: bytes beside those of JSON, decoding, and frames while it is scrubbed and
 * played. The tracks are thinned and packed as the server does, from fixes that are made up here.
 */
export async function benchHistory(): Promise<void> {
  if (!existsSync(builtConsole)) {
    console.log('history: skipped. The console is not built: `npm run build:console`.');
    return;
  }
  const host = await startConsoleHost();
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: [...chromiumArguments] });
  try {
    const dealer = await host.login();
    const list = Array.from({ length: vehicles }, (_, at) => ({
      terminal_id: `bench-${at}`,
      name: `Van ${at}`,
    }));
    const answer = await dealer.post('/api/v1/vehicles/import', list);
    if (answer.status !== 200) throw new Error(`the import answered ${answer.status}: ${answer.text}`);
    const fleet = ((await dealer.get('/api/v1/vehicles?limit=1000')).body as { items: Vehicle[] }).items;
    const numbers = new Map(fleet.map((it, at) => [it.vehicle_id, at]));
    const yesterday = Math.floor(Date.now() / dayMs) * dayMs - dayMs;
    const reader = readerOf(yesterday, (id) => numbers.get(id) ?? 0);
    console.log(`history: ${vehicles} vehicles, a day of ${fixesOf(yesterday, 0, 'x').length} fixes each`);
    printBytes(reader, fleet, yesterday);
    await benchDecoding(await browser.newPage(), packedOf(reader, fleet.slice(0, decoded), yesterday, 25));

    const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
    await page.route(`**${historyRoutes.tracks.path}`, async (route) => {
      const body = route.request().postDataJSON() as { vehicle_ids: string[]; tolerance_m: number };
      const asked = body.vehicle_ids.map((vehicle_id) => ({ vehicle_id }));
      // What is fulfilled here is not decoded on its way.
      const bytes = gunzipSync(packedOf(reader, asked, yesterday, body.tolerance_m));
      await route.fulfill({ body: bytes, contentType: 'application/octet-stream' });
    });
    const operator = new Operator(page);
    await operator.logIn(host.url);
    await operator.connection.filter({ hasText: 'Live' }).waitFor({ timeout: 60_000 });
    await page.goto(`${host.url}/#/history?at=${new Date(yesterday + 12 * 3_600_000).toISOString()}`);
    await page.getByRole('button', { name: /^\d{3} moving$/ }).waitFor({ timeout: 120_000 });
    await page.getByText('Loading tracks').waitFor({ state: 'detached', timeout: 120_000 });
    await page.waitForTimeout(2_000);
    await measure(page, 'nothing moves', () => page.waitForTimeout(measured_s * 1_000));
    // What a frame of the map costs on this machine, whoever moves it.
    await measure(page, 'dragging the map', () => dragMap(page));
    await measure(page, 'scrubbing the day', () => scrub(page));
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await measure(page, 'playing 60 times', () => page.waitForTimeout(measured_s * 1_000));
  } finally {
    await browser.close();
    await host.close();
  }
}

function printBytes(reader: HistoryReader, fleet: readonly Vehicle[], from_ms: number): void {
  const some = fleet.slice(0, 50);
  const bytesOf = (tolerance_m: number) => packedOf(reader, some, from_ms, tolerance_m).length / some.length;
  const rows = fixesOf(from_ms, 0, some[0]?.vehicle_id ?? '');
  const json = Buffer.from(JSON.stringify({ positions: rows.map((row) => presentPosition(row, 'bench-0')) }));
  const kB = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;
  console.log(`  a vehicle-day of JSON      ${kB(json.length)}, gzip ${kB(gzipSync(json).length)}`);
  for (const tolerance_m of [0, 5, 25, 100]) {
    const bytes = bytesOf(tolerance_m);
    const name = tolerance_m === 0 ? 'packed, every fix' : `packed, ${tolerance_m} m`;
    console.log(`  ${name.padEnd(26)} ${kB(bytes)}, 1/${Math.round(json.length / bytes)} of the JSON`);
  }
}

/** In the page: from the bytes of an answer to what the screen works with. */
async function benchDecoding(page: Page, bytes: Uint8Array): Promise<void> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { unpackTracks } from ${JSON.stringify(packedTracksFile)};
        import { toPastTrack } from ${JSON.stringify(pastTrackFile)};
        globalThis.decode = async (gzip) => {
          const stream = new Blob([gzip]).stream().pipeThrough(new DecompressionStream('gzip'));
          const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
          return unpackTracks(bytes).map((it) => toPastTrack(it, 3)).length;
        };`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'iife',
  });
  await page.goto('about:blank');
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
  const perSecond = await page.evaluate(async (base64) => {
    const { decode } = globalThis as unknown as { decode: (gzip: Uint8Array) => Promise<number> };
    const gzip = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    await decode(gzip);
    const begun = performance.now();
    let days = 0;
    while (performance.now() - begun < 3_000) days += await decode(gzip);
    return days / ((performance.now() - begun) / 1_000);
  }, Buffer.from(bytes).toString('base64'));
  console.log(`  decoded in the browser     ${Math.round(perSecond)} vehicle-days/s`);
  await page.close();
}

async function dragMap(page: Page): Promise<void> {
  const box = await page.locator('.maplibregl-canvas').boundingBox();
  if (box === null) throw new Error('there is no map');
  await dragAlong(page, (s) => ({
    x: box.x + box.width * (0.5 + 0.1 * Math.sin(s * 3)),
    y: box.y + box.height * (0.5 + 0.1 * Math.sin(s * 2)),
  }));
}

/** Drags the playhead over the whole day and back, as fast as a hand does. */
async function scrub(page: Page): Promise<void> {
  const box = await page.getByRole('slider', { name: 'Instant' }).boundingBox();
  if (box === null) throw new Error('there is no time bar');
  await dragAlong(page, (s) => {
    const share = 1 - Math.abs(((s / 5) % 2) - 1);
    return { x: box.x + 10 + share * (box.width - 20), y: box.y + box.height / 2 };
  });
}

async function dragAlong(page: Page, placeAt: (s: number) => { x: number; y: number }): Promise<void> {
  const first = placeAt(0);
  await page.mouse.move(first.x, first.y);
  await page.mouse.down();
  const begun = performance.now();
  for (let s = 0; s < measured_s; s = (performance.now() - begun) / 1_000) {
    const { x, y } = placeAt(s);
    await page.mouse.move(x, y);
  }
  await page.mouse.up();
}

/** Frames of the page, long tasks, and the script of its main thread. */
async function measure(page: Page, name: string, run: () => Promise<void>): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  const scriptS = async () =>
    (await client.send('Performance.getMetrics')).metrics.find((it) => it.name === 'ScriptDuration')?.value ??
    0;
  await page.evaluate(() => {
    const seen = { frames: [] as number[], long: [] as number[], isOver: false };
    new PerformanceObserver((entries) => {
      for (const { duration } of entries.getEntries()) seen.long.push(duration);
    }).observe({ type: 'longtask' });
    const next = (at: number) => {
      if (seen.isOver) return;
      seen.frames.push(at);
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    Object.assign(globalThis, { seen });
  });
  const before = await scriptS();
  await run();
  const script = (await scriptS()) - before;
  const { frames, long } = await page.evaluate(() => {
    const { seen } = globalThis as unknown as {
      seen: { frames: number[]; long: number[]; isOver: boolean };
    };
    seen.isOver = true;
    return seen;
  });
  await client.detach();
  const seconds = ((frames.at(-1) ?? 0) - (frames[0] ?? 0)) / 1_000;
  const gaps = frames.slice(1).map((at, index) => at - (frames[index] ?? at));
  const ordered = gaps.toSorted((a, b) => a - b);
  const at = (share: number) => ordered[Math.floor(share * ordered.length)] ?? Number.NaN;
  console.log(
    `  ${name.padEnd(26)} ${(frames.length / seconds).toFixed(1)} frames/s, p95 ${at(0.95).toFixed(0)} ms; ` +
      `script ${((1_000 * script) / frames.length).toFixed(1)} ms a frame; ` +
      `${long.length} long tasks, ${Math.round(Math.max(0, ...long))} ms at most`,
  );
}

function packedOf(
  reader: HistoryReader,
  fleet: readonly { vehicle_id: string }[],
  from_ms: number,
  tolerance_m: number,
): Uint8Array {
  const vehicle_ids = fleet.map((it) => it.vehicle_id);
  const order = { kind: 'tracks', vehicle_ids, from_ms, to_ms: from_ms + dayMs, gap_ms: 900_000 } as const;
  const made = workOnHistory({ ...order, tolerance_m, values: [] }, reader, () => undefined);
  if (made.kind !== 'bytes') throw new Error(`the tracks came as ${made.kind}`);
  return made.bytes;
}

function readerOf(day: number, numberOf: (vehicleId: string) => number): HistoryReader {
  const reader: Pick<HistoryReader, 'lastBefore' | 'drive'> = {
    lastBefore: () => null,
    drive: (id) => fixesOf(day, numberOf(id), id)[Symbol.iterator](),
  };
  return reader as HistoryReader;
}

/** The day of one vehicle: it turns as streets do, and stops now and then. */
function fixesOf(day: number, number: number, vehicle_id: string): PositionRow[] {
  const rows: PositionRow[] = [];
  let seed = number + 1;
  const chance = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  let lat = 52.52 + (chance() - 0.5) * 0.2;
  let lon = 13.4 + (chance() - 0.5) * 0.4;
  let [course, speed, waits] = [Math.floor(chance() * 4) * 90, 0, 0];
  for (let s = 0; s < dayMs / 1_000;) {
    const isAtWork = s >= drives.fromHour * 3_600 && s < drives.toHour * 3_600;
    const step = isAtWork ? drives.every_s : drives.parked_s;
    if (!isAtWork) speed = 0;
    else if (waits > 0) {
      waits -= 1;
      speed = 0;
    } else {
      if (chance() < 0.01) waits = Math.floor(chance() * 60);
      if (chance() < 0.12) course = (course + (chance() < 0.5 ? 90 : 270)) % 360;
      speed = Math.max(8, Math.min(70, speed + (chance() - 0.45) * 20));
    }
    // At the edge of the town it turns round.
    if (Math.abs(lat - 52.52) > 0.15 || Math.abs(lon - 13.4) > 0.25) course = (course + 180) % 360;
    const degrees = (speed / 3.6) * step * 0.000_009;
    lat += Math.cos((course * Math.PI) / 180) * degrees + (speed > 0 ? (chance() - 0.5) * 0.000_04 : 0);
    lon += Math.sin((course * Math.PI) / 180) * degrees * 1.6 + (speed > 0 ? (chance() - 0.5) * 0.000_04 : 0);
    const time_ms = day + s * 1_000;
    rows.push({
      ...{ vehicle_id, time_ms, received_ms: time_ms + 800, lat, lon, altitude_m: 35, speed_kmh: speed },
      ...{ course_deg: course, accuracy_m: 5, satellites: 9, hdop: 0.9, valid: true, ignition: isAtWork },
      ...{ odometer_m: null, battery_pct: 90, alarms: [], attributes: { power_v: 13.8 } },
    });
    s += step;
  }
  return rows;
}
