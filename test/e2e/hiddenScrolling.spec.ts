import type { Page } from '@playwright/test';
import { addSmallFleet, pressSos } from './depot.ts';
import { expect, test } from './operator.ts';

/**
 * Containers that clip what they hold and could still be scrolled, by the focus for one: nothing scrolls them back.
 * `overflow: clip` has no such state.
 */
function hiddenScrollers(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const nameOf = (it: Element) => `${it.tagName.toLowerCase()}.${[...it.classList].join('.')}`;
    const canFocus = 'a[href], button, input, select, textarea, summary, canvas, [tabindex]';
    const faults: string[] = [];
    for (const it of document.querySelectorAll('*')) {
      const isPage = it === document.scrollingElement;
      const { overflowX, overflowY } = getComputedStyle(it);
      const tooHigh = it.scrollHeight > it.clientHeight + 1 && (isPage || overflowY === 'hidden');
      const tooWide = it.scrollWidth > it.clientWidth + 1 && (isPage || overflowX === 'hidden');
      // What is only spoken is hidden in a box of one pixel.
      if (it.clientWidth > 1 && (tooHigh || tooWide) && it.querySelector(canFocus) !== null)
        faults.push(
          `${nameOf(it)} ${it.scrollWidth}x${it.scrollHeight} in ${it.clientWidth}x${it.clientHeight}`,
        );
    }
    return faults;
  });
}

test('no screen, form or dialog holds a container that scrolls without a scroll bar', async ({
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
  await operator.press('j');
  await expectNone('Live');
  for (const [key, dialog] of [
    ['Shift+A', 'Acknowledge with a note'],
    ['z', 'Snooze'],
    ['w', 'Why'],
    ['?', 'Keyboard shortcuts'],
    ['/', 'Search'],
  ] as const) {
    await operator.press(key);
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectNone(dialog);
    await operator.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  for (const place of ['Events', 'Video', 'Geofences', 'Rules', 'Reports', 'Vehicles', 'Users', 'Settings']) {
    await page.getByRole('link', { name: place, exact: true }).click();
    await expectNone(place);
  }
  for (const address of ['#/vehicles?id=new', '#/vehicles?tab=groups&id=new', '#/users?id=new']) {
    await page.goto(`${host.url}/${address}`);
    await expect(page.locator('.manage__side')).toBeVisible();
    await expectNone(address);
  }
  await page.getByRole('link', { name: 'Geofences', exact: true }).click();
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
