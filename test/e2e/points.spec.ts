import type { Locator, Page } from '@playwright/test';
import { placeRoutes } from '../../server/contract/places.ts';
import { videoRoutes } from '../../server/contract/video.ts';
import { realMap } from '../support/mapFiles.ts';
import { MIDDLE } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test } from './operator.ts';

const andorra = realMap('andorra.mbtiles');

test('a map file that is dropped in Settings gives streets, search, addresses, who passed there and the clip', async ({
  host,
  depot,
  operator,
  page,
}) => {
  test.skip(andorra === null, 'the map files are not there');
  const vehicle = await depot.addVehicle({ name: 'V 1' });
  await depot.addCameras(vehicle, 1);
  const [home, away] = [
    { lat: 42.5063, lon: 1.5218 },
    { lat: 42.5099, lon: 1.5392 },
  ];
  const start = Date.now() - 1_800_000;
  /** Stands for five minutes, drives for five along a straight line, and stands again. */
  const share = (minute: number) => Math.min(1, Math.max(0, (minute - 5) / 5));
  await depot.report(
    ...Array.from({ length: 21 }, (_, minute) => ({
      ...{ vehicle, time: new Date(start + minute * 60_000).toISOString() },
      lat: home.lat + share(minute) * (away.lat - home.lat),
      lon: home.lon + share(minute) * (away.lon - home.lon),
      speed_kmh: minute > 5 && minute < 10 ? 18 : 0,
    })),
  );
  const requested = new Set<string>();
  let tiles = 0;
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url())) requested.add(new URL(request.url()).origin);
  });
  page.on('response', (response) => {
    if (response.url().includes('/api/v1/maps/streets/') && response.status() === 200) tiles++;
  });
  await operator.openLive(host.url);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Maps' }).click();
  await drop(page, page.locator('.map-drop'), andorra ?? '');
  const files = page.getByRole('list', { name: 'Map files' });
  await expect(files).toContainText('Streets · OpenMapTiles · zooms 0 to 14');
  await expect
    .poll(async () => (await depot.dealer.ask(placeRoutes.indexes)).items.map(({ state }) => state))
    .toEqual(['ready']);
  await page.getByRole('link', { name: 'Live' }).click();
  await expect.poll(() => tiles).toBeGreaterThan(0);
  const nameOf = async (query: typeof home) =>
    (await depot.dealer.ask(placeRoutes.reverse, { query: { lat: `${query.lat}`, lon: `${query.lon}` } }))
      .place;
  const [from, to] = [(await nameOf(home))?.street ?? '', (await nameOf(away))?.street ?? ''];
  expect(from.length * to.length).toBeGreaterThan(0);
  await expect(operator.vehicle('V 1')).toContainText(to);

  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Search and commands' });
  await field.fill('av meritxel');
  const street = page.getByRole('option', { name: 'Avinguda Meritxell' });
  await expect(street).toContainText('Street, Andorra la Vella');
  await expect(street.locator('b')).toHaveText(['Av', 'Meritxel']);
  await expect(street).toHaveAttribute('aria-selected', 'true');
  await expectNoFaults(page);
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: 'Point on the map' });
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText('Avinguda Meritxell, Andorra la Vella');
  await expect(panel.getByRole('button', { name: /^V 1/ })).toContainText(/\d k?m E/);

  // The name of a town is not needed with coordinates, nor is the server.
  await page.keyboard.press('/');
  await field.fill('42.5081, 1.5305');
  await page.keyboard.press('Enter');
  await expect(panel).toContainText('42.50810, 1.53050');
  await panel.getByRole('button', { name: 'Search', exact: true }).click();
  await panel.getByRole('grid', { name: 'Visits' }).getByRole('row', { name: /V 1/ }).click();
  await operator.press('v');
  await expect(panel.getByText(/of 1/)).toBeVisible();
  expect((await depot.dealer.ask(videoRoutes.tasks)).items).toHaveLength(1);

  await page.getByRole('link', { name: 'Reports' }).click();
  // In the first half-hour of a day the trip was yesterday.
  await page.getByRole('button', { name: /Period$/ }).click();
  await page.getByRole('option', { name: 'Last 7 days' }).click();
  await page.getByRole('button', { name: 'Run' }).click();
  const trip = page.getByRole('grid', { name: 'Trips' }).getByRole('row', { name: /V 1/ });
  await expect(trip).toContainText(from);
  await expect(trip).toContainText(to);
  expect([...requested]).toEqual([new URL(page.url()).origin]);
});

/** Drops a file of this machine on an element, as a file manager does: a page cannot make such a file by itself. */
async function drop(page: Page, element: Locator, path: string): Promise<void> {
  const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data });
  }
  await session.detach();
}

test('an operator finds by keys who passed a point, and orders the video of the moment', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const [passing, elsewhere] = [
    await depot.addVehicle({ name: 'V 1' }),
    await depot.addVehicle({ name: 'V 2' }),
  ];
  await depot.addCameras(passing, 2);
  const begun = Date.now() - 600_000;
  for (let at = 0; at <= 8; at++) {
    const fix = { time: new Date(begun + at * 10_000).toISOString(), speed_kmh: 50, course_deg: 90 };
    const lon = MIDDLE.lon + (at - 4) * 0.002;
    await depot.report(
      { vehicle: passing, lat: MIDDLE.lat, lon, ...fix },
      { vehicle: elsewhere, lat: MIDDLE.lat + 0.02, lon, ...fix },
    );
  }
  await operator.openLive(`${host.url}/#/live?point=${MIDDLE.lat},${MIDDLE.lon}`);
  const panel = page.getByRole('region', { name: 'Point on the map' });
  await expect(panel).toBeFocused();
  // The key asks of the middle of the map, which may still be on its way to the point.
  await expect.poll(async () => (await operator.viewOf())?.zoom).toBeCloseTo(15, 3);
  await operator.press('Escape');
  await expect(panel).toBeHidden();
  await operator.press('x');
  await expect(panel).toBeFocused();
  const title = panel.getByRole('heading', { level: 2 });
  await expect(title).toHaveText('52.52000, 13.40000');

  await panel.getByRole('button', { name: 'Search', exact: true }).focus();
  await operator.press('Enter');
  await expect(panel.getByText('1 visit by 1 vehicle in the last 7 days')).toBeVisible();
  const passes = panel.getByRole('grid', { name: 'Visits' });
  await passes.focus();
  await operator.press('ArrowDown', 'Enter');
  await expect(passes.getByRole('row', { selected: true })).toContainText('V 1');
  await expectNoFaults(page);
  await operator.press('v');
  await expect(panel.getByText(/of 2/)).toBeVisible();
  const { items } = await depot.dealer.ask(videoRoutes.tasks);
  expect(items.map(({ vehicle_id, channel }) => [vehicle_id, channel]).sort()).toEqual([
    [passing.vehicle_id, 1],
    [passing.vehicle_id, 2],
  ]);
  // Half-way: the vehicle was in the middle with its fifth fix.
  const middle = new Date(begun + 40_000).toISOString();
  expect(items.every(({ from, to }) => from < middle && middle < to)).toBe(true);
});

test('the secondary button and a long press ask what is at a point, and its coordinates are copied', async ({
  host,
  depot,
  operator,
  page,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const vehicle = await depot.addVehicle({ name: 'V 1' });
  await depot.report({ vehicle, ...MIDDLE, speed_kmh: 0, ignition: false });
  await operator.openLive(`${host.url}/#/live?vehicle=${vehicle.vehicle_id}`);
  await expect(operator.panel('V 1')).toBeVisible();
  const at = { lat: MIDDLE.lat + 0.003, lon: MIDDLE.lon + 0.004 };
  const panel = page.getByRole('region', { name: 'Point on the map' });
  const title = panel.getByRole('heading', { level: 2 });
  await expect(async () => {
    const { x, y } = await operator.pixelOf(at);
    await page.mouse.click(x, y, { button: 'right' });
    await page.getByRole('menuitem', { name: 'What is here' }).click({ timeout: 1_000 });
    await expect(title).toHaveText(/^52\.523\d\d, 13\.40[34]\d\d$/, { timeout: 1_000 });
  }).toPass();
  await expect(operator.panel('V 1')).toBeHidden();
  await panel.getByRole('button', { name: /^Copy 52\.523/ }).click();
  await expect(panel.getByText('Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^52\.523\d\d, 13\.40[34]\d\d$/);
  await expect(panel.getByRole('button', { name: /^V 1/ })).toContainText(/4\d\d m SW/);

  const long = await operator.pixelOf(MIDDLE);
  const touch = await page.context().newCDPSession(page);
  const finger = { x: long.x - 60, y: long.y - 60 };
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [finger] });
  await expect(page.getByRole('menuitem', { name: 'What is here' })).toBeVisible();
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.getByRole('menuitem', { name: 'What is here' }).click();
  await expect(title).toHaveText(/^52\.52\d\d\d, 13\.39\d\d\d$/);
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
});
