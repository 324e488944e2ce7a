import { runVerify } from '../../server/commands/verify/runVerify.ts';
import { videoRoutes } from '../../server/contract/video.ts';
import { addSmallFleet, pressSos } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test } from './operator.ts';
import { keepRulesFromRecording, openQueue, order, statusOf } from './videoSteps.ts';

test('evidence is exported as a ZIP that can be verified, and the export is logged with its user', async ({
  host,
  depot,
  operator,
  page,
}, testInfo) => {
  test.slow();
  await keepRulesFromRecording(depot);
  const { moving } = await addSmallFleet(depot);
  const cameras = await depot.addCameras(moving, 2);
  await pressSos(depot, moving);
  const tasks = [
    await order(depot, cameras, 1, { agoS: 20, lengthS: 5 }),
    await order(depot, cameras, 2, { agoS: 20, lengthS: 5 }),
  ];
  for (const task of tasks) await expect.poll(() => statusOf(depot, task)).toBe('done');
  await operator.openLive(host.url);
  await openQueue(operator);
  await page.getByRole('checkbox').first().click();
  await operator.press('e');
  const dialog = page.getByRole('dialog', { name: 'Export evidence' });
  await expect(dialog).toContainText('2 videos');
  await expect(dialog).toContainText('No access yet.');
  await dialog.getByLabel('Note').fill('Case 7');
  await expectNoFaults(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export evidence' }).click(),
  ]);
  const file = testInfo.outputPath('evidence.zip');
  await download.saveAs(file);
  const said: string[] = [];
  expect(await runVerify([file], (line) => said.push(line)), said.join('\n')).toBe(0);
  expect(said.join('\n')).toContain('by dealer');
  await expect(dialog.getByRole('region', { name: 'Access log' })).toContainText(/dealer.*exported it/);
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  // The same stands on the order.
  await operator.press('Escape');
  const list = page.getByRole('region', { name: 'Video requests' });
  await list.getByRole('button', { name: 'More' }).first().click();
  await page.getByRole('menuitem', { name: 'Access log' }).click();
  const people = page.getByRole('dialog', { name: 'Access log' });
  await expect(people).toContainText(/dealer.*exported it/);
  // What becomes of the order meanwhile moves it in the list, and leaves the dialog where it is.
  for (const { task_id } of tasks) await depot.dealer.ask(videoRoutes.removeTask, { params: { task_id } });
  await expect(page.getByText('Its retention period ended').first()).toBeAttached();
  await expect(people).toBeVisible();
});
