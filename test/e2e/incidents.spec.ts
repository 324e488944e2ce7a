import { addSmallFleet, pressSos, rights, userPassword } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, Operator, test } from './operator.ts';

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

  await incident.getByRole('group', { name: 'Facts' }).focus();
  await operator.press('c');
  await expect(page.getByRole('dialog')).toContainText('4 items of the checklist are open');
  await operator.press('ArrowDown', 'Enter');
  await expect(incident).toContainText('Closed: False alarm');
  await expect(theirs).toContainText('Closed: False alarm');
  await expect(theirs.getByRole('list', { name: 'Timeline' })).toContainText('closed the incident');
  await operator.press('Alt+1');
  await expect(operator.queue).toBeVisible();
  await expect(strip).toBeHidden();
  await elsewhere.close();
});
