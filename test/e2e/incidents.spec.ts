import { incidentRoutes } from '../../server/contract/incidents.ts';
import { addSmallFleet, pressSos, rights, userPassword } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, interceptFromStart, Operator, test } from './operator.ts';

test('an SOS is worked through by keyboard from the alarm to the closed incident, while somebody else works on it too', async ({
  host,
  depot,
  operator,
  page,
  browser,
}) => {
  const { moving } = await addSmallFleet(depot);
  await depot.addUser('a.novak', {
    name: 'A. Novak',
    group_ids: moving.group_ids,
    rights: rights({ notifications: 'write' }),
  });
  await operator.openLive(host.url);
  const elsewhere = await browser.newContext();
  const other = new Operator(await elsewhere.newPage());
  await other.openLive(host.url, 'a.novak', userPassword);

  await pressSos(depot, moving);
  await expect(operator.row('#1')).toContainText('SOS');
  await operator.press('j', 'a');
  const strip = page.getByRole('navigation', { name: 'Open incidents' });
  await expect(operator.row('SOS')).toContainText('acknowledged');
  await expect(strip.getByRole('link', { name: '#1' })).toContainText('V 1');
  await expect(strip).toContainText('1 without an owner');

  await operator.press('/');
  await page.keyboard.type('attach the map');
  const sent = page.waitForRequest((it) => it.method() === 'POST' && it.url().includes('/snapshots?'));
  await operator.press('Enter');
  expect(new URL((await sent).url()).searchParams.get('shown_vehicle_ids')).toContain(moving.vehicle_id);
  await expect(page.getByText('Attached to incident #1')).toBeVisible();

  await operator.press('i');
  const incident = page.getByRole('region', { name: /^#1 / });
  await expect(incident.getByRole('link', { name: '+44 20 7946 0101' })).toHaveAttribute(
    'href',
    'tel:+442079460101',
  );
  await operator.press('t');
  await expect(incident.getByRole('button', { name: /^Owner (?!nobody)/ })).toBeVisible();
  await expect(incident.getByRole('button', { name: 'In progress' })).toHaveAttribute('aria-pressed', 'true');
  await operator.press('1');
  await expect(incident.getByRole('checkbox', { name: 'Call the driver' })).toBeChecked();

  const note = incident.getByRole('textbox', { name: 'Note' });
  await operator.press('n');
  await expect(note).toBeFocused();
  await page.keyboard.type('The driver answers');

  await other.press('Alt+i');
  const theirs = other.page.getByRole('region', { name: /^#1 / });
  await expect(theirs.getByRole('checkbox', { name: 'Call the driver' })).toBeChecked();
  await other.press('n');
  await other.page.keyboard.type('Police called');
  await other.press('Control+Enter');
  await theirs.getByRole('group', { name: 'Facts' }).focus();
  await other.press('w');

  const timeline = incident.getByRole('list', { name: 'Timeline' });
  await expect(timeline).toContainText('Police called');
  await expect(incident.getByRole('button', { name: 'Waiting' })).toHaveAttribute('aria-pressed', 'true');
  await expect(note).toHaveValue('The driver answers');
  await operator.press('Control+Enter');
  await expect(note).toHaveValue('');
  await expect(theirs.getByRole('list', { name: 'Timeline' })).toContainText('The driver answers');
  await expectNoFaults(page);

  const snapshots = incident.getByRole('region', { name: 'Snapshots' });
  await snapshots.getByRole('button').press('Enter');
  const large = page.getByRole('dialog').getByRole('img', { name: /, Map$/ });
  await expect.poll(() => large.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBeGreaterThan(0);
  await expectNoFaults(page);
  const remove = page.getByRole('button', { name: 'Delete snapshot' });
  await remove.press('Enter');
  await page.getByRole('button', { name: 'Delete for good' }).press('Enter');
  await expect(snapshots).toBeHidden();
  await expect(theirs.getByRole('list', { name: 'Timeline' })).toContainText('deleted a snapshot');

  await incident.getByRole('group', { name: 'Facts' }).focus();
  await operator.press('c');
  await expect(page.getByRole('dialog')).toContainText('4 items of the checklist are open');
  await operator.press('ArrowDown', 'Enter');
  await expect(incident).toContainText('Closed: False alarm');
  await expect(theirs).toContainText('Closed: False alarm');
  await expect(theirs.getByRole('list', { name: 'Timeline' })).toContainText('closed the incident');
  for (const [item, ending] of [
    ['Export the incident as PDF', /^incident_1\.pdf$/],
    ['Export the incident as evidence', /^Incident 1 .*\.zip$/],
  ] as const) {
    const saved = page.waitForEvent('download');
    await incident.getByRole('button', { name: 'More for this incident' }).press('Enter');
    await page.getByRole('menuitem', { name: item }).press('Enter');
    expect((await saved).suggestedFilename()).toMatch(ending);
  }

  await operator.press('Alt+1');
  await expect(operator.queue).toBeVisible();
  await expect(strip).toBeHidden();
  await elsewhere.close();
});

test('incidents that the strip has no space for take no focus, and who may own one is said when it is known', async ({
  host,
  depot,
  operator,
  page,
}) => {
  for (let at = 1; at <= 14; at++)
    await depot.dealer.ask(incidentRoutes.create, {
      body: { title: `Oil on road ${at}`, lat: 52.5, lon: 13.4 },
    });
  await interceptFromStart(page);
  await operator.openLive(host.url);
  const strip = page.getByRole('navigation', { name: 'Open incidents' });
  await expect(strip).toContainText('14 incidents');
  const seen = () =>
    strip.locator('li').evaluateAll((all) => all.filter((it) => !(it as HTMLElement).inert).length);
  await expect.poll(seen).toBeLessThan(14);
  await strip.getByRole('link').first().focus();
  let reached = 0;
  await operator.press('Tab');
  while ((await strip.locator(':focus').count()) > 0) {
    reached += 1;
    await operator.press('Tab');
  }
  expect(reached).toBe(await seen());

  await operator.press('Alt+i');
  const answers = page.waitForRequest(/\/owners/);
  let answer = (): void => undefined;
  await page.route(/\/owners/, async (route) => {
    await new Promise<void>((resolve) => (answer = resolve));
    await route.fallback();
  });
  await page.getByRole('option', { name: /#14/ }).click();
  await page.getByRole('button', { name: /^Owner nobody/ }).press('Enter');
  await answers;
  await expect(page.getByText('Loading the users')).toBeVisible();
  answer();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
});
