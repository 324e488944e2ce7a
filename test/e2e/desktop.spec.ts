import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type ElectronApplication, type Page } from '@playwright/test';
import { makeDealer } from '../../server/app.ts';
import { logIn } from '../support/caller.ts';
import { dealerLogin, dealerPassword } from '../support/testHost.ts';
import { createDepot, MIDDLE, pressSos } from './depot.ts';
import { endDesktop, startDesktop } from './desktopProgram.ts';
import { Operator } from './operator.ts';

test.describe('the desktop', () => {
  let folder: string | null = null;
  let desktop: ElectronApplication | null = null;
  // Playwright wants the fixtures taken apart, even where there is none.
  // oxlint-disable-next-line no-empty-pattern -- see above
  test.beforeEach(({}, { project }) => {
    test.skip(project.name !== 'desktop', 'needs the Electron program; runs in the project desktop');
    folder = mkdtempSync(join(tmpdir(), 'fleetdeck-desktop-'));
  });
  test.afterEach(async () => {
    await end();
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    folder = null;
  });

  async function start(): Promise<Page> {
    desktop = await startDesktop(folder ?? '');
    return desktop.firstWindow();
  }

  async function end(): Promise<void> {
    const running = desktop;
    desktop = null;
    if (running !== null) await endDesktop(running);
  }

  test('the desktop shows the first run in a window without Node, with the code at hand', async () => {
    const page = await start();
    await expect(page).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\//);
    await expect(page.getByRole('button').first()).toBeVisible();
    const inside = await page.evaluate(() => ({
      node: 'process' in window || 'require' in window,
      bridge: 'fleetdeckDesktop' in window,
      code:
        'fleetdeckDesktop' in window &&
        (window.fleetdeckDesktop as { setupCode(): string | null }).setupCode() !== null,
    }));
    expect(inside).toEqual({ node: false, bridge: true, code: true });
  });

  test('the desktop makes the first dealer, and is at the same address with the same data at the next start', async () => {
    const first = await start();
    const origin = new URL(first.url()).origin;
    const made = await first.evaluate(async () => {
      const { fleetdeckDesktop } = window as unknown as { fleetdeckDesktop: { setupCode(): string | null } };
      const body = { code: fleetdeckDesktop.setupCode(), login: 'dealer', password: 'a dealer of the depot' };
      const headers = { 'Content-Type': 'application/json' };
      return (await fetch('/setup', { method: 'POST', headers, body: JSON.stringify(body) })).status;
    });
    expect(made).toBe(201);
    await end();
    expect(existsSync(join(folder ?? '', 'ports.json'))).toBe(true);

    const second = await start();
    expect(new URL(second.url()).origin).toBe(origin);
    const status = await second.evaluate(async () => {
      const body = { login: 'dealer', password: 'a dealer of the depot' };
      const headers = { 'Content-Type': 'application/json' };
      return (await fetch('/auth/login?jwt=1', { method: 'POST', headers, body: JSON.stringify(body) }))
        .status;
    });
    expect(status).toBe(200);
  });

  test('the desktop takes an operator from the login to an acknowledged alarm, and plays what cameras send', async () => {
    await makeDealer(join(folder ?? '', 'data'), dealerLogin, dealerPassword);
    const page = await start();
    const { origin } = new URL(page.url());
    const depot = createDepot(await logIn(origin, dealerLogin, dealerPassword));
    const van = await depot.addVehicle({ name: 'V 1' });
    await depot.addCameras(van);
    const operator = new Operator(page);
    await operator.openLive(origin);
    await pressSos(depot, van, MIDDLE);
    await operator.row(/SOS/).click();
    await operator.press('a');
    await expect.poll(async () => (await depot.openAlarms()).length).toBe(0);
    await expect(operator.vehicle('V 1')).toBeVisible();
    // H.264, which only builds with Chrome's codecs play.
    const plays = await page.evaluate(() =>
      document.createElement('video').canPlayType('video/mp4; codecs="avc1.42E01E"'),
    );
    expect(plays).toBe('probably');
  });

  test('the desktop refuses pages from elsewhere', async () => {
    const page = await start();
    const home = page.url();
    await page.evaluate(() => {
      window.location.href = 'http://127.0.0.1:9/';
    });
    await page.evaluate(() => window.open('file:///etc/passwd'));
    const log = () => readFileSync(join(folder ?? '', 'logs', 'fleetdeck.log'), 'utf8');
    await expect.poll(log).toContain('a page tried to go to http://127.0.0.1:9/');
    await expect.poll(log).toContain('a page tried to open file:///etc/passwd');
    await expect(page).toHaveURL(home);
    expect(desktop?.windows()).toHaveLength(1);
  });
});
