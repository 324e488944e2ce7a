import type { Page } from '@playwright/test';
import { groupRoutes } from '../../server/contract/groups.ts';
import { notificationRoutes } from '../../server/contract/notifications.ts';
import { ruleRoutes, type Rule } from '../../server/contract/rules.ts';
import { vehicleRoutes } from '../../server/contract/vehicles.ts';
import { addSmallFleet, pressSos, rights, speed, userPassword, type Depot } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test } from './operator.ts';

async function overspeedRule(depot: Depot): Promise<Rule> {
  const { items } = await depot.dealer.ask(ruleRoutes.list);
  const rule = items.find((it) => it.event_kind === 'overspeed');
  if (rule === undefined) throw new Error('a new depot has a rule for overspeed');
  return rule;
}

const list = (page: Page, name: 'Notifications' | 'Events') => page.getByRole('grid', { name });
const details = (page: Page) => page.getByRole('region', { name: 'Details' });

test('an overspeed notification explains why it fired: the values, the fixes and the rule as it was', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { fast } = await addSmallFleet(depot);
  await speed(depot, fast);
  await operator.openLive(host.url);
  await operator.row('Overspeed').click();
  await operator.press('w');
  const why = page.getByRole('dialog', { name: 'Why did this fire?' });
  await expect(why).toContainText('94 km/h, limit 60');
  await expect(why.getByText('Measured')).toBeVisible();
  await expect(why).toContainText('vehicle limit');
  await expect(why).toContainText(/Duration1\d\ss.*Started/);
  await expect(why.getByRole('row', { name: /94 km\/h/ }).first()).toBeVisible();
  await expect(why.getByRole('img', { name: 'Speed around that time' })).toBeVisible();
  await expect(why).toContainText('The rule has not changed since.');
  await expectNoFaults(page);
  await operator.press('Escape');

  const rule = await overspeedRule(depot);
  await depot.dealer.ask(ruleRoutes.patch, {
    params: { rule_id: rule.rule_id },
    body: { severity: 'alarm', cooldown_s: 60 },
    headers: { 'If-Match': `"${rule.version}"` },
  });
  await operator.panel('V 2').getByRole('button', { name: 'Why did this fire?' }).click();
  await expect(why).toContainText('The rule has changed since.');
  await expect(why.getByRole('row', { name: 'Severity warning alarm' })).toBeVisible();
  await expect(why.getByRole('row', { name: /Cool-down 5.min 1.min/ })).toBeVisible();
});

test('a snoozed vehicle’s alarms leave the queue and return when the snooze ends, but not its SOS', async ({
  host,
  depot,
  operator,
  page,
}) => {
  test.slow();
  const { fast } = await addSmallFleet(depot);
  await speed(depot, fast);
  await operator.openLive(host.url);
  await operator.row('Overspeed').click();
  await operator.press('z');
  const dialog = page.getByRole('dialog', { name: 'Snooze' });
  await dialog.getByText('1 h', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Snooze', exact: true }).click();
  await expect(dialog).toBeHidden();

  await expect(operator.row('Overspeed')).toBeHidden();
  await expect(operator.queue).toContainText('No open alarms');
  const fold = operator.queue.getByRole('button', { name: '1 snoozed' });
  await fold.click();
  await expect(operator.row('Overspeed')).toContainText('vehicle snoozed until');
  await expectNoFaults(page);

  // An SOS is notified all the same.
  await pressSos(depot, fast);
  await expect(operator.row('SOS button')).toBeVisible();

  // Ended on another console.
  const { items } = await depot.dealer.ask(notificationRoutes.snoozes);
  for (const { snooze_id } of items)
    await depot.dealer.ask(notificationRoutes.unsnooze, { params: { snooze_id } });
  await expect(fold).toBeHidden();
  await expect(operator.row('Overspeed')).toBeVisible();
  await expect(operator.queue).toContainText('1 warning');

  // And here, by the list of what is snoozed.
  await operator.row('Overspeed').click();
  await operator.press('z');
  await page.getByRole('dialog').getByRole('button', { name: 'Snooze', exact: true }).click();
  await expect(fold).toBeVisible();
  await operator.row('SOS button').click();
  await operator.press('z');
  await expectNoFaults(page);
  await page.getByRole('button', { name: 'End snooze of V 2' }).click();
  await operator.press('Escape');
  await expect(operator.row('Overspeed')).toBeVisible();
});

test('a user snoozes vehicles, and no rule of the depot', async ({ host, depot, operator, page }) => {
  const { fast } = await addSmallFleet(depot);
  const user = await depot.addUser('night', { rights: rights({ notifications: 'write' }) });
  const { items } = await depot.dealer.ask(groupRoutes.list);
  const own = items.filter((it) => it.name === user.login).map((it) => it.group_id);
  await depot.dealer.ask(vehicleRoutes.patch, {
    params: { vehicle: fast.vehicle_id },
    body: { group_ids: [...fast.group_ids, ...own] },
    headers: { 'If-Match': `"${fast.version}"` },
  });
  await speed(depot, fast);
  await operator.openLive(host.url, 'night', userPassword);
  await operator.row('Overspeed').click();
  await operator.press('z');
  const dialog = page.getByRole('dialog', { name: 'Snooze' });
  await expect(dialog).toContainText('Only the rule’s owner or a dealer');
  await expect(dialog.getByRole('radio', { name: /^Rule/ })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Snooze', exact: true }).click();
  await expect(operator.queue.getByRole('button', { name: '1 snoozed' })).toBeVisible();
});

test('the screen of events lists, filters, explains and acknowledges many with a note', async ({
  host,
  depot,
  operator,
  page,
}) => {
  test.slow();
  const { fast, stopped, moving } = await addSmallFleet(depot);
  await speed(depot, fast);
  await pressSos(depot, stopped);
  await operator.openLive(host.url);
  await operator.press('Alt+3');
  const notifications = list(page, 'Notifications');
  await expect(notifications.getByRole('row', { name: /V 2 Overspeed/ })).toContainText('94 / 60 km/h');
  await expect(notifications.getByRole('row', { name: /V 3 SOS button/ })).toContainText('open');

  // What is new waits at the top and moves nothing.
  await pressSos(depot, moving);
  await page.getByRole('button', { name: 'Show 1 new' }).click();
  await expect(notifications.getByRole('row', { name: /V 1 SOS button/ })).toBeVisible();
  await expectNoFaults(page);

  await notifications.getByText('Overspeed', { exact: true }).click();
  await expect(details(page)).toContainText('94 km/h, limit 60');
  await expect(page).toHaveURL(/row=/);
  await expectNoFaults(page);
  await operator.press('a');
  await expect(notifications.getByRole('row', { name: /V 2 Overspeed/ })).toContainText('acknowledged by');
  await operator.press('Escape');
  await expect(details(page)).toBeHidden();

  await page.getByRole('checkbox', { name: 'Select all rows' }).click();
  await page.getByRole('button', { name: 'Acknowledge 2' }).click();
  await page.getByRole('dialog').getByLabel('Note').fill('A drill');
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
  await expect(notifications.getByText(/^acknowledged by/)).toHaveCount(3);
  await expect(notifications.getByTitle('A drill')).toHaveCount(2);
  const { items } = await depot.dealer.ask(notificationRoutes.list);
  expect(items.filter((it) => it.ack?.note === 'A drill')).toHaveLength(2);

  // The address names the filters, and another reader sees the same.
  await page
    .getByRole('group', { name: 'Filters' })
    .getByRole('button', { name: /Status$/ })
    .click();
  await page.getByRole('option', { name: 'Open' }).click();
  await expect(page).toHaveURL(/state=open/);
  await expect(page.getByText('No results in this period')).toBeVisible();
  await page.goto(`${host.url}/#/events?severity=alarm`);
  await expect(notifications.getByRole('row', { name: /SOS button/ })).toHaveCount(2);
  await expect(notifications.getByText('Overspeed', { exact: true })).toBeHidden();

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^notifications-.*\.csv$/);
});

test('every recorded event is there, whether or not a rule made something of it', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { fast, stopped } = await addSmallFleet(depot);
  await speed(depot, fast);
  await pressSos(depot, stopped);
  await operator.openLive(host.url);
  await page.goto(`${host.url}/#/events?view=events&kind=overspeed`);
  const events = list(page, 'Events');
  await expect(events.getByRole('row', { name: /V 2 Overspeed/ })).toBeVisible();
  await expect(events.getByText('SOS button')).toBeHidden();
  await events.getByText('Overspeed', { exact: true }).click();
  await expect(details(page)).toContainText('Notifications');
  await expectNoFaults(page);
  await operator.press('l');
  await expect(operator.panel('V 2')).toBeVisible();
});
