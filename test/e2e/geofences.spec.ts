import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import type { Geofence, NewGeofence } from '../../server/contract/geofences.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { addSmallFleet, MIDDLE, rights, userPassword, type Depot } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test } from './operator.ts';

const yard: NewGeofence = {
  name: 'Yard',
  shape: 'circle',
  geometry: { type: 'Point', coordinates: [MIDDLE.lon, MIDDLE.lat] },
  radius_m: 400,
  width_m: null,
  color: '#3d8bd9',
  speed_limit_kmh: null,
  hysteresis_m: 20,
  min_inside_s: 0,
  min_outside_s: 0,
  schedule: null,
  group_ids: [],
};

async function addGeofence(depot: Depot, fields: Partial<NewGeofence> = {}): Promise<Geofence> {
  const answer = await depot.dealer.post('/api/v1/geozones', { ...yard, ...fields });
  expect(answer.status).toBe(201);
  return answer.body as Geofence;
}

async function geofencesOf(depot: Depot): Promise<Geofence[]> {
  return ((await depot.dealer.get('/api/v1/geozones')).body as { items: Geofence[] }).items;
}

/** On each of the last days it drives from 3 km north of the middle to 3 km south of it, in half an hour. */
async function driveThrough(depot: Depot, vehicle: Vehicle, days: number): Promise<void> {
  const now = Date.now();
  for (let day = days; day >= 1; day--) {
    await depot.report(
      ...Array.from({ length: 31 }, (_, minute) => ({
        vehicle,
        lat: MIDDLE.lat + 0.027 - minute * 0.0018,
        lon: MIDDLE.lon,
        time: new Date(now - day * 86_400_000 + minute * 60_000).toISOString(),
        speed_kmh: 12,
        course_deg: 180,
      })),
    );
  }
}

const listOf = (page: Page): Locator => page.getByRole('region', { name: 'Geofences', exact: true });
const formOf = (page: Page): Locator => page.getByRole('region', { name: 'Geofence', exact: true });
const rowOf = (page: Page, name: string): Locator =>
  listOf(page)
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) });

test('a geofence is drawn, tried on the last week before it is saved, changed and deleted', async ({
  host,
  depot,
  operator,
  page,
}) => {
  test.slow();
  const vehicle = await depot.addVehicle({ name: 'V 17' });
  await driveThrough(depot, vehicle, 3);
  await operator.openLive(host.url);
  await page.getByRole('link', { name: 'Geofences' }).click();
  const form = formOf(page);

  await test.step('an empty screen names the next step', async () => {
    await expect(listOf(page)).toContainText('No geofences yet');
    await expect(listOf(page).getByRole('button', { name: 'Draw the first geofence' })).toBeVisible();
    await operator.seesMap();
    await expectNoFaults(page, 'empty');
    await operator.press('g');
    await expect(form).toContainText('Click the corners');
  });

  await test.step('a geofence is drawn with the pointer', async () => {
    await form.getByRole('button', { name: 'Circle' }).click();
    const box = await operator.map.locator('.maplibregl-canvas').boundingBox();
    if (box === null) throw new Error('there is no map');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.click(x, y);
    await page.mouse.move(x + 20, y + 10, { steps: 3 });
    await page.mouse.click(x + 60, y + 40);
    await expect(form).toContainText(/radius [\d.]+\s(m|km)/);
  });

  await test.step('the geofence shows past visits, and again after each change', async () => {
    await form.getByText('Type the centre').click();
    await form.getByLabel('Centre').fill(`${MIDDLE.lat}, ${MIDDLE.lon}`);
    await form.getByLabel('Radius, m').fill('500');
    await expect(form).toContainText('3 visits by 1 vehicle in the last 7 days');
    const visits = form.getByRole('grid', { name: 'Visits' });
    await expect(visits.getByRole('row')).toHaveCount(4);
    await visits.getByRole('row').nth(1).click();
    await expect(visits.getByRole('row').nth(1)).toHaveAttribute('aria-selected', 'true');
    await form.getByRole('button', { name: /Period to check/ }).click();
    await page.getByRole('option', { name: 'last 24 h' }).click();
    await expect(form).toContainText(
      /1 visit by 1 vehicle in the last 24 hours|No visits in the last 24 hours/,
    );
    await form.getByLabel('Centre').fill('48.1, 11.5');
    await expect(form).toContainText('No visits in the last 24 hours');
    await form.getByLabel('Centre').fill(`${MIDDLE.lat}, ${MIDDLE.lon}`);
  });

  await test.step('the geofence is saved with hours and a colour, and its details are shown', async () => {
    await form.getByLabel('Name', { exact: true }).fill('Yard');
    await form.getByLabel('Speed limit, km/h').fill('30');
    await form.getByRole('button', { name: 'At set times' }).click();
    await form.getByRole('button', { name: 'Saturday' }).click();
    await form.getByLabel('From').fill('22');
    await form.getByLabel('To', { exact: true }).fill('430');
    await form.getByLabel('Name', { exact: true }).focus();
    await expect(form).toContainText('Ends the next day.');
    await form.getByTitle('Teal').click();
    await expect(form.getByRole('radio', { name: 'Teal' })).toBeChecked();
    await expectNoFaults(page, 'form');
    await form.getByRole('button', { name: 'Save geofence' }).click();
    const details = page.getByRole('region', { name: 'Geofence Yard', exact: true });
    await expect(details).toContainText('Mon – Sat 22:00 – 04:30');
    await expect(details).toContainText('0 vehicles inside now');
    await expect(rowOf(page, 'Yard')).toBeVisible();
    await depot.report({ vehicle, ...MIDDLE, speed_kmh: 0, ignition: false });
    await expect(details).toContainText('1 vehicle inside now');
    await details.getByRole('button', { name: 'Show visits' }).click();
    await expect(details).toContainText(/visits? by 1 vehicle|No visits/);
    await expectNoFaults(page, 'details');
    const [geofence] = await geofencesOf(depot);
    expect(geofence).toMatchObject({ radius_m: 500, speed_limit_kmh: 30, color: '#1c9aa6' });
    expect(geofence?.schedule?.ranges).toEqual([{ days: [1, 2, 3, 4, 5, 6], from: '22:00', to: '04:30' }]);
    expect(page.url()).toContain(`#/geofences?id=${geofence?.geozone_id}`);
  });

  await test.step('a change that conflicts with another user’s is compared and saved over it', async () => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await form.getByLabel('Radius, m').fill('600');
    const [geofence] = await geofencesOf(depot);
    await depot.dealer.call('PATCH', `/api/v1/geozones/${geofence?.geozone_id}`, { name: 'Yard of others' });
    await expect(form).toContainText('Someone else changed this geofence');
    await form.getByRole('button', { name: 'Compare' }).click();
    await expect(form.getByRole('row', { name: 'Name Yard of others Yard' })).toBeVisible();
    await expect(form.getByRole('row', { name: /^Shape .*500 m.*600 m/ })).toBeVisible();
    await expectNoFaults(page, 'conflict');
    await form.getByRole('button', { name: 'Overwrite with mine' }).click();
    await expect(form).toHaveCount(0);
    expect((await geofencesOf(depot))[0]).toMatchObject({ name: 'Yard', radius_m: 600 });
  });

  await test.step('the geofence is deleted after a confirmation', async () => {
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await expect(listOf(page)).toContainText('No geofences yet');
    expect(await geofencesOf(depot)).toEqual([]);
  });
});

test('a geofence is made by the keyboard alone', async ({ host, depot, operator, page }) => {
  await operator.openLive(host.url);
  await operator.press('Alt+5');
  await expect(listOf(page)).toBeVisible();
  await operator.seesMap();
  await operator.press('g');
  const form = formOf(page);
  await form.getByRole('button', { name: 'Polygon' }).press('Enter');
  await form.getByText('Type the corners').focus();
  await operator.press('Enter', 'Tab');
  await page.keyboard.type('52.51, 13.39');
  await expect(form).toContainText('A polygon needs at least three corners');
  await page.keyboard.type('\n52.53, 13.41\n52.51, 13.43');
  await expect(form).toContainText(/km² · .* · 3 points/);
  await form.getByLabel('Name', { exact: true }).focus();
  await page.keyboard.type('By hand');
  await operator.press('Enter');
  await expect(rowOf(page, 'By hand')).toBeVisible();
  const [geofence] = await geofencesOf(depot);
  expect(geofence?.geometry).toEqual({
    type: 'Polygon',
    coordinates: [
      [
        [13.39, 52.51],
        [13.41, 52.53],
        [13.43, 52.51],
        [13.39, 52.51],
      ],
    ],
  });
  // The row comes by the stream, its details with the answer.
  const details = page.getByRole('region', { name: 'Geofence By hand', exact: true });
  await expect(details).toBeVisible();
  await operator.press('Escape');
  await expect(details).toHaveCount(0);
});

test('geofences come from a file after a dry run, go to a file, and are taken many at once', async ({
  host,
  depot,
  operator,
  page,
}) => {
  test.slow();
  await addSmallFleet(depot);
  await addGeofence(depot);
  await operator.openLive(host.url);
  await page.goto(`${host.url}/#/geofences`);
  const list = listOf(page);

  await test.step('the dry run gives the result of each shape', async () => {
    await list.getByRole('button', { name: 'Import' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import geofences' });
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Choose a file' }).click();
    const kml = `<?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2"><Document>
        <Placemark><name>Harbour</name><Polygon><outerBoundaryIs><LinearRing><coordinates>
          13.3,52.5 13.32,52.5 13.32,52.52 13.3,52.5</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>
        <Placemark><name>Gate</name><Point><coordinates>13.4,52.5</coordinates></Point></Placemark>
      </Document></kml>`;
    await (await chooser).setFiles({ name: 'places.kml', mimeType: 'text/xml', buffer: Buffer.from(kml) });
    await expect(dialog).toContainText('1 will be added, 1 skipped.');
    await expect(dialog).toContainText('a point without a radius');
    expect(await geofencesOf(depot)).toHaveLength(1);
    await expectNoFaults(page, 'import');
    await dialog.getByLabel('Radius of points, m').fill('50');
    await dialog.getByRole('button', { name: 'Check file' }).click();
    await expect(dialog).toContainText('2 will be added, 0 skipped.');
    await dialog.getByRole('button', { name: 'Import 2 geofences' }).click();
    await expect(dialog).toContainText('2 added, 0 skipped.');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(rowOf(page, 'Harbour')).toBeVisible();
    expect((await geofencesOf(depot)).find(({ name }) => name === 'Gate')).toMatchObject({ radius_m: 50 });
  });

  await test.step('an export holds the selected geofences', async () => {
    await rowOf(page, 'Harbour').getByRole('checkbox').check();
    await list.getByRole('button', { name: 'Export geofences' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: '1 selected as GeoJSON' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^geofences-\d{4}-\d\d-\d\d\.geojson$/);
    const { features } = JSON.parse(await readFile(await file.path(), 'utf8')) as {
      features: { properties: { name: string } }[];
    };
    expect(features.map(({ properties }) => properties.name)).toEqual(['Harbour']);
  });

  await test.step('the selected geofences join a group, and are deleted but for the one that a rule names', async () => {
    const geofences = await geofencesOf(depot);
    const gate = geofences.find(({ name }) => name === 'Gate');
    const made = await depot.dealer.post('/api/v1/notifications/rules', {
      name: 'Gate watch',
      scope: { all: true },
      event_kind: 'geofence_enter',
      severity: 'warning',
      geozone_ids: [gate?.geozone_id],
    });
    expect(made.status).toBe(201);
    await rowOf(page, 'Gate').getByRole('checkbox').check();
    await list.getByRole('button', { name: 'Add to a group' }).click();
    const join = page.getByRole('dialog', { name: 'Add 2 geofences to a group' });
    await expect(join).toContainText('2 of them apply to every vehicle now.');
    await join.getByRole('combobox', { name: 'Applies to groups' }).fill('Nor');
    await page.getByRole('option', { name: 'North' }).click();
    await page.keyboard.press('Escape');
    await join.getByRole('button', { name: 'Add 2 geofences' }).click();
    await expect(join).toHaveCount(0);
    expect((await geofencesOf(depot)).filter(({ group_ids }) => group_ids.length === 1)).toHaveLength(2);
    await rowOf(page, 'Harbour').getByRole('checkbox').check();
    await rowOf(page, 'Gate').getByRole('checkbox').check();
    await list.getByRole('button', { name: 'Delete', exact: true }).click();
    const remove = page.getByRole('dialog', { name: 'Delete 2 geofences' });
    await remove.getByRole('button', { name: 'Delete 2 geofences for good' }).click();
    await expect(remove).toContainText('1 of 2 done.');
    await expect(remove).toContainText('Gate The rule Gate watch names this geofence.');
    await expectNoFaults(page, 'many');
    await remove.getByRole('button', { name: 'Close' }).last().click();
    await expect(rowOf(page, 'Harbour')).toHaveCount(0);
  });

  await test.step('words narrow the list down', async () => {
    await list.getByLabel('Search the geofences').fill('nowhere');
    await expect(list).toContainText('No geofence is named “nowhere”.');
    await list.getByRole('button', { name: 'Show all' }).click();
    await expect(rowOf(page, 'Yard')).toBeVisible();
  });
});

test('a user without the right to draw sees geofences read-only, and a user with it reads why one cannot be changed', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const north = ((await depot.dealer.post('/api/v1/groups', { name: 'North' })).body as { group_id: string })
    .group_id;
  const geofence = await addGeofence(depot);
  await depot.addUser('reader', { rights: rights({}), group_ids: [north] });
  await depot.addUser('drawer', { rights: rights({ geofences: 'write' }), group_ids: [north] });

  await operator.openLive(host.url, 'reader', userPassword);
  await page.goto(`${host.url}/#/geofences?id=${geofence.geozone_id}`);
  const details = page.getByRole('region', { name: 'Geofence Yard', exact: true });
  await expect(details).toContainText('Circle, radius 400 m');
  await expect(details.getByRole('button', { name: 'Edit' })).toHaveCount(0);
  await expect(listOf(page).getByRole('button', { name: 'Draw' })).toHaveCount(0);
  await expect(listOf(page).getByRole('checkbox')).toHaveCount(0);
  await page.goto(`${host.url}/#/geofences?id=00000000-0000-4000-8000-000000000000`);
  await expect(page.getByText('Geofence not found')).toBeVisible();

  await page.getByRole('button', { name: /, menu$/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.goto(`${host.url}/#/geofences?id=${geofence.geozone_id}`);
  await page.getByLabel('Username').fill('drawer');
  await page.getByLabel('Password', { exact: true }).fill(userPassword);
  await page.getByRole('button', { name: 'Log in' }).click();
  await details.getByRole('button', { name: 'Edit' }).click();
  await formOf(page).getByLabel('Name', { exact: true }).fill('Mine now');
  await formOf(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(formOf(page).getByRole('alert')).toContainText('outside of your groups');
});

test('a drawing has undo and redo of its own, and a midpoint that is dragged leaves the map where it is', async ({
  host,
  depot,
  operator,
  page,
}) => {
  await depot.report({ vehicle: await depot.addVehicle({ name: 'V 1' }), ...MIDDLE });
  await operator.openLive(host.url);
  await page.getByRole('link', { name: 'Geofences' }).click();
  // Until then the map is that of Live.
  await expect(listOf(page)).toBeVisible();
  await operator.seesMap();
  await operator.press('g');
  const form = formOf(page);
  await form.getByLabel('Name', { exact: true }).fill('North yard');
  // The code that draws polygons comes when it is first needed: until then, clicks draw nothing.
  await expect(operator.map.locator('.maplibregl-canvas')).toHaveCSS('cursor', 'crosshair');
  const corners = async () => {
    const text = await form.getByLabel('Corners').inputValue();
    return text === '' ? [] : text.split('\n');
  };
  const expectCorners = (count: number) => expect.poll(async () => (await corners()).length).toBe(count);
  const box = await operator.map.locator('.maplibregl-canvas').boundingBox();
  if (box === null) throw new Error('there is no map');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const at = [
    [x - 100, y - 80],
    [x + 100, y - 80],
    [x + 100, y + 80],
    [x - 100, y + 80],
  ] as const;
  const blur = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());

  await test.step('a corner of a new shape is taken back before it is finished', async () => {
    for (const [cornerX, cornerY] of at) await page.mouse.click(cornerX, cornerY, { delay: 30 });
    await page.mouse.click(x - 160, y + 20, { delay: 30 });
    await blur();
    await operator.press('Control+z', 'Enter');
    await form.getByText('Type the corners').click();
    await expectCorners(4);
  });

  await test.step('a midpoint that is dragged becomes a corner, in one step, and the map stays', async () => {
    const view = () => page.evaluate(() => window.localStorage.getItem('fleetdeck.map.view'));
    const before = await view();
    await page.mouse.move(x, y - 80);
    await page.mouse.down();
    await page.mouse.move(x, y - 100, { steps: 4 });
    await page.mouse.move(x, y - 140, { steps: 4 });
    await page.mouse.up();
    await expectCorners(5);
    expect(await view()).toBe(before);
    const moved = await corners();
    await blur();
    await operator.press('Control+z');
    await expectCorners(4);
    await operator.press('Control+Shift+z');
    await expectCorners(5);
    expect(await corners()).toEqual(moved);
    await operator.press('Control+z', 'Control+y');
    expect(await corners()).toEqual(moved);
  });

  await test.step('the buttons do the same, down to nothing', async () => {
    const undo = form.getByRole('button', { name: 'Undo the last change' });
    for (let left = 5; left > 2; left--) {
      await expectCorners(left);
      await undo.click();
    }
    await expectCorners(0);
    await expect(undo).toBeDisabled();
    await form.getByRole('button', { name: 'Redo the change' }).click();
    await expectCorners(3);
  });

  await test.step('texts are undone where they were typed, and by no drawing', async () => {
    await blur();
    for (let step = 0; step < 3; step++) await operator.press('Control+z');
    await expect(form.getByLabel('Name', { exact: true })).toHaveValue('North yard');
    await form.getByLabel('Name', { exact: true }).focus();
    await operator.press('Control+Shift+z');
    await expectCorners(0);
    await operator.press('Control+z');
    await expect(form.getByLabel('Name', { exact: true })).toHaveValue('');
  });

  await test.step('the radius of a circle is undone', async () => {
    await form.getByRole('button', { name: 'Circle' }).click();
    await page.mouse.click(x, y);
    await page.mouse.move(x + 20, y + 10, { steps: 3 });
    await page.mouse.click(x + 60, y + 40);
    const radius = form.getByLabel('Radius, m');
    await expect(radius).toHaveValue(/\d/);
    const drawn = await radius.inputValue();
    await radius.fill('77');
    await blur();
    await operator.press('Control+z');
    await expect(radius).toHaveValue(drawn);
  });
});
