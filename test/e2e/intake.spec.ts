import { once } from 'node:events';
import { connect } from 'node:net';
import { ruleRoutes } from '../../server/contract/rules.ts';
import { fakeMachine } from '../support/fakeMachine.ts';
import { connectFakeWialon, shortBody } from '../support/fakeWialon.ts';
import { startMailServer } from '../support/mailServer.ts';
import { startConsoleHost } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, interceptFromStart, Operator, test } from './operator.ts';

const imei = '868204005647838';
/** What the fake terminal says first: `#L#868204005647838;NA`. */
const loginBytes = '23 4c 23 38  36 38 32 30  #L#86820';

/** Logs in, right on the page that is looked at: the map costs seconds. */
async function openTerminals(operator: Operator, url: string): Promise<void> {
  await operator.logIn(`${url}/#/settings?tab=terminals`);
  await expect(operator.page.getByRole('tab', { name: 'Terminals', selected: true })).toBeVisible();
}

test('a terminal that does not get through is understood, added, and seen on the map', async ({
  host,
  operator,
  page,
}) => {
  await openTerminals(operator, host.url);
  await expect(page.getByRole('heading', { name: 'No messages yet' })).toBeVisible();
  const listener = page.getByRole('row', { name: /Wialon IPS/ });
  await expect(listener.locator('code')).toHaveText(['127.0.0.1', String(host.wialonPort)]);

  const turnedAway = await connectFakeWialon(host.wialonPort);
  expect(await turnedAway.logIn(imei)).toBe('#AL#0');
  turnedAway.abort();
  const messages = page.getByRole('grid', { name: 'Received messages' });
  const row = messages.getByRole('row').filter({ hasText: imei });
  await expect(row).toContainText('no vehicle');
  await messages.focus();
  await operator.press('ArrowDown', 'Enter');
  const message = page.getByRole('region', { name: 'Message', exact: true });
  await expect(message.getByRole('group', { name: 'Raw data' })).toContainText(loginBytes);
  await expect(message.getByRole('group', { name: 'Reply sent' })).toContainText('#AL#0');
  await expect(message).toContainText('No vehicle has this terminal.');
  await expectNoFaults(page);

  await message.getByRole('button', { name: `Add a vehicle for terminal ${imei}` }).click();
  await expect(message).toContainText('One has it now');
  await expect(message.getByRole('link', { name: 'V 1' })).toBeVisible();

  const terminal = await connectFakeWialon(host.wialonPort);
  expect(await terminal.logIn(imei)).toBe('#AL#1');
  const fix = { time_ms: Date.now() - 1_000, lat: 52.52, lon: 13.4, speed_kmh: 64, course_deg: 63 };
  expect(await terminal.ask('SD', shortBody(fix))).toBe('#ASD#1');
  const stored = messages.getByRole('row').filter({ hasText: '64 km/h' });
  await expect(stored).toContainText('stored');
  await stored.click();
  await expect(message).toContainText('Accepted.');
  await expect(message).toContainText('52.520000, 13.400000');
  await page.getByRole('link', { name: 'Live' }).click();
  await expect(operator.vehicle('V 1')).toContainText('64');
  await terminal.close();
});

test('the messages of one terminal are followed, paused and copied; what cannot be read says why', async ({
  host,
  operator,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const heard = (query: string) => fetch(`${host.intakeUrl}/?${query}`);
  await heard('id=phone7&lat=north');
  await heard('id=phone8&lat=52.5&lon=13.4');
  await openTerminals(operator, host.url);
  await expect(page.getByRole('row', { name: /Traccar Client/ })).toContainText('1 unreadable');
  const messages = page.getByRole('grid', { name: 'Received messages' });
  const unreadable = messages.getByRole('row').filter({ hasText: 'lat is not a number' });
  await expect(unreadable).toContainText('unreadable');
  await expect(unreadable).toContainText('phone7');
  await unreadable.click();
  const message = page.getByRole('region', { name: 'Message', exact: true });
  await expect(message.getByRole('group', { name: 'Reply sent' })).toContainText('400 lat');
  await message.getByRole('button', { name: 'Copy as text' }).click();
  await expect(message.getByRole('button', { name: 'Copy as text' })).toHaveText('Copied');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('By: OsmAnd, Traccar Client, HTTP');
  expect(copied).toContain('Decoded as: lat is not a number');
  await operator.press('Escape');
  await expect(message).toHaveCount(0);

  await page.getByRole('button', { name: 'Show what terminal phone8 sent' }).click();
  await expect(messages.getByRole('row')).toHaveCount(2);
  expect(page.url()).toContain('terminal=phone8');
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText(/^Paused at/)).toBeVisible();
  await page.getByRole('button', { name: 'Add a vehicle for terminal phone8' }).click();
  await expect(page.getByText('V 1 now has terminal phone8.')).toBeVisible();
  await expectNoFaults(page);
  await heard('id=phone8&lat=52.6&lon=13.4');
  await expect(messages.getByRole('row').filter({ hasText: '52.60000' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Follow' }).click();
  await expect(messages.getByRole('row').filter({ hasText: '52.60000' })).toContainText('stored');
  await heard(`id=phone8&lat=52.7&lon=13.4&timestamp=${Date.now() + 86_400_000}`);
  const rejected = messages.getByRole('row').filter({ hasText: '52.70000' });
  await expect(rejected).toContainText(/rejected.*time_in_future/);
});

test('opening the intake to the network says what that means first', async ({ host, operator, page }) => {
  await openTerminals(operator, host.url);
  const toggle = page.getByRole('switch', { name: /^Open to the network/ });
  await expect(toggle).not.toBeChecked();
  await page.getByText('Open to the network').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Anyone on this network can then send positions');
  await expectNoFaults(page);
  await operator.press('Escape');
  await expect(toggle).not.toBeChecked();
  await page.getByText('Open to the network').click();
  await dialog.getByRole('button', { name: 'Open to the network' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(toggle).toBeChecked();
  // What stands for the network in this test.
  await expect(
    page
      .getByRole('row', { name: /Teltonika/ })
      .locator('code')
      .first(),
  ).toHaveText('127.0.0.2');
});

test('all unknown terminals can be listed and added', async ({ host, operator, page }) => {
  for (let number = 1; number <= 10; number += 1)
    await fetch(`${host.intakeUrl}/?id=tracker${number}&lat=52.5&lon=13.4`);
  await openTerminals(operator, host.url);
  const added = page.getByRole('button', { name: /^Add a vehicle for terminal/ });
  await expect(page.getByText('And 2 more.')).toBeVisible();
  await expect(added).toHaveCount(8);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(added).toHaveCount(10);
  await expect(page.getByText('And 2 more.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Add a vehicle for terminal tracker10' }).click();
  await expect(page.getByText('V 1 now has terminal tracker10.')).toBeVisible();
  await expect(added).toHaveCount(9);
});

test('phones name their speed in the unit that is chosen', async ({ host, depot, operator, page }) => {
  await depot.addVehicle({ name: 'V 1', terminal_id: 'phone1' });
  await interceptFromStart(page);
  await openTerminals(operator, host.url);
  const phones = page.getByRole('row', { name: /Traccar Client HTTP/ });
  const unit = phones.getByRole('button', { name: /Speed unit sent/ });
  await expect(unit).toContainText('knots');
  // The stream would bring a change before: this one comes while the choice is on its way.
  await page.route(
    '**/api/v1/settings',
    async (route) => {
      await depot.dealer.call('PATCH', '/api/v1/settings', { depot_name: 'Changed elsewhere' });
      await route.continue();
    },
    { times: 1 },
  );
  const choose = async (name: RegExp) => {
    await unit.click();
    await page.getByRole('option', { name }).click();
  };
  await choose(/^m\/s/);
  await expect(phones.getByRole('alert')).toContainText('choose again');
  await expect(unit).toContainText('knots');
  await choose(/^m\/s/);
  await expect(unit).toContainText('m/s');
  await expect(phones.getByRole('alert')).toHaveCount(0);
  await expectNoFaults(page);
  await fetch(`${host.intakeUrl}/?id=phone1&lat=52.5&lon=13.4&speed=10`);
  const messages = page.getByRole('grid', { name: 'Received messages' });
  await expect(messages.getByRole('row').filter({ hasText: '36 km/h' })).toContainText('stored');
});

test('a switch that the command line holds says so', async ({ page, operator }) => {
  const host = await startConsoleHost({ settings: { intakeHost: '127.0.0.1' } });
  try {
    await openTerminals(operator, host.url);
    await expect(page.getByRole('switch', { name: /^Open to the network/ })).toBeDisabled();
    await expect(page.getByText('Set by a command-line option.')).toBeVisible();
  } finally {
    await host.close();
  }
});

test('a clock that is off by a zone is set right by one click', async ({
  clock,
  host,
  depot,
  operator,
  page,
}) => {
  const vehicle = await depot.addVehicle({ name: 'V 8', terminal_id: 'recorder8' });
  const other = await depot.addVehicle({ name: 'V 3', terminal_id: 'tracker3' });
  // By the host's clock over three minutes: too little is seen in less.
  for (let minutes = 3; minutes >= 0; minutes -= 0.5) {
    clock.behind_ms = minutes * 60_000;
    for (const [{ terminal_id }, hours] of [
      [vehicle, 8],
      [other, -3],
    ] as const) {
      const time_ms = clock.now() + hours * 3_600_000;
      await fetch(`${host.intakeUrl}/?id=${terminal_id}&lat=52.5&lon=13.4&timestamp=${time_ms}`);
    }
  }
  await openTerminals(operator, host.url);
  const offers = page.getByRole('listitem').filter({ hasText: 'Its clock is' });
  await expect(offers.filter({ hasText: 'V 3' })).toContainText('3 h behind');
  await offers.getByRole('button', { name: 'Set the clock offset of V 8 to 8 h' }).click();
  await expect(offers.filter({ hasText: 'V 8' })).toHaveCount(0);

  await page.goto(`${host.url}/#/vehicles?id=${other.vehicle_id}`);
  const side = page.getByRole('region', { name: 'Vehicle V 3' });
  await side.getByLabel('Driver').fill('J. Lind');
  await side.getByRole('button', { name: /^Set the clock offset/ }).click();
  await expect(side.getByLabel('Clock of the terminal, s')).toHaveValue('-10800');
  await expect(side.getByLabel('Driver')).toHaveValue('J. Lind');
  const stored = await depot.dealer.get('/api/v1/vehicles');
  const offsets = (stored.body as { items: { name: string; clock_offset_s: number; driver: unknown }[] })
    .items;
  expect(offsets).toContainEqual(expect.objectContaining({ name: 'V 8', clock_offset_s: 28_800 }));
  expect(offsets).toContainEqual(
    expect.objectContaining({ name: 'V 3', clock_offset_s: -10_800, driver: null }),
  );
});

test('a terminal on the port of another protocol is named with the port to use', async ({
  host,
  operator,
  page,
}) => {
  const stray = connect({ port: host.wialonPort, host: '127.0.0.1' }).resume();
  stray.write(Buffer.from(`000f${Buffer.from('352093081234567').toString('hex')}`, 'hex'));
  await once(stray, 'close');
  await openTerminals(operator, host.url);
  const words = `Teltonika on the Wialon port: use ${host.teltonikaPort}`;
  const row = page.getByRole('row', { name: /Wialon IPS/ }).first();
  await expect(row).toContainText('1 wrong protocol');
  await expect(row.getByText(words)).toBeVisible();
  await expect(row).toContainText('1 attempt, from 127.0.0.1');
  await expect(page.getByRole('grid', { name: 'Received messages' })).toContainText(words);
  await expectNoFaults(page);
});

test('first-run set-up shows the addresses for terminals, open or not', async ({ page }) => {
  const host = await startConsoleHost({
    openIntakeHost: '0.0.0.0',
    machine: fakeMachine({ addresses: ['192.168.1.5', '10.8.0.2'] }),
  });
  try {
    await new Operator(page).logIn(`${host.url}/#/setup`);
    await expect(page.locator('.setup-address code')).toHaveText(['192.168.1.5', '10.8.0.2']);
    await expect(page.getByText('Open them to the network first.')).toBeVisible();
    await expect(page.getByRole('row', { name: /Teltonika/ })).toContainText(String(host.teltonikaPort));
    await expectNoFaults(page);
  } finally {
    await host.close();
  }
});

test('first-run set-up sends a test mail of the alarms, or is left for later', async ({ page }) => {
  const host = await startConsoleHost();
  const { port, mails, close } = await startMailServer();
  try {
    await new Operator(page).logIn(`${host.url}/#/setup`);
    const save = page.getByRole('button', { name: 'Save and send a test' });
    await expect(save).toBeDisabled();
    await page.getByLabel('Mail server', { exact: true }).fill('127.0.0.1');
    await page.getByLabel('Port', { exact: true }).fill(String(port));
    await page.getByRole('button', { name: 'None', exact: true }).click();
    await page.getByLabel('Sender', { exact: true }).fill('depot@example.test');
    await page.getByLabel('Send alarms to').fill('night@example.test');
    await save.click();
    await expect(page.getByRole('listitem').filter({ hasText: 'night@example.test' })).toContainText('sent');
    expect(mails.map((it) => it.to)).toEqual([['night@example.test']]);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByText('Alarms are sent by email.')).toBeVisible();
    const dealer = await host.login();
    const { items } = await dealer.ask(ruleRoutes.list);
    const mailed = items.filter((it) => it.channels.includes('email')).map((it) => it.name);
    expect(mailed.sort()).toEqual(['SOS', 'Server trouble']);
    await expectNoFaults(page);
  } finally {
    await close();
    await host.close();
  }
});
