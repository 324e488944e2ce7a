import { driverRoutes } from '../../server/contract/drivers.ts';
import { addSmallFleet, pressSos } from './depot.ts';
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
  await pressSos(depot, stopped);
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
