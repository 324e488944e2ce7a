import { groupRoutes } from '../../server/contract/groups.ts';
import { positionRoutes } from '../../server/contract/positions.ts';
import { ruleRoutes } from '../../server/contract/rules.ts';
import { createFakeClock } from '../support/fakeClock.ts';
import { createDepot, MIDDLE, rights, startConsoleHost, userPassword } from './depot.ts';
import { expect, Operator, test } from './operator.ts';

test('a whole night by keyboard: two SOS, forty routine notifications, a dead feed, and a handover that accounts for it', async ({
  page,
  browser,
}) => {
  test.slow();
  const clock = createFakeClock(Date.now() - 30 * 60_000);
  const host = await startConsoleHost({ clock });
  try {
    const dealer = await host.login();
    const depot = createDepot(dealer);
    const { group_id } = await dealer.ask(groupRoutes.create, { body: { name: 'Night' } });
    const names = Array.from({ length: 40 }, (_, at) => `T ${at + 1}`);
    for (const name of names)
      await depot.addVehicle({ name, terminal_id: name.replace(' ', '-'), group_ids: [group_id] });
    const given = { rights: rights({ notifications: 'write' }), group_ids: [group_id] };
    await depot.addUser('anna', { name: 'Anna Novak', ...given });
    const { user_id: boris_id } = await depot.addUser('boris', { name: 'Boris Weiss', ...given });
    const step = { channels: ['desktop' as const] };
    await dealer.ask(ruleRoutes.create, {
      body: {
        ...{ name: 'Power lost', event_kind: 'power_cut', scope: { all: true } },
        escalation: {
          steps: [
            { ...step, after_min: 2, on_duty: true },
            { ...step, after_min: 10, user_ids: [boris_id] },
          ],
        },
      },
    });
    await dealer.ask(ruleRoutes.create, {
      body: {
        ...{ name: 'Toll gate', event_kind: 'terminal_alarm', params: { alarms: ['toll_gate'] } },
        ...{ scope: { all: true }, severity: 'info', channels: ['desktop'] },
      },
    });
    /** A position of each, a second ago, with these alarms. */
    const report = (which: readonly string[], alarms: string[] = []) =>
      dealer.ask(positionRoutes.post, {
        body: {
          positions: which.map((name, north) => ({
            terminal_id: name.replace(' ', '-'),
            time: new Date(clock.now() - 1_000).toISOString(),
            ...{ lat: MIDDLE.lat + north / 400, lon: MIDDLE.lon, speed_kmh: 40, ignition: true, alarms },
          })),
        },
      });
    const picture = (name: string) => page.screenshot({ path: test.info().outputPath(`${name}.png`) });

    // Often enough for the server to know how often each reports.
    for (let round = 0; round < 6; round++) {
      clock.advance(20_000);
      await report(names);
    }
    await page.setViewportSize({ width: 1366, height: 768 });
    const anna = new Operator(page);
    await anna.openLive(host.url, 'anna', userPassword);
    // Who is on duty comes a moment after the first picture.
    await expect(page.locator('header').getByRole('button', { name: 'Nobody on duty' })).toBeVisible();
    await page.keyboard.press('Alt+Shift+S');
    await expect(
      page.locator('header').getByRole('button', { name: 'Anna Novak', exact: true }),
    ).toBeVisible();
    await expect(page.getByRole('region', { name: 'Shift of Anna Novak' })).toBeVisible();
    await page.keyboard.press('Alt+1');

    await test.step('forty routine notifications go to the quiet list', async () => {
      clock.advance(20_000);
      await report(names, ['toll_gate']);
      await expect(anna.queue).toContainText('40 quiet');
      await expect(anna.queue).toContainText('No open alarms');
      await picture('routine');
    });

    await test.step('each SOS is acknowledged and becomes an incident, and one is worked on and closed', async () => {
      for (const [at, name] of ['T 1', 'T 2'].entries()) {
        clock.advance(20_000);
        await report([name], ['sos']);
        await expect(anna.row('SOS').filter({ hasText: name })).toContainText(`#${at + 1}`);
        await anna.press('j', 'a');
        await expect(anna.row('SOS').filter({ hasText: name })).toContainText('acknowledged');
        await picture(`sos-${at + 1}`);
      }
      await anna.press('i');
      const incident = page.getByRole('region', { name: /^#2 / });
      await expect(incident).toBeVisible();
      await anna.press('t');
      await expect(incident.getByRole('button', { name: 'In progress' })).toHaveAttribute(
        'aria-pressed',
        'true',
      );
      await anna.press('n');
      await page.keyboard.type('Pressed by mistake, the driver confirms');
      await page.keyboard.press('Control+Enter');
      await expect(incident).toContainText('Pressed by mistake, the driver confirms');
      await picture('incident');
      await incident.getByRole('group', { name: 'Facts' }).focus();
      await anna.press('c');
      await expect(page.getByRole('dialog')).toBeVisible();
      await anna.press('ArrowDown', 'Enter');
      await expect(incident).toContainText('Closed: False alarm');
      // The stream may say so before the answer closes the dialog, which takes keys.
      await expect(page.getByRole('dialog')).toBeHidden();
      await page.keyboard.press('Alt+1');
    });

    await test.step('what nobody acknowledges escalates to who is on duty, and to nobody once somebody has', async () => {
      clock.advance(20_000);
      await report(['T 3'], ['power_cut']);
      const row = anna.row('Power cut').filter({ hasText: 'T 3' });
      await expect(row).toContainText('in 2 min: who is on duty');
      const note = row.getByRole('button', { name: /in 2\smin: who is on duty/ });
      // What has happened gives way to it.
      await expect(note).toBeInViewport({ ratio: 0.95 });
      const tip = page.getByRole('tooltip');
      await note.focus();
      await expect(tip).toHaveText(/^in 2\smin: console/);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog')).toContainText('who is on duty');
      await expect(tip).toHaveCount(0);
      await page.keyboard.press('Escape');
      clock.advance(121_000);
      await expect(row.getByRole('img', { name: 'Escalated to you' })).toBeVisible();
      await expect(row).toContainText('in 8 min: Boris Weiss');
      await picture('escalated');
      await anna.press('j', 'a');
      await expect(row).toContainText('acknowledged');
      await expect(row).not.toContainText('in 8 min');
      await report(names);
    });

    await test.step('a feed that is dead is said to be, and when it lives again', async () => {
      clock.advance(400_000);
      const banner = page.getByRole('status').filter({ hasText: 'Server: no contact with any terminal.' });
      await expect(banner).toBeVisible();
      await picture('dead-feed');
      await report(names);
      clock.advance(20_000);
      await expect(banner).toHaveCount(0);
    });

    await test.step('the shift is handed over to Boris, who accepts it by name', async () => {
      await page.keyboard.press('Alt+Shift+H');
      const dialog = page.getByRole('dialog', { name: 'Hand over your shift' });
      const choice = dialog.getByRole('button', { name: /Hand over to/ });
      await choice.focus();
      await page.keyboard.press('Enter');
      // Who may be chosen comes from the server.
      const option = page.getByRole('option', { name: 'Boris Weiss' });
      await expect(option).toBeVisible();
      await page.keyboard.type('Boris');
      await expect(option).toBeFocused();
      await page.keyboard.press('Enter');
      await dialog.getByRole('button', { name: 'Hand over', exact: true }).press('Enter');
      const next = await browser.newPage();
      const boris = new Operator(next);
      await boris.logIn(`${host.url}/#/live`, 'boris', userPassword);
      await expect(next.getByText(/^Anna Novak handed over a shift to you at/)).toBeVisible();
      await next.keyboard.press('Alt+Shift+A');
      await expect(next.getByRole('button', { name: 'Accept the shift', exact: true })).toBeFocused();
      await next.keyboard.press('Enter');
      const shift = next.getByRole('region', { name: 'Shift of Anna Novak' });
      await expect(shift).toContainText('accepted by Boris Weiss');
      await expect(shift).toContainText(/Notifications43/);
      await expect(shift).toContainText(/Acknowledged3/);
      await expect(shift).toContainText(/Toll gate.*40/);
      await next.screenshot({ path: test.info().outputPath('handover.png') });
      await next.close();
    });
  } finally {
    await host.close();
  }
});
