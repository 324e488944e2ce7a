import { notificationRoutes } from '../../server/contract/notifications.ts';
import { positionRoutes } from '../../server/contract/positions.ts';
import { ruleRoutes, type Severity } from '../../server/contract/rules.ts';
import { vehicleRoutes } from '../../server/contract/vehicles.ts';
import { MIDDLE, type Depot } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test } from './operator.ts';

const VEHICLES = 500;

const addRule = (depot: Depot, name: string, alarm: string, severity: Severity) =>
  depot.dealer.ask(ruleRoutes.create, {
    body: {
      ...{ name, event_kind: 'terminal_alarm', params: { alarms: [alarm] } },
      ...{ scope: { all: true }, severity, channels: ['desktop'] },
    },
  });

/** Each of so many vehicles reports the alarm, one each millisecond. */
async function raise(depot: Depot, alarm: string, minutesAgo: number, vehicles = VEHICLES): Promise<void> {
  const begun_ms = Date.now() - minutesAgo * 60_000;
  await depot.dealer.ask(positionRoutes.post, {
    body: {
      positions: Array.from({ length: vehicles }, (_, at) => ({
        terminal_id: `scale-${at + 1}`,
        time: new Date(begun_ms + at).toISOString(),
        ...MIDDLE,
        alarms: [alarm],
      })),
    },
  });
}

test('1,000 open notifications are read to the end, grouped, saved as a view, and acknowledged by group, all by keyboard', async ({
  host,
  depot,
  operator,
  page,
}) => {
  test.slow();
  await depot.dealer.ask(vehicleRoutes.import, {
    body: Array.from({ length: VEHICLES }, (_, at) => ({
      name: `T ${at + 1}`,
      terminal_id: `scale-${at + 1}`,
    })),
  });
  await addRule(depot, 'Hatch open', 'hatch_open', 'warning');
  await addRule(depot, 'Fuel theft', 'fuel_theft', 'warning');
  await addRule(depot, 'Toll gate', 'toll_gate', 'info');
  await raise(depot, 'hatch_open', 3);
  await raise(depot, 'fuel_theft', 2);
  await operator.openLive(host.url);
  await expect(operator.queue).toContainText(/1,?000 warnings/);
  const list = operator.queue.getByRole('list', { name: 'Open alarms' });

  await test.step('the page holds the rows in sight alone', async () => {
    const most = await list.evaluate(async (element) => {
      const scroller = element.parentElement ?? element;
      let rows = 0;
      for (let share = 0; share <= 10; share++) {
        scroller.scrollTop = (scroller.scrollHeight * share) / 10;
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
        rows = Math.max(rows, element.querySelectorAll('[role=listitem]').length);
      }
      return rows;
    });
    await expect(operator.row(`T ${VEHICLES}`)).toBeVisible();
    expect(most).toBeLessThan(50);
  });

  await test.step('routine notifications go to the quiet list, and nowhere else', async () => {
    await raise(depot, 'toll_gate', 1, 3);
    await expect(operator.queue.getByRole('button', { name: '3 quiet' })).toBeVisible();
    await expect(page.getByText(/toll.gate/i)).toHaveCount(0);
    await expect(page.locator('.toast')).toHaveCount(0);
    await operator.press('u');
    await expect(operator.row(/toll.gate/i)).toHaveCount(3);
    await operator.press('u');
  });

  await test.step('a filter hides rows, says how many, and stays over a reload', async () => {
    const filter = operator.queue.getByRole('button', { name: 'Filter the queue' });
    await filter.focus();
    await operator.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Filter the queue' });
    for (const name of ['alarm', 'warning', 'info'])
      await expect(dialog.getByRole('switch', { name })).toBeChecked();
    await dialog.getByRole('combobox', { name: 'Rules' }).focus();
    await page.keyboard.type('fuel');
    await operator.press('ArrowDown', 'Enter');
    await expectNoFaults(page);
    await page.screenshot({ path: test.info().outputPath('filter.png') });
    await operator.press('Escape', 'Escape');
    await expect(dialog).toBeHidden();
    await expect(operator.queue.getByText('500 open alarms hidden')).toBeVisible();
    await page.reload();
    await operator.seesLive();
    await expect(operator.queue.getByText('500 open alarms hidden')).toBeVisible();
    await expect(operator.row(/hatch.open/i)).toHaveCount(0);
    const clear = operator.queue.getByRole('button', { name: 'Clear filter' });
    await clear.press('Enter');
    await expect(clear).toBeHidden();
    await expect(operator.row(/hatch.open/i).first()).toBeVisible();
  });

  const head = (name: string) => operator.row(name).filter({ hasText: '500 open' });
  await test.step('a group is folded', async () => {
    await operator.press('b');
    await expect(head('Hatch open')).toBeVisible();
    await operator.press('j');
    await list.focus();
    await operator.press('ArrowLeft');
    await expect(head('Hatch open')).toHaveAttribute('aria-current', 'true');
    await expect(head('Fuel theft')).toBeVisible();
  });

  const button = operator.queue.getByRole('button', { name: 'Saved views' });
  const views = page.getByRole('dialog', { name: 'Saved views' });
  await test.step('what is shown is saved under a name', async () => {
    await button.focus();
    await operator.press('Enter');
    await expect(views).toBeVisible();
    await operator.press('Tab');
    await expect(views.getByLabel('Name of this view')).toBeFocused();
    await page.keyboard.type('Night');
    await operator.press('Enter');
    await expect(views.getByRole('button', { name: 'Night', exact: true })).toBeVisible();
    await expectNoFaults(page);
    await operator.press('Escape');
    await expect(views).toBeHidden();
  });

  await test.step('the folded group is acknowledged with one note', async () => {
    await operator.press('a');
    const dialog = page.getByRole('dialog', { name: 'Acknowledge 500 of Hatch open' });
    await expect(dialog.getByLabel('Note')).toBeFocused();
    await page.keyboard.type('Loading at the yard');
    await operator.press('Control+Enter');
    await expect(dialog).toBeHidden();
    await expect(operator.queue).toContainText('500 warnings');
    const openCount = async () =>
      (await depot.dealer.ask(notificationRoutes.list, { query: { state: 'open', limit: 1_000 } })).items
        .length;
    await expect.poll(openCount).toBe(VEHICLES + 3);
  });

  await test.step('after a reload the saved view is chosen again', async () => {
    await page.reload();
    await operator.seesLive();
    const grouping = operator.queue.getByRole('button', { name: 'Group by' });
    await expect(grouping).toContainText('By rule');
    await operator.press('b', 'b', 'b');
    await expect(grouping).toContainText('Not grouped');
    await button.focus();
    await operator.press('Enter');
    await expect(views).toBeVisible();
    await operator.press('Tab', 'Enter');
    await expect(views).toBeHidden();
    await expect(grouping).toContainText('By rule');
    await expect(head('Fuel theft')).toBeVisible();
  });
});
