import { geofenceRoutes } from '../../server/contract/geofences.ts';
import { groupRoutes } from '../../server/contract/groups.ts';
import { notificationRoutes } from '../../server/contract/notifications.ts';
import { terminalCommandRoutes } from '../../server/contract/terminalCommands.ts';
import { vehicleRoutes } from '../../server/contract/vehicles.ts';
import { videoRoutes } from '../../server/contract/video.ts';
import { addSmallFleet, MIDDLE } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test } from './operator.ts';

test('selected vehicles are copied, snoozed, commanded, filmed, grouped, assigned and reported at once', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { dealer } = depot;
  const { moving } = await addSmallFleet(depot);
  await depot.addCameras(moving, 1);
  const { group_id } = await dealer.ask(groupRoutes.create, { body: { name: 'Night' } });
  const { group_id: harbour } = await dealer.ask(groupRoutes.create, { body: { name: 'Harbour' } });
  const geometry = { type: 'Point' as const, coordinates: [MIDDLE.lon, MIDDLE.lat] as [number, number] };
  await dealer.ask(geofenceRoutes.create, {
    body: { name: 'Quay', shape: 'circle', geometry, radius_m: 400, group_ids: [harbour] },
  });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await operator.openLive(host.url);
  const selected = page.getByRole('group', { name: '5 vehicles selected' });
  const choose = async (item: string) => {
    await selected.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menu').getByRole('menuitem', { name: item }).click();
  };
  const dialog = page.getByRole('dialog');
  const groupsOf = async () =>
    (await dealer.ask(vehicleRoutes.list, { query: { limit: 100 } })).items.map((it) => it.group_ids);

  await test.step('selected and copied by keys', async () => {
    // They are read once the stream is there: until then the key selects nothing.
    await expect(operator.list.getByRole('option')).toHaveCount(5);
    await operator.press('Control+a');
    await expect(selected).toBeVisible();
    await operator.press('Control+c');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/V 1\t[^]*V 5\t/);
  });

  await test.step('snoozed', async () => {
    await operator.press('z');
    await dialog.getByRole('button', { name: 'Snooze 5 vehicles' }).click();
    await expect(dialog).toHaveCount(0);
    expect((await dealer.ask(notificationRoutes.snoozes)).items).toHaveLength(5);
  });

  await test.step('sent a command, which waits for each terminal', async () => {
    await operator.press('c');
    await dialog.getByLabel('Text for the terminal').fill('getver');
    await dialog.getByRole('button', { name: 'Send to 5 vehicles' }).click();
    await expect(dialog).toHaveCount(0);
    const { items } = await dealer.ask(terminalCommandRoutes.list, {
      params: { vehicle: moving.vehicle_id },
    });
    expect(items).toMatchObject([{ kind: 'text', text: 'getver' }]);
  });

  await test.step('filmed, where there are cameras', async () => {
    await operator.press('v');
    await expect(dialog).toContainText('Without cameras: V 2, V 3, V 4, V 5');
    await dialog.getByRole('button', { name: 'Request 1 clip' }).click();
    await expect(dialog).toHaveCount(0);
    expect((await dealer.ask(videoRoutes.tasks)).items).toHaveLength(1);
  });

  await test.step('added to a group', async () => {
    await choose('Add to groups, or remove');
    await dialog.getByRole('combobox', { name: 'Groups' }).fill('Night');
    await page.getByRole('option', { name: /^Night/ }).click();
    await operator.press('Escape');
    await expectNoFaults(page);
    await dialog.getByRole('button', { name: 'Add 5 vehicles' }).click();
    await expect(dialog).toHaveCount(0);
    expect((await groupsOf()).every((it) => it.includes(group_id))).toBe(true);
  });

  await test.step('assigned to a geofence by its group', async () => {
    await choose('Assign to a geofence');
    await dialog.getByRole('combobox', { name: 'Geofence' }).fill('Quay');
    await page.getByRole('option', { name: /^Quay/ }).click();
    await dialog.getByRole('button', { name: 'Assign' }).click();
    await expect(dialog).toHaveCount(0);
    expect((await groupsOf()).every((it) => it.includes(harbour))).toBe(true);
  });

  await test.step('with their events', async () => {
    await choose('List events');
    await expect(page).toHaveURL(/#\/events\?.*vehicle=/);
    await expect(page.getByRole('combobox', { name: 'Vehicle' })).toHaveValue('5 vehicles');
    await operator.press('Alt+1');
  });

  await test.step('kept in sight, and reported', async () => {
    await operator.press('f');
    await expect(operator.map.getByText(/^Following V 1, V 2/)).toBeVisible();
    await choose('Run a report');
    await expect(page).toHaveURL(/#\/reports\?.*vehicle=/);
    await expect(page.getByRole('main')).toContainText('V 5');
  });
});
