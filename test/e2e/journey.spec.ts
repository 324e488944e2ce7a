import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { createDepot, ROOT, startConsoleHost } from './depot.ts';
import { expect, Operator, test } from './operator.ts';
import { expectToPlay } from './player.ts';

const LOGIN = 'weiss';
const PASSWORD = 'copper tide lantern ninety';

/** A New York bus with its first message, and a stop on its route that it reaches after a few fixes. */
const RECORDED = join(ROOT, '../shared/data/tracks/nyc-bus-6603-2014-04-15.csv');
const OWN_TRACK = join(import.meta.dirname, 'fixtures/bus.csv');
const BUS = 'mta-6603';
const STOP = { lat: 40.673735, lon: -73.865368 };
const FIXES = 14;

test(
  'the whole way: first run, a vehicle, a geofence, an alarm, its video, and all of it without the server',
  { tag: '@browser' },
  async ({ page, context }, testInfo) => {
    await context.grantPermissions(['notifications']);
    await context.addInitScript(() => {
      const published: string[] = [];
      class Recorded extends Notification {
        // Chromium without a window grants it to nobody.
        static override get permission(): NotificationPermission {
          return 'granted';
        }
        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          published.push(`${title}: ${options?.body ?? ''}`);
        }
      }
      Object.assign(window, { Notification: Recorded, shownNotifications: published });
    });
    const operator = new Operator(page);
    const host = await startConsoleHost({ dealer: false });
    const fetched: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/tasks/file/')) fetched.push(request.url());
    });
    const clipFile = page.locator('video').first();
    try {
      await test.step('an empty depot asks for its first dealer', async () => {
        await page.goto(host.url);
        await expect(page.getByRole('heading', { name: 'Set up this depot' })).toBeVisible();
        await page.getByLabel('Setup code').fill(host.setupCode ?? '');
        await page.getByLabel('Username').fill(LOGIN);
        const meter = page.getByRole('meter', { name: 'Strength of the password' });
        await page.getByLabel('Password', { exact: true }).fill('short');
        await expect(page.getByText('5 characters. 10 are needed')).toBeVisible();
        await expect(page.getByRole('button', { name: 'Create dealer' })).toBeDisabled();
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await expect(page.getByText(`${PASSWORD.length} characters, good.`)).toBeVisible();
        await expect(meter).toHaveAttribute('aria-valuenow', '4');
        await page.getByRole('button', { name: 'Create dealer' }).click();
      });

      await test.step('the depot gets its name and its time zone', async () => {
        await page.getByLabel('Depot name').fill('Depot Queens');
        await page.getByLabel('Time zone').fill('America/New_York');
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await expect(page.getByText('Depot Queens, America/New_York')).toBeVisible();
        await expect(page.locator('.top-bar__depot')).toHaveText('Depot Queens');
      });

      const depot = createDepot(await host.login(LOGIN, PASSWORD));

      await test.step('the session outlives a reload', async () => {
        // A short clip is soon there. The console reads what holds for the depot when it is opened.
        await depot.dealer.call('PATCH', '/api/v1/settings', { video_before_s: 4, video_after_s: 1 });
        await page.reload();
        await expect(page.getByText('Depot Queens, America/New_York')).toBeVisible();
      });

      await test.step('an unknown terminal becomes a vehicle by one click', async () => {
        expect(await sendUnknownPosition(host.intakeUrl), 'unknown').toBe(404);
        const unknownTerminal = page.locator('.unknown-terminal').filter({ hasText: BUS });
        await expect(unknownTerminal).toContainText(/OsmAnd, Traccar Client, 1 message/);
        await unknownTerminal.getByLabel('Name').fill('Bus 6603');
        await unknownTerminal.getByRole('button', { name: 'Add' }).click();
        await expect(unknownTerminal).toBeHidden();
        expect(await sendUnknownPosition(host.intakeUrl), 'known').toBe(200);
        await page.getByRole('button', { name: 'Open the console' }).click();
      });

      const [bus] = (await depot.dealer.get('/api/v1/vehicles')).body.items as Vehicle[];
      if (bus === undefined) throw new Error('the depot has no vehicle');

      await test.step('Live shows it on the list and on the map', async () => {
        await expect(operator.vehicle('Bus 6603')).toContainText('31 km/h');
        await operator.seesMap();
        // A vehicle alone is shown in the middle, with its town round it.
        const box = await operator.map.boundingBox();
        const middle = {
          x: (box?.x ?? 0) + (box?.width ?? 0) / 2,
          y: (box?.y ?? 0) + (box?.height ?? 0) / 2,
        };
        await expect
          .poll(() =>
            operator.pixelOf(START).then(
              ({ x, y }) => Math.hypot(x - middle.x, y - middle.y),
              () => NaN,
            ),
          )
          .toBeLessThan(5);
        await operator.pickOnMap('Bus 6603', START);
        await expect(operator.map.getByText('31 km/h · E')).toBeVisible();
        await operator.press('Escape');
      });

      await test.step('a geofence is drawn round the stop', async () => {
        await operator.press('g');
        const form = page.getByRole('region', { name: 'Geofence' });
        await form.getByRole('button', { name: 'Circle' }).click();
        const centre = await operator.pixelOf(STOP);
        await page.mouse.click(centre.x, centre.y);
        await page.mouse.move(centre.x + 20, centre.y + 10, { steps: 3 });
        await page.mouse.click(centre.x + 32, centre.y + 20);
        await expect(form).toContainText(/radius \d+\sm/);
        await form.getByLabel('Name').fill('Sutter Avenue');
        await form.getByRole('button', { name: 'Save geofence' }).click();
        await expect(form).toBeHidden();
        const [geofence] = (await depot.dealer.get('/api/v1/geozones')).body.items;
        expect(geofence).toMatchObject({ name: 'Sutter Avenue', shape: 'circle' });
        expect(geofence.geometry.coordinates[0]).toBeCloseTo(STOP.lon, 3);
        expect(geofence.geometry.coordinates[1]).toBeCloseTo(STOP.lat, 3);
        expect(geofence.radius_m).toBeGreaterThan(100);
        expect(geofence.radius_m).toBeLessThan(500);
      });

      await test.step('the bus enters it: a row, a notification, its numbers', async () => {
        await depot.addCameras(bus, 2);
        await replay(testInfo.outputPath('bus.csv'), host.url, host.intakeUrl);
        await expect(operator.row('Entered geofence')).toContainText('entered Sutter Avenue');
        await expect(operator.row('Entered geofence')).toContainText('Bus 6603');
        await expect(operator.vehicle('Bus 6603')).toBeVisible();
        await expect
          .poll(() => page.evaluate(() => Reflect.get(window, 'shownNotifications') as string[]))
          .toEqual(['Bus 6603 Entered geofence: entered Sutter Avenue']);
        await expect(page).toHaveTitle('(1) Depot Queens');
      });

      await test.step('V requests its video, which opens and plays', async () => {
        await operator.press('j');
        await expect(operator.panel('Bus 6603')).toContainText('Entered geofence');
        await operator.press('v');
        await expect(operator.row('Entered geofence')).toContainText(/\d of 2/);
        await expect(page, 'the player opens by itself').toHaveURL(/#\/video\?task=/);
        await expectToPlay(clipFile);
        await expect(page.locator('video')).toHaveCount(2);
        expect(new Set(fetched).size, 'each channel is fetched once').toBe(2);
        expect(fetched).toHaveLength(2);
      });

      await test.step('opened again, it plays from the store of this computer', async () => {
        const address = page.url();
        fetched.length = 0;
        const again = await context.newPage();
        const asked: string[] = [];
        again.on('request', (request) => asked.push(request.url()));
        await page.close();
        await again.goto(address);
        await expectToPlay(again.locator('video').first());
        expect(asked.filter((url) => url.includes('/tasks/file/'))).toEqual([]);
        await again.close();
      });

      await test.step('without the server map and list go on, and the clip plays again', async () => {
        const last = await context.newPage();
        const lone = new Operator(last);
        await last.goto(host.url);
        await lone.seesLive();
        await expect(lone.row('Entered geofence')).toContainText('2 of 2 ready');
        await host.stop();
        await expect(lone.connection).toContainText(/Connection lost \d+\ss ago/);
        await expect(lone.vehicle('Bus 6603')).toBeVisible();
        await expect(lone.list).toContainText('Last known positions.');
        await expect(lone.map).toContainText('Last known positions.');
        await lone.row('Entered geofence').getByRole('button', { name: '2 of 2 ready' }).click();
        const clip = last.locator('video').first();
        await expectToPlay(clip);
        await expect(last.getByText('This clip is saved here and still plays.')).toBeVisible();
        // To its end, and once more.
        await last.getByRole('button', { name: 'Play', exact: true }).click();
        await expectToPlay(clip);
      });
    } finally {
      await host.close();
    }
  },
);

const START = { lat: 40.672495, lon: -73.873716 };

/** The bus says where it is, in the words of the OsmAnd protocol; 16.95 knots are 31.4 km/h. */
async function sendUnknownPosition(intakeUrl: string): Promise<number> {
  const said = new URLSearchParams({
    id: BUS,
    lat: String(START.lat),
    lon: String(START.lon),
    timestamp: new Date().toISOString(),
    speed: '16.95',
    bearing: '78.5',
  });
  return (await fetch(`${intakeUrl}/?${said.toString()}`)).status;
}

/** The bus drives the beginning of its recorded day, many times as fast, as of now. */
async function replay(file: string, url: string, intakeUrl: string): Promise<void> {
  const recorded = await readFile(existsSync(RECORDED) ? RECORDED : OWN_TRACK, 'utf8');
  await writeFile(file, `${recorded.split('\n').slice(0, FIXES).join('\n')}\n`);
  const command = [
    join(ROOT, 'server/commands/fleetdeck.cjs'),
    'replay',
    file,
    '--url',
    url,
    '--intake',
    intakeUrl,
  ];
  const child = spawn(process.execPath, [...command, '--now', '--speed', '120'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
}
