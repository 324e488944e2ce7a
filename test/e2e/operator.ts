import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  test as base,
  expect,
  type BrowserContext,
  type ElectronApplication,
  type Locator,
  type Page,
} from '@playwright/test';
import { dealerLogin, dealerPassword, type TestHost } from '../support/testHost.ts';
import { createDepot, createShiftedClock, startConsoleHost, type Depot, type ShiftedClock } from './depot.ts';
import {
  connectDesktop,
  createLocalEnds,
  endDesktop,
  leadSavedFiles,
  leadToLocalEnds,
  startDesktop,
} from './desktopProgram.ts';

/** An operator at the console: what is on the screen, by the names that a reader of the screen hears. */
export class Operator {
  readonly page: Page;
  readonly list: Locator;
  readonly map: Locator;
  readonly secondMap: Locator;
  readonly queue: Locator;
  readonly connection: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole('region', { name: 'Vehicles', exact: true });
    // The canvas inside is a region of the same name.
    this.map = page.locator('section').and(page.getByRole('region', { name: 'Map', exact: true }));
    this.secondMap = page
      .locator('section')
      .and(page.getByRole('region', { name: 'Second map', exact: true }));
    this.queue = page.getByRole('region', { name: 'Queue', exact: true });
    this.connection = page.locator('header').getByRole('status');
  }

  async logIn(url: string, login = dealerLogin, password = dealerPassword): Promise<void> {
    await this.page.goto(url);
    await this.page.getByLabel('Username').fill(login);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.page.getByRole('button', { name: 'Log in' }).click();
  }

  /** Logs in and waits until Live shows the depot as it is. */
  async openLive(url: string, login?: string, password?: string): Promise<void> {
    await this.logIn(url, login, password);
    await this.seesLive();
  }

  async seesLive(): Promise<void> {
    await expect(this.connection).toContainText('Live');
    await this.seesMap();
  }

  async seesMap(): Promise<void> {
    await expect(this.map.locator('.maplibregl-canvas')).toBeVisible();
  }

  /** The line of a vehicle in the list. */
  vehicle(name: string): Locator {
    return this.list.getByRole('option').filter({ has: this.page.getByText(name, { exact: true }) });
  }

  panel(name: string): Locator {
    return this.page.getByRole('region', { name: `Vehicle ${name}`, exact: true });
  }

  /** Rows of the queue that say this. */
  row(text: string | RegExp): Locator {
    return this.queue.getByRole('listitem').filter({ hasText: text });
  }

  count(status: string): Locator {
    return this.list.getByRole('button', { name: new RegExp(`^\\d+ ${status}$`) });
  }

  press(...keys: string[]): Promise<void> {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  }

  /** Selects a vehicle by a click on the map, as soon as the map has drawn it. */
  async pickOnMap(name: string, place: { lat: number; lon: number }, map = this.map): Promise<void> {
    await expect(async () => {
      const { x, y } = await this.pixelOf(place, map);
      await this.page.mouse.click(x, y);
      await expect(this.panel(name)).toBeVisible({ timeout: 1_000 });
    }).toPass();
  }

  /** Where a map looks; null before it has come to rest anywhere. */
  async viewOf(map = this.map): Promise<{ lat: number; lon: number; zoom: number } | null> {
    const key = map === this.map ? 'fleetdeck.map.view' : 'fleetdeck.map.second_view';
    const view = await this.page.evaluate((name) => window.localStorage.getItem(name), key);
    return view === null ? null : (JSON.parse(view) as { lat: number; lon: number; zoom: number });
  }

  /** Where on the page the map shows a place. Web Mercator, tiles of 512 px, never turned. */
  async pixelOf(
    { lat, lon }: { lat: number; lon: number },
    map = this.map,
  ): Promise<{ x: number; y: number }> {
    const box = await map.locator('.maplibregl-canvas').boundingBox();
    const centre = await this.viewOf(map);
    if (box === null || centre === null) throw new Error('the map shows nothing yet');
    const world = 512 * 2 ** centre.zoom;
    const north = (degrees: number) => Math.log(Math.tan(Math.PI / 4 + (degrees * Math.PI) / 360));
    return {
      x: box.x + box.width / 2 + ((lon - centre.lon) / 360) * world,
      y: box.y + box.height / 2 - ((north(lat) - north(centre.lat)) / (2 * Math.PI)) * world,
    };
  }
}

/**
 * Has a page hand over its requests from its first one on, for a test that calls `page.route` once the page is there.
 * Without it Chromium goes on for a moment after `page.route` is back, and about one request in a hundred goes past it.
 */
export function interceptFromStart(page: Page): Promise<unknown> {
  return page.route(
    () => false,
    (route) => route.fallback(),
  );
}

/** Calls of a page to the API, as the limits count them. */
export function countCalls(context: BrowserContext): { paths: string[] } {
  const counted: { paths: string[] } = { paths: [] };
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    // Tiles have a budget of their own.
    const isCounted =
      pathname !== '/api/v1/health' && !/^\/api\/v1\/maps\/(streets|imagery)\//.test(pathname);
    if (/^\/(auth|service|api)\//.test(pathname) && isCounted) {
      counted.paths.push(`${request.method()} ${pathname}`);
    }
  });
  return counted;
}

interface Fixtures {
  /** In the project desktop the program, whose first window is the page; null elsewhere. */
  program: ElectronApplication | null;
  /** The host's. */
  clock: ShiftedClock;
  /** A host with a dealer in it and nothing else. */
  host: TestHost;
  depot: Depot;
  operator: Operator;
}

export const test = base.extend<Fixtures>({
  program: async ({ locale, timezoneId }, use, { project }) => {
    if (project.name !== 'desktop') {
      await use(null);
      return;
    }
    const folder = mkdtempSync(join(tmpdir(), 'fleetdeck-desktop-'));
    const place = {
      ...(locale !== undefined && { locale }),
      ...(timezoneId !== undefined && { timezoneId }),
    };
    const program = await startDesktop(folder, place);
    await use(program);
    await endDesktop(program);
    rmSync(folder, { recursive: true, force: true });
  },
  context: async ({ context, program }, use) => use(program?.context() ?? context),
  page: async ({ context, program, viewport }, use, testInfo) => {
    if (program !== null) {
      const page = await program.firstWindow();
      await program.evaluate(
        ({ BrowserWindow }, size) => {
          BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height);
        },
        viewport ?? { width: 1440, height: 900 },
      );
      leadToLocalEnds(page, (origin) => connectDesktop(page, origin));
      const saved = testInfo.outputPath('saved');
      mkdirSync(saved, { recursive: true });
      await leadSavedFiles(page, program, saved);
      await use(page);
      return;
    }
    const page = await context.newPage();
    const ends = createLocalEnds();
    if (testInfo.project.name === 'remote') leadToLocalEnds(page, ends.of);
    await use(page);
    await ends.close();
  },
  // Playwright wants the fixtures taken apart, even where there is none.
  // oxlint-disable-next-line no-empty-pattern -- see above
  clock: async ({}, use) => use(createShiftedClock()),
  host: async ({ clock }, use) => {
    const host = await startConsoleHost({ clock });
    await use(host);
    await host.close();
  },
  depot: async ({ host }, use) => {
    await use(createDepot(await host.login()));
  },
  operator: async ({ page }, use) => {
    await use(new Operator(page));
  },
});

export { expect };
