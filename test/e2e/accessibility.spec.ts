import { addSmallFleet, pressSos, startConsoleHost } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test } from './operator.ts';

test('first run and login can be used by everybody', async ({ page }) => {
  const host = await startConsoleHost({ dealer: false });
  try {
    await page.goto(host.url);
    await page.getByLabel('Setup code').fill('wrong');
    await page.getByLabel('Username').fill('dealer');
    await page.getByLabel('Password', { exact: true }).fill('four random words');
    await page.getByRole('button', { name: 'Create dealer' }).click();
    await expect(page.getByRole('alert')).toContainText('Wrong setup code.');
    await expectNoFaults(page);
    await page.getByLabel('Setup code').fill(host.setupCode ?? '');
    await page.getByRole('button', { name: 'Create dealer' }).click();
    await fetch(`${host.intakeUrl}/?id=newcomer&lat=52.5&lon=13.4`);
    await expect(page.getByText('newcomer')).toBeVisible();
    await expectNoFaults(page);
    await page.getByRole('button', { name: /, menu$/ }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByLabel('Username').fill('dealer');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByRole('alert')).toHaveText('Wrong username or password.');
    await expectNoFaults(page);
  } finally {
    await host.close();
  }
});

test('the video screen can be used by everybody', async ({ host, depot, operator, page }) => {
  const { stopped, moving } = await addSmallFleet(depot);
  await depot.addCameras(moving, 2);
  await depot.dealer.call('PATCH', '/api/v1/settings', { video_before_s: 10, video_after_s: 0 });
  await pressSos(depot, stopped);
  await operator.openLive(host.url);
  await page.getByRole('link', { name: 'Video' }).click();
  await expect(page.getByText('No videos yet')).toBeVisible();
  await expectNoFaults(page);
  await operator.press('Alt+1');
  await operator.vehicle('V 1').click();
  await operator.press('v');
  await expect(page.locator('video').first()).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expectNoFaults(page);
});
