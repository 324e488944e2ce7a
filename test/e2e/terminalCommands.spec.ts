import type { Locator } from '@playwright/test';
import { connectFakeTeltonika } from '../support/fakeTeltonika.ts';
import { commandAnswer, readCommand } from '../support/teltonikaCommands.ts';
import type { Depot } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, interceptFromStart, test, type Operator } from './operator.ts';

const imei = '356307042441013';

/** A vehicle that is selected in the table, with its terminal's commands open: the map costs seconds. */
async function openCommands(depot: Depot, operator: Operator, url: string): Promise<Locator> {
  const { vehicle_id } = await depot.addVehicle({ name: 'V 17', terminal_id: imei });
  await operator.logIn(`${url}/#/vehicles?id=${vehicle_id}`);
  await expect(operator.panel('V 17')).toBeVisible();
  await operator.press('c');
  const dialog = operator.page.getByRole('dialog', { name: 'Command to V 17' });
  await expect(dialog).toBeVisible();
  return dialog;
}

test('a command waits for its terminal, reaches it when it comes, and its answer is shown', async ({
  host,
  depot,
  operator,
  page,
}) => {
  await interceptFromStart(page);
  const dialog = await openCommands(depot, operator, host.url);
  await expect(dialog).toContainText('Offline: commands wait up to 24 hours');
  await expect(dialog).toContainText('No commands sent to this terminal yet.');
  const text = dialog.getByLabel('Text for the terminal');
  await expect(text).toBeFocused();
  const sent = Promise.withResolvers<undefined>();
  await page.route('**/commands', async (route) => {
    if (route.request().method() === 'POST') await sent.promise;
    await route.continue();
  });
  await text.fill('getver');
  await expect(dialog).toContainText('Will be sent to V 17 if its terminal connects within 24 hours: getver');
  await operator.press('Enter');
  await text.fill('cpureset');
  await operator.press('Enter');
  await expect(dialog).toContainText('The previous command is still being sent.');
  await expect(text).toHaveValue('cpureset');
  await text.fill('getver');
  sent.resolve(undefined);
  const row = (what: string) => dialog.getByRole('listitem').filter({ hasText: what });
  await expect(row('getver')).toContainText('Waiting for the terminal, until');
  // The stream may show it before the answer has come, and until then nothing else is sent.
  await expect(text).toHaveValue('');
  await text.fill('cpureset');
  await operator.press('Control+Enter');
  await row('cpureset').getByRole('button', { name: 'Cancel' }).click();
  await expect(row('cpureset')).toContainText('Cancelled at');
  await dialog.getByRole('button', { name: 'Request position' }).click();
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(row('Position request')).toContainText('Waiting for the terminal, until');
  await expectNoFaults(page);

  const terminal = await connectFakeTeltonika({ port: host.teltonikaPort, imei });
  expect(await terminal.logIn()).toBe(1);
  expect(await readCommand(terminal)).toBe('getver');
  await expect(row('getver')).toContainText('awaiting reply');
  terminal.write(commandAnswer('Ver:03.27.07_00\r\nGPS:AXN_5.10'));
  await expect(row('getver')).toContainText('Replied at');
  await expect(dialog.getByLabel('Reply to “getver”')).toHaveText('Ver:03.27.07_00\r\nGPS:AXN_5.10');
  await expect(row('Position request')).toContainText('Not sent: not supported');
  await expect(row('Position request')).toContainText('by Teltonika.');
  await expect(dialog).toContainText('Online by Teltonika');
  await expect(dialog.getByRole('button', { name: 'Request position' })).toBeDisabled();
  await expect(dialog).toContainText('Teltonika does not support position requests.');

  // Send had the focus and is switched off now: keys are the dialog's all the same.
  await operator.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(operator.panel('V 17')).toBeVisible();

  // On another screen the answer is notified.
  await operator.press('c');
  await expect(text).toBeFocused();
  await expect(dialog.getByRole('listitem')).toHaveCount(3);
  await operator.press('ArrowUp', 'ArrowUp');
  await expect(text).toHaveValue('getver');
  await operator.press('Enter');
  await expect(text).toHaveValue('');
  await operator.press('Escape');
  await expect(dialog).toBeHidden();
  expect(await readCommand(terminal)).toBe('getver');
  terminal.write(commandAnswer('Ver:03.28'));
  await expect(page.getByText('V 17 replied to “getver”: Ver:03.28')).toBeVisible();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(dialog.getByLabel('Reply to “getver”').first()).toHaveText('Ver:03.28');
  await expectNoFaults(page);
  terminal.abort();
});

test('an unanswered command is shown as such, and is sent again only by an operator', async ({
  host,
  depot,
  operator,
}) => {
  const dialog = await openCommands(depot, operator, host.url);
  const terminal = await connectFakeTeltonika({ port: host.teltonikaPort, imei });
  expect(await terminal.logIn()).toBe(1);
  await expect(dialog).toContainText('Online by Teltonika');
  await dialog.getByLabel('Text for the terminal').fill('setdigout 1');
  await expect(dialog).toContainText('Will be sent to V 17 at once: setdigout 1');
  await operator.press('Enter');
  expect(await readCommand(terminal)).toBe('setdigout 1');
  terminal.abort();
  const row = dialog.getByRole('listitem').filter({ hasText: 'setdigout 1' });
  await expect(row).toContainText('No reply');
  await expect(row).toContainText('It is not sent again automatically.');
  await row.getByRole('button', { name: 'Send again' }).click();
  await expect(dialog.getByLabel('Text for the terminal')).toHaveValue('setdigout 1');
  await expect(dialog.getByLabel('Text for the terminal')).toBeFocused();
  await expect(dialog.getByRole('listitem')).toHaveCount(1);

  const back = await connectFakeTeltonika({ port: host.teltonikaPort, imei });
  expect(await back.logIn()).toBe(1);
  // What it owed from before: nothing else is said to it until that has come, or some seconds have passed.
  back.write(commandAnswer('late'));
  await operator.press('Enter');
  expect(await readCommand(back)).toBe('setdigout 1');
  back.write(commandAnswer('DOUT1:1'));
  await expect(dialog.getByRole('listitem').first()).toContainText('Replied at');
  back.abort();
});
