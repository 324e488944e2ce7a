import { contractLimits } from '../../server/http/rateLimit.ts';
import { DiskFull } from '../../server/store/storeErrors.ts';
import { createFakeClock } from '../support/fakeClock.ts';
import { dealerPassword } from '../support/testHost.ts';
import { clipAnswer, hasRealClip, startCamera, type Camera } from './camera.ts';
import {
  addSmallFleet,
  createDepot,
  pressSos,
  rights,
  startConsoleHost,
  userPassword,
  type Depot,
} from './depot.ts';
import { countCalls, expect, interceptFromStart, Operator, test } from './operator.ts';
import { startServerProcess } from './serverProcess.ts';

test('the console says that cookies are off, and how to turn them on', async ({ host, operator, page }) => {
  // Chromium is asked by the page whether it takes cookies; a policy that blocks them answers no.
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false });
  });
  await page.goto(host.url);
  await expect(page.getByRole('alert').first()).toContainText('Cookies are off in this browser.');
  await expect(page.getByRole('alert').first()).toContainText('Allow cookies for this site, then reload.');
  await page.getByLabel('Username').fill('dealer');
  await page.getByLabel('Password', { exact: true }).fill(dealerPassword);
  await expect(page.getByRole('button', { name: 'Log in' })).toBeDisabled();
  await expect(operator.map).toHaveCount(0);
});

test('the console counts wrong passwords, and counts down while the address is blocked', async ({ page }) => {
  // Attempts count for a minute, which is over too soon on a busy machine: the server's clock stands still.
  const host = await startConsoleHost({ limits: contractLimits, clock: createFakeClock(Date.now()) });
  try {
    await page.goto(host.url);
    await page.getByLabel('Username').fill('dealer');
    const button = page.getByRole('button', { name: 'Log in' });
    const alert = page.getByRole('alert');
    for (let times = 1; times <= contractLimits.failed_attempts; times++) {
      await page.getByLabel('Password', { exact: true }).fill(`wrong ${times}`);
      await button.click();
      await expect(alert).toHaveText(
        times === 1
          ? 'Wrong username or password.'
          : `${times} failed attempts. ${contractLimits.failed_attempts - times} left this minute from this address.`,
      );
    }
    await page.getByLabel('Password', { exact: true }).fill(dealerPassword);
    await button.click();
    const next = /^Too many failed attempts from this address\. Try again in \d+\ss\.$/;
    await expect(alert).toHaveText(next);
    await expect(button).toBeDisabled();
    const published = await alert.textContent();
    await expect(alert, 'it counts').not.toHaveText(published ?? '');
    await expect(alert).toHaveText(next);
  } finally {
    await host.close();
  }
});

test('an empty depot does not look like a broken one', async ({ host, operator, page }) => {
  await operator.openLive(host.url);
  await expect(operator.list).toContainText('No vehicles yet');
  await expect(operator.list).toContainText('Point a terminal at this machine');
  await expect(operator.queue).toContainText('No open alarms');
  await expect(operator.queue).toContainText('No alarms today.');

  const unknownTerminal = await fetch(`${host.intakeUrl}/?id=356307042441013&lat=52.5&lon=13.4&speed=0`);
  expect(unknownTerminal.status).toBe(404);
  await expect(operator.list).toContainText('1 unregistered terminal.');
  await operator.list.getByRole('button', { name: 'Add by terminal ID' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add vehicle' });
  await dialog.getByLabel('Terminal ID').fill('356307042441013');
  await dialog.getByLabel('Name').fill('V 1');
  await dialog.getByRole('button', { name: 'Add vehicle' }).click();
  await expect(operator.panel('V 1')).toContainText('Never reported');
  await expect(operator.vehicle('V 1')).toContainText('never reported');
});

test('the console goes on without the server, and misses nothing when it is back', async ({
  operator,
  page,
}) => {
  test.slow();
  const server = await startServerProcess();
  try {
    let depot = createDepot(await server.login());
    const { stopped, moving, fast } = await addSmallFleet(depot);
    await pressSos(depot, stopped);
    await operator.openLive(server.url);
    await expect(operator.row('SOS button')).toBeVisible();
    await operator.vehicle('V 1').click();

    await server.kill();
    await expect(operator.connection).toContainText(/Connection lost \d+\ss ago/);
    await expect(operator.connection).toContainText(/retrying/);
    await expect(operator.list).toContainText(/Connection lost .* ago\. Last known positions\./);
    await expect(operator.map).toContainText('Last known positions.');
    await expect(operator.queue).toContainText('Acknowledgements are sent on reconnect.');
    await expect(operator.list.getByRole('option')).toHaveCount(5);
    await expect(operator.vehicle('V 1')).toContainText('48 km/h');
    await expect(operator.panel('V 1').getByRole('button', { name: 'Video' })).toBeDisabled();
    await operator.vehicle('V 2').click();
    await expect(operator.panel('V 2')).toContainText('Today’s events could not be loaded.');
    await expect(operator.panel('V 2')).not.toContainText('No events today');
    await operator.row('SOS button').click();
    await operator.press('a');
    await expect(operator.row('SOS button')).toContainText('Acknowledged here, not sent yet');

    await server.restart();
    // It is said for some seconds, and the console also tries by itself.
    const isBack = expect(operator.connection).toContainText('Reconnected');
    depot = createDepot(await server.login());
    await pressSos(depot, moving);
    await depot.report({ vehicle: fast, lat: 52.55, lon: 13.45, speed_kmh: 33, course_deg: 180 });
    await operator.press('r');
    await isBack;
    await expect(operator.row('SOS button').filter({ hasText: 'V 1' })).toBeVisible();
    await expect(operator.row('V 3')).toContainText('acknowledged by dealer');
    await expect(operator.vehicle('V 2')).toContainText('33 km/h');
    await expect
      .poll(async () => (await depot.openAlarms()).map((it) => it.vehicle_id))
      .toEqual([moving.vehicle_id]);
    await expect(operator.list).not.toContainText('Connection lost');
    await page.reload();
    await operator.seesLive();
    await expect(operator.queue.getByRole('listitem')).toHaveCount(1);
  } finally {
    await server.close();
  }
});

test('the console shows a user only what it may see', async ({ host, depot, operator, page, context }) => {
  const { stopped, moving } = await addSmallFleet(depot);
  await depot.addCameras(moving);
  const { group_ids } = moving;
  await depot.addUser('lind', { rights: rights({}), group_ids });
  await pressSos(depot, moving);
  await pressSos(depot, stopped);
  const calls = countCalls(context);
  const refused: string[] = [];
  page.on('response', (response) => {
    if ([401, 403].includes(response.status())) refused.push(response.url());
  });
  await operator.openLive(host.url, 'lind', userPassword);
  await expect(operator.list.getByRole('option')).toHaveCount(2);
  await expect(operator.queue.getByRole('listitem')).toHaveCount(1);
  await operator.press('j');
  await expect(operator.panel('V 1')).toBeVisible();

  await expect(page.getByRole('link', { name: 'Video' })).toHaveCount(0);
  await expect(operator.panel('V 1').getByRole('button', { name: 'Video' })).toHaveCount(0);
  await expect(operator.row('SOS').getByRole('button', { name: 'Video' })).toHaveCount(0);
  await expect(operator.row('SOS').getByRole('button', { name: 'Acknowledge' })).toHaveCount(0);
  await operator.press('v', 'a', 'g');
  await expect(page.getByRole('region', { name: 'Geofence' })).toHaveCount(0);
  await expect(operator.row('SOS')).toHaveCount(1);
  await page.goto(`${host.url}/#/live?vehicle=${stopped.vehicle_id}`);
  await expect(operator.panel('V 3')).toHaveCount(0);
  await expect(page.getByText('Vehicle not found')).toBeVisible();
  await page.goto(`${host.url}/#/video`);
  await expect(page.getByRole('region', { name: 'Video requests' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'This computer' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Depot' })).toHaveCount(0);
  expect(calls.paths.filter((it) => it.includes('/vsvc/'))).toEqual([]);
  expect(refused, 'nothing was asked for that is refused').toEqual([]);
});

test('a failed request is retried by one key, on every screen', async ({ host, operator, page }) => {
  const down = /\/api\/v1\/(users|notifications\/rules|intake)(\?|\/messages|$)/;
  // The console waits as long as the server asks, unless the user tries now.
  const problem = { type: 'about:blank', title: 'Down', detail: 'Down.', request_id: 'r-1' };
  const refuse = () =>
    page.route(down, (route) =>
      route.fulfill({
        status: 503,
        headers: { 'Retry-After': '600', 'Content-Type': 'application/problem+json' },
        body: JSON.stringify({ ...problem, status: 503, code: 'unavailable' }),
      }),
    );
  await interceptFromStart(page);
  await refuse();
  await operator.logIn(`${host.url}/#/users`);
  for (const [place, failed, there] of [
    ['users', 'The users could not be loaded', 'row'],
    ['rules', 'The rules could not be loaded', 'row'],
    ['settings?tab=terminals', 'The last messages could not be loaded', 'table'],
  ] as const) {
    await page.evaluate((to) => (window.location.hash = `#/${to}`), place);
    await expect(page.getByRole('heading', { name: failed })).toBeVisible();
    for (const button of await page.getByRole('button', { name: /^Retry now/ }).all())
      await expect(button).toHaveText('Retry nowR');
    await page.unroute(down);
    await operator.press('r');
    await expect(page.getByRole('heading', { name: failed })).toHaveCount(0);
    await expect(page.getByRole(there).first()).toBeVisible();
    await refuse();
  }
});

test.describe('a camera of the network', () => {
  let camera: Camera | null = null;
  test.afterEach(async () => {
    await camera?.close();
    camera = null;
  });

  async function orderFrom(camera: Camera, depot: Depot, operator: Operator, url: string): Promise<void> {
    const { moving } = await addSmallFleet(depot);
    await depot.addCameras(moving, 1, { url: camera.url });
    await depot.dealer.call('PATCH', '/api/v1/settings', { video_before_s: 8, video_after_s: 0 });
    await operator.openLive(url);
    await operator.vehicle('V 1').click();
    await operator.press('v');
  }

  test('a network camera records a real road, which is fetched and played', async ({
    host,
    depot,
    operator,
    page,
  }) => {
    test.skip(!hasRealClip, 'the recording does not lie beside the project');
    camera = await startCamera(await clipAnswer());
    await orderFrom(camera, depot, operator, host.url);
    await expect.poll(() => playedSeconds(operator), 'it plays').toBeGreaterThan(1);
    await expect
      .poll(() =>
        page
          .locator('video')
          .first()
          .evaluate((it: HTMLVideoElement) => it.videoWidth),
      )
      .toBe(960);
    expect(camera.asked[0]).toMatch(/channel=1&from=20\d\d-.*Z&to=20\d\d-.*Z/);
  });

  for (const [what, status, type, body] of [
    ['has nothing of that span', 404, 'text/plain', 'no such recording'],
    ['answers with its login page', 200, 'text/html', '<!doctype html><title>Camera</title><p>Log in'],
  ] as const) {
    test(`${what}: the task fails, in words`, async ({ host, depot, operator, page }) => {
      camera = await startCamera((_request, response) => {
        response.writeHead(status, { 'Content-Type': type });
        response.end(body);
      });
      await orderFrom(camera, depot, operator, host.url);
      await page.getByRole('link', { name: 'Video' }).click();
      const tasks = page.getByRole('region', { name: 'Video requests' });
      await expect(tasks.getByRole('heading', { name: /^Failed/ })).toBeVisible();
      await tasks.getByText('V 1').first().click();
      const words = status === 404 ? 'This recording no longer exists' : 'The terminal sent no video';
      await expect(page.getByRole('region', { name: 'Video', exact: true })).toContainText(words);
    });
  }
});

/** How far the large picture has come. */
function playedSeconds(operator: Operator): Promise<number> {
  return operator.page
    .locator('video')
    .first()
    .evaluate((it: HTMLVideoElement) => it.currentTime);
}

test('a full disk is named on every screen, and people still log in and read', async ({ page }) => {
  let fault: Error | null = null;
  const host = await startConsoleHost({ writeFault: () => fault });
  try {
    const operator = new Operator(page);
    await operator.logIn(`${host.url}/#/vehicles`);
    const banner = page.getByRole('alert').filter({ hasText: 'Server: disk full, nothing is stored.' });
    await expect(banner).toHaveCount(0);
    fault = new DiskFull('The disk that holds the data folder is full.');
    await (await host.login()).post('/api/v1/groups', { name: 'North' });
    await expect(banner).toBeVisible();
    await page.goto(`${host.url}/#/users`);
    await expect(banner).toBeVisible();
    await expect(page.getByRole('row', { name: /dealer/ })).toBeVisible();
    fault = null;
    await expect(banner).toHaveCount(0);
  } finally {
    await host.close();
  }
});

test('the panel of a vehicle that stays open at midnight goes on with the new day', async ({ page }) => {
  const clock = createFakeClock(Date.UTC(2026, 10, 21, 23, 59));
  const host = await startConsoleHost({ clock });
  try {
    const depot = createDepot(await host.login());
    const vehicle = await depot.addVehicle({ name: 'V 1' });
    const report = (lat: number, alarms: ['sos'] | []) =>
      depot.report({
        vehicle,
        lat,
        lon: 13.4,
        speed_kmh: 47,
        alarms,
        time: new Date(clock.now()).toISOString(),
      });
    await report(52.52, []);
    clock.advance(20_000);
    await report(52.523, ['sos']);
    const operator = new Operator(page);
    await operator.openLive(`${host.url}/#/live?vehicle=${vehicle.vehicle_id}`);
    const panel = operator.panel('V 1');
    await expect(panel).toContainText('SOS button pressed');
    await expect(panel.getByRole('img', { name: 'Speed today' })).toBeVisible();

    clock.advance(60_000);
    await expect(panel).toContainText('No events today.');
    await expect(panel).toContainText('Not seen today.');
  } finally {
    await host.close();
  }
});

test('vehicles of which nothing is heard are overdue, not moving, and a silent fleet is named on every screen', async ({
  page,
}) => {
  const clock = createFakeClock(Date.now());
  const host = await startConsoleHost({ clock });
  try {
    const depot = createDepot(await host.login());
    const fleet = [
      await depot.addVehicle({ name: 'V 1' }),
      await depot.addVehicle({ name: 'V 2' }),
      await depot.addVehicle({ name: 'V 3' }),
    ];
    const drive = async (times: number, which = fleet) => {
      for (let at = 0; at < times; at++) {
        const time = new Date(clock.now()).toISOString();
        await depot.report(
          ...which.map((vehicle, north) => ({
            ...{ vehicle, time, speed_kmh: 47, course_deg: 90, ignition: true },
            ...{ lat: 52.52 + north / 100, lon: 13.4 + at / 1_000 },
          })),
        );
        clock.advance(20_000);
      }
    };
    await drive(6);
    const operator = new Operator(page);
    await operator.openLive(host.url);
    const filter = operator.list.getByRole('group', { name: 'Show only this status' });
    await expect(operator.vehicle('V 3')).toContainText('47 km/h');
    await expect(filter.getByRole('button', { name: /^3 moving/ })).toBeVisible();

    await drive(4, fleet.slice(0, 1));
    await expect(operator.vehicle('V 3')).toContainText('last 47 km/h');
    await expect(operator.vehicle('V 3').getByRole('img', { name: 'overdue' })).toBeVisible();
    await expect(filter.getByRole('button', { name: /^1 moving/ })).toBeVisible();
    await filter.getByRole('button', { name: /^2 overdue/ }).click();
    await expect(operator.list.getByRole('option')).toHaveCount(2);
    await operator.vehicle('V 3').click();
    await expect(operator.panel('V 3')).toContainText(/47km\/hoverdue\d+\smin ago/);
    await expect(operator.map.getByText(/^47\skm\/h, \d+\smin ago$/)).toBeVisible();
    await expect(page.getByText(/^Server:/)).toHaveCount(0);
    await page.screenshot({ path: test.info().outputPath('overdue.png') });

    clock.advance(300_000);
    await expect(operator.connection).toContainText(/^Live.*last message \d\smin ago/);
    const banner = page.getByRole('status').filter({ hasText: 'Server: no contact with any terminal.' });
    await expect(banner).toContainText('3 terminals were due');
    await expect(operator.list.getByRole('option')).toHaveCount(3);
    await page.screenshot({ path: test.info().outputPath('silent.png') });
    await page.getByRole('link', { name: 'Vehicles' }).click();
    await expect(banner).toBeVisible();
    await expect(page.getByRole('row', { name: /V 1/ })).toContainText('overdue');

    await drive(1);
    await expect(banner).toHaveCount(0);
    await expect(page.getByRole('row', { name: /V 1/ })).toContainText('moving');
  } finally {
    await host.close();
  }
});

test('the header of an empty depot counts no messages but those of terminals', async ({ host, operator }) => {
  await operator.openLive(host.url);
  await expect(operator.connection).toContainText('Live');
  await expect(operator.connection).toContainText('no message yet');
});

test('screens that were not open before open without the server, with what is known', async ({
  operator,
  page,
}) => {
  test.slow();
  const server = await startServerProcess();
  try {
    await addSmallFleet(createDepot(await server.login()));
    // The code of the other screens comes a moment after the first picture.
    const codeOfLast = page.waitForEvent('requestfinished', (it) => /AuditTab.*\.js/.test(it.url()));
    await operator.openLive(server.url);
    await codeOfLast;
    await server.kill();
    await expect(operator.connection).toContainText(/Connection lost/);
    for (const name of ['Events', 'Geofences', 'Rules', 'Reports', 'Users', 'Settings']) {
      const link = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true });
      await link.click();
      await expect(link).toHaveAttribute('aria-current', 'page');
      await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
      await page.screenshot({ path: test.info().outputPath(`lost-${name}.png`) });
    }
    await page.getByRole('link', { name: 'Vehicles', exact: true }).click();
    await expect(page.getByRole('row', { name: /V 1/ })).toBeVisible();
  } finally {
    await server.close();
  }
});

test('a screen whose code cannot be loaded says so, and opens once it can', async ({
  host,
  operator,
  page,
}) => {
  let isBlocked = true;
  await page.route(/EventsScreen.*\.js/, (route) => (isBlocked ? route.abort() : route.continue()));
  await operator.openLive(host.url);
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await expect(page.getByText('This screen could not be loaded')).toBeVisible();
  await page.getByRole('link', { name: 'Live', exact: true }).click();
  await expect(operator.list).toBeVisible();
  isBlocked = false;
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Export CSV' })).toBeVisible();
});
