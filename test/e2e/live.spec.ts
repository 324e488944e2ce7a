import type { Page } from '@playwright/test';
import type { Notification } from '../../server/contract/notifications.ts';
import { addSmallFleet, haveNoon, MIDDLE, pressSos, rights, speed, userPassword } from './depot.ts';
import { expect, test, type Operator } from './operator.ts';

test('Live counts the vehicles by what they do, and each count is a filter', async ({
  host,
  clock,
  depot,
  operator,
}) => {
  clock.behind_ms = 20 * 60_000;
  const silent = await depot.addVehicle({ name: 'V 9' });
  await depot.report({
    vehicle: silent,
    ...MIDDLE,
    lat: MIDDLE.lat - 0.02,
    time: new Date(clock.now()).toISOString(),
  });
  clock.behind_ms = 0;
  await addSmallFleet(depot);
  await operator.openLive(host.url);

  for (const [status, number] of [
    ['moving', 2],
    ['idle', 1],
    ['stopped', 1],
    ['offline', 2],
  ] as const)
    await expect(operator.count(status), status).toHaveText(new RegExp(`^${number}`));
  await expect(operator.list.getByRole('option')).toHaveCount(6);
  await expect(operator.vehicle('V 1')).toContainText('48 km/h');
  await expect(operator.vehicle('V 9')).toContainText('offline');
  // It took a moment, on a busy machine more than the rest of this minute.
  await expect(operator.vehicle('V 9')).toContainText(/2\d\smin/);
  await expect(operator.vehicle('V 5')).toContainText('never reported');

  await operator.count('moving').click();
  await expect(operator.list.getByRole('option')).toHaveCount(2);
  await operator.list.getByRole('button', { name: 'Group' }).click();
  await operator.page.getByRole('option', { name: 'North' }).click();
  await operator.count('stopped').click();
  await expect(operator.list).toContainText('No stopped vehicle in group North');
  await operator.list.getByRole('button', { name: 'Show all groups' }).click();
  await expect(operator.list.getByRole('option')).toHaveCount(6);

  // What a vehicle does next is counted as it comes, without reading anything again.
  await depot.report({ vehicle: silent, ...MIDDLE, speed_kmh: 30 });
  await expect(operator.count('moving')).toHaveText(/^3/);
  await expect(operator.count('offline')).toHaveText(/^1/);
});

test('Live selects a vehicle in the list or on the map, locates and follows it', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { moving, stopped } = await addSmallFleet(depot);
  await operator.openLive(host.url);

  await operator.vehicle('V 1').click();
  await expect(operator.panel('V 1')).toContainText('AB 1234');
  await expect(operator.panel('V 1')).toContainText('Truck · M. Okafor');
  await expect(page).toHaveURL(new RegExp(`vehicle=${moving.vehicle_id}`));
  await expect(operator.map.getByText('48 km/h · NE')).toBeVisible();

  await operator.press('l');
  await expect.poll(() => distanceOnMap(operator, place(2, -2))).toBeLessThan(2);
  await operator.press('f');
  await expect(operator.panel('V 1').getByRole('button', { name: 'Stop following' })).toBeVisible();
  await depot.report({ vehicle: moving, ...place(3, -1), speed_kmh: 50, course_deg: 40 });
  await expect.poll(() => distanceOnMap(operator, place(3, -1))).toBeLessThan(40);

  await operator.press('Escape');
  await expect(operator.panel('V 1')).toBeHidden();
  await expect(page).not.toHaveURL(/vehicle=/);
  await operator.press('0');
  await expect.poll(() => isOnMap(operator, place(0, 0))).toBe(true);
  await operator.pickOnMap('V 3', place(0, 0));
  await expect(page).toHaveURL(new RegExp(`vehicle=${stopped.vehicle_id}`));
});

test('Live finds vehicles, alarms and commands in the palette', async ({ host, depot, operator, page }) => {
  const { stopped } = await addSmallFleet(depot);
  await pressSos(depot, stopped);
  // An event that is no alarm.
  await depot.report({ vehicle: stopped, ...MIDDLE, speed_kmh: 0, ignition: true });
  await operator.openLive(host.url);
  await expect(operator.row('SOS button')).toBeVisible();
  await expect(operator.vehicle('V 1')).toBeVisible();
  const palette = page.getByRole('dialog', { name: 'Search and commands' });

  await operator.press('/');
  await page.keyboard.type('ab 12');
  await expect(palette.getByRole('option').first()).toContainText('V 1 AB 1234');
  await operator.press('Enter');
  await expect(palette).toBeHidden();
  await expect(operator.panel('V 1')).toBeVisible();

  await operator.press('Control+k');
  await page.keyboard.type('sos');
  await expect(palette.getByText('Moments')).toBeVisible();
  await operator.press('Enter');
  await expect(operator.panel('V 3')).toContainText('SOS button');

  await operator.press('/');
  await page.keyboard.type('v 3 ignition');
  await palette.locator('[id^="event-"]').click();
  await expect(page.getByRole('grid').getByRole('row', { selected: true })).toContainText('Ignition on');

  await operator.press('/');
  await page.keyboard.type('>light');
  await expect(palette.getByRole('option')).toHaveCount(1);
  await operator.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');

  await operator.press('/');
  await page.keyboard.type('nowhere');
  await expect(palette).toContainText('No matches.');
  await operator.press('Escape');

  await operator.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText(
    'Acknowledge with a note',
  );
  await operator.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('Live goes from pane to pane by F6 and through the queue by J and K', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { fast, stopped } = await addSmallFleet(depot);
  await pressSos(depot, stopped);
  await speed(depot, fast);
  await operator.openLive(host.url);
  await expect(operator.queue.getByRole('listitem')).toHaveCount(2);
  const alarms = await operator.queue.getByRole('listitem').allTextContents();
  expect(alarms[0], 'the gravest first').toContain('SOS button');
  expect(alarms[1]).toContain('94 km/h, limit 60');

  const paneWithFocus = () =>
    page.evaluate(() => document.activeElement?.closest('[data-pane]')?.getAttribute('aria-label') ?? null);
  for (const pane of ['Vehicles', 'Map', 'Queue', 'Vehicles']) {
    await operator.press('F6');
    expect(await paneWithFocus()).toBe(pane);
  }
  await operator.press('Shift+F6');
  expect(await paneWithFocus()).toBe('Queue');

  await operator.press('j');
  await expect(operator.row('SOS button')).toHaveAttribute('aria-current', 'true');
  await operator.press('j');
  await expect(operator.row('Overspeed')).toHaveAttribute('aria-current', 'true');
  await expect(operator.panel('V 2')).toBeVisible();
  await operator.press('k');
  await expect(operator.row('SOS button')).toHaveAttribute('aria-current', 'true');

  // Keys belong to a text field while one has the focus.
  await operator.press('/');
  await page.keyboard.type('ja');
  await operator.press('Escape');
  await expect(operator.row('SOS button')).toHaveAttribute('aria-current', 'true');
  await expect(operator.queue.getByRole('listitem')).toHaveCount(2);

  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByText('Single-key shortcuts').click();
  await operator.press('Alt+1');
  await expect(operator.queue.getByRole('listitem')).toHaveCount(2);
  await operator.press('j', 'F6');
  await expect.poll(paneWithFocus, 'F6 works either way').toBe('Vehicles');
  await expect(page.getByRole('region', { name: /^Vehicle V/ })).toHaveCount(0);
});

test('Live acknowledges with A, with a note with Shift A, and shows by whom', async ({
  host,
  depot,
  operator,
  page,
}) => {
  await haveNoon(depot);
  const { fast, stopped } = await addSmallFleet(depot);
  await pressSos(depot, stopped);
  await speed(depot, fast);
  await operator.openLive(host.url);
  await expect(operator.queue.getByRole('listitem')).toHaveCount(2);

  await operator.press('j', 'a');
  await expect(operator.row('SOS button')).toContainText('acknowledged by dealer');
  await expect(operator.row('SOS button')).toHaveAttribute('aria-current', 'true');
  await expect(operator.panel('V 3')).toBeVisible();
  await operator.press('j');
  await expect(operator.row('Overspeed')).toHaveAttribute('aria-current', 'true');
  await expect(operator.row('SOS button')).toHaveCount(0);
  await operator.press('Shift+A');
  await page.getByRole('dialog').getByLabel('Note').fill('Driver was phoned');
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
  await expect(operator.queue).toContainText('No open alarms');
  await expect.poll(async () => (await depot.openAlarms()).length).toBe(0);
  const taken = (await depot.dealer.get('/api/v1/notifications?state=acknowledged')).body as {
    items: Notification[];
  };
  expect(taken.items.map((it) => [it.event_kind, it.ack?.note ?? null]).sort()).toEqual([
    ['overspeed', 'Driver was phoned'],
    ['sos', null],
  ]);

  await operator.queue.getByRole('button', { name: '2 acknowledged today' }).click();
  await expect(operator.row('acknowledged by dealer')).toHaveCount(2);
});

test('Live takes an alarm out of the queue when another user has it', async ({ host, depot, operator }) => {
  const { stopped } = await addSmallFleet(depot);
  const group: string = (await depot.dealer.post('/api/v1/groups', { name: 'Yard' })).body.group_id;
  await depot.dealer.call('PUT', `/api/v1/groups/${group}/vehicles/${stopped.vehicle_id}`);
  await depot.addUser('novak', { rights: rights({ notifications: 'write' }), group_ids: [group] });
  await operator.openLive(host.url);
  await pressSos(depot, stopped);
  await expect(operator.row('SOS button')).toBeVisible();
  const [alarm] = await depot.openAlarms();
  const other = await host.login('novak', userPassword);
  const answer = await other.post(`/api/v1/notifications/${alarm?.notification_id}/ack`, { note: 'called' });
  expect(answer.status).toBe(200);
  await expect(operator.queue).toContainText(/Last alarm .* V 3 SOS button, acknowledged by novak/);
});

test('Live keeps panes as they were left, over a reload', async ({ host, depot, operator, page }) => {
  await addSmallFleet(depot);
  await operator.openLive(host.url);
  const width = async () => (await operator.list.boundingBox())?.width ?? 0;
  const edge = page.getByRole('separator', { name: 'Width of the list' });
  const box = await edge.boundingBox();
  if (box === null) throw new Error('the list has no edge');
  await page.mouse.move(box.x + box.width / 2, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 60, box.y + 300, { steps: 4 });
  await page.mouse.up();
  const wide = await width();
  expect(wide).toBeGreaterThan(380);
  await operator.press('\\');
  await expect(operator.queue.getByRole('button', { name: 'Expand the queue' })).toBeVisible();

  await page.reload();
  await operator.seesLive();
  expect(await width()).toBe(wide);
  await expect(operator.queue.getByRole('button', { name: 'Expand the queue' })).toBeVisible();
  await operator.press('\\', '[');
  await expect(operator.queue.getByRole('button', { name: 'Collapse the queue' })).toBeVisible();
  await expect(operator.list).toBeHidden();
  await expect(page.getByRole('button', { name: '2 moving' })).toBeVisible();
  await operator.press('[');
  expect(await width()).toBe(wide);
});

test('Live opens what a link names, after logging in', async ({ host, depot, operator, page }) => {
  const { fast } = await addSmallFleet(depot);
  await operator.openLive(`${host.url}/#/live?vehicle=${fast.vehicle_id}`);
  await expect(operator.panel('V 2')).toBeVisible();
  await expect(operator.vehicle('V 2')).toHaveAttribute('aria-selected', 'true');
  await expect.poll(() => distanceOnMap(operator, place(2, 3))).toBeLessThan(2);
  await page.getByRole('button', { name: 'Light theme, for daylight' }).click();
  await page.reload();
  await operator.seesLive();
  await expect(operator.panel('V 2'), 'the same place after a reload').toBeVisible();
  await expect(page.locator('html'), 'the same look').toHaveAttribute('data-theme', 'light');
});

test.describe('the layout at several window sizes', () => {
  const sizes = [
    { width: 1920, height: 1080, shows: ['list', 'panel', 'queue', 'phone'] },
    { width: 1366, height: 768, shows: ['list', 'panel', 'queue'] },
    { width: 1180, height: 768, shows: ['list', 'over', 'queue'] },
    { width: 900, height: 768, shows: ['strip', 'over', 'queue'] },
    { width: 640, height: 560, shows: ['strip', 'over', 'folded', 'narrow'] },
  ];
  test('the layout at several window sizes yields in order and cuts nothing', async ({
    host,
    depot,
    operator,
    page,
  }) => {
    const { stopped, fast } = await addSmallFleet(depot);
    await pressSos(depot, stopped);
    await speed(depot, fast);
    await operator.openLive(`${host.url}/#/live?vehicle=${stopped.vehicle_id}`);
    await expect(operator.row('SOS button')).toBeVisible();
    for (const { width, height, shows } of sizes) {
      await test.step(`${width} × ${height}`, async () => {
        await page.setViewportSize({ width, height });
        await expect(page.locator('.live__strip')).toBeVisible({ visible: shows.includes('strip') });
        await expect(operator.list).toBeVisible({ visible: shows.includes('list') });
        await expect(operator.panel('V 3')).toBeVisible();
        await expect(page.locator('.live__panel--over')).toBeVisible({ visible: shows.includes('over') });
        await expect(operator.row('SOS button')).toBeVisible();
        await expect(operator.row('Overspeed')).toBeVisible({ visible: !shows.includes('folded') });
        await expect(operator.queue.getByText('+44 20 7946 0103')).toBeVisible({
          visible: shows.includes('phone'),
        });
        await expect(page.locator('.rail__label').first()).toBeVisible({
          visible: !shows.includes('narrow'),
        });
        // Never folded: the queue's head, the clock, the connection.
        await expect(operator.queue.getByText('1 alarm')).toBeVisible();
        await expect(page.locator('.top-bar__clock b')).toBeVisible();
        await expect(operator.connection).toContainText('Live');
        // The top alarm stays actionable.
        await operator.row('SOS button').hover();
        for (const name of ['Acknowledge', 'Locate', 'Video'])
          await expect(operator.row('SOS button').getByRole('button', { name })).toBeInViewport({ ratio: 1 });
        const map = await operator.map.boundingBox();
        expect(map?.height).toBeGreaterThanOrEqual(360);
        expect(map?.width).toBeGreaterThanOrEqual(Math.min(560, width - 48 - 48));
        expect(await cutOff(page)).toEqual([]);
        await page.screenshot({ path: test.info().outputPath(`live-${width}.png`) });
      });
    }
  });
});

test('alarms that the map has no space to label are counted where nothing covers the count', async ({
  host,
  depot,
  operator,
  page,
}) => {
  await page.setViewportSize({ width: 1366, height: 768 });
  for (let at = 0; at < 24; at++) {
    const vehicle = await depot.addVehicle({ name: `A ${at}` });
    await pressSos(depot, vehicle, place((at % 6) / 20, Math.floor(at / 6) / 20));
  }
  await operator.openLive(host.url);
  const count = operator.map.getByText(/^\d+ more alarms$/);
  await expect(count).toBeVisible();
  const box = await count.boundingBox();
  for (const name of ['.map-chip', '.maplibregl-ctrl-attrib']) {
    const other = page.locator(name);
    if ((await other.count()) === 0) continue;
    const its = await other.first().boundingBox();
    if (box === null || its === null) throw new Error(`${name} is not on the map`);
    const isApart =
      box.x >= its.x + its.width ||
      its.x >= box.x + box.width ||
      box.y >= its.y + its.height ||
      its.y >= box.y + box.height;
    expect(isApart, name).toBe(true);
  }
  await page.screenshot({ path: test.info().outputPath('more-alarms.png') });
});

const place = (north: number, east: number) => ({
  lat: MIDDLE.lat + north / 100,
  lon: MIDDLE.lon + east / 100,
});

/** How far from the middle of the map a place is shown, in pixels; NaN before the map has come to rest anywhere. */
async function distanceOnMap(operator: Operator, at: { lat: number; lon: number }): Promise<number> {
  const box = await operator.map.locator('.maplibregl-canvas').boundingBox();
  if (box === null || (await operator.viewOf()) === null) return NaN;
  const { x, y } = await operator.pixelOf(at);
  return Math.hypot(x - box.x - box.width / 2, y - box.y - box.height / 2);
}

async function isOnMap(operator: Operator, at: { lat: number; lon: number }): Promise<boolean> {
  const box = await operator.map.locator('.maplibregl-canvas').boundingBox();
  const { x, y } = await operator.pixelOf(at);
  return box !== null && x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
}

/** What stands outside its pane or the window, and what is cut without an ellipsis. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const whole =
      'header *, .pane__head *, .map-tools *, .queue-row button, time, .vehicle-row__name, .vehicle-row__age';
    const cut: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>(whole)) {
      const own = element.getBoundingClientRect();
      const isSeen = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      if (!isSeen || own.width === 0 || element.closest('.ellipsis, [aria-hidden=true]') !== null) continue;
      let left = 0;
      let right = window.innerWidth;
      for (let outer = element.parentElement; outer !== null; outer = outer.parentElement) {
        if (getComputedStyle(outer).overflowX === 'visible') continue;
        left = Math.max(left, outer.getBoundingClientRect().left);
        right = Math.min(right, outer.getBoundingClientRect().right);
      }
      const { overflowX, textOverflow } = getComputedStyle(element);
      const isClipped =
        overflowX !== 'visible' &&
        textOverflow !== 'ellipsis' &&
        element.scrollWidth > element.clientWidth + 1;
      if (own.left < left - 0.5 || own.right > right + 0.5 || isClipped)
        cut.push(`${element.tagName} ${element.className} ${element.textContent}`);
    }
    return cut;
  });
}
