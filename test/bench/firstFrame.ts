import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { createDepot, MIDDLE, startConsoleHost, type Depot } from '../e2e/depot.ts';
import { Operator } from '../e2e/operator.ts';
import { chromiumArguments, chromiumPath } from '../support/chromium.ts';

const runs = 20;
const clip_s = 15;

const builtConsole = fileURLToPath(new URL('../../dist/console/index.html', import.meta.url));

/**
 * How long it takes from the click on a video to its first picture: from the store of this computer, beside over the
 * network, which here is as fast as it ever gets. By itself: `node test/bench/firstFrame.ts`.
 */
export async function benchFirstFrame(): Promise<void> {
  const reason = whyNot();
  if (reason !== null) {
    console.log(`first picture after a click: skipped. ${reason}`);
    return;
  }
  const host = await startConsoleHost();
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: [...chromiumArguments] });
  try {
    const size = await clipOnce(createDepot(await host.login()));
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const operator = new Operator(page);
    await operator.logIn(host.url);
    // With the patience of a browser, not of a test: a bench may run on a busy machine.
    await operator.connection.filter({ hasText: 'Live' }).waitFor();
    const show = async (isKept: boolean): Promise<number> => {
      await page.goto(`${host.url}/#/video`);
      await page.locator('.order__open').first().waitFor();
      if (!isKept) await page.evaluate(dropFiles);
      return page.evaluate(msToFirstFrame);
    };
    // The first showing reads code and fonts, which neither is charged with.
    await show(false);
    const stored: number[] = [];
    const fetched: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      stored.push(await show(true));
      fetched.push(await show(false));
    }
    const [fromStore, fromHost] = [medianOf(stored), medianOf(fetched)];
    console.log(`first picture after a click: one channel, ${clip_s} s, ${Math.round(size / 1_000)} kB`);
    console.log(`  from the store         median ${fromStore.toFixed(0)} ms of ${runs}`);
    console.log(`  over the network       median ${fromHost.toFixed(0)} ms of ${runs}`);
    console.log(`  ratio                  ${(fromStore / fromHost).toFixed(2)}`);
  } finally {
    await browser.close();
    await host.close();
  }
}

/** What it wants and is not here; null when all is. */
function whyNot(): string | null {
  try {
    chromiumPath();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return existsSync(builtConsole) ? null : 'The console is not built: `npm run build:console`.';
}

/** A vehicle with one camera, and a clip of it at the depot; returns its bytes. */
async function clipOnce(depot: Depot): Promise<number> {
  const vehicle = await depot.addVehicle({ name: 'V 1' });
  await depot.report({ vehicle, ...MIDDLE, speed_kmh: 50, course_deg: 90 });
  const { profile_id } = await depot.addCameras(vehicle, 1);
  const to = Date.now() - 60_000;
  const order = {
    ...{ profile_id, channel: 1 },
    from: new Date(to - clip_s * 1_000).toISOString(),
    to: new Date(to).toISOString(),
  };
  let task = (await depot.dealer.post('/service/vsvc/api/tasks', order)).body as ClipTask;
  while (task.file === null) {
    task = (await depot.dealer.get(`/service/vsvc/api/tasks/${task.task_id}?wait=10`)).body as ClipTask;
    if (task.status === 'failed') throw new Error('the clip failed');
  }
  return task.file.size_bytes;
}

interface ClipTask {
  task_id: string;
  status: string;
  file: { size_bytes: number } | null;
}

/** In the page: presses the first video of the list and waits for its first picture on the screen. */
function msToFirstFrame(): Promise<number> {
  const row = document.querySelector<HTMLElement>('.order__open');
  if (row === null) throw new Error('there is no video on the list');
  const begun = performance.now();
  row.click();
  return new Promise((resolve) => {
    const look = () => {
      const clip = document.querySelector('video');
      if (clip === null) requestAnimationFrame(look);
      else clip.requestVideoFrameCallback((shownAt) => resolve(shownAt - begun));
    };
    look();
  });
}

/** In the page: removes the cached clips, so that the next click fetches again. */
async function dropFiles(): Promise<void> {
  const drop = async (folder: FileSystemDirectoryHandle): Promise<void> => {
    for await (const [name, handle] of folder.entries()) {
      if (handle instanceof FileSystemDirectoryHandle) await drop(handle);
      else if (name.endsWith('.mp4')) await folder.removeEntry(name);
    }
  };
  await drop(await navigator.storage.getDirectory());
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

if (import.meta.main) await benchFirstFrame();
