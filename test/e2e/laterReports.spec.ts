import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drive } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test } from './operator.ts';

const HOUR = 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();

test('an operator has a report run in the background and saves its file, and schedules one into a folder', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'fleetdeck-reports-'));
  try {
    const vehicle = await depot.addVehicle({ name: 'V 1' });
    const begun = Math.floor(Date.now() / HOUR) * HOUR - 2 * HOUR;
    await drive(depot, vehicle, begun);
    const period = `from=${iso(begun - HOUR)}&to=${iso(begun + HOUR)}`;
    await operator.logIn(`${host.url}/#/reports?kind=trips&${period}`);
    await page.getByRole('button', { name: 'Scheduled' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'In the background' }).click();
    await dialog.getByRole('button', { name: 'Run “Trips” in the background' }).click();
    const job = dialog.getByRole('listitem').filter({ hasText: 'All vehicles' });
    await expect(job).toContainText('CSV, ');
    const download = page.waitForEvent('download');
    await job.getByRole('button', { name: 'Save' }).click();
    const saved = await readFile(await (await download).path(), 'utf8');
    expect(saved).toContain('V 1');
    await job.getByRole('button', { name: 'Delete' }).click();
    await expect(dialog).toContainText('No reports in the background');

    await dialog.getByRole('button', { name: 'Scheduled' }).click();
    await dialog.getByRole('button', { name: 'Schedule “Trips”' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Trips of yesterday');
    await dialog.getByRole('button', { name: 'CSV' }).click();
    await dialog.getByLabel('Folder on the server').fill(join(folder, 'missing'));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toContainText('does not exist');
    await dialog.getByLabel('Folder on the server').fill(folder);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const schedule = dialog.getByRole('listitem').filter({ hasText: 'Trips of yesterday' });
    await expect(schedule).toContainText('Daily, 06:00');
    await expectNoFaults(page);
    await schedule.getByRole('button', { name: 'Run now' }).click();
    await expect(schedule).toContainText('Written to');
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^Trips-of-yesterday_trips_.*[.]csv$/)]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
