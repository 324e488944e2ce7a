import { existsSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { SourceMap } from 'node:module';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium, expect, type CDPSession, type Page } from '@playwright/test';
import { clipAnswer, startCamera } from '../e2e/camera.ts';
import { createDepot, MIDDLE, pressSos, startConsoleHost, type Depot } from '../e2e/depot.ts';
import { Operator } from '../e2e/operator.ts';
import { chromiumArguments, chromiumPath } from '../support/chromium.ts';
import { connectFakeTeltonika } from '../support/fakeTeltonika.ts';
import { dealerLogin, dealerPassword, type TestHost } from '../support/testHost.ts';
import { ROOT } from './sources.ts';

/** What V8 reports of one script: functions by where they begin in it, and how often each ran. */
interface ScriptCoverage {
  url: string;
  functions: { ranges: { startOffset: number; count: number }[] }[];
}

/** Gives the files of ours of which a function ran since the last call, from the project's root. */
type TakeFiles = () => Promise<Set<string>>;

/** What has nothing to do with what a path is about gets so much time to come to rest. */
const quiet_ms = 3_000;
const imei = '356307042441013';

/** The files that one position of a Teltonika terminal runs through, from the socket to the map of an open console. */
export function pathOfPosition(): Promise<string[]> {
  return withConsole(async ({ host, depot, operator, take }) => {
    const vehicle = await depot.addVehicle({ name: 'V 1', terminal_id: imei });
    await depot.report({ vehicle, ...MIDDLE, speed_kmh: 30, ignition: true });
    const terminal = await connectFakeTeltonika({ port: host.teltonikaPort, imei });
    await terminal.logIn();
    await operator.openLive(host.url);
    await expect(operator.vehicle('V 1')).toContainText('30 km/h');
    await pause(quiet_ms);
    await take();
    await terminal.send([{ time_ms: Date.now(), lat: MIDDLE.lat, lon: MIDDLE.lon, speed_kmh: 48 }]);
    await expect(operator.vehicle('V 1')).toContainText('48 km/h');
    const files = await take();
    terminal.abort();
    return [...files];
  });
}

/** The files that one clip of an alarm runs through, from the key V to the playing picture. */
export function pathOfClip(): Promise<string[]> {
  return withConsole(async ({ host, depot, operator, page, take }) => {
    const camera = await startCamera(await clipAnswer());
    try {
      const vehicle = await depot.addVehicle({ name: 'V 1' });
      await depot.addCameras(vehicle, 1, { url: camera.url });
      await depot.report({ vehicle, ...MIDDLE, speed_kmh: 0, ignition: true });
      await pressSos(depot, vehicle);
      await operator.openLive(host.url);
      await operator.row('SOS button').click();
      await pause(quiet_ms);
      await take();
      await operator.press('v');
      const places = () =>
        page.locator('video').evaluateAll((all) => all.map((it) => (it as HTMLVideoElement).currentTime));
      await expect.poll(async () => (await places())[0] ?? 0, { timeout: 60_000 }).toBeGreaterThan(0.2);
      return [...(await take())];
    } finally {
      await camera.close();
    }
  });
}

interface Watched {
  host: TestHost;
  depot: Depot;
  operator: Operator;
  page: Page;
  take: TakeFiles;
}

async function withConsole(run: (watched: Watched) => Promise<string[]>): Promise<string[]> {
  const session = new Session();
  const takeHost = await watchHost(session);
  const host = await startConsoleHost();
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: [...chromiumArguments] });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
    const takePage = await watchPage(await page.context().newCDPSession(page), host.url);
    const take = async () => new Set([...(await takeHost()), ...(await takePage())]);
    const depot = createDepot(await host.login(dealerLogin, dealerPassword));
    const files = await run({ host, depot, operator: new Operator(page), page, take });
    return files.sort();
  } finally {
    await browser.close();
    await host.close();
    session.disconnect();
  }
}

const start = { callCount: true, detailed: false };

/** The host's main thread, which is this one, and its workers. */
async function watchHost(session: Session): Promise<TakeFiles> {
  session.connect();
  const workers = new Set<(method: string, params?: object) => Promise<unknown>>();
  const waiting = new Map<string, (result: unknown) => void>();
  let count = 0;
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
    const { id, result } = JSON.parse(params.message) as { id?: number; result?: unknown };
    waiting.get(`${params.sessionId}:${id}`)?.(result);
  });
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
    const post = (method: string, params: object = {}) =>
      new Promise<unknown>((resolve) => {
        const id = ++count;
        waiting.set(`${sessionId}:${id}`, resolve);
        const message = JSON.stringify({ id, method, params });
        void session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
      });
    workers.add(post);
    void post('Profiler.enable').then(() => post('Profiler.startPreciseCoverage', start));
  });
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', start);
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  return async () => {
    const taken = await Promise.all([
      session.post('Profiler.takePreciseCoverage'),
      ...[...workers].map((post) => post('Profiler.takePreciseCoverage')),
    ]);
    const scripts = taken.flatMap((it) => (it as { result: ScriptCoverage[] }).result);
    const ours = scripts.filter((it) => it.url.startsWith(pathToFileURL(ROOT).href) && hasRun(it));
    return new Set(
      ours.map((it) => relative(ROOT, fileURLToPath(it.url))).filter((path) => path.startsWith('server')),
    );
  };
}

function hasRun({ functions }: ScriptCoverage): boolean {
  return functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
}

/** The page of the console; its shared worker, which only hands the stream on, is not seen. */
async function watchPage(cdp: CDPSession, url: string): Promise<TakeFiles> {
  await cdp.send('Profiler.enable');
  await cdp.send('Profiler.startPreciseCoverage', start);
  const maps = new Map<string, (offset: number) => string | null>();
  return async () => {
    const { result } = (await cdp.send('Profiler.takePreciseCoverage')) as { result: ScriptCoverage[] };
    const files = new Set<string>();
    for (const script of result.filter((it) => it.url.startsWith(url) && it.url.endsWith('.js'))) {
      const sourceAt = maps.get(script.url) ?? sourcesOf(new URL(script.url).pathname);
      maps.set(script.url, sourceAt);
      for (const { ranges } of script.functions) {
        const [range] = ranges;
        const file = range === undefined || range.count === 0 ? null : sourceAt(range.startOffset);
        if (file !== null) files.add(file);
      }
    }
    return files;
  };
}

/** Which file of ours stands at a place of a script of the console; null: a package's. */
function sourcesOf(path: string): (offset: number) => string | null {
  const file = join(ROOT, 'dist', 'console', path);
  // The bundler's own few lines have none.
  if (!existsSync(`${file}.map`)) return () => null;
  const text = readFileSync(file, 'utf8');
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  const lineStarts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1);
  return (offset) => {
    const line = Math.max(
      lineStarts.findLastIndex((it) => it <= offset),
      0,
    );
    // Its type leaves out that a place may belong to no source.
    const entry = map.findEntry(line, offset - (lineStarts[line] ?? 0)) as { originalSource?: string };
    if (entry.originalSource === undefined) return null;
    const source = relative(ROOT, join(file, '..', entry.originalSource));
    return /^(renderer|server|electron)\//.test(source) ? source : null;
  };
}
