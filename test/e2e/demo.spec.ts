import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator } from '@playwright/test';
import { freePorts } from '../support/freePorts.ts';
import { ROOT } from './depot.ts';
import { countCalls, expect, Operator, test } from './operator.ts';

/** The picture of the README; renewed with UPDATE_SCREENSHOT=1. */
const PICTURE = join(ROOT, 'resources/screenshots/live.png');
const PICTURE_MAX_BYTES = 400_000;
const WORK_MS = 30_000;
/** No dispatcher looks for a vehicle, locates it and follows it in less; a fast machine does not count for more. */
const PACE_MS = 4_500;

let demo: ChildProcess | null = null;

/** Starts it as a newcomer does, and reads what it prints. */
async function startDemo(): Promise<{ url: string; login: string; password: string }> {
  const command = [join(ROOT, 'server/commands/fleetdeck.cjs'), 'demo', ...freePorts()];
  demo = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  for await (const chunk of demo.stdout ?? []) {
    printed += String(chunk);
    const found = /(?<url>http:\S+)\s+login\s+(?<login>\S+)\s+password\s+(?<password>\S+)/.exec(printed);
    const { url, login, password } = found?.groups ?? {};
    if (url !== undefined && login !== undefined && password !== undefined) return { url, login, password };
  }
  throw new Error(`the demo ended, having said: ${printed}`);
}

test.afterAll(async () => {
  if (demo === null || demo.exitCode !== null) return;
  const ended = once(demo, 'exit');
  demo.kill('SIGTERM');
  await ended;
});

test.use({ viewport: { width: 1366, height: 768 } });

test('the demo shows alarms and clips, and half a minute of work needs fewer than sixty calls', async ({
  page,
  context,
}, testInfo) => {
  test.setTimeout(240_000);
  const { url, login, password } = await startDemo();
  const operator = new Operator(page);
  const calls = countCalls(context);
  const enteredAt = Date.now();
  await operator.openLive(url, login, password);
  await expect(operator.list.getByRole('option')).not.toHaveCount(0);
  await expect(operator.count('moving')).not.toHaveText(/^0/);

  // Work without a pause: a vehicle is looked for, located, followed, let go.
  const panel = page.getByRole('region', { name: /^Vehicle V/ });
  for (let round = 0; round < WORK_MS / PACE_MS && Date.now() - enteredAt < WORK_MS; round++) {
    await operator.press('/');
    await page.keyboard.type(`v ${(round % 9) + 1}`);
    await operator.press('Enter');
    await expect(panel).toBeVisible();
    await operator.press('l', 'f', 'f', 'Escape', '0');
    await expect(panel).toBeHidden();
  }
  expect(calls.paths.length, calls.paths.join('\n')).toBeLessThan(60);

  await expect(operator.row('SOS button'), 'a bus calls for help').toBeVisible({ timeout: 60_000 });
  await expect(operator.row('entered Quay 4').first()).toBeVisible({ timeout: 60_000 });
  await expect(operator.row('Overspeed').first()).toBeVisible({ timeout: 60_000 });
  await operator.row('SOS button').click();
  await expect(panel).toContainText('SOS button pressed');
  await expect(panel.getByRole('img', { name: 'Speed today' })).toBeVisible();
  await expect(operator.row('SOS button'), 'the rule orders its video').toContainText('4 of 4 ready', {
    // Drawn of two minutes of pictures, once the 15 s after it have passed.
    timeout: 120_000,
  });
  await page.mouse.move(0, 0);
  const picture = testInfo.outputPath('live.png');
  await page.screenshot({ path: picture, animations: 'disabled' });
  expect((await stat(picture)).size).toBeLessThan(PICTURE_MAX_BYTES);
  if (process.env['UPDATE_SCREENSHOT'] === '1') {
    await mkdir(dirname(PICTURE), { recursive: true });
    await copyFile(picture, PICTURE);
  }

  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.getByRole('button', { name: 'Light theme, for daylight' }).click();
  await operator.press('j');
  await page.screenshot({ path: testInfo.outputPath('live-light-1920.png') });
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await page.setViewportSize({ width: 1366, height: 768 });
  await operator.row('SOS button').getByRole('button', { name: '4 of 4 ready' }).click();
  const clips = page.locator('video');
  await expect(clips).toHaveCount(4);
  await expect.poll(() => secondsOf(clips.first())).toBeGreaterThan(1);
  await page.screenshot({ path: testInfo.outputPath('video.png') });
});

function secondsOf(clip: Locator): Promise<number> {
  return clip.evaluate((it: HTMLVideoElement) => it.currentTime);
}
