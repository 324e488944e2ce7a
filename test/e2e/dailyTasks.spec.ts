import type { Locator } from '@playwright/test';
import { addSmallFleet, drive, pressSos } from './depot.ts';
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
 * What is not here is done without a mouse elsewhere: video of an event and of a time in videoOfTerminals.spec and
 * history.spec, who was at a place in points.spec, a geofence in geofences.spec, a command in terminalCommands.spec, the
 * shift in shifts.spec, an incident in incidents.spec, groups of the queue in queueAtScale.spec.
 */
test('a dispatcher does the tasks of the day without a mouse', async ({ host, depot, operator, page }) => {
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
    await find('ab 1234', 'V 1');
    await find('0103', 'V 3');
    await operator.press('Shift+F');
    await expect(stop('V 3')).toBeVisible();
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
