import { notificationRoutes } from '../../server/contract/notifications.ts';
import { addSmallFleet, pressSos, userPassword } from './depot.ts';
import { expect, Operator, test } from './operator.ts';

test('a user switches language and units at once, for every computer, and for nobody else', async ({
  host,
  depot,
  operator,
  page,
  browser,
}) => {
  const { moving, stopped } = await addSmallFleet(depot);
  await depot.addUser('anna', { name: 'Anna Novak' });
  await pressSos(depot, stopped);
  await operator.openLive(host.url);
  const settings = () => page.goto(`${host.url}/#/settings?tab=language`);
  const choose = async (what: RegExp, option: RegExp) => {
    await page.getByRole('button', { name: what }).click();
    await page.getByRole('option', { name: option }).click();
  };
  const panel = page.locator('.live__panel');

  await test.step('units', async () => {
    await page.goto(`${host.url}/#/live?vehicle=${moving.vehicle_id}`);
    await expect(panel).toContainText(/\d\s?km\/h/);
    await settings();
    await choose(/Distance and speed/, /^Miles/);
    await choose(/Clock/, /^12 hours/);
    await page.goto(`${host.url}/#/live?vehicle=${moving.vehicle_id}`);
    await expect(panel).toContainText(/\d\s?mph/);
    await expect(panel).not.toContainText('km/h');
    await page.goto(`${host.url}/#/events`);
    await expect(page.getByRole('row', { name: /SOS/ }).first()).toContainText(/\d:\d\d(:\d\d)?\s?[ap]m/);
  });

  await test.step('time zone', async () => {
    const [sos] = (await depot.dealer.ask(notificationRoutes.list, { query: { limit: 1 } })).items;
    const clock = new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone: 'Asia/Kathmandu', hourCycle: 'h12' },
      ...{ hour: 'numeric', minute: '2-digit', second: '2-digit' },
    }).format(Date.parse(sos?.last_time ?? ''));
    await settings();
    await choose(/Time zone/, /^Another/);
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Asia/Kathmandu');
    await expect(page.locator('header')).toContainText('your time');
    await page.goto(`${host.url}/#/events`);
    await expect(page.getByRole('row', { name: /SOS/ }).first()).toContainText(
      new RegExp(clock.replace(/\s/, '\\s')),
    );
  });

  await test.step('language', async () => {
    await settings();
    await choose(/^Language|Language$/, /Deutsch/);
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(page.getByRole('heading', { name: 'Sprache und Einheiten' })).toBeVisible();
    await page.getByRole('link', { name: 'Fahrzeuge', exact: true }).click();
    await expect(page.getByRole('row', { name: /V 1/ })).toContainText('in Fahrt');
  });

  await test.step('another computer, and another user', async () => {
    for (const [login, password, lang] of [
      [undefined, undefined, 'de'],
      ['anna', userPassword, 'en'],
    ] as const) {
      const context = await browser.newContext();
      const other = await context.newPage();
      await new Operator(other).logIn(host.url, login, password);
      await expect(other.getByRole('navigation').first()).toBeVisible();
      await expect(other.locator('html')).toHaveAttribute('lang', lang);
      await context.close();
    }
  });
});
