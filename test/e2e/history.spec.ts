import type { Geofence } from '../../server/contract/geofences.ts';
import { videoRoutes } from '../../server/contract/video.ts';
import { createDepot, drive, MIDDLE } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test } from './operator.ts';

const HOUR = 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();

test('an operator goes from a trip to its track, orders and sees the video of the moment, and goes back to the report', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const vehicle = await depot.addVehicle({ name: 'V 1' });
  await depot.addCameras(vehicle, 1);
  const begun = Math.floor(Date.now() / HOUR) * HOUR - 2 * HOUR;
  await drive(depot, vehicle, begun);
  const period = `from=${iso(begun - HOUR)}&to=${iso(begun + HOUR)}`;
  await operator.logIn(`${host.url}/#/reports?kind=trips&${period}`);
  await page.getByRole('button', { name: 'Run' }).click();
  const trip = page.getByRole('row').filter({ hasText: 'V 1' });
  await trip.click();
  await operator.press('h');

  await operator.seesMap();
  const row = operator.vehicle('V 1');
  await expect(row).toHaveAttribute('aria-selected', 'true');
  await expect(row).toContainText('50 km/h');
  await expect(page.locator('header')).toContainText('Past');
  const slider = page.getByRole('slider', { name: 'Instant' });
  const start = await slider.getAttribute('aria-valuenow');
  // 20 min after the start it stands.
  await slider.focus();
  await operator.press('PageUp', 'PageUp');
  await expect(row).toContainText('stopped');
  await operator.press('PageDown', ',');
  await expect(row).toContainText('50 km/h');
  await expect(slider).toHaveAttribute('aria-valuenow', String(Number(start) + 590));
  await operator.press('s');
  const segments = page.getByRole('region', { name: 'Segments', exact: true });
  await expect(segments.locator('[aria-current]')).toContainText('Trip');

  await operator.press('v');
  await expect
    .poll(async () => (await depot.dealer.ask(videoRoutes.tasks)).items.map(({ vehicle_id }) => vehicle_id))
    .toEqual([vehicle.vehicle_id]);
  const { items } = await depot.dealer.ask(videoRoutes.tasks);
  const middle = iso(begun + 590_000);
  expect(items.every(({ from, to }) => from < middle && middle < to)).toBe(true);

  // The clip under the cursor stands at its picture.
  const clip = page.getByRole('region', { name: 'Clip of V 1' });
  const begins = Date.parse(items[0]?.from ?? '');
  await expect
    .poll(() => clip.locator('video').evaluate((it: HTMLVideoElement) => it.currentTime))
    .toBeCloseTo((begun + 590_000 - begins) / 1_000, 0);
  await expectNoFaults(page);

  await page.goBack();
  await expect(trip).toBeVisible();
});

test('the fleet of a past instant has the names and geofences of then, and Escape leads back to live', async ({
  host,
  clock,
  operator,
  page,
}) => {
  clock.behind_ms = 3 * HOUR;
  const past = createDepot(await host.login());
  const vehicle = await past.addVehicle({ name: 'Old name' });
  const yard = await past.dealer.post('/api/v1/geozones', {
    name: 'Yard',
    shape: 'circle',
    geometry: { type: 'Point', coordinates: [MIDDLE.lon, MIDDLE.lat] },
    radius_m: 400,
  });
  expect(yard.status).toBe(201);
  const then = clock.now();
  await past.report(
    { vehicle, lat: MIDDLE.lat + 0.01, lon: MIDDLE.lon, time: iso(then), speed_kmh: 40, ignition: true },
    { vehicle, ...MIDDLE, time: iso(then + 60_000), speed_kmh: 40, ignition: true },
  );
  clock.behind_ms = 0;
  const now = createDepot(await host.login());
  const vehiclePath = `/api/v1/vehicles/${vehicle.vehicle_id}`;
  expect((await now.dealer.call('PATCH', vehiclePath, { name: 'New name' })).status).toBe(200);
  const { geozone_id } = yard.body as Geofence;
  expect((await now.dealer.call('DELETE', `/api/v1/geozones/${geozone_id}`)).status).toBe(204);

  await operator.openLive(host.url);
  await expect(operator.vehicle('New name')).toBeVisible();
  await page.goto(`${host.url}/#/history?at=${iso(then + 60_000)}&vehicle=${vehicle.vehicle_id}`);
  const row = operator.vehicle('Old name');
  await expect(row).toHaveAttribute('aria-selected', 'true');
  await expect(row).toContainText('40 km/h');
  const journal = page.getByRole('region', { name: 'Journal', exact: true });
  await expect(journal.getByText('Entered Yard')).toBeVisible();

  await operator.press('Escape');
  await expect(operator.vehicle('New name')).toHaveAttribute('aria-selected', 'true');
});
