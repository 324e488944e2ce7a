import { preferenceRoutes } from '../../server/contract/preferences.ts';
import { addSmallFleet } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test } from './operator.ts';

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
  await expectNoFaults(page);

  await test.step('it gives way to a dialog, and comes back', async () => {
    await operator.press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(hint).toBeHidden();
    await operator.press('Escape');
    await expect(hint).toContainText('Find anything');
  });

  await next().press('Enter');
  await expect(hint).toContainText('queue by keyboard');
  await picture('queue');
  const isBesideQueue = async () => {
    const [card, queue] = await Promise.all([hint.boundingBox(), operator.queue.boundingBox()]);
    if (card === null || queue === null) throw new Error('no boxes');
    return card.x >= 0 && (card.x + card.width <= queue.x || card.y + card.height <= queue.y);
  };
  await expect.poll(isBesideQueue).toBe(true);

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
  await next().press('Enter');
  await expect(hint).toContainText('Hand over your shift');
  await next().press('Enter');
  await expect(hint).toContainText('All keys');
  await picture('keys');
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
