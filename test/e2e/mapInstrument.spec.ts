import { readFile } from 'node:fs/promises';
import { addSmallFleet, MIDDLE, pressSos } from './depot.ts';
import { expect, Operator, test } from './operator.ts';

test('layers and a saved view survive a reload, and the view is there on another workstation', async ({
  host,
  depot,
  operator,
  page,
  browser,
}) => {
  await addSmallFleet(depot);
  await operator.openLive(host.url);
  await operator.press('Shift+L');
  const layers = page.getByRole('dialog', { name: 'Map layers' });
  await layers.getByText('Trails').click();
  await operator.press('Escape');
  await operator.press('Shift+V');
  const views = page.getByRole('dialog', { name: 'Saved views' });
  await views.getByLabel('Name of this view').fill('Town');
  await views.getByRole('button', { name: 'Save' }).click();
  await expect(views.getByRole('button', { name: 'Town', exact: true })).toBeVisible();

  await page.reload();
  await operator.seesLive();
  await operator.press('Shift+L');
  await expect(layers.getByRole('switch', { name: 'Trails' })).not.toBeChecked();
  await expect(layers.getByRole('switch', { name: 'Points of interest' })).toBeChecked();

  const elsewhere = await browser.newContext();
  const other = new Operator(await elsewhere.newPage());
  await other.openLive(host.url);
  await other.press('Shift+V');
  await other.page.getByRole('button', { name: 'Town', exact: true }).click();
  await other.press('Shift+L');
  await expect(other.page.getByRole('switch', { name: 'Trails' })).not.toBeChecked();
  await elsewhere.close();
});

test('the map is saved as a PNG of twice its pixels with words below it', async ({
  host,
  depot,
  operator,
  page,
}) => {
  await addSmallFleet(depot);
  await operator.openLive(host.url);
  const box = await operator.map.locator('.console-map').boundingBox();
  const [download] = await Promise.all([page.waitForEvent('download'), operator.press('p')]);
  expect(download.suggestedFilename()).toMatch(/ map \d{4}-\d\d-\d\d \d\d-\d\d-\d\d[.]png$/);
  const png = await readFile(await download.path());
  const { width, height, caption } = await page.evaluate(async (base64) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${base64}`;
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext('2d');
    context?.drawImage(picture, 0, 0);
    // The words stand at the left of the strip below the map.
    const strip = context?.getImageData(0, picture.height - 100, 600, 100).data ?? [];
    return { width: picture.width, height: picture.height, caption: new Set(strip).size };
  }, png.toString('base64'));
  expect(width).toBe(Math.round((box?.width ?? 0) * 2));
  expect(height).toBeGreaterThan((box?.height ?? 0) * 2 + 60);
  // Letters have many shades at their edges; a plain strip has four values.
  expect(caption).toBeGreaterThan(20);
});

test('a second map selects and follows on its own, and the full screen shows an alarm that arrives', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { stopped, idle } = await addSmallFleet(depot);
  const { map, secondMap } = operator;
  await operator.openLive(host.url);
  await operator.press('d');
  await expect(secondMap.locator('.maplibregl-canvas')).toBeVisible();
  // Once moved, each map says where it looks.
  for (const it of [map, secondMap]) await it.getByRole('button', { name: 'Show all vehicles' }).click();
  const at = MIDDLE;
  await operator.pickOnMap(stopped.name, at, secondMap);
  for (const it of [map, secondMap]) await expect(it.getByText(stopped.name, { exact: true })).toBeVisible();

  await operator.press('f');
  await expect(secondMap.getByText(`Following ${stopped.name}`)).toBeVisible();
  await expect(map.getByText(/^Following/)).toHaveCount(0);
  const before = await operator.viewOf(map);
  await depot.report({ vehicle: stopped, lat: at.lat + 0.01, lon: at.lon, speed_kmh: 0, ignition: false });
  await expect.poll(async () => (await operator.viewOf(secondMap))?.lat).toBeCloseTo(at.lat + 0.01, 3);
  expect(await operator.viewOf(map)).toEqual(before);

  await operator.press('e');
  await expect(operator.connection).toBeHidden();
  await pressSos(depot, idle);
  await expect(operator.row(/SOS button/).getByRole('button', { name: /^Acknowledge/ })).toBeVisible();
  await operator.press('Escape', 'Escape');
  await expect(operator.connection).toBeVisible();
  await page.reload();
  await expect(secondMap.locator('.maplibregl-canvas')).toBeVisible();
});

interface Pictures {
  drawn: number;
  /** Frames since the last one. */
  quiet: number;
}

test('a vehicle that moves is one picture of the map, not two', async ({ host, depot, operator, page }) => {
  const { stopped } = await addSmallFleet(depot);
  await page.addInitScript(() => {
    const pictures: Pictures = { drawn: 0, quiet: 0 };
    Object.assign(window, { pictures });
    let isDrawn = false;
    const kind = WebGL2RenderingContext.prototype;
    const { value: draw } = Object.getOwnPropertyDescriptor(kind, 'drawElements') ?? {};
    kind.drawElements = function (...how) {
      isDrawn = true;
      draw.apply(this, how);
    };
    const look = () => {
      if (isDrawn) Object.assign(pictures, { drawn: pictures.drawn + 1, quiet: 0 });
      else pictures.quiet += 1;
      isDrawn = false;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await operator.openLive(host.url);
  const picturesWhenQuiet = async (moreThan: number) => {
    const handle = await page.waitForFunction((least) => {
      const { drawn, quiet } = (window as unknown as { pictures: Pictures }).pictures;
      return drawn > least && quiet > 30 ? drawn : null;
    }, moreThan);
    return Number(await handle.jsonValue());
  };
  let before = await picturesWhenQuiet(0);
  const pictures: number[] = [];
  for (const north of [1, 2, 3]) {
    const lat = MIDDLE.lat + north / 1_000;
    await depot.report({ vehicle: stopped, lat, lon: MIDDLE.lon, speed_kmh: 0, ignition: false });
    const after = await picturesWhenQuiet(before);
    pictures.push(after - before);
    before = after;
  }
  // What has nothing to do with it, a letter or a tile of the ground that comes late, is drawn between at times.
  expect(Math.min(...pictures)).toBe(1);
});
