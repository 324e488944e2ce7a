import { preferenceRoutes } from '../../server/contract/preferences.ts';
import { addSmallFleet } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test } from './operator.ts';
import { boxFaults } from './screenStates.ts';

test.use({ viewport: { width: 1366, height: 768 } });

test('hints come one after the other for who is new, each once, and to nobody else', async ({
  host,
  depot,
  operator,
  page,
}) => {
  await addSmallFleet(depot);
  await operator.openLive(host.url);
  const hint = page.getByRole('complementary', { name: 'Hint' });
  const next = () => hint.getByRole('button', { name: 'Got it' });
  const picture = (name: string) => page.screenshot({ path: test.info().outputPath(`${name}.png`) });
  const expectUncovered = async () =>
    expect((await boxFaults(page)).filter((fault) => fault.startsWith('covered'))).toEqual([]);
  /** The server has it, and a reload does not lose it. */
  const expectSaved = (seen: number) =>
    expect
      .poll(async () => (await depot.dealer.ask(preferenceRoutes.get)).preferences.hints_seen?.length)
      .toBe(seen);
  await expect(operator.queue).toBeVisible();
  await expect(hint).toBeHidden();

  await depot.dealer.ask(preferenceRoutes.put, { body: { preferences: { hints_seen: [] } } });
  await expect(hint).toContainText('Find anything');
  await expect(hint).toContainText('Hint 1 of 6');
  await expect(operator.queue.locator(':focus')).toHaveCount(0);
  await picture('search');
  await expectUncovered();
  await expectNoFaults(page);

  await test.step('it gives way to a dialog, and comes back', async () => {
    await operator.press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(hint).toBeHidden();
    await operator.press('Escape');
    await expect(hint).toContainText('Find anything');
  });

  await test.step('it stays on the Live screen', async () => {
    await page.goto(`${host.url}/#/shift`);
    await expect(page.getByText('You are not on duty')).toBeVisible();
    await expect(hint).toBeHidden();
    await page.goto(`${host.url}/#/live`);
    await expect(hint).toContainText('Find anything');
  });

  await next().press('Enter');
  await expect(hint).toContainText('queue by keyboard');
  await expect(operator.queue).toHaveAttribute('data-hinted');
  await picture('queue');
  await expectUncovered();

  await test.step('Escape in it closes it alone', async () => {
    await next().focus();
    await operator.press('Escape');
    await expect(hint).toContainText('alarm to its video');
  });

  await expectSaved(2);
  await page.reload();
  await operator.seesLive();
  await expect(hint).toContainText('alarm to its video');
  await next().press('Enter');
  await expect(hint).toContainText('any past moment');
  await picture('history');
  await expectUncovered();
  await next().press('Enter');
  await expect(hint).toContainText('Hand over your shift');
  await next().press('Enter');
  await expect(hint).toContainText('All keys');
  await picture('keys');
  await expectUncovered();
  await next().press('Enter');
  await expect(hint).toBeHidden();
  await expectSaved(6);
  await page.reload();
  await operator.seesLive();
  await expect(operator.queue).toBeVisible();
  await expect(hint).toBeHidden();

  await test.step('they are shown again by a command, and all are hidden at once', async () => {
    await operator.press('/');
    await page.keyboard.type('hints again');
    await operator.press('Enter');
    await expect(hint).toContainText('Find anything');
    await expectSaved(0);
    await hint.getByRole('button', { name: 'Hide all hints' }).press('Enter');
    await expect(hint).toBeHidden();
    await expectSaved(6);
  });
});
