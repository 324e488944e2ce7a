import { placeRoutes } from '../../server/contract/places.ts';
import { mapRoutes } from '../../server/contract/maps.ts';
import { videoRoutes } from '../../server/contract/video.ts';
import { realMap } from '../support/mapFiles.ts';
import { MIDDLE } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test } from './operator.ts';

const andorra = realMap('andorra.mbtiles');

test('an operator types a part of a street name, and the map and the panel show the street', async ({
  host,
  depot,
  operator,
  page,
}) => {
  test.skip(andorra === null, 'the map files are not there');
  const vehicle = await depot.addVehicle({ name: 'V 1' });
  await depot.report({ vehicle, lat: 42.5063, lon: 1.5218, speed_kmh: 40, course_deg: 45 });
  await depot.dealer.ask(mapRoutes.add, { body: { path: andorra ?? '' } });
  await expect
    .poll(async () => (await depot.dealer.ask(placeRoutes.indexes)).items.map(({ state }) => state))
    .toEqual(['ready']);
  await operator.openLive(host.url);

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
  await expect(panel.getByRole('status').first()).toContainText('Avinguda Meritxell');
  await expect(panel.getByRole('button', { name: /^V 1/ })).toContainText(/\d+ m/);
  await expectNoFaults(page);

  // The name of a town is not needed with coordinates, nor is the server.
  await page.keyboard.press('/');
  await field.fill('42°30′28″ N 1°31′30″ E');
  await page.keyboard.press('Enter');
  await expect(panel.getByText('42.50778, 1.52500')).toBeVisible();
});

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
  await expect(title).toHaveText(/^52\.52\d\d\d, 13\.39\d\d\d$/);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
});
