import { videoRoutes } from '../../server/contract/video.ts';
import { addSmallFleet } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test } from './operator.ts';
import { choose } from './videoSteps.ts';

test('a dealer sets up the cameras of a vehicle, tries, changes and deletes them', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { moving } = await addSmallFleet(depot);
  await operator.openLive(host.url);
  await page.goto(`${host.url}/#/vehicles?id=${moving.vehicle_id}`);
  const cameras = page.getByRole('region', { name: 'Cameras' });
  await cameras.getByRole('button', { name: 'Set up cameras' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cameras of V 1' });
  await choose(dialog, 'Type', 'Camera or recorder with HTTP');
  await choose(dialog, 'Camera make', 'Frigate');
  await expect(dialog.getByLabel('Address')).toHaveValue(/^http:\/\/HOST:5000\/api\//);
  await expectNoFaults(page);
  await dialog.getByLabel('Address').fill('http://nvr.example/clip?channel={channel}&from={from}');
  await choose(dialog, 'Authorization', 'Digest');
  await dialog.getByLabel('Username').fill('depot');
  await dialog.getByLabel('Password').fill('a secret');
  await dialog.getByLabel('Name of channel 2').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Each channel needs a name');
  await dialog.getByRole('button', { name: 'Remove channel 2' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(cameras).toContainText('http://nvr.example/clip');
  await cameras.getByRole('button', { name: 'Test' }).click();
  await expect(cameras.getByRole('status')).toContainText('Unknown: no video requested yet');

  await cameras.getByRole('button', { name: 'Edit' }).click();
  await expect(dialog.getByText('Leave blank to keep the current one.')).toBeVisible();
  await dialog.getByLabel('Name', { exact: true }).fill('Yard');
  await dialog.getByRole('button', { name: 'Add a channel' }).click();
  await dialog.getByLabel('Name of channel 2').fill('Rear');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(cameras).toContainText('1 Front, 2 Rear');
  const known = await depot.dealer.ask(videoRoutes.profiles);
  expect('items' in known ? known.items : []).toMatchObject([
    { name: 'Yard', kind: 'http', connection: { auth: 'digest', username: 'depot', has_password: true } },
  ]);
  await expectNoFaults(page);

  await cameras.getByRole('button', { name: 'Delete' }).click();
  await cameras.getByRole('button', { name: 'Delete the cameras for good' }).click();
  await expect(cameras).toContainText('No cameras are set up.');
});
