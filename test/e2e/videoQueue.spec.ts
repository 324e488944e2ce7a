import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { startCamera, type Camera } from './camera.ts';
import { addSmallFleet, pressSos } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, interceptFromStart, test } from './operator.ts';
import { expectToPlay } from './player.ts';
import {
  addTerminal,
  choose,
  keepRulesFromRecording,
  openQueue,
  order,
  row,
  rows,
  statusOf,
} from './videoSteps.ts';

/** A network camera that has the clip of channel 1, and never answers for another. */
async function startSlowCamera(): Promise<Camera> {
  const clip = await readFile(join(import.meta.dirname, 'fixtures', 'short.mp4'));
  return startCamera((request, response) => {
    if (request.url?.includes('channel=1&') !== true) return;
    response.writeHead(200, { 'Content-Type': 'video/mp4' }).end(clip);
  });
}

/** What of a table, or round it, is wider than the room that it has. */
function tooWide(table: Locator): Promise<string[]> {
  return table.evaluate((element) => {
    const found: string[] = [];
    for (let it: Element | null = element; it !== null; it = it.parentElement)
      if (it.scrollWidth > it.clientWidth)
        found.push(`${it.className}: ${it.scrollWidth} of ${it.clientWidth}`);
    return found;
  });
}

/** Keeps the calls that cancel tasks from the host, until they are let through. */
async function holdCancels(page: Page): Promise<() => void> {
  let goOn: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route(/\/vsvc\/api\/tasks\/[^/]+$/, async (route) => {
    if (route.request().method() === 'DELETE') await released;
    await route.continue();
  });
  return goOn;
}

test.describe('the queue of videos', () => {
  let camera: Camera;
  let slow: Camera;
  test.beforeEach(async ({ depot }) => {
    await keepRulesFromRecording(depot);
    camera = await startCamera((_request, response) => {
      response.writeHead(404, { 'Content-Type': 'text/plain' });
      response.end('no such recording');
    });
    slow = await startSlowCamera();
  });
  test.afterEach(async () => {
    await camera.close();
    await slow.close();
  });

  test('the queue of videos shows how far each video is, its user and its reason, and is narrowed by filters', async ({
    host,
    depot,
    operator,
    page,
  }) => {
    test.slow();
    const { moving, fast, stopped } = await addSmallFleet(depot);
    const cameras = await depot.addCameras(moving, 2);
    const gone = await order(depot, await depot.addCameras(fast, 1, { url: camera.url }), 1, { agoS: 90 });
    await order(depot, await addTerminal(depot, stopped), 1, { agoS: 60 });
    await pressSos(depot, moving);
    const [alarm] = await depot.openAlarms();
    await order(depot, cameras, 2, { agoS: 5, eventId: alarm?.event_ids[0] ?? '' });
    await expect.poll(() => statusOf(depot, gone)).toBe('failed');

    await operator.openLive(host.url);
    await openQueue(operator);
    await expect(rows(page)).toHaveCount(3);
    await expect(row(page, 'V 1')).toContainText('2 Cabin');
    await expect(row(page, 'V 1')).toContainText(/Ready.*online.*kB.*dealer/);
    await expect(row(page, 'V 1').getByRole('link')).toHaveText('SOS button pressed');
    await expect(row(page, 'V 2')).toContainText('This recording no longer exists');
    await expect(row(page, 'V 3')).toContainText(/Waiting for the terminal.*offline/);
    await expectNoFaults(page);
    // With every column at the width of the smallest desktop, and with fewer of them below it.
    for (const [width, columns] of [
      [1_366, 11],
      [1_280, 8],
    ] as const) {
      await page.setViewportSize({ width, height: 768 });
      await expect(page.getByRole('columnheader')).toHaveCount(columns);
      await expect.poll(() => tooWide(page.getByRole('grid', { name: 'All video requests' }))).toEqual([]);
    }

    const filters = page.getByRole('group', { name: 'Which videos are shown' });
    await choose(filters, 'Status', 'Waiting for the terminal');
    await expect(rows(page)).toHaveCount(1);
    await expect(page).toHaveURL(/state=waiting/);
    await choose(filters, 'Status', 'All');
    await page.getByRole('combobox', { name: 'Vehicle' }).fill('V 2');
    await page.getByRole('option', { name: /V 2/ }).click();
    await expect(rows(page)).toHaveCount(1);
    await page.getByText('Important only').click();
    await expect(page.getByText('No matching videos')).toBeVisible();
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(rows(page)).toHaveCount(3);
    await choose(filters, 'Requested by', 'Rules');
    await expect(page.getByText('No matching videos')).toBeVisible();

    // Enter on a row opens its player, and Back leads to the queue again.
    await page.getByRole('button', { name: 'Show all' }).click();
    await row(page, 'V 1').click();
    await expect(page.locator('video').first()).toBeVisible();
    await page.goBack();
    await expect(rows(page)).toHaveCount(3);
  });

  test('many are tried again, marked, cancelled and deleted at once', async ({
    host,
    depot,
    operator,
    page,
  }) => {
    test.slow();
    const { moving, fast, stopped } = await addSmallFleet(depot);
    const cameras = await depot.addCameras(moving, 2);
    const broken = await depot.addCameras(fast, 2, { url: camera.url });
    const terminal = await addTerminal(depot, stopped);
    const failed = [await order(depot, broken, 1, { agoS: 90 }), await order(depot, broken, 2, { agoS: 90 })];
    const waiting = [
      await order(depot, terminal, 1, { agoS: 60 }),
      await order(depot, terminal, 1, { agoS: 70 }),
    ];
    const done = await order(depot, cameras, 1, { agoS: 50 });
    for (const task of failed) await expect.poll(() => statusOf(depot, task)).toBe('failed');
    await expect.poll(() => statusOf(depot, done)).toBe('done');

    await interceptFromStart(page);
    await operator.openLive(host.url);
    await openQueue(operator);
    const chosen = page.getByRole('group', { name: /^\d videos?$/ });
    await row(page, 'V 2').first().getByRole('checkbox').click();
    await row(page, 'V 2')
      .last()
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    const before = camera.asked.length;
    await operator.press('r');
    await expect
      .poll(() => camera.asked.length, 'the camera is asked again')
      .toBeGreaterThanOrEqual(before + 2);
    await chosen.getByRole('button', { name: 'Clear selection' }).click();

    for (const it of await row(page, 'V 3').all()) await it.getByRole('checkbox').click();
    await expectNoFaults(page);
    await chosen.getByRole('button', { name: 'Mark 2 important' }).click();
    await expect(page.getByRole('img', { name: /^Important/ })).toHaveCount(2);
    // The work goes on, and says how it ended, while the operator looks elsewhere.
    const goOn = await holdCancels(page);
    await chosen.getByRole('button', { name: 'Cancel 2' }).click();
    await operator.press('Alt+1');
    await operator.seesMap();
    goOn();
    await expect(page.getByText('2 videos were cancelled.')).toBeVisible();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(row(page, 'V 3').filter({ hasText: 'Cancelled' })).toHaveCount(2);
    for (const task of waiting) expect(await statusOf(depot, task)).toBe('cancelled');

    await row(page, 'V 1').getByRole('checkbox').click();
    await chosen.getByRole('button', { name: 'Delete 1' }).click();
    await chosen.getByRole('button', { name: 'Delete 1 on the server and here' }).click();
    await expect(row(page, 'V 1')).toContainText('Deleted on the server');
    expect(await statusOf(depot, done)).toBe('expired');
  });

  test('events say whether their video is there, can be requested, or is on its way', async ({
    host,
    depot,
    operator,
    page,
  }) => {
    const { moving, fast, stopped, idle } = await addSmallFleet(depot);
    const cameras = await depot.addCameras(moving);
    const half = await depot.addCameras(fast, 2, { url: slow.url });
    const terminal = await addTerminal(depot, stopped);
    await depot.addCameras(idle);
    for (const vehicle of [moving, fast, stopped, idle]) await pressSos(depot, vehicle);
    for (const { vehicle_id, event_ids } of await depot.openAlarms()) {
      const eventId = event_ids[0] ?? '';
      if (vehicle_id === moving.vehicle_id) await order(depot, cameras, 1, { agoS: 5, eventId });
      if (vehicle_id === stopped.vehicle_id) await order(depot, terminal, 1, { agoS: 5, eventId });
      if (vehicle_id !== fast.vehicle_id) continue;
      const at = Date.now();
      for (const channel of [1, 2]) await order(depot, half, channel, { agoS: 5, at, eventId });
    }
    await operator.openLive(host.url);
    await page.getByRole('link', { name: 'Events' }).click();
    const list = page.getByRole('grid', { name: 'Notifications' });
    const of = (name: string) => list.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
    await expect(of('V 1')).toContainText('1 of 1 ready');
    await expect(of('V 3')).toContainText('waiting for terminal');
    await expect(of('V 4')).toContainText('can be requested');
    await expect(of('V 2')).toContainText('1 of 2');
    await expectNoFaults(page);
    // Of what happens to a video no video can be requested.
    await page.getByRole('navigation', { name: 'Lists' }).getByRole('link', { name: 'Events' }).click();
    const ready = page.getByRole('grid', { name: 'Events' }).getByRole('row', { name: /Video ready/ });
    await expect(ready.first()).toBeVisible();
    await expect(ready.first()).not.toContainText('can be requested');
    await page
      .getByRole('navigation', { name: 'Lists' })
      .getByRole('link', { name: 'Notifications' })
      .click();
    await of('V 2').getByRole('button', { name: '1 of 2 ready' }).click();
    await page.getByRole('button', { name: 'Play channel 1 now' }).click();
    await expectToPlay(page.locator('video').first());
  });
});
