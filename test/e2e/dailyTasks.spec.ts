import type { Locator } from '@playwright/test';
import { preferenceRoutes } from '../../server/contract/preferences.ts';
import { videoRoutes } from '../../server/contract/video.ts';
import { addSmallFleet, drive, haveNoon, pressSos } from './depot.ts';
import { expect, test, type Operator } from './operator.ts';

/** Moves the focus there as somebody without a mouse does. Throws when Tab does not lead there. */
async function tabTo(operator: Operator, goal: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await goal.evaluate((it) => it === document.activeElement)) return;
    await operator.press('Tab');
  }
  throw new Error('Tab does not lead there');
}

/**
 * What is not here is done without a mouse elsewhere: who was at a place in points.spec, a geofence in geofences.spec, the
 * shift in shifts.spec, an incident in incidents.spec, groups of the queue in queueAtScale.spec.
 */
test('a dispatcher does the tasks of the day without a mouse', async ({ host, depot, operator, page }) => {
  await haveNoon(depot);
  const { stopped, moving } = await addSmallFleet(depot);
  await drive(depot, moving, Date.now() - 3 * 3_600_000);
  await pressSos(depot, stopped);
  await operator.openLive(host.url);
  await expect(operator.row('SOS button')).toBeVisible();
  const palette = page.getByRole('dialog', { name: 'Search' });
  async function find(typed: string, entry: string | RegExp) {
    await operator.press('/');
    await page.keyboard.type(typed);
    await expect(palette.getByRole('option').first()).toContainText(entry);
    await operator.press('Enter');
    await expect(palette).toHaveCount(0);
  }

  await test.step('who is silent at the start of the shift', async () => {
    await tabTo(operator, operator.count('offline'));
    await operator.press('Enter');
    await expect(operator.list.getByRole('option')).toHaveCount(1);
    await expect(operator.vehicle('V 5')).toBeVisible();
    await operator.press('Enter');
    await expect(operator.list.getByRole('option')).toHaveCount(5);
  });

  await test.step('an alarm is taken and acknowledged with a comment', async () => {
    await operator.press('j', 'Shift+A');
    await expect(page.getByRole('dialog', { name: /^Acknowledge/ })).toBeVisible();
    await page.keyboard.type('Called the driver');
    await operator.press('Tab', 'Tab', 'Enter');
    await expect(operator.row('SOS button')).toContainText('acknowledged');
  });

  await test.step('a vehicle is found by a part of its phone, and another by its driver', async () => {
    await find('0103', 'V 3');
    await expect(operator.panel('V 3')).toBeVisible();
    await find('okafor', 'V 1');
    await expect(operator.panel('V 1')).toBeVisible();
  });

  await test.step('one is followed, then two are kept in sight', async () => {
    const stop = (name: string) => operator.panel(name).getByRole('button', { name: 'Stop following' });
    await operator.press('f');
    await expect(stop('V 1')).toBeVisible();
    // Whoever searches for another one looks there, and follows no longer.
    await tabTo(operator, operator.list.getByRole('listbox'));
    await operator.press('Home', 'ArrowDown', 'ArrowDown');
    await expect(operator.panel('V 3')).toBeVisible();
    await operator.press('Shift+F');
    await expect(stop('V 3')).toBeVisible();
    await expect(operator.map.getByText('Following V 1, V 3')).toBeVisible();
    await operator.press('f');
  });

  await test.step('where it was an hour ago', async () => {
    await find('okafor', 'V 1');
    await operator.press('h');
    await operator.seesMap();
    const slider = page.getByRole('slider', { name: 'Instant' });
    await tabTo(operator, slider);
    const before = Number(await slider.getAttribute('aria-valuenow'));
    await operator.press('PageDown');
    await expect.poll(async () => Number(await slider.getAttribute('aria-valuenow'))).toBeLessThan(before);
    await operator.press('Escape');
  });

  await test.step('a report of the day is run', async () => {
    await find('trips', 'Trips');
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await expect(run).toBeVisible();
    await tabTo(operator, run);
    await operator.press('Enter');
    await expect(page.getByRole('grid', { name: 'Trips' })).toContainText('V 1');
  });
});

test('a dispatcher gets video, sends a link and a command without a mouse', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { stopped } = await addSmallFleet(depot);
  await depot.addCameras(stopped, 1);
  // A video ends so long after its alarm, and cannot come before.
  await depot.dealer.call('PATCH', '/api/v1/settings', { video_before_s: 8, video_after_s: 0 });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await operator.openLive(host.url);
  await expect(operator.vehicle('V 3')).toBeVisible();

  await test.step('the link of a vehicle, for a colleague', async () => {
    await operator.press('/');
    await page.keyboard.type('0103');
    await operator.press('Enter');
    await expect(operator.panel('V 3')).toBeVisible();
    await operator.press('Control+c');
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(new RegExp(`vehicle[=/]${stopped.vehicle_id}`));
  });

  await test.step('a command to its terminal, and what became of it', async () => {
    await operator.press('c');
    const dialog = page.getByRole('dialog', { name: 'Command to V 3' });
    await expect(dialog.getByLabel('Text for the terminal')).toBeFocused();
    await page.keyboard.type('getver');
    await operator.press('Enter');
    await expect(dialog.getByRole('listitem').filter({ hasText: 'getver' })).toContainText(
      'Waiting for the terminal',
    );
    // The stream may show it before the answer has come: until then Escape asks about what was typed.
    await expect(dialog.getByLabel('Text for the terminal')).toHaveValue('');
    await operator.press('Escape');
    await expect(dialog).toBeHidden();
  });

  await test.step('the video of a time', async () => {
    await operator.press('/');
    await page.keyboard.type('go to video');
    await operator.press('Enter');
    await expect(page.getByRole('region', { name: 'Video requests' })).toBeVisible();
    await operator.press('v');
    const dialog = page.getByRole('dialog', { name: 'Request video' });
    await expect(dialog).toBeVisible();
    await tabTo(operator, dialog.getByRole('button', { name: 'Request 1 channel' }));
    await operator.press('Enter');
    await expect(dialog).toBeHidden();
    await expect.poll(async () => (await depot.dealer.ask(videoRoutes.tasks)).items).toHaveLength(1);
  });

  await test.step('the video of an alarm, from the alarm in one key', async () => {
    await operator.press('Alt+1');
    await pressSos(depot, stopped);
    await expect(operator.row('SOS button')).toBeVisible();
    await operator.press('j', 'v');
    await expect(page).toHaveURL(/#\/video\?task=/);
    await expect(page.locator('video').first()).toBeVisible();
  });
});

test('a dispatcher changes a key, which menus and help show from then on, and takes it back', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { stopped } = await addSmallFleet(depot);
  await pressSos(depot, stopped);
  await operator.openLive(host.url);
  await expect(operator.row('SOS button')).toBeVisible();
  const open = async () => {
    await operator.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  };
  const change = page.getByRole('button', { name: 'Change the key of: Why did this fire?' });

  await open();
  await change.focus();
  await operator.press('Enter');
  await operator.press('f');
  await expect(page.getByRole('status').filter({ hasText: 'F is the key of:' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel', exact: true }).press('Enter');
  await change.focus();
  await operator.press('Enter');
  await operator.press('y');
  await expect(change).toHaveText('Y');
  await operator.press('Escape');

  // Until the server has it, a reload loses it.
  await expect
    .poll(async () => (await depot.dealer.ask(preferenceRoutes.get)).preferences.shortcuts)
    .toEqual({ W: 'Y' });
  await page.reload();
  await operator.seesLive();
  await expect(operator.row('SOS button')).toBeVisible();
  await operator.press('j', 'w');
  await expect(page.getByRole('dialog', { name: /^Why/ })).toBeHidden();
  await operator.press('y');
  await expect(page.getByRole('dialog', { name: /^Why/ })).toBeVisible();
  await operator.press('Escape');
  await operator.queue.getByRole('list').focus();
  await operator.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Why did this fire?' })).toContainText('Y');
  await operator.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();

  await open();
  await expect(change).toHaveText('Y');
  const reset = page.getByRole('button', { name: 'Reset the key to W: Why did this fire?' });
  await reset.press('Enter');
  await expect(change).toHaveText('W');
});
