import { readFile } from 'node:fs/promises';
import { groupRoutes } from '../../server/contract/groups.ts';
import { addSmallFleet, pressSos, rights, userPassword } from './depot.ts';
import { expect, interceptFromStart, Operator, test } from './operator.ts';

test('a dispatcher starts a shift, leaves a note and hands it over by keyboard, and the next one accepts it by name', async ({
  host,
  depot,
  operator,
  page,
  browser,
}) => {
  const { moving } = await addSmallFleet(depot);
  await pressSos(depot, moving);
  const dealer = await host.login();
  const { group_id } = await dealer.ask(groupRoutes.create, { body: { name: 'Night' } });
  const given = { rights: rights({ notifications: 'write' }), group_ids: [group_id] };
  await depot.addUser('anna', { name: 'Anna Novak', ...given });
  await depot.addUser('boris', { name: 'Boris Weiss', ...given });

  await interceptFromStart(page);
  await operator.logIn(`${host.url}/#/events`, 'anna', userPassword);
  const duty = page.locator('header').getByRole('button', { name: 'Nobody on duty' });
  await expect(duty).toBeVisible();
  await page.keyboard.press('Alt+s');
  await page.keyboard.press('Alt+Shift+S');
  const report = page.getByRole('region', { name: 'Shift of Anna Novak' });
  await expect(report).toContainText('Open alarms');
  await page.keyboard.press('Alt+Shift+N');
  await expect(page.getByRole('textbox', { name: 'Note for the next shift' })).toBeFocused();
  await page.keyboard.type('The gate is stuck');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(report).toContainText('The gate is stuck');

  // The screen opens with the own shift, and keeps to it when it has ended.
  await page.keyboard.press('Alt+s');
  await expect(page).toHaveURL(/#\/shift\?id=/);

  const listed = Promise.withResolvers<undefined>();
  await page.route('**/shifts/dispatchers**', async (route) => {
    await listed.promise;
    await route.continue();
  });
  await page.keyboard.press('Alt+Shift+H');
  const dialog = page.getByRole('dialog', { name: 'Hand over your shift' });
  // Enter would hand it over to whoever comes before anybody could be chosen.
  await expect(dialog).toContainText('Loading the users');
  await expect(dialog.getByRole('button', { name: 'Hand over', exact: true })).toBeDisabled();
  listed.resolve(undefined);
  const choice = dialog.getByRole('button', { name: /Hand over to/ });
  await choice.focus();
  await page.keyboard.press('Enter');
  // Who may be chosen comes from the server.
  const option = page.getByRole('option', { name: 'Boris Weiss' });
  await expect(option).toBeVisible();
  await page.keyboard.type('Boris');
  await expect(option).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(choice).toContainText('Boris Weiss');
  await dialog.getByRole('button', { name: 'Hand over', exact: true }).press('Enter');
  await expect(report).toContainText('handed over to Boris Weiss');

  const next = await browser.newPage();
  const boris = new Operator(next);
  await boris.logIn(`${host.url}/#/events`, 'boris', userPassword);
  await expect(next.getByText(/^Anna Novak handed over a shift to you at/)).toBeVisible();
  await next.keyboard.press('Alt+Shift+A');
  await expect(next.getByRole('dialog', { name: 'Accept the shift from Anna Novak' })).toContainText(
    'The gate is stuck',
  );
  await expect(next.getByRole('button', { name: 'Accept the shift', exact: true })).toBeFocused();
  await next.keyboard.press('Enter');
  await expect(next.getByRole('region', { name: 'Shift of Anna Novak' })).toContainText(
    'accepted by Boris Weiss',
  );

  // The one who handed over sees at once who is on duty now.
  await expect(page.locator('header').getByRole('button', { name: 'Boris Weiss' })).toBeVisible();
  await expect(report).toContainText('accepted by Boris Weiss');
  await next.close();
});

test('whoever logs in again reads what came since the login before, and has the shift as a PDF', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { moving } = await addSmallFleet(depot);
  const given = { rights: rights({ notifications: 'write' }), group_ids: moving.group_ids };
  await depot.addUser('anna', { name: 'Anna Novak', ...given });
  await host.login('anna', userPassword);
  await pressSos(depot, moving);

  await operator.logIn(`${host.url}/#/events`, 'anna', userPassword);
  await expect(operator.connection).toContainText('Live');
  await page.keyboard.press('Alt+Shift+L');
  const report = page.getByRole('region', { name: 'Since your last login' });
  await expect(report).toContainText(/SOS/);
  await page.keyboard.press('Alt+Shift+S');
  await expect(page.getByRole('region', { name: 'Shift of Anna Novak' })).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'PDF', exact: true }).click(),
  ]);
  const pdf = await readFile(await download.path());
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
});
