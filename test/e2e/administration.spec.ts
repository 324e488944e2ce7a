import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notificationRoutes } from '../../server/contract/notifications.ts';
import { ruleRoutes } from '../../server/contract/rules.ts';
import { openDatabase } from '../../server/store/telemetry/database.ts';
import { addSmallFleet, createDepot, rights, startConsoleHost, userPassword, type Depot } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, interceptFromStart, Operator, test } from './operator.ts';

/** An hour ago a vehicle stood, drove for twenty minutes at 80 km/h, and stood again. */
async function driveAnHour(depot: Depot): Promise<void> {
  const vehicle = await depot.addVehicle({ name: 'V 80', speed_limit_kmh: 50 });
  const end = Date.now();
  const fixes = Array.from({ length: 121 }, (_, at) => {
    const driven = Math.min(Math.max(at - 40, 0), 40);
    return {
      vehicle,
      time: new Date(end - (120 - at) * 30_000).toISOString(),
      lat: 52.5 + driven * 0.006,
      lon: 13.4,
      speed_kmh: driven > 0 && driven < 40 ? 80 : 0,
      ignition: true,
    };
  });
  await depot.report(...fixes);
}

test('a dealer adds a user, gives it rights, and ends its session', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { moving } = await addSmallFleet(depot);
  await operator.openLive(host.url);
  await page.getByRole('link', { name: 'Users' }).click();
  await expect(page.getByRole('heading', { name: '1 user' })).toBeVisible();
  await page.getByRole('button', { name: 'Add a user' }).click();
  const panel = page.getByRole('region', { name: 'User', exact: true });
  await panel.getByLabel('Username').fill('anna');
  await panel.getByLabel('Name', { exact: true }).fill('Anna Weiss');
  await panel.getByLabel('Password', { exact: true }).fill(userPassword);
  await expect(panel).toContainText('Sees 0 of 5 vehicles.');
  await panel.getByRole('combobox', { name: 'Groups' }).fill('Night shift');
  await page.getByRole('option', { name: 'Create group Night shift' }).click();
  await expect(page.getByRole('option', { name: 'Night shift', exact: true, selected: true })).toBeVisible();
  // Closes the list, and not the form.
  await page.keyboard.press('Escape');
  await expect(panel.getByRole('row', { name: 'Night shift' })).toBeVisible();
  await panel.getByRole('button', { name: 'Add the user' }).click();
  await expect(panel.getByRole('heading', { name: 'Anna Weiss' })).toBeVisible();
  await expectNoFaults(page);

  const users = (await depot.dealer.get('/api/v1/users?q=anna')).body as {
    items: { user_id: string; group_ids: string[] }[];
  };
  const anna = users.items[0];
  expect(anna?.group_ids).toHaveLength(2);
  await depot.dealer.call('PUT', `/api/v1/groups/${anna?.group_ids[0]}/vehicles/${moving.vehicle_id}`);
  await expect(panel).toContainText('Sees 1 of 5 vehicles.');
  await panel.getByRole('group', { name: 'Video' }).getByRole('button', { name: 'Read' }).click();
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(panel.getByRole('button', { name: 'Save' })).toBeDisabled();

  await host.login('anna', userPassword);
  await page.reload();
  await expect(panel.getByRole('heading', { name: 'Anna Weiss' })).toBeVisible();
  await panel.getByRole('button', { name: /^End the session/ }).click();
  await expect(panel).toContainText('Not logged in anywhere.');
  await panel.getByRole('button', { name: 'Block' }).click();
  await expect(panel.getByRole('button', { name: 'Unblock' })).toBeVisible();
  await expect(page.getByRole('row', { name: /anna/ })).toContainText('Blocked');
});

test('an operator creates an API token, sees it once, and a dealer revokes it in the panel of the user', async ({
  host,
  depot,
  operator,
  page,
}) => {
  await operator.openLive(host.url);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Add an API token');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New API token' });
  await dialog.getByLabel('Name', { exact: true }).fill('Dispatch export');
  await dialog.getByRole('group', { name: 'Reports' }).getByRole('button', { name: 'None' }).click();
  await expectNoFaults(page);
  await dialog.getByRole('button', { name: 'Create the token' }).click();
  const created = page.getByRole('dialog', { name: 'Token “Dispatch export” created' });
  const jwt = await created.locator('code').innerText();
  await expectNoFaults(page);
  await created.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(jwt)).toHaveCount(0);

  const call = () => fetch(`${host.url}/api/v1/vehicles`, { headers: { Authorization: `JWT ${jwt}` } });
  expect((await call()).status).toBe(200);
  const list = page.getByRole('list', { name: 'API tokens' });
  await expect(list).toContainText('never used');
  await page.reload();
  await expect(list).toContainText('1 request');
  await expectNoFaults(page);

  const { user_id } = (await depot.dealer.get('/api/v1/me')).body as { user_id: string };
  await page.goto(`${host.url}/#/users?id=${user_id}`);
  const panel = page.getByRole('region', { name: 'User', exact: true });
  await panel.getByRole('button', { name: 'Revoke', exact: true }).click();
  await panel.getByRole('button', { name: 'Revoke Dispatch export for good' }).click();
  await expect(panel).toContainText('No API tokens.');
  expect((await call()).status).toBe(401);
});

test('where access to the API is granted by the machine, the console works with its cookie and lives through a reload', async ({
  page,
}) => {
  const host = await startConsoleHost({ settings: { apiAccess: 'granted' } });
  try {
    await new Operator(page).openLive(host.url);
    await page.reload();
    await new Operator(page).seesLive();
    await page.goto(`${host.url}/#/settings?tab=api_tokens&id=new`);
    const dialog = page.getByRole('dialog', { name: 'New API token' });
    await dialog.getByLabel('Name', { exact: true }).fill('Sync');
    await dialog.getByRole('button', { name: 'Create the token' }).click();
    await expect(dialog.getByRole('alert')).toContainText('no grant for the API');
  } finally {
    await host.close();
  }
});

test('a dealer sets the backup folder and a daily time, makes a backup, and sees it listed', async ({
  host,
  operator,
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'fleetdeck-backups-'));
  try {
    await operator.openLive(host.url);
    await page.goto(`${host.url}/#/settings`);
    const field = page.getByLabel('Backup folder on the server');
    await field.fill(join(folder, 'gone'));
    const form = page.locator('form', { has: field });
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(field).toHaveAccessibleDescription(/does not exist/);
    await field.fill(folder);
    await page.getByLabel('Time, HH:MM').fill('02:30');
    await form.getByText('Back up daily').click();
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
    await page.getByRole('button', { name: 'Back up now' }).click();
    await expect(page.getByText('No backup yet.')).toHaveCount(0);
    await expect
      .poll(async () => (await readdir(folder)).filter((it) => it.startsWith('fleetdeck-')))
      .toHaveLength(1);
    await expect(page.getByTitle(/^fleetdeck-/)).toBeVisible();
    await page.reload();
    await expect(field).toHaveValue(folder);
    await expect(page.getByLabel('Time, HH:MM')).toHaveValue('02:30');
    await expectNoFaults(page);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('two dealers change one user: neither loses what the other wrote, and a wrong field takes the focus', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const anna = await depot.addUser('anna', { name: 'Anna Weiss' });
  await interceptFromStart(page);
  await operator.openLive(host.url);
  await page.goto(`${host.url}/#/users?id=${anna.user_id}`);
  const panel = page.getByRole('region', { name: 'User', exact: true });
  await panel.getByLabel('Email').fill('anna');
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(panel.getByLabel('Email')).toHaveAccessibleDescription(/email/i);
  await expect(panel.getByLabel('Email')).toBeFocused();
  await panel.getByLabel('Email').fill('anna@depot.example');
  // The stream would bring a change before: this one comes while the form is on its way.
  await page.route(
    `**/api/v1/users/${anna.user_id}`,
    async (route) => {
      await depot.dealer.call('PATCH', `/api/v1/users/${anna.user_id}`, { name: 'Anna Schwarz' });
      await route.continue();
    },
    { times: 1 },
  );
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(panel.getByText(/^Someone else changed this user .* ago/)).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Save' })).toBeDisabled();
  await panel.getByRole('button', { name: 'Compare' }).click();
  await expect(panel.getByRole('row').filter({ hasText: 'Email' })).toContainText('anna@depot.example');
  await expectNoFaults(page, 'conflict');
  await panel.getByRole('button', { name: 'Overwrite with mine' }).click();
  await expect(panel.getByRole('heading', { name: 'Anna Schwarz' })).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Overwrite with mine' })).toBeHidden();
  // The notice goes, and the name comes, before the answer.
  await expect
    .poll(async () => (await depot.dealer.get(`/api/v1/users/${anna.user_id}`)).body)
    .toMatchObject({ name: 'Anna Schwarz', email: 'anna@depot.example' });
});

test('a user sees no screen that it may not open', async ({ host, depot, page }) => {
  await depot.addUser('ben', { rights: { reports: 'none' } as never });
  const operator = new Operator(page);
  await operator.openLive(host.url, 'ben', userPassword);
  await expect(page.getByRole('link', { name: 'Rules' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Users' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Reports' })).toHaveCount(0);
  await page.goto(`${host.url}/#/users`);
  await operator.seesMap();
});

test('a rule is tried on the past, saved, and its webhook tested', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const heard: string[] = [];
  const receiver = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => heard.push(chunk.toString()));
    request.on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  try {
    await driveAnHour(depot);
    await operator.openLive(host.url);
    await page.getByRole('link', { name: 'Rules' }).click();
    await expect(page.getByRole('row', { name: /Server trouble/ })).toContainText('The server');
    await page.getByRole('button', { name: 'Add a rule' }).click();
    const panel = page.getByRole('region', { name: 'Rule', exact: true });
    await panel.getByLabel('Name', { exact: true }).fill('Too fast in town');
    await panel.getByLabel('Limit, km/h').fill('70');
    await expect(panel).toContainText('Would have fired once in the last 7 days.');
    await panel.getByLabel('Limit, km/h').fill('90');
    await expect(panel).toContainText('Would have fired 0 times in the last 7 days');
    await panel.getByLabel('Limit, km/h').fill('70');
    await panel.getByText('Webhook', { exact: true }).click();
    const { port } = receiver.address() as AddressInfo;
    await panel.getByLabel('Webhook address').fill(`http://127.0.0.1:${port}/hook`);
    await panel.getByRole('button', { name: 'Add the rule' }).click();
    await expect(panel.getByRole('heading', { name: 'Too fast in town' })).toBeVisible();
    await expect(page.getByRole('row', { name: /Too fast in town/ })).toContainText('Webhook');
    await panel.getByRole('button', { name: 'Send a test' }).click();
    await expect(panel.getByRole('status').filter({ hasText: 'Webhook' })).toContainText('sent.');
    expect(JSON.parse(heard.join(''))).toMatchObject({ type: 'test', rule: { name: 'Too fast in town' } });
    await expectNoFaults(page);

    heard.length = 0;
    const webhook_url = `http://127.0.0.1:${port}/of-the-depot`;
    const step = { after_min: 5, channels: ['webhook' as const], webhook_url };
    const body = { alarm_escalation: { steps: [step] } };
    await depot.dealer.ask(notificationRoutes.patchChannels, { body });
    await panel.getByText('As the depot', { exact: true }).click();
    await panel.getByRole('button', { name: 'Save', exact: true }).click();
    await panel.getByRole('button', { name: 'Test step 1' }).click();
    await expect(panel.getByRole('status').filter({ hasText: webhook_url })).toContainText('sent.');
    expect(JSON.parse(heard.join(''))).toMatchObject({ type: 'test', escalation: { step: 1, steps: 1 } });
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'Email and webhooks' }).click();
    await expect(page.getByRole('dialog').getByLabel('Signing key')).toBeVisible();
    await expectNoFaults(page);
  } finally {
    receiver.close();
  }
});

test('a dealer reviews the recipients of older rules, and a user mails approved addresses alone', async ({
  page,
}) => {
  const older = await startConsoleHost();
  const dealer = await older.login();
  const rule = {
    name: 'Button',
    event_kind: 'sos' as const,
    scope: { all: true as const },
    channels: ['email' as const],
    email_to: ['night@yard.example', 'chief@yard.example'],
  };
  await dealer.ask(ruleRoutes.create, { body: rule });
  await older.stop();
  // As they are taken over from 0.1.0.
  const db = openDatabase(join(older.data, 'telemetry.db'), { readOnly: false });
  db.run(`UPDATE recipients SET record = json_set(record, '$.state', 'to_review', '$.origin', 'upgrade',
    '$.approved_by', NULL, '$.approved_at', NULL)`);
  db.close();

  const host = await startConsoleHost({ data: older.data });
  try {
    const depot = createDepot(await host.login());
    await depot.addUser('ben', { email: 'ben@port.example', rights: rights({ notifications: 'write' }) });
    await new Operator(page).openLive(host.url);
    await page.getByRole('link', { name: 'Rules' }).click();
    await expect(page.getByText('2 recipients to review')).toBeVisible();
    await page.getByRole('button', { name: 'Email and webhooks' }).click();
    const dialog = page.getByRole('dialog');
    const toReview = dialog.getByRole('region', { name: 'To review' });
    await expect(toReview.getByRole('listitem')).toHaveCount(2);
    await expect(toReview.getByRole('listitem').first()).toContainText('used by Button');
    await expectNoFaults(page, 'recipients to review');
    await dialog.getByRole('button', { name: 'Keep night@yard.example' }).click();
    await expect(dialog.getByRole('region', { name: 'Approved' })).toContainText('night@yard.example');
    await dialog.getByRole('button', { name: 'Remove chief@yard.example' }).click();
    await expect(toReview).toContainText(
      'These rules keep the address, but nothing more is sent to it: Button.',
    );
    await dialog.getByRole('button', { name: 'Remove recipient' }).click();
    await expect(toReview).toHaveCount(0);
    await dialog.getByLabel('Address').fill('not an address');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(dialog.getByLabel('Address')).toHaveAccessibleDescription(/invalid/i);
    await dialog.getByLabel('Address').fill('duty@yard.example');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(dialog.getByRole('status')).toContainText('duty@yard.example is approved.');
    await expectNoFaults(page, 'recipients');
    await page.keyboard.press('Escape');
    await expect(page.getByText('to review')).toHaveCount(0);
    await page.getByRole('row', { name: /Button/ }).click();
    const panel = page.getByRole('region', { name: 'Rule', exact: true });
    await expect(panel).toContainText('Nothing is sent to chief@yard.example');

    await page.context().clearCookies();
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await page.goto('about:blank');
    await new Operator(page).openLive(host.url, 'ben', userPassword);
    await page.getByRole('link', { name: 'Rules' }).click();
    await page.getByRole('button', { name: 'Add a rule' }).first().click();
    await panel.getByLabel('Name').fill('My vehicles');
    await panel.getByText('Email', { exact: true }).click();
    await panel.getByLabel('Email to').fill('victim@elsewhere.example');
    await panel.getByRole('button', { name: 'Add the rule' }).click();
    await expect(panel.getByLabel('Email to')).toHaveAccessibleDescription(
      /victim@elsewhere\.example is not approved: a dealer has to approve it/,
    );
    await expectNoFaults(page, 'a recipient that is refused');
    await panel.getByLabel('Email to').fill('');
    await panel.getByRole('button', { name: 'ben@port.example' }).click();
    await panel.getByRole('button', { name: 'duty@yard.example' }).click();
    await expect(panel.getByLabel('Email to')).toHaveValue('ben@port.example, duty@yard.example');
    await panel.getByRole('button', { name: 'Add the rule' }).click();
    await expect(panel.getByRole('heading', { name: 'My vehicles' })).toBeVisible();
  } finally {
    await host.close();
  }
});

test('a report is made, and saved as CSV, as a workbook and as PDF', async ({
  host,
  depot,
  operator,
  page,
}) => {
  await driveAnHour(depot);
  await operator.openLive(host.url);
  await page.getByRole('link', { name: 'Reports' }).click();
  // Today, which is called the last hour at one o'clock.
  await page.getByRole('button', { name: /Period$/ }).click();
  await page.getByRole('option', { name: 'Last 7 days' }).click();
  await page.getByRole('button', { name: 'Run' }).click();
  const trips = page.getByRole('row', { name: /V 80/ });
  await expect(trips).toHaveCount(1);
  await expect(trips).toContainText('26.7 km');
  await expectNoFaults(page);

  const download = page.waitForEvent('download');
  const exportMenu = page.getByRole('button', { name: 'Export the report' });
  await exportMenu.click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^trips_.*\.csv$/);
  expect(await readFile(await file.path(), 'utf8')).toContain('V 80');
  for (const [name, ending, begin] of [
    ['Excel (XLSX)', 'xlsx', 'PK'],
    ['PDF, with the chart and maps of trips', 'pdf', '%PDF'],
  ] as const) {
    const other = page.waitForEvent('download');
    await exportMenu.click();
    await page.getByRole('menuitem', { name }).click();
    const saved = await other;
    expect(saved.suggestedFilename()).toBe(file.suggestedFilename().replace(/csv$/, ending));
    expect(await readFile(await saved.path(), 'latin1')).toMatch(new RegExp(`^${begin}`));
  }

  // Another kind is chosen and not run: the screen comes back as it was left, and the file is what is shown.
  await page.getByRole('button', { name: 'Summary' }).click();
  await page.getByRole('link', { name: 'Live', exact: true }).click();
  await operator.seesMap();
  await page.getByRole('link', { name: 'Reports' }).click();
  await expect(page.getByRole('button', { name: 'Summary' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('button', { name: 'Last 7 days Period' })).toBeVisible();
  await expect(trips).toHaveCount(1);
  const again = page.waitForEvent('download');
  await exportMenu.click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  expect((await again).suggestedFilename()).toBe(file.suggestedFilename());
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(page.getByRole('grid', { name: 'Summary' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Summary' })).toHaveAttribute('aria-pressed', 'true');
});

test('a dealer finds in the audit log what was changed, field by field, and saves it as CSV', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { moving } = await addSmallFleet(depot);
  await depot.dealer.call('PATCH', `/api/v1/vehicles/${moving.vehicle_id}`, { name: 'Renamed van' });
  await depot.dealer.post('/api/v1/users', { login: 'berta', password: userPassword });
  await operator.openLive(host.url);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Audit log' }).click();
  const table = page.getByRole('grid', { name: 'Audit log' });
  await expect(table.getByRole('row', { name: /Created User/ })).toContainText('berta');
  await page
    .getByRole('group', { name: 'Filters of the audit log' })
    .getByRole('button', { name: /Type/ })
    .click();
  await page.getByRole('option', { name: 'Vehicle', exact: true }).click();
  await expect(table.getByRole('row', { name: /berta/ })).toHaveCount(0);
  await table.getByRole('row', { name: /Changed.*Renamed van/ }).click();
  const panel = page.getByRole('region', { name: 'Audit log entry' });
  await expect(panel.getByRole('row', { name: /^name/ })).toHaveText(/Renamed van$/);
  await expect(panel).toContainText('127.0.0.1');
  await page.setViewportSize({ width: 1366, height: 768 });
  await page.screenshot({ path: test.info().outputPath('audit.png') });
  await expectNoFaults(page);
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^audit_.*\.csv$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toContain('Renamed van');
  expect(text).not.toContain('berta');
});

test('a dealer reviews a problem report, leaves a section out, and saves the rest', async ({
  host,
  operator,
  page,
}) => {
  await operator.openLive(host.url);
  await page.goto(`${host.url}/#/settings?tab=about`);
  await page.getByRole('button', { name: 'Create problem report' }).click();
  const dialog = page.getByRole('dialog', { name: 'Problem report' });
  const content = dialog.getByRole('region', { name: 'Content of the file' });
  await expect(content).toContainText(process.versions.node);
  await expect(content).toContainText('fleetdeck_commit_seconds_count');
  await dialog.getByRole('textbox', { name: 'What happened' }).fill('The map froze.');
  await dialog.getByText('Metrics', { exact: true }).click();
  await expect(content).not.toContainText('fleetdeck_commit_seconds_count');
  await expectNoFaults(page);

  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save file' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^fleetdeck-problem-report-\d{4}-\d\d-\d\d\.txt$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toMatch(/What happened\n {2}The map froze\.\n\nProgram\n/);
  expect(text).not.toContain('fleetdeck_commit_seconds_count');
  await expect(dialog).toHaveCount(0);
});
