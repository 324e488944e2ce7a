import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mapRoutes } from '../../server/contract/maps.ts';
import { makeMbtiles, streetAt } from '../support/mapFiles.ts';
import { pressSos, type FixOf } from './depot.ts';
import { expect, test } from './operator.ts';

const long = 'Street of the Seven Weavers and their Apprentices 127, Elmswell';

test('places are called by their streets as soon as a map file has them: in the list, the queue, Events and Reports', async ({
  host,
  depot,
  operator,
  page,
}, testInfo) => {
  const vehicle = await depot.addVehicle({ name: 'V 1' });
  const start = Date.now() - 3_600_000;
  const [here, there] = [{ lat: 52, lon: 13 }, { lat: 52.03, lon: 13 }]; // prettier-ignore
  const fix = (s: number, lat: number, speed_kmh: number): FixOf => ({
    ...{ vehicle, lat, lon: here.lon, speed_kmh },
    time: new Date(start + s * 1_000).toISOString(),
  });
  const minutes = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => 60 * (from + i));
  await depot.report(
    ...minutes(0, 5).map((s) => fix(s, here.lat, 0)),
    ...minutes(5, 10).map((s) => fix(s, here.lat + ((s - 270) / 300) * 0.03, 40)),
    ...minutes(10, 20).map((s) => fix(s, there.lat, 0)),
  );
  await pressSos(depot, vehicle, there);
  await operator.openLive(host.url);
  const row = operator.row('SOS');
  await expect(row).toBeVisible();
  await expect(row).not.toContainText(long);

  await mkdir(testInfo.outputDir, { recursive: true });
  const path = makeMbtiles(join(testInfo.outputDir, 'elm.mbtiles'), {
    tiles: [streetAt('Elm Street', here), streetAt(long, there)],
    bounds: '12,51,14,53',
  });
  await depot.dealer.ask(mapRoutes.add, { body: { path } });
  await expect(row).toContainText(long);
  await expect(row.getByTitle(long)).toBeVisible();
  await expect(operator.vehicle('V 1')).toContainText(long);

  await page.getByRole('link', { name: 'Events' }).click();
  await expect(page.getByRole('gridcell', { name: long })).toHaveAttribute('title', long);
  await page.getByRole('link', { name: 'Reports' }).click();
  // In the first hour of a day the trip was yesterday.
  await page.getByRole('button', { name: /Period$/ }).click();
  await page.getByRole('option', { name: 'Last 7 days' }).click();
  await page.getByRole('button', { name: 'Run' }).click();
  const trip = page.getByRole('grid', { name: 'Trips' }).getByRole('row', { name: /V 1/ });
  await expect(trip).toContainText('Elm Street');
  await expect(trip.getByTitle(long)).toBeVisible();
});
