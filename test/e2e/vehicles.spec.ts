import type { Page } from '@playwright/test';
import type { Group } from '../../server/contract/groups.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { addSmallFleet, rights, userPassword, type Depot } from './depot.ts';
import { bytesIn } from '../support/textBytes.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test, type Operator } from './operator.ts';

/** Opens the screen of vehicles and waits until the list is read. */
async function openVehicles(operator: Operator, url: string, login?: string, password?: string) {
  await operator.logIn(`${url}/#/vehicles`, login, password);
  await expect(operator.connection).toContainText('Live');
}

const table = (page: Page) => page.getByRole('grid', { name: 'Vehicles', exact: true });
const row = (page: Page, name: string) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) });
const stored = async (depot: Depot, ref: string) =>
  (await depot.dealer.get(`/api/v1/vehicles/${ref}`)).body as Vehicle;

test('the vehicles screen finds vehicles by words, status and group, and says so when none is left', async ({
  host,
  depot,
  operator,
  page,
}) => {
  await addSmallFleet(depot);
  await openVehicles(operator, host.url);
  await expect(table(page)).toHaveAttribute('aria-rowcount', '6');
  await expect(row(page, 'V 1')).toContainText('moving');
  await expect(row(page, 'V 1')).toContainText('North');
  await expect(row(page, 'V 5')).toContainText('never reported');

  const search = page.getByRole('searchbox', { name: 'Search vehicles' });
  await search.fill('okafor');
  await expect(table(page)).toHaveAttribute('aria-rowcount', '2');
  await search.fill('');
  await page.getByRole('button', { name: '1 idle' }).click();
  await expect(row(page, 'V 4')).toBeVisible();
  await expect(row(page, 'V 1')).toBeHidden();
  await page.getByRole('button', { name: 'All groups' }).click();
  await page.getByRole('option', { name: 'North' }).click();
  await expect(page.getByText('No idle vehicle in group North')).toBeVisible();
  await page.getByRole('button', { name: 'Show all groups' }).click();
  await expect(table(page)).toHaveAttribute('aria-rowcount', '6');
});

test('the vehicles screen goes through the table by keys, sorts it, and its address is a link', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { fast } = await addSmallFleet(depot);
  await openVehicles(operator, host.url);
  await table(page).focus();
  await operator.press('ArrowDown', 'ArrowDown', 'Enter');
  await expect(operator.panel('V 2')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`#/vehicles\\?id=${fast.vehicle_id}`));
  await expect(row(page, 'V 2')).toHaveAttribute('aria-selected', 'true');

  await page.reload();
  await expect(operator.panel('V 2')).toBeVisible();
  await operator.press('Escape');
  await expect(operator.panel('V 2')).toBeHidden();

  const driver = page.getByRole('columnheader', { name: 'Driver' });
  await driver.getByRole('button').press('Enter');
  await expect(driver).toHaveAttribute('aria-sort', 'ascending');
  await expect(table(page).getByRole('row').nth(1)).toContainText('J. Lind');
  await driver.getByRole('button').press('Enter');
  await expect(driver).toHaveAttribute('aria-sort', 'descending');
  await expect(table(page).getByRole('row').nth(1)).toContainText('M. Okafor');
});

test('the vehicles screen adds a vehicle by its terminal ID, and an unknown terminal with one click', async ({
  host,
  depot,
  operator,
  page,
}) => {
  await openVehicles(operator, host.url);
  await expect(page.getByText('No vehicles yet')).toBeVisible();
  await page.getByRole('button', { name: 'Add vehicle' }).click();
  const form = page.getByRole('region', { name: 'Add vehicle' });
  await form.getByLabel('Name', { exact: true }).fill('V 7');
  await form.getByLabel('Terminal ID').fill('not a terminal');
  await operator.press('Control+s');
  await expect(form.getByText('takes 1 to 32 letters')).toBeVisible();
  await form.getByLabel('Terminal ID').fill('866192037641180');
  await operator.press('Enter');
  await expect(operator.panel('V 7')).toBeVisible();
  await expect(row(page, 'V 7')).toContainText('866192037641180');

  await fetch(`${host.intakeUrl}/?id=newcomer&lat=52.5&lon=13.4`);
  await page.getByText('1 unregistered terminal').waitFor();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('button', { name: 'Add a vehicle for terminal newcomer' }).click();
  await expect(operator.panel('V 2')).toBeVisible();
  await expect(row(page, 'V 2')).toContainText('newcomer');
  await expect(page.getByText('unregistered terminal')).toBeHidden();
  expect((await stored(depot, 'newcomer')).name).toBe('V 2');

  for (let number = 1; number <= 10; number += 1)
    await fetch(`${host.intakeUrl}/?id=tracker${number}&lat=52.5&lon=13.4`);
  await page.getByText('10 unregistered terminals').waitFor();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  const unknownTerminals = form.getByRole('button', { name: /^Add a vehicle for terminal/ });
  await expect(form.getByText('And 2 more.')).toBeVisible();
  await expect(unknownTerminals).toHaveCount(8);
  await form.getByRole('button', { name: 'Show all' }).click();
  await expect(unknownTerminals).toHaveCount(10);
  await expect(form.getByText('And 2 more.')).toBeHidden();
});

test('changes a vehicle, and keeps what was typed while another one is looked at', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { moving } = await addSmallFleet(depot);
  await openVehicles(operator, host.url);
  await row(page, 'V 1').click();
  const panel = operator.panel('V 1');
  await panel.getByLabel('Driver').fill('A. Novak');
  await panel.getByRole('button', { name: 'Add a field' }).click();
  await panel.getByLabel('Name of field 1').fill('cost centre');
  await panel.getByLabel('Value of field 1').fill('0042');
  await row(page, 'V 3').click();
  await expect(operator.panel('V 3')).toBeVisible();
  await expect(row(page, 'V 1')).toContainText('not saved');
  await row(page, 'V 1').click();
  await expect(panel.getByLabel('Driver')).toHaveValue('A. Novak');
  await operator.press('Control+s');
  await expect(row(page, 'V 1')).toContainText('A. Novak');
  await expect(panel.getByRole('button', { name: 'Save' })).toBeHidden();
  const saved = await stored(depot, moving.vehicle_id);
  expect(saved).toMatchObject({
    driver: 'A. Novak',
    attributes: { 'cost centre': '0042' },
    plate: 'AB 1234',
  });

  // What somebody else changes shows at once while nothing is typed here.
  await depot.dealer.call('PATCH', `/api/v1/vehicles/${moving.vehicle_id}`, { driver: 'J. Lind' });
  await expect(panel.getByLabel('Driver')).toHaveValue('J. Lind');
  await expect(row(page, 'V 1')).toContainText('J. Lind');
});

test('two people change one vehicle: neither loses what the other wrote', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { moving } = await addSmallFleet(depot);
  await openVehicles(operator, host.url);
  await row(page, 'V 1').click();
  const panel = operator.panel('V 1');
  await panel.getByLabel('Phone').fill('+44 20 7946 0999');
  await panel.getByLabel('Plate').fill('EF 9999');
  await depot.dealer.call('PATCH', `/api/v1/vehicles/${moving.vehicle_id}`, {
    driver: 'J. Lind',
    plate: 'CD 5678',
  });
  await expect(panel.getByText(/^Someone else changed this vehicle .* ago/)).toBeVisible();
  await expect(panel.getByRole('button', { name: /^Save Ctrl/ })).toBeDisabled();
  await panel.getByRole('button', { name: 'Compare' }).click();
  const plates = panel.getByRole('row').filter({ hasText: 'Plate' });
  await expect(plates).toContainText('CD 5678');
  await expect(plates).toContainText('EF 9999');
  await panel.getByRole('button', { name: 'Overwrite with mine' }).click();
  // The question goes when it is answered, the form's own button when all that was typed is saved.
  await expect(panel.getByRole('button', { name: /^Save Ctrl/ })).toBeHidden();
  await expect(panel.getByRole('alert')).toBeHidden();
  expect(await stored(depot, moving.vehicle_id)).toMatchObject({
    driver: 'J. Lind',
    plate: 'EF 9999',
    phone: '+44 20 7946 0999',
  });

  await panel.getByLabel('Plate').fill('GH 1');
  await depot.dealer.call('PATCH', `/api/v1/vehicles/${moving.vehicle_id}`, { plate: 'IJ 2' });
  await panel.getByRole('button', { name: 'Use theirs' }).click();
  await expect(panel.getByLabel('Plate')).toHaveValue('IJ 2');
});

test('the vehicles screen imports vehicles after a preview of each row, and exports them again', async ({
  host,
  depot,
  operator,
  page,
}) => {
  await addSmallFleet(depot);
  await openVehicles(operator, host.url);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import vehicles' });
  const lines = [
    'terminal_id;name;plate;type;group_ids',
    '700001;Import 1;AB 1;truck;North',
    'terminal-1;Import 2;;;',
    '700003;Import 3;;rocket;',
    '700004;;;;',
  ];
  await dialog.getByLabel('Or paste the rows here').fill('name\nX');
  await dialog.getByRole('button', { name: 'Check file' }).click();
  await expect(dialog.getByRole('alert')).toContainText('The first line must name the columns');
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'fleet.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) });
  await expect(dialog.getByRole('status')).toHaveText('1 will be added, 1 already there, 2 cannot be added.');
  await expect(dialog.getByRole('row').filter({ hasText: '700003' })).toContainText('type');
  await expect(dialog.getByRole('row').filter({ hasText: 'terminal-1' })).toContainText('already exists');
  expect((await depot.dealer.get('/api/v1/vehicles?q=Import')).body.items).toEqual([]);

  await dialog.getByRole('button', { name: 'Add 1 vehicle' }).click();
  await expect(dialog.getByRole('status')).toContainText('1 added');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(row(page, 'Import 1')).toContainText('North');

  await page.getByRole('searchbox', { name: 'Search vehicles' }).fill('Import');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const text = await new Response((await download.createReadStream()) as never).text();
  expect(text).toMatch(/^terminal_id,name,plate,/);
  expect(text.trim().split('\r\n')).toHaveLength(2);
  expect(text).toContain('700001,Import 1,AB 1,truck');

  await dropFile(page, 'photo.jpg', '\u00ff\u00d8');
  await expect(page.getByText('photo.jpg was not opened')).toBeVisible();
  await dropFile(page, 'depot.csv', 'Nr;Bezeichnung\r\n700005;Import 5');
  const question = page.getByRole('dialog', { name: 'Import depot.csv' });
  await question.getByRole('radio', { name: /Vehicles/ }).check({ force: true });
  await question.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('depot.csv', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await dropFile(page, 'fleet.csv', 'terminal_id,name\r\n700006,Import 6');
  await expect(dialog.getByRole('status')).toContainText('1 will be added');
});

/** Drops a file on the middle of the window, as a browser reports it. */
async function dropFile(page: Page, name: string, content: string): Promise<void> {
  const isTaken = await page.evaluate(
    ([fileName = '', text = '']) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], fileName));
      const target = document.elementFromPoint(window.innerWidth / 2, window.innerHeight / 2);
      const fire = (type: string) =>
        target?.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })) ===
        false;
      return fire('dragover') && fire('drop');
    },
    [name, content],
  );
  expect(isTaken).toBe(true);
}

test('the vehicles screen imports a list with foreign headers in Windows-1252, and remembers its columns', async ({
  host,
  depot,
  operator,
  page,
}) => {
  await addSmallFleet(depot);
  await openVehicles(operator, host.url);
  const dialog = page.getByRole('dialog', { name: 'Import vehicles' });
  const column = (field: string) => dialog.getByRole('button', { name: `Column for ${field}` });
  const choose = async (field: string, name: string) => {
    await column(field).click();
    await page.getByRole('option', { name, exact: true }).click();
  };
  const open = async (lines: readonly string[]) => {
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.locator('input[type=file]').setInputFiles({
      ...{ name: 'Fuhrpark.csv', mimeType: 'text/csv' },
      buffer: Buffer.from(bytesIn('Windows-1252', lines.join('\r\n'))),
    });
  };
  const head = 'Nr.;Gerätenummer;Kfz-Kennzeichen;Fahrer;Vmax (km/h);Kostenstelle;;';
  await open([
    'sep=;',
    head,
    '1;350317170431234;MÜ-Ä 1;Jörg Weiß;72,5;5 €;;',
    ';;;;;;;',
    '2;3,52093E+14;MÜ-Ö 2;;;;;',
    '',
  ]);
  await expect(column('Terminal ID')).toContainText('Gerätenummer');
  const encode = async (encoding: string) => {
    await dialog.getByRole('button', { name: 'Encoding' }).click();
    await page.getByRole('option', { name: encoding }).click();
  };
  await encode('Windows-1257');
  await expect(dialog.getByRole('row', { name: /^Driver/ })).toContainText('Jörg Weiß');
  await encode('Windows-1251');
  await expect(dialog.getByRole('row', { name: /^Driver/ })).toContainText('Jцrg WeiЯ');
  await encode('Windows-1252');
  await expect(column('Name')).toContainText('Kfz-Kennzeichen');
  await expect(dialog.getByRole('row', { name: /^Speed limit/ })).toContainText('72,5 · –');
  await expect(dialog.getByText('Not imported: Nr., Kostenstelle')).toBeVisible();

  await choose('Terminal ID', 'Choose a column');
  await expect(dialog.getByRole('alert')).toContainText('Select the column for: Terminal ID.');
  await expect(dialog.getByRole('alert')).toContainText(
    'Expected names: terminal_id, name, plate, type, color',
  );
  await expect(dialog.getByRole('button', { name: 'Check file' })).toBeDisabled();
  await choose('Terminal ID', 'Gerätenummer');
  await choose('VIN', 'Kostenstelle');
  await dialog.getByRole('button', { name: 'Check file' }).click();
  await expect(dialog.getByRole('status')).toHaveText('1 will be added, 0 already there, 1 cannot be added.');
  await expect(dialog.getByRole('row', { name: /^5 / })).toContainText('MÜ-Ö 2');
  await expect(dialog.getByRole('row').filter({ hasText: 'MÜ-Ö 2' })).toContainText(
    'terminal_id was rounded by a spreadsheet',
  );
  await dialog.getByRole('button', { name: 'Add 1 vehicle' }).click();
  await expect(dialog.getByRole('status')).toContainText('1 added');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect(await stored(depot, '350317170431234')).toMatchObject({
    ...{ name: 'MÜ-Ä 1', plate: 'MÜ-Ä 1', driver: 'Jörg Weiß', speed_limit_kmh: 72.5, vin: '5 €' },
  });

  await open([head, '3;350317170431235;MÜ-Ü 3;;80;7 €;;']);
  await expect(dialog.getByRole('status')).toHaveText('1 will be added, 0 already there, 0 cannot be added.');
  await dialog.getByRole('button', { name: 'Columns' }).click();
  await expect(column('VIN')).toContainText('Kostenstelle');
  await expectNoFaults(page);
});

test('the vehicles screen puts many into a group at once, gives access to it, and deletes it', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { moving } = await addSmallFleet(depot);
  await depot.addUser('weiss', { name: 'K. Weiss' });
  await openVehicles(operator, host.url);
  await page.getByRole('tab', { name: /^Groups/ }).click();
  await page.getByRole('button', { name: 'Add group' }).click();
  const adding = page.getByRole('region', { name: 'Add group' });
  await adding.getByLabel('Name').fill('North');
  await operator.press('Enter');
  await expect(adding.getByText('A group with this name already exists.')).toBeVisible();
  await adding.getByLabel('Name').fill('Night shift');
  await operator.press('Enter');
  const panel = page.getByRole('region', { name: 'Group Night shift' });
  await expect(panel.getByText('No vehicle is in this group yet.')).toBeVisible();
  await panel.getByRole('combobox', { name: 'Add a vehicle' }).fill('V 5');
  await page.getByRole('option', { name: /^V 5/ }).click();
  await operator.press('Escape');
  await expect(panel.getByRole('grid').getByText('V 5')).toBeVisible();
  await panel.getByRole('combobox', { name: 'Give access to a user' }).fill('weiss');
  await page.getByRole('option', { name: /K\. Weiss/ }).click();
  await operator.press('Escape');
  const group = page.getByRole('row').filter({ hasText: 'Night shift' });
  await expect(group).toContainText(/Night shift\s*1\s*1/);

  await page.getByRole('tab', { name: /^Vehicles/ }).click();
  await row(page, 'V 1').getByRole('checkbox').click();
  await row(page, 'V 3')
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] });
  await expect(page.getByText('3 vehicles selected')).toBeVisible();
  await page.getByRole('button', { name: 'Add to group' }).click();
  const many = page.getByRole('dialog', { name: 'Add 3 vehicles to groups' });
  await many.getByRole('combobox', { name: 'Groups' }).fill('night');
  await page.getByRole('option', { name: 'Night shift' }).click();
  await operator.press('Escape');
  await many.getByRole('button', { name: 'Add 3 vehicles' }).click();
  await expect(many).toBeHidden();
  await expect(row(page, 'V 1')).toContainText('Night shift, North');
  await expect(row(page, 'V 3')).toContainText('Night shift');
  const groups = (await depot.dealer.get('/api/v1/groups')).body.items as Group[];
  const made = groups.find(({ name }) => name === 'Night shift');
  expect(made?.vehicle_ids).toHaveLength(4);
  expect(made?.user_ids).toHaveLength(1);

  await page.getByRole('tab', { name: /^Groups/ }).click();
  await group.click();
  await panel.getByRole('button', { name: 'Remove V 1', exact: true }).click();
  await expect(group).toContainText(/Night shift\s*3\s*1/);
  await panel.getByRole('button', { name: 'Delete group' }).click();
  const question = page.getByRole('dialog', { name: 'Delete group Night shift' });
  await expect(question).toContainText('Its 3 vehicles stay. 1 user loses access');
  await question.getByRole('button', { name: 'Delete Night shift' }).click();
  await expect(group).toBeHidden();
  expect((await stored(depot, moving.vehicle_id)).group_ids).toHaveLength(1);
});

test('a dealer finds archived vehicles by a filter, and restores one by its menu and others together', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { moving, fast, stopped } = await addSmallFleet(depot);
  await openVehicles(operator, host.url);
  await expect(row(page, 'V 1')).toBeVisible();
  const filter = page.getByRole('button', { name: 'Archived', exact: true });
  await filter.focus();
  await operator.press('Space');
  await expect(page.getByText('No archived vehicles')).toBeVisible();
  await expect(page.getByRole('searchbox', { name: 'Search vehicles' })).toBeVisible();
  await expect(filter).toBeFocused();
  await operator.press('Space');
  await expect(row(page, 'V 1')).toBeVisible();

  const vehicle_ids = [moving, fast, stopped].map((it) => it.vehicle_id);
  await depot.dealer.post('/api/v1/vehicles/archive', { vehicle_ids });
  await depot.addVehicle({ name: 'Twin', terminal_id: fast.terminal_id });
  await expect(row(page, 'Twin')).toBeVisible();
  await expect(row(page, 'V 1')).toBeHidden();
  await filter.click();
  await expect(row(page, 'V 1')).toBeVisible();
  await expect(row(page, 'Twin')).toBeHidden();

  await row(page, 'V 1').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Restore' }).click();
  const question = page.getByRole('dialog', { name: 'Restore 1 vehicle' });
  await expect(question).toContainText('back on the map');
  await question.getByRole('button', { name: 'Restore 1 vehicle' }).click();
  await expect(question).toBeHidden();
  await expect(row(page, 'V 1')).toBeHidden();
  expect((await stored(depot, moving.vehicle_id)).archived_at).toBeNull();

  for (const name of ['V 2', 'V 3']) await row(page, name).getByRole('checkbox').check();
  const bar = page.getByRole('group', { name: '2 vehicles selected' });
  await bar.getByRole('button', { name: 'Restore' }).click();
  const both = page.getByRole('dialog', { name: 'Restore 2 vehicles' });
  await both.getByRole('button', { name: 'Restore 2 vehicles' }).click();
  await expect(both).toContainText(`V 2 The terminal ID ${fast.terminal_id} belongs to a vehicle already.`);
  await both.getByText('Close').click();
  await expect(row(page, 'V 3')).toBeHidden();
  await expect(row(page, 'V 2')).toBeVisible();
  await row(page, 'V 2').click();
  await expect(operator.panel('V 2').getByRole('button', { name: 'Restore' })).toBeVisible();
  await filter.click();
  for (const name of ['V 1', 'V 3']) await expect(row(page, name)).toBeVisible();

  // Where none is in service the filter still leads to those that can be restored.
  const all = (await depot.dealer.get('/api/v1/vehicles')).body.items as Vehicle[];
  const rest = { vehicle_ids: all.map((it) => it.vehicle_id) };
  await depot.dealer.post('/api/v1/vehicles/archive', rest);
  await expect(page.getByText('No vehicles yet')).toBeVisible();
  await filter.click();
  await expect(row(page, 'V 4')).toBeVisible();
});

test('the vehicles screen archives a vehicle and frees its terminal, and deletes one with all data by its name', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { moving, fast } = await addSmallFleet(depot);
  await openVehicles(operator, host.url);
  await row(page, 'V 1').click();
  await operator.panel('V 1').getByRole('button', { name: 'Archive' }).click();
  const question = page.getByRole('dialog', { name: 'Archive V 1' });
  await expect(question).toContainText('are kept for dealers. Terminal ID terminal-1 is free again.');
  await question.getByRole('button', { name: 'Archive V 1' }).click();
  await expect(row(page, 'V 1')).toBeHidden();
  expect((await stored(depot, moving.vehicle_id)).archived_at).not.toBeNull();
  await depot.addVehicle({ name: 'V 1b', terminal_id: 'terminal-1' });
  await expect(row(page, 'V 1b')).toBeVisible();

  await row(page, 'V 2').click();
  await operator.panel('V 2').getByRole('button', { name: 'Delete with all data' }).click();
  const sure = page.getByRole('dialog', { name: 'Delete V 2 with all data' });
  const button = sure.getByRole('button', { name: 'Delete V 2 and its data' });
  await expect(button).toBeDisabled();
  await sure.getByLabel('Type V 2 to confirm').fill('V 2');
  await button.click();
  await expect(row(page, 'V 2')).toBeHidden();
  await expect(sure).toBeHidden();
  // It is archived, and so out of the list with its dialog, before all its data are gone.
  await expect
    .poll(async () => (await depot.dealer.get(`/api/v1/vehicles/${fast.vehicle_id}`)).status)
    .toBe(404);
});

test('the vehicles screen deletes what was recorded of a vehicle in a period, once its name is typed', async ({
  host,
  depot,
  operator,
  page,
}) => {
  // Its one position is of now: those before midnight would be of yesterday, which is offered first.
  const { moving } = await addSmallFleet(depot);
  const period = `from=${new Date(Date.now() - 3_600_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`;
  const positions = async () =>
    (await depot.dealer.get(`/api/v1/vehicles/${moving.vehicle_id}/track?${period}`)).body
      .positions as unknown[];
  expect(await positions()).toHaveLength(1);
  await openVehicles(operator, host.url);
  await row(page, 'V 1').click();
  await operator.panel('V 1').getByRole('button', { name: 'Delete data of a period' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete data of V 1' });
  await expect(dialog).toContainText(
    'Positions: 0, events: 0, alarms: 0, video clips: 0, incident snapshots: 0.',
  );
  const button = dialog.getByRole('button', { name: 'Delete for good' });
  await dialog.getByLabel('Type V 1 to confirm').fill('V 1');
  await expect(button).toBeDisabled();
  await dialog.getByRole('button', { name: /Period$/ }).click();
  await page.getByRole('option', { name: 'Last hour' }).click();
  await expect(dialog.getByRole('status')).toContainText(/^Positions: 1, /);
  await page.screenshot({ path: test.info().outputPath('delete-data.png') });
  await button.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Data of V 1 deleted.')).toBeVisible();
  expect(await positions()).toEqual([]);
});

test('the vehicles screen shows a user without the right to change what there is, and nothing to change it by', async ({
  host,
  depot,
  operator,
  page,
}) => {
  await addSmallFleet(depot);
  const groups = (await depot.dealer.get('/api/v1/groups')).body.items as Group[];
  await depot.addUser('reader', {
    rights: rights({ vehicles: 'read' }),
    group_ids: groups.filter(({ name }) => name === 'North').map(({ group_id }) => group_id),
  });
  await openVehicles(operator, host.url, 'reader', userPassword);
  await expect(table(page)).toHaveAttribute('aria-rowcount', '3');
  // A selection is followed and copied, too.
  await expect(table(page).getByRole('checkbox')).toHaveCount(3);
  await expect(page.getByRole('button', { name: 'Add vehicle' })).toHaveCount(0);
  await row(page, 'V 1').click();
  const panel = operator.panel('V 1');
  await expect(panel).toContainText('A dealer can let you edit vehicles.');
  await expect(panel).toContainText('M. Okafor');
  await expect(panel.getByRole('textbox')).toHaveCount(0);
  await page.getByRole('tab', { name: /^Groups/ }).click();
  await expect(page.getByText('Only dealers can edit groups.')).toBeVisible();
});

test('ten thousand vehicles cost no more than those on the screen', async ({
  host,
  depot,
  operator,
  page,
}) => {
  test.slow();
  const rows = Array.from({ length: 10_000 }, (_, at) => ({ terminal_id: `t${at}`, name: `V ${at + 1}` }));
  for (const part of [rows.slice(0, 5_000), rows.slice(5_000)]) {
    expect((await depot.dealer.post('/api/v1/vehicles/import', part)).body.created).toBe(5_000);
  }
  await openVehicles(operator, host.url);
  await expect(table(page)).toHaveAttribute('aria-rowcount', '10001');
  await table(page).focus();
  await operator.press('End');
  await expect(row(page, 'V 10000')).toBeVisible();
  await expect(row(page, 'V 10000')).toHaveAttribute('aria-rowindex', '10001');
  expect(await table(page).getByRole('row').count()).toBeLessThan(60);
  // Other rows are asked for: their first ones are shown, not those at the old height.
  const search = page.getByRole('searchbox', { name: 'Search vehicles' });
  await search.fill('V 9');
  await expect(row(page, 'V 9')).toBeVisible();
  await search.fill('');
  await expect(table(page)).toHaveAttribute('aria-rowcount', '10001');
  await table(page).focus();
  await operator.press('End');
  await operator.press('PageUp', 'Enter');
  await expect(page.getByRole('region', { name: /^Vehicle V 99/ })).toBeVisible();
  await page.getByRole('tab', { name: /^Groups/ }).click();
  await page.getByRole('row').filter({ hasText: 'dealer' }).click();
  await page.getByRole('combobox', { name: 'Add a vehicle' }).fill('v 9876');
  await expect(page.getByRole('option').first()).toContainText('V 9876');
});

test('vehicles, groups and the import can be used by everybody', async ({ host, depot, operator, page }) => {
  test.slow();
  await addSmallFleet(depot);
  await openVehicles(operator, host.url);
  await row(page, 'V 1').click();
  await row(page, 'V 3').getByRole('checkbox').click();
  await expect(operator.panel('V 1')).toBeVisible();
  await expectNoFaults(page);
  await operator.press('Escape');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import vehicles' });
  await dialog.getByLabel('Or paste the rows here').fill('terminal_id,name\n700001,V 9\n,V 10');
  await dialog.getByRole('button', { name: 'Check file' }).click();
  await expect(dialog.getByRole('row').filter({ hasText: 'V 9' })).toBeVisible();
  await expectNoFaults(page);
  await operator.press('Escape');
  await expectNoFaults(page, 'the question');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('tab', { name: /^Groups/ }).click();
  await page.getByRole('row').filter({ hasText: 'North' }).click();
  await expect(page.getByRole('grid', { name: 'Vehicles of North' })).toBeVisible();
  await expectNoFaults(page);
});
