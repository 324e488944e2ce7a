import type { Page } from '@playwright/test';
import { serviceRoutes } from '../../server/contract/settings.ts';
import { addSmallFleet, haveNoon, pressSos, rights, userPassword } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, Operator, test } from './operator.ts';
import { boxFaults } from './screenStates.ts';
import { order, statusOf } from './videoSteps.ts';

/** Opens the window of a pane by its address, as a bookmark does. */
async function openWindow(page: Page, url: string, name: string): Promise<Operator> {
  const own = await page.context().newPage();
  await own.goto(`${url}/?window=${name}`);
  const operator = new Operator(own);
  await expect(operator.connection).toContainText('Live');
  return operator;
}

test(
  'Windows of one login share selection, acknowledgement, stream and logout',
  { tag: '@browser' },
  async ({ host, depot, operator, page }) => {
    await haveNoon(depot);
    const { stopped } = await addSmallFleet(depot);
    await pressSos(depot, stopped);
    await operator.openLive(host.url);
    const opened = page.context().waitForEvent('page');
    await operator.queue.getByRole('button', { name: 'Open in its own window' }).click();
    const queue = new Operator(await opened);
    const list = await openWindow(page, host.url, 'list');
    await expect(queue.row('SOS button')).toBeVisible();
    await expect(queue.page.getByRole('heading', { name: 'Queue' })).toHaveCount(1);
    await expect(list.page.getByRole('navigation')).toHaveCount(0);

    await list.vehicle('V 1').click();
    await expect(operator.panel('V 1')).toBeVisible();
    await queue.row('SOS button').click();
    await expect(operator.panel('V 3')).toBeVisible();
    await expect(list.vehicle('V 3')).toHaveAttribute('aria-selected', 'true');
    expect((await depot.dealer.ask(serviceRoutes.status)).streams).toBe(1);

    await queue.press('a');
    await expect(operator.queue.getByRole('button', { name: '1 acknowledged today' })).toBeVisible();
    await expect.poll(() => depot.openAlarms()).toEqual([]);

    // What a window does not show, the whole console shows.
    await queue.press('h');
    await expect(page).toHaveURL(/#\/history/);
    await expect(queue.page).toHaveURL(/window=queue#\/live/);

    await page.getByRole('button', { name: 'dealer, menu' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    for (const it of [operator, queue, list]) await expect(it.page.getByLabel('Username')).toBeVisible();
    await operator.logIn(host.url);
    await expect(list.vehicle('V 1')).toBeVisible();
  },
);

test('A wall display shows map, alarms, cameras and what is new to a login that only reads', async ({
  host,
  depot,
  page,
}) => {
  const { moving } = await addSmallFleet(depot);
  const video = await order(depot, await depot.addCameras(moving), 1, { agoS: 30 });
  await expect.poll(() => statusOf(depot, video)).toBe('done');
  await depot.addUser('wall', { rights: rights({ video: 'read' }), group_ids: moving.group_ids });
  const wall = new Operator(page);
  await wall.logIn(`${host.url}/?window=wall`, 'wall', userPassword);
  await expect(wall.connection).toContainText('Live');
  await expect(wall.queue).toContainText('No open alarms');
  await expect(wall.map.locator('.maplibregl-canvas')).toBeVisible();
  const cameras = page.getByRole('region', { name: 'Cameras of V 1' });
  await expect(cameras).toContainText(/V 1 · camera 1 · \d\d:\d\d/);
  await expect
    .poll(() => cameras.locator('video').evaluate((it: HTMLVideoElement) => it.currentTime))
    .toBeGreaterThan(0);
  await pressSos(depot, moving);
  const row = wall.row('SOS button');
  await expect(row).toHaveAttribute('aria-current', 'true');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

  await page.setViewportSize({ width: 1366, height: 768 });
  await expectNoFaults(page);
  expect(await boxFaults(page)).toEqual([]);

  // Keys of commands do nothing here.
  await wall.press('a', 'Control+k');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await depot.openAlarms()).toHaveLength(1);
});
