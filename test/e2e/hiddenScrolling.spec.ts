import { addSmallFleet, pressSos } from './depot.ts';
import { expect, test } from './operator.ts';
import { hiddenScrollers } from './screenStates.ts';

test('no form that is folded out holds a container that scrolls without a scroll bar', async ({
  host,
  depot,
  operator,
  page,
}) => {
  test.slow();
  const { stopped, moving } = await addSmallFleet(depot);
  await depot.addCameras(moving, 2);
  await pressSos(depot, stopped);
  await page.setViewportSize({ width: 1366, height: 600 });
  await operator.openLive(host.url);
  await expect(operator.queue.getByRole('listitem')).toHaveCount(1);
  const expectNone = (where: string) =>
    expect.poll(() => hiddenScrollers(page), { message: where, timeout: 3_000 }).toEqual([]);
  await operator.press('g');
  await expect(page.getByRole('region', { name: 'Geofence', exact: true })).toBeVisible();
  await page.locator('.geofence-panel summary').evaluateAll((all) => {
    for (const it of all) (it as HTMLElement).click();
  });
  await expectNone('a geofence that is drawn');

  await page.keyboard.press('Escape');
  await page.goto(`${host.url}/#/rules?id=new`);
  const rule = page.getByRole('region', { name: 'Rule', exact: true });
  await rule.getByText('Email', { exact: true }).click();
  await rule.getByText('Webhook', { exact: true }).click();
  await expectNone('a rule');
  await rule.locator('input, button').evaluateAll((all) => {
    for (const it of all) (it as HTMLElement).focus();
  });
  await expect(page.locator('header')).toBeInViewport({ ratio: 1 });
});
