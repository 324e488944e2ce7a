import { addSmallFleet, pressSos } from './depot.ts';
import { expect, test } from './operator.ts';

test('Escape closes no form or dialog with unsaved input without a question, and Ctrl Enter sends a note', async ({
  host,
  depot,
  operator,
  page,
}) => {
  test.slow();
  const { stopped, moving } = await addSmallFleet(depot);
  await pressSos(depot, stopped);
  await operator.openLive(host.url);
  await expect(operator.queue.getByRole('listitem')).toHaveCount(1);
  const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' });

  /** Escape asks, Escape keeps, and Discard closes. */
  const expectQuestion = async (field: ReturnType<typeof page.getByLabel>, typed: string) => {
    await operator.press('Escape');
    await expect(question).toBeVisible();
    await operator.press('Escape');
    await expect(question).toBeHidden();
    await expect(field).toHaveValue(typed);
    // The tooltip of a button that has the focus takes an Escape of its own.
    await field.focus();
    await operator.press('Escape');
    await question.getByRole('button', { name: 'Discard' }).click();
    await expect(field).toHaveCount(0);
  };

  await test.step('the forms beside a table ask, with a list in them open or not', async () => {
    for (const [address, name] of [
      ['#/vehicles?id=new', 'Name'],
      ['#/vehicles?tab=groups&id=new', 'Name'],
      ['#/users?id=new', 'Username'],
      ['#/rules?id=new', 'Name'],
    ] as const) {
      await page.goto(`${host.url}/${address}`);
      const side = page.locator('.manage__side');
      const field = side.getByLabel(name, { exact: true });
      await field.fill('typed');
      const list = side.getByRole('combobox').first();
      if ((await list.count()) > 0) {
        await list.click();
        await list.press('ArrowDown');
        await expect(page.locator('.popover')).toBeVisible();
        // The first press closes the list and nothing else.
        await operator.press('Escape');
        await expect(page.locator('.popover')).toHaveCount(0);
        await expect(question).toBeHidden();
      }
      await expect(field).toHaveValue('typed');
      await expectQuestion(field, 'typed');
    }
  });

  await test.step('a vehicle that was changed asks, and nothing of it is left after Discard', async () => {
    await page.goto(`${host.url}/#/vehicles?id=${moving.vehicle_id}`);
    const field = page.locator('.manage__side').getByLabel('Driver', { exact: true });
    await field.fill('Somebody else');
    await expectQuestion(field, 'Somebody else');
    await page.goto(`${host.url}/#/vehicles?id=${moving.vehicle_id}`);
    await expect(field).toHaveValue('M. Okafor');
    await operator.press('Escape');
    await expect(field).toHaveCount(0);
  });

  await test.step('the dialogs ask, by Escape and by the button', async () => {
    await page.goto(`${host.url}/#/live`);
    await operator.seesLive();
    await operator.press('j', 'Shift+A');
    const note = page.getByRole('dialog').getByLabel('Note');
    await expect(note).toBeVisible();
    await operator.press('Escape');
    await expect(note).toHaveCount(0);
    await operator.press('Shift+A');
    await note.fill('phoned');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await expect(question).toBeVisible();
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expectQuestion(note, 'phoned');
    expect(await depot.openAlarms()).toHaveLength(1);
    await operator.press('Shift+A');
    await note.fill('phoned the driver');
    await operator.press('Control+Enter');
    await expect(note).toHaveCount(0);
    await expect(operator.row('acknowledged by')).toHaveCount(1);
    expect(await depot.openAlarms()).toHaveLength(0);
  });

  await test.step('a geofence that is drawn asks, and an empty one does not', async () => {
    await operator.press('g');
    const form = page.getByRole('region', { name: 'Geofence', exact: true });
    await expect(form).toBeVisible();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await operator.press('Escape');
    await expect(form).toBeHidden();
    await operator.press('g');
    const name = form.getByLabel('Name', { exact: true });
    await name.fill('Yard');
    const groups = form.getByRole('combobox').first();
    await groups.click();
    await groups.press('ArrowDown');
    await expect(page.locator('.popover')).toBeVisible();
    await operator.press('Escape');
    await expect(page.locator('.popover')).toHaveCount(0);
    await expect(question).toBeHidden();
    await expectQuestion(name, 'Yard');
  });
});
