import { driverRoutes } from '../../server/contract/drivers.ts';
import { geofenceRoutes } from '../../server/contract/geofences.ts';
import { addSmallFleet, MIDDLE, pressSos } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test } from './operator.ts';
import { order } from './videoSteps.ts';

test('the rows of every list have a menu of what their keys do, by the menu key too', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { stopped, moving } = await addSmallFleet(depot);
  const profile = await depot.addCameras(moving, 1, { url: 'http://127.0.0.1:9/clip' });
  await order(depot, profile, 1, { agoS: 60 });
  await depot.dealer.ask(driverRoutes.create, { body: { name: 'Vera Novak', phone: '+371 2000 7' } });
  const { geozone_id } = await depot.dealer.ask(geofenceRoutes.create, {
    body: {
      ...{ name: 'Quay', shape: 'circle', radius_m: 400 },
      geometry: { type: 'Point', coordinates: [MIDDLE.lon + 0.02, MIDDLE.lat - 0.01] },
    },
  });
  await pressSos(depot, stopped);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await operator.openLive(host.url);
  await expect(operator.row('SOS button')).toBeVisible();
  const menu = page.getByRole('menu');
  const item = (name: string | RegExp) => menu.getByRole('menuitem', { name });

  await test.step('an alarm of the queue opens its incident', async () => {
    await operator.press('j');
    await operator.queue.getByRole('list').focus();
    await operator.press('Shift+F10');
    await expect(item('Snooze')).toBeVisible();
    await expect(item('Open an incident')).toContainText('I');
    await operator.press('Escape');
    await expect(menu).toBeHidden();
  });

  await test.step('a notification and an event of the lists', async () => {
    await page.goto(`${host.url}/#/events`);
    const grid = page.getByRole('grid', { name: 'Notifications' });
    await expect(grid.getByRole('row', { name: /SOS/ }).first()).toBeVisible();
    await grid.focus();
    await operator.press('Home', 'Shift+F10');
    await expect(item('Why did this fire?')).toBeVisible();
    await expect(item('Locate on the map')).toBeVisible();
    await expectNoFaults(page);
    await operator.press('Escape');
    await expect(menu).toBeHidden();
  });

  await test.step('an incident', async () => {
    await operator.press('Alt+i');
    const list = page.getByRole('listbox', { name: 'Incidents' });
    await expect(list.getByRole('option')).not.toHaveCount(0);
    await list.focus();
    await operator.press('Home', 'Shift+F10');
    await expect(item('Take the incident')).toContainText('T');
    await expect(item('Export the incident as PDF')).toBeVisible();
    await item('Take the incident').press('Enter');
    await expect(page.getByRole('button', { name: 'In progress' })).toHaveAttribute('aria-pressed', 'true');
  });

  await test.step('a driver, a rule and a user', async () => {
    await page.goto(`${host.url}/#/vehicles?tab=drivers`);
    const drivers = page.getByRole('grid', { name: 'Drivers' });
    await expect(drivers.getByRole('row', { name: /Vera Novak/ })).toBeVisible();
    await drivers.focus();
    await operator.press('Home', 'Shift+F10');
    await expect(item('Copy a link to this row')).toBeVisible();
    await expect(item('Copy the driver’s phone number')).toBeVisible();
    await operator.press('Escape');
    for (const [place, name] of [
      ['rules', 'Rules'],
      ['users', 'Users'],
    ] as const) {
      await page.goto(`${host.url}/#/${place}`);
      const grid = page.getByRole('grid', { name });
      await expect(grid.getByRole('row').nth(1)).toBeVisible();
      await grid.focus();
      await operator.press('Home', 'Shift+F10');
      await expect(item('Copy a link to this row')).toBeVisible();
      await expect(item('Show the notifications of the rule')).toBeVisible({ visible: place === 'rules' });
      await operator.press('Escape');
      await expect(menu).toBeHidden();
    }
    await page.goto(`${host.url}/#/rules`);
    const rules = page.getByRole('grid', { name: 'Rules' });
    await expect(rules.getByRole('row').nth(1)).toBeVisible();
    await rules.focus();
    await operator.press('Home', 'Shift+F10');
    await item('Show the notifications of the rule').press('Enter');
    await expect(page.getByRole('button', { name: /^All time/ })).toBeVisible();
  });

  await test.step('a geofence', async () => {
    await page.goto(`${host.url}/#/geofences`);
    const geofences = page.getByRole('grid', { name: 'Geofences' });
    await expect(geofences.getByRole('row', { name: /Quay/ })).toBeVisible();
    await geofences.focus();
    await operator.press('Home', 'Shift+F10');
    await item('Copy a link to this row').press('Enter');
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain(`/#/geofences?id=${geozone_id}`);
    await geofences.focus();
    await operator.press('Home', 'Shift+F10');
    await item('Events at the selected geofence').press('Enter');
    await expect(page).toHaveURL(/#\/events\?.*geofence=/);
  });

  await test.step('a request of the video queue', async () => {
    await page.goto(`${host.url}/#/video?show=queue`);
    await page.getByRole('region', { name: 'Video requests' }).waitFor();
    await operator.press('q');
    const grid = page.getByRole('grid', { name: 'All video requests' });
    await expect(grid.getByRole('gridcell', { name: 'V 1' }).first()).toBeVisible();
    await grid.focus();
    await operator.press('Home', 'Shift+F10');
    await expect(item(/Mark the selected videos important/)).toContainText('I');
    await operator.press('Escape');
    await expect(menu).toBeHidden();
  });
});

test('vehicles are selected by a frame on the map, and have the same menu on the map as in the list', async ({
  host,
  depot,
  operator,
  page,
}) => {
  await addSmallFleet(depot);
  await operator.openLive(host.url);
  const at = (north: number, east: number) => ({
    lat: MIDDLE.lat + north / 100,
    lon: MIDDLE.lon + east / 100,
  });
  const menu = page.getByRole('menu');
  /** What the menu holds that the secondary button opens on the map and on the row. */
  async function menusOf(name: string, place: { lat: number; lon: number }): Promise<[string[], string[]]> {
    await expect(async () => {
      // That of the ground, where the map had not drawn them yet.
      if (await menu.isVisible()) await operator.press('Escape');
      const { x, y } = await operator.pixelOf(place);
      await page.mouse.click(x, y, { button: 'right' });
      await expect(menu).toHaveAccessibleName(name, { timeout: 1_000 });
    }).toPass({ timeout: 15_000 });
    const onMap = await menu.getByRole('menuitem').allInnerTexts();
    await operator.press('Escape');
    await expect(menu).toBeHidden();
    await operator.vehicle(/V \d/.exec(name)?.[0] ?? 'V 1').click({ button: 'right' });
    await expect(menu).toHaveAccessibleName(name);
    const inList = await menu.getByRole('menuitem').allInnerTexts();
    await operator.press('Escape');
    await expect(menu).toBeHidden();
    return [onMap, inList];
  }

  await test.step('several', async () => {
    await expect(async () => {
      const [from, to] = [await operator.pixelOf(at(2.2, -2.4)), await operator.pixelOf(at(-0.4, 0.6))];
      await page.mouse.move(from.x, from.y);
      await page.keyboard.down('Shift');
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 4 });
      await page.mouse.up();
      await page.keyboard.up('Shift');
      await expect(page.getByRole('group', { name: '2 vehicles selected' })).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 15_000 });
    for (const [name, selected] of [
      ['V 1', 'true'],
      ['V 2', 'false'],
      ['V 3', 'true'],
    ] as const)
      await expect(operator.vehicle(name)).toHaveAttribute('aria-selected', selected);
    const [onMap, inList] = await menusOf('2 selected', at(2, -2));
    expect(onMap).toEqual(inList);
    expect(onMap.join()).toMatch(
      /Follow[^]*Add to groups, or remove[^]*Assign to a geofence[^]*Run a report/,
    );
  });

  await test.step('one', async () => {
    await operator.press('Escape');
    await expect(page.getByRole('group', { name: /vehicles? selected/ })).toHaveCount(0);
    const [onMap, inList] = await menusOf('Commands of V 3', at(0, 0));
    expect(onMap).toEqual(inList);
    expect(onMap.join()).toMatch(/Locate[^]*Follow[^]*Snooze/);
  });

  await test.step('all in view, by a key', async () => {
    await operator.press('Shift+B');
    await expect(page.getByRole('group', { name: /[1-4] vehicles? selected/ })).toBeVisible();
  });
});
