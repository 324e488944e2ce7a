import { videoRoutes } from '../../server/contract/video.ts';
import { addSmallFleet } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test } from './operator.ts';
import { addTerminal, choose, openQueue } from './videoSteps.ts';

test('a request is placed on the bar of the recordings of a terminal', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { moving, stopped, fast } = await addSmallFleet(depot);
  await depot.addCameras(moving, 2);
  await depot.addCameras(fast, 1, { url: 'http://127.0.0.1:9/clip' });
  await addTerminal(depot, stopped);
  await operator.openLive(host.url);
  await openQueue(operator);
  await page.keyboard.press('v');
  const dialog = page.getByRole('dialog', { name: 'Request video' });
  const bar = dialog.getByRole('group', { name: 'Recordings' });
  await expect(bar.getByText('on the vehicle')).toBeVisible();
  await expect(bar.locator('.recordings__part--there[title]')).toHaveCount(2);
  await expectNoFaults(page);

  // A key moves the whole span, and the fields follow.
  const span = bar.getByRole('slider', { name: 'Whole period' });
  await span.focus();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  const from = dialog.getByLabel('From');
  const before = await from.inputValue();
  await bar.getByRole('slider', { name: 'Start' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(from).not.toHaveValue(before);
  await bar.getByRole('button', { name: '15 min' }).click();
  const box = await bar.locator('.recordings__band').boundingBox();
  if (box === null) throw new Error('the bar shows no span');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 60, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  const requested = await from.inputValue();
  await dialog.getByRole('button', { name: 'Request 2 channels' }).click();
  await expect(dialog).toBeHidden();
  const { items } = await depot.dealer.ask(videoRoutes.tasks);
  expect(items.map((it) => it.from.slice(11, 19))).toEqual([requested, requested]);

  await openQueue(operator);
  await page.keyboard.press('v');
  await choose(dialog, 'Vehicle', 'V 3');
  await expect(bar).toContainText('The terminal is offline.');
  await choose(dialog, 'Vehicle', 'V 2');
  await expect(bar).toContainText('This camera cannot list recordings.');
});
