import { addSmallFleet, MIDDLE } from './depot.ts';
import { expect, test } from './operator.ts';

test('an unknown card becomes a driver, who is shown with the vehicle, found by the card, and led to the track', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { moving } = await addSmallFleet(depot);
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const read = { vehicle: moving, ...MIDDLE, ignition: true, attributes: { ibutton: '00AF77' } };
  await depot.report({ ...read, time: ago(10) }, { ...read, speed_kmh: 40 });
  await operator.logIn(`${host.url}/#/live?vehicle=${moving.vehicle_id}`);
  await operator.panel('V 1').getByRole('button', { name: 'Add driver for this card' }).click();

  const form = page.getByRole('region', { name: 'Add driver' });
  await expect(form.getByLabel('Card 1, number')).toHaveValue('AF77');
  await form.getByLabel('Name').fill('Zoë Ünal');
  await form.getByLabel('Phone').fill('+44 20 7946 0104');
  await form.getByRole('button', { name: /^Add driver/ }).click();

  const panel = page.getByRole('region', { name: 'Driver Zoë Ünal' });
  await expect(panel).toBeVisible();
  const row = page.getByRole('grid', { name: 'Drivers' }).getByRole('row').nth(1);
  await expect(row).toContainText('V 1');
  await expect(row.getByRole('link')).toHaveAttribute('href', 'tel:+442079460104');

  await panel.getByRole('button', { name: 'V 1' }).click();
  await expect(page).toHaveURL(new RegExp(`#/history\\?.*${moving.vehicle_id}`));

  await page.keyboard.press('Control+k');
  await page.keyboard.type('af77');
  await page
    .getByRole('option', { name: /Zoë Ünal/ })
    .first()
    .click();
  await expect(panel).toBeVisible();
});
