import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { realMap } from '../support/mapFiles.ts';
import { startRangeServer } from '../support/rangeServer.ts';
import { userPassword } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, Operator, test } from './operator.ts';

const andorra = realMap('andorra.mbtiles');
const firenze = realMap('firenze.pmtiles');
const whitney = realMap('whitney.pmtiles');

async function openMaps(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Maps' }).click();
}

/** Tiles that the page has received since. */
function countTiles(page: Page, of: 'streets' | 'imagery'): () => number {
  let count = 0;
  page.on('response', (response) => {
    if (response.url().includes(`/api/v1/maps/${of}/`) && response.status() === 200) count++;
  });
  return () => count;
}

test('a dealer drops a map file in Settings, and Live shows its streets with their credit', async ({
  host,
  depot,
  operator,
  page,
}) => {
  test.skip(andorra === null, 'the map files are not there');
  const vehicle = await depot.addVehicle({ name: 'V 1' });
  await depot.report({ vehicle, lat: 42.5078, lon: 1.5251, speed_kmh: 40, course_deg: 45 });
  const requested = new Set<string>();
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url())) requested.add(new URL(request.url()).origin);
  });
  const tiles = countTiles(page, 'streets');
  await operator.openLive(host.url);
  const credit = page.locator('.map-credit');
  await expect(credit).toHaveText('Natural Earth · GeoNames (CC BY 4.0)');
  expect(tiles()).toBe(0);

  await openMaps(page);
  await expect(page.getByText('There are no map files yet.')).toBeVisible();
  await page.locator('input[type=file]').setInputFiles(andorra ?? '');
  const row = page.getByRole('list', { name: 'Map files' }).getByRole('listitem');
  await expect(row).toContainText('Streets · OpenMapTiles · zooms 0 to 14');
  await expect(row).toContainText('42.44–42.66° N, 1.42–1.78° E');
  await expectNoFaults(page);

  await page.getByRole('link', { name: 'Live' }).click();
  await expect(credit).toContainText('andorra');
  await expect.poll(tiles).toBeGreaterThan(0);
  await operator.seesLive();

  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'About' }).click();
  await expect(page.getByRole('definition').filter({ hasText: 'The file states no licence.' })).toBeVisible();
  const packages = page.getByRole('list', { name: 'Packages' }).getByRole('listitem');
  const library = packages.filter({ hasText: /^maplibre-gl \d/ });
  await library.getByText('maplibre-gl').first().click();
  await expect(library.getByText('Redistribution and use in source and binary forms')).toBeVisible();
  await expectNoFaults(page);

  await openMaps(page);
  await row.getByText('Show').click();
  await expect(row).toContainText('not shown');
  await page.getByRole('link', { name: 'Live' }).click();
  await expect(credit).toHaveText('Natural Earth · GeoNames (CC BY 4.0)');
  expect([...requested]).toEqual([new URL(page.url()).origin]);
});

test('a file that is no map is rejected with the reason, and a map is renamed and removed', async ({
  host,
  operator,
  page,
}) => {
  test.skip(firenze === null, 'the map files are not there');
  await operator.openLive(host.url);
  await openMaps(page);
  const files = page.locator('input[type=file]');
  await files.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') });
  await expect(page.getByRole('alert')).toContainText('notes.txt is not a map file');
  await files.setInputFiles({
    name: 'notes.pmtiles',
    mimeType: '',
    buffer: Buffer.from('notes of the night shift'),
  });
  await expect(page.getByRole('alert')).toContainText('it is neither PMTiles nor MBTiles');

  await page.getByLabel('File on the server').fill(firenze ?? '');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const list = page.getByRole('list', { name: 'Map files' });
  await expect(list.getByRole('listitem')).toContainText('Protomaps © OpenStreetMap');
  await page.getByRole('button', { name: 'Rename the map firenze' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Florence');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(list.getByRole('listitem')).toContainText('Florence');
  await list.getByRole('button', { name: 'Remove' }).click();
  await list.getByRole('button', { name: 'Remove Florence' }).click();
  await expect(page.getByText('There are no map files yet.')).toBeVisible();
  await expectNoFaults(page);
});

test('a dealer estimates and downloads a region of a map on another server, which then is a map file', async ({
  host,
  operator,
  page,
}) => {
  test.skip(firenze === null, 'the map files are not there');
  const server = await startRangeServer(readFileSync(firenze ?? ''));
  await operator.openLive(host.url);
  await openMaps(page);
  const edges = { West: '11.24', South: '43.76', East: '11.27', North: '43.78' };
  for (const [edge, degrees] of Object.entries(edges)) await page.getByLabel(`${edge}, °`).fill(degrees);
  await page.getByLabel('PMTiles URL').fill(server.url);
  expect(server.requests).toEqual([]);
  await page.getByRole('button', { name: 'Estimate' }).click();
  await expect(page.getByText('31 tiles, a file of 1.5 MB.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Name' }).fill('Florence');
  await expectNoFaults(page);
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  const row = page.getByRole('list', { name: 'Map files' }).getByRole('listitem');
  await expect(row).toContainText('43.76–43.78° N, 11.24–11.27° E');
  await expect(row).toContainText('Protomaps © OpenStreetMap');
  await server.close();
});

test('a user who is no dealer sees the maps and imagery, and cannot change them', async ({
  host,
  depot,
  browser,
}) => {
  test.skip(whitney === null, 'the map files are not there');
  await depot.dealer.post('/api/v1/maps', { path: whitney });
  const vehicle = await depot.addVehicle({ name: 'V 1' });
  await depot.report({ vehicle, lat: 36.577, lon: -118.2903 });
  const group = (await depot.dealer.post('/api/v1/groups', { name: 'North' })).body as { group_id: string };
  await depot.dealer.call('PUT', `/api/v1/groups/${group.group_id}/vehicles/${vehicle.vehicle_id}`);
  await depot.addUser('anna', { group_ids: [group.group_id] });
  const page = await browser.newPage();
  const pictures = countTiles(page, 'imagery');
  const anna = new Operator(page);
  await anna.openLive(host.url, 'anna', userPassword);
  await expect.poll(pictures).toBeGreaterThan(0);
  await expect(page.locator('.map-credit')).toContainText('QGIS');
  await openMaps(page);
  const row = page.getByRole('list', { name: 'Map files' }).getByRole('listitem');
  await expect(row).toContainText('Imagery · raster');
  await expect(row.getByRole('button')).toHaveCount(0);
  await expect(page.locator('input[type=file]')).toHaveCount(0);
  await page.close();
});

/** Of the map's pixels, the share that has the colour of the most. */
async function commonestShare(operator: Operator): Promise<number> {
  const picture = await operator.map.locator('.maplibregl-canvas').screenshot();
  return operator.page.evaluate(async (png) => {
    const bytes = Uint8Array.from(atob(png), (it) => it.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context?.drawImage(image, 0, 0);
    const pixels = new Uint32Array(
      context?.getImageData(0, 0, image.width, image.height).data.buffer ?? new ArrayBuffer(4),
    );
    const counts = new Map<number, number>();
    for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    return [...counts.values()].reduce((most, it) => Math.max(most, it), 0) / pixels.length;
  }, picture.toString('base64'));
}

test('the streets of Florence and the pictures of Mount Whitney are drawn', async ({
  host,
  depot,
  operator,
}) => {
  test.skip(firenze === null || whitney === null, 'the map files are not there');
  const vehicle = await depot.addVehicle({ name: 'V 1' });
  await depot.report({ vehicle, lat: 43.7731, lon: 11.2558 });
  await operator.openLive(host.url);
  // The plain land of the world map, but for the vehicle and what stands over the map.
  await expect.poll(() => commonestShare(operator)).toBeGreaterThan(0.8);
  await depot.dealer.post('/api/v1/maps', { path: firenze });
  await expect.poll(() => commonestShare(operator)).toBeLessThan(0.7);

  await depot.dealer.post('/api/v1/maps', { path: whitney });
  await depot.report({ vehicle, lat: 36.577, lon: -118.2903, speed_kmh: 40 });
  await expect(operator.vehicle('V 1')).toContainText('40 km/h');
  await operator.press('0');
  await expect.poll(() => commonestShare(operator)).toBeLessThan(0.5);
  await expect(operator.page.locator('.map-credit')).toContainText('QGIS');
});
