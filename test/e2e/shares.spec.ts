import { geofenceRoutes } from '../../server/contract/geofences.ts';
import { shareRoutes } from '../../server/contract/shares.ts';
import { userRoutes } from '../../server/contract/users.ts';
import { addSmallFleet } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test } from './operator.ts';

test('a dispatcher shares a vehicle by keyboard, and the customer sees it without a login until the link ends', async ({
  host,
  depot,
  operator,
  page,
  browser,
}, testInfo) => {
  const { moving } = await addSmallFleet(depot);
  const geofence = await depot.dealer.ask(geofenceRoutes.create, {
    body: {
      name: 'Far away',
      ...{ shape: 'circle', geometry: { type: 'Point', coordinates: [0, 0] }, radius_m: 500 },
    },
  });
  await depot.dealer.ask(shareRoutes.create, {
    params: { vehicle: moving.vehicle_id },
    body: {
      name: 'Harbour',
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      where: { geozone_id: geofence.geozone_id, side: 'inside' },
    },
  });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await operator.openLive(host.url);
  await operator.press('/');
  await page.keyboard.type('ab 1234');
  const found = page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true });
  await expect(found).toContainText('AB 1234');
  await operator.press('Enter');
  await expect(operator.panel('V 1')).toBeVisible();
  await operator.press('/');
  await page.keyboard.type('share by');
  await expect(found).toContainText('Share by a link');
  await operator.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Share V 1' });
  const links = dialog.getByRole('list', { name: 'Links to this vehicle' }).getByRole('listitem');
  const harbour = links.filter({ hasText: 'Harbour' });
  await expect(harbour).toContainText('Shows nothing now: the vehicle is outside the geofence.');
  await expect(dialog.getByLabel('Recipient')).toBeFocused();
  await page.keyboard.type('Acme');
  await dialog.getByRole('switch', { name: 'Plate' }).press('Space');
  await expectNoFaults(page);
  await dialog.getByLabel('Recipient').press('Enter');

  await expect(dialog.getByRole('heading', { name: 'Link for Acme created' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Copy the link' })).toBeFocused();
  await operator.press('Enter');
  await expect(dialog.getByText('Copied')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link.startsWith(`${host.url}/share#`)).toBe(true);
  const acme = links.filter({ hasText: 'Acme' });
  await expect(acme).toBeVisible();
  await expect(acme).not.toContainText('Shows nothing');
  await page.screenshot({ path: testInfo.outputPath('dialog.png') });

  const elsewhere = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const customer = await elsewhere.newPage();
  const paths: string[] = [];
  customer.on('request', (request) => paths.push(new URL(request.url()).pathname));
  await customer.goto(link);
  await expect(customer.getByRole('heading', { name: 'V 1 AB 1234' })).toBeVisible();
  await expect(customer.getByText(/^moving/)).toBeVisible();
  await expect(customer.getByRole('region', { name: 'Map with V 1' })).toBeVisible();
  await expect(customer).toHaveTitle('V 1');
  // What proxies write to their logs.
  expect(paths).toContain('/api/v1/shared');
  expect(paths.join(' ')).not.toContain(new URL(link).hash.slice(1));
  await expectNoFaults(customer);
  await customer.screenshot({ path: testInfo.outputPath('customer.png') });

  await acme.getByRole('button', { name: 'End', exact: true }).press('Enter');
  await dialog.getByRole('button', { name: 'End the link for Acme' }).press('Enter');
  await expect(acme).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await customer.reload();
  await expect(customer.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
  await expectNoFaults(customer);

  const { user_id } = await depot.dealer.ask(userRoutes.me);
  await page.goto(`${host.url}/#/users?id=${user_id}`);
  const panel = page.getByRole('region', { name: 'User', exact: true });
  const given = panel.getByRole('list', { name: 'Shared links' }).getByRole('listitem');
  await expect(given).toContainText(['V 1']);
  await expect(given).toContainText(['the vehicle is outside the geofence']);
  await expectNoFaults(page);
  await page.screenshot({ path: testInfo.outputPath('user.png') });
  await given.getByRole('button', { name: 'End', exact: true }).click();
  await panel.getByRole('button', { name: 'End the link for Harbour' }).click();
  await expect(panel).toContainText('No shared links.');
  const params = { vehicle: moving.vehicle_id };
  expect((await depot.dealer.ask(shareRoutes.list, { params })).items).toEqual([]);
});
