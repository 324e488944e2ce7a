import { readFile } from 'node:fs/promises';
import { groupRoutes } from '../../server/contract/groups.ts';
import { notificationRoutes } from '../../server/contract/notifications.ts';
import { recipientRoutes } from '../../server/contract/recipients.ts';
import { startMailServer } from '../support/mailServer.ts';
import { readPdf } from '../support/readPdf.ts';
import { addSmallFleet, MIDDLE, pressSos, rights, userPassword } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
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
  const noted = Promise.withResolvers<undefined>();
  await page.route('**/shifts/*/notes', async (route) => {
    await noted.promise;
    await route.continue();
  });
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.keyboard.press('Alt+Shift+E');
  const end = page.getByRole('dialog', { name: 'End your shift' });
  await expect(end).toBeVisible();
  const answer = page.waitForResponse('**/shifts/*/notes');
  noted.resolve(undefined);
  await answer;
  // It is about the next thing, and stays when the last one is done.
  await expect(report).toContainText('The gate is stuck');
  await expect(end).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(end).toBeHidden();

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

test('the report of a shift is mailed as a PDF, and whoever sends it reads to whom it was not sent', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { moving } = await addSmallFleet(depot);
  await pressSos(depot, moving);
  const given = { rights: rights({ notifications: 'write' }), group_ids: moving.group_ids };
  await depot.addUser('anna', { name: 'Anna Novak', ...given });
  for (const address of ['boss@port.example', 'full@port.example']) {
    await depot.dealer.ask(recipientRoutes.add, { body: { kind: 'email', address } });
  }
  const { port, mails, close } = await startMailServer({
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('full') ? new Error('552 the mailbox is full') : null),
  });
  try {
    await operator.logIn(`${host.url}/#/shift`, 'anna', userPassword);
    await page.getByRole('button', { name: /^Start shift/ }).click();
    await page.getByRole('button', { name: 'Email', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Send the report by email' });
    const addresses = dialog.getByLabel('Email addresses');
    const send = dialog.getByRole('button', { name: 'Email', exact: true });
    await expect(addresses).toBeFocused();
    await expect(send).toBeDisabled();

    await test.step('nothing is mailed to an address that no dealer approved', async () => {
      await addresses.fill('victim@elsewhere.example');
      await send.click();
      await expect(addresses).toHaveAccessibleDescription(
        /victim@elsewhere\.example is not approved: a dealer has to approve it/,
      );
    });

    await test.step('nothing is mailed without a mail server', async () => {
      await addresses.fill('boss@port.example');
      await send.click();
      await expect(dialog.getByRole('alert')).toHaveText(
        'Not sent to boss@port.example. No mail server is set up.',
      );
      await expectNoFaults(page);
    });

    const smtp = { host: '127.0.0.1', port, security: 'none', from: 'depot@port.example' } as const;
    await depot.dealer.ask(notificationRoutes.patchChannels, { body: { smtp } });

    await test.step('one address that the mail server refuses is left in the field, to be tried again', async () => {
      await addresses.fill('boss@port.example, full@port.example');
      await send.click();
      await expect(dialog.getByRole('alert')).toContainText('the mailbox is full');
      await expect(addresses).toHaveValue('full@port.example');
      expect(mails.map(({ from, to }) => ({ from, to }))).toEqual([
        { from: 'depot@port.example', to: ['boss@port.example'] },
      ]);
    });

    await test.step('the mail has the report of the shift', async () => {
      await addresses.fill('boss@port.example');
      await send.click();
      await expect(page.getByText('The report was sent to 1 address.')).toBeVisible();
      await expect(dialog).toBeHidden();
      expect(mails).toHaveLength(2);
      const raw = mails[1]?.raw ?? '';
      expect(raw).toMatch(/^Subject: Shift of Anna Novak, \d{4}-\d\d-\d\d/m);
      const file =
        /filename=\S*\.pdf[^]*?\r\n\r\n(?<base64>[\w+/=\r\n]+)/.exec(raw)?.groups?.['base64'] ?? '';
      const text = (await readPdf(Buffer.from(file, 'base64'))).flat().join('\n');
      expect(text).toContain('Shift of Anna Novak');
      expect(text).toContain('V 1');
    });
  } finally {
    await close();
  }
});

test(
  'the report of a shift is printed whole, and nothing else of the console',
  { tag: '@browser' },
  async ({ host, depot, operator, page }) => {
    const names = [...Array.from({ length: 40 }, (_, at) => `Lorry ${at + 100}`), 'W'.repeat(80)];
    const vehicles = [];
    for (const name of names) vehicles.push(await depot.addVehicle({ name }));
    await depot.report(
      ...vehicles.map((vehicle) => ({ vehicle, ...MIDDLE, speed_kmh: 0, alarms: ['sos' as const] })),
    );
    await page.addInitScript(() => {
      window.print = () =>
        document.body.setAttribute('data-prints', `${document.body.getAttribute('data-prints') ?? ''}1`);
    });
    // Its pages lie across; those of a shift do not for that.
    await operator.logIn(`${host.url}/#/reports`);
    await expect(page.getByRole('button', { name: 'Run' })).toBeVisible();
    await page.goto(`${host.url}/#/shift`);
    await page.getByRole('button', { name: /^Start shift/ }).click();
    const report = page.getByRole('region', { name: 'Shift of dealer' });
    await expect(report.getByRole('region', { name: 'Changes by person' })).toContainText('Created');
    await page.getByRole('button', { name: /^Print/ }).click();
    await expect(page.locator('body')).toHaveAttribute('data-prints', '1');
    await page.keyboard.press('Control+p');
    await expect(page.locator('body')).toHaveAttribute('data-prints', '11');

    const pdf = await page.pdf({ preferCSSPageSize: true });
    const pages = await readPdf(pdf);
    const text = pages.flat().join('\n');
    expect(pages.length).toBeGreaterThan(1);
    for (const name of names.slice(0, -1)) expect(text).toContain(name);
    expect(pages[0]?.slice(0, 2).join(' ')).toMatch(/^Shift of dealer Depot, \d+ \w+ \d{4}, \d\d:\d\d/);
    expect(text).toContain('Changes by person');
    // A portrait page of A4, in points.
    expect(pdf.toString('latin1')).toMatch(/MediaBox \[0 0 59[45][.\d]* 84[12][.\d]*\]/);

    const others = page.locator('nav, header, button, canvas, [role=dialog], .shifts__list');
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(others.filter({ visible: true })).not.toHaveCount(0);
    await page.emulateMedia({ media: 'print' });
    // A4 without its margins.
    await page.setViewportSize({ width: 703, height: 1_030 });
    await expect(others.filter({ visible: true })).toHaveCount(0);
    const tables = page.locator('.shift-report table');
    await expect(tables.first()).toBeVisible();
    const cut = await page
      .locator('.shift-report, .shift-report *')
      .evaluateAll((all) => all.filter((it) => it.scrollWidth > it.clientWidth && it.clientWidth > 0).length);
    expect(cut).toBe(0);
  },
);
