import { drive, MIDDLE, type Depot } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test } from './operator.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (ms: number) => new Date(ms).toISOString();

/** A vehicle that drives for ten minutes at each of these moments. */
async function addDriven(depot: Depot, name: string, moments: readonly number[]): Promise<void> {
  const vehicle = await depot.addVehicle({ name });
  const place = { ...MIDDLE, lat: MIDDLE.lat + (name === 'V 1' ? 0.01 : 0) };
  for (const begun of moments) await drive(depot, vehicle, begun, { fixes: 30, speed_kmh: 36, place });
}

test('an operator goes from the chart of a report to its row, its track and its day, and finds columns and groups again', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const noon = Math.floor(Date.now() / DAY) * DAY - DAY / 2;
  await addDriven(depot, 'V 1', [noon - DAY, noon - HOUR, noon]);
  await addDriven(depot, 'V 2', [noon - DAY]);
  const period = `from=${iso(noon - 2 * DAY)}&to=${iso(noon + DAY / 2)}`;
  await operator.logIn(`${host.url}/#/reports?kind=trips&${period}`);
  await page.getByRole('button', { name: 'Run' }).click();

  const table = page.getByRole('grid', { name: 'Trips' });
  const chart = page.getByRole('slider', { name: 'Trips by day' });
  await expect(chart).toHaveAttribute('aria-valuemax', '4');
  await expect(table.getByRole('row', { name: /^Total, 4 rows/ })).toBeVisible();
  await chart.focus();
  await operator.press('Home', 'ArrowRight', 'Enter');
  await expect(chart).toHaveAttribute('aria-valuetext', /^V 1 · .* 11:00 – 11:/);
  await expect(table.getByRole('row', { selected: true })).toContainText('V 1');
  const map = page.locator('section').and(page.getByRole('region', { name: 'Map of the report' }));
  await expect(map).toContainText('V 1');
  await expect(map.locator('.maplibregl-canvas')).toBeVisible();
  await expectNoFaults(page);

  await page.getByRole('button', { name: 'No grouping Group by' }).click();
  await page.getByRole('option', { name: 'By day' }).click();
  const groups = table.locator('[data-heading]');
  await expect(groups).toHaveCount(2);
  await groups.first().click();
  await expect(table.getByRole('row', { name: /V 2/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Columns' }).click();
  const columns = page.getByRole('dialog', { name: 'Columns' });
  await columns.getByRole('checkbox', { name: 'Arrival' }).uncheck();
  await columns.getByRole('button', { name: 'Move Distance up' }).click();
  await expectNoFaults(page);
  // The first one closes the tooltip of the button.
  await operator.press('Escape', 'Escape');
  await expect(columns).toBeHidden();
  const heads = ['Vehicle', 'Departure', 'Distance', 'Duration'];
  await expect(table.getByRole('columnheader')).toContainText([...heads, 'Top, km/h']);

  // The day of the row, and back to the report as it was.
  await operator.press('h');
  await operator.seesMap();
  await expect(operator.vehicle('V 1')).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expect(groups.first()).toContainText('2');
  await expect(table.getByRole('row', { selected: true })).toContainText('V 1');
  await expect(table.getByRole('row', { name: /V 2/ })).toHaveCount(0);

  // A link to another report, opened where this one is shown.
  await page.goto(`${host.url}/#/reports?kind=stops&${period}`);
  await expect(page.getByRole('button', { name: 'Stops', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Trips', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );

  await page.reload();
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(groups).toHaveCount(2);
  await expect(table.getByRole('columnheader')).toContainText([...heads, 'Top, km/h']);
});
