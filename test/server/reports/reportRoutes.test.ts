import * as XLSX from '@e965/xlsx';
import { describe, expect, test } from 'vitest';
import { progressLine } from '../../../server/contract/preview.ts';
import { reportKinds, type ReportKind } from '../../../server/contract/reportRows.ts';
import { reportRoutes, reportSchemas, reportTypes } from '../../../server/contract/reports.ts';
import { parseCsv } from '../../support/parseCsv.ts';
import { readPdf } from '../../support/readPdf.ts';
import { addCircle, addVehicle, openDepot } from '../../journey/depot.ts';
import { pathOf } from '../../support/caller.ts';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import type { Caller } from '../../support/testHost.ts';
import { day, driveFrom, hour, minute } from './drives.ts';

const password = 'a user of the depot';
const iso = (ms: number) => new Date(ms).toISOString();

async function send(dealer: Caller, terminal_id: string, rows: readonly PositionRow[]): Promise<void> {
  const positions = rows.map(({ time_ms, lat, lon, speed_kmh, ignition, odometer_m }) => ({
    terminal_id,
    time: iso(time_ms),
    lat,
    lon,
    speed_kmh,
    ignition,
    odometer_m,
  }));
  expect((await dealer.post('/api/v1/positions', { positions })).status).toBe(200);
}

/** Two vans that drove yesterday, one of them in Ann's group. */
async function openDepotOfVans() {
  const depot = await openDepot();
  const { dealer, clock, host } = depot;
  const north = (await dealer.post('/api/v1/groups', { name: 'North' })).body.group_id as string;
  const south = (await dealer.post('/api/v1/groups', { name: 'South' })).body.group_id as string;
  const two = await addVehicle(dealer, '2', { name: 'Van 2', group_ids: [north] });
  const ten = await addVehicle(dealer, '10', { name: 'Van 10', group_ids: [south] });
  const start = clock.now() - day;
  const drive = driveFrom(start)
    .stand(10 * minute)
    .go(36, 10 * minute)
    .stand(30 * minute)
    .go(36, 5 * minute);
  drive.stand(hour);
  await send(dealer, '2', drive.rows);
  // Late and out of order.
  await send(dealer, '10', drive.rows.toReversed());
  const period = { from: iso(start), to: iso(start + 3 * hour) };
  async function user(login: string, rights: object = {}) {
    await dealer.post('/api/v1/users', { login, password, group_ids: [north], rights });
    return host.login(login, password);
  }
  return { ...depot, north, south, two, ten, start, drive, period, user };
}

describe('the reports of a host', () => {
  test('the reports of a host cover all vehicles that the caller sees, by their names and then in order of time', async () => {
    const { dealer, two, ten, period, drive, user } = await openDepotOfVans();
    const answer = await dealer.get(pathOf(reportRoutes.trips, { query: period }));
    expect(answer.status).toBe(200);
    const report = reportSchemas.trips.parse(answer.body);
    expect(report).toMatchObject({ ...period, tz: 'UTC', vehicles: 2, positions: 2 * drive.rows.length });
    expect(report.rows.map((it) => it.vehicle_id)).toEqual([two, two, ten, ten]);
    const [first, , third] = report.rows;
    // What came late and out of order makes no other trips.
    expect(third).toEqual({ ...first, vehicle_id: ten });
    const ann = await user('ann');
    const hers = reportSchemas.trips.parse(
      (await ann.get(pathOf(reportRoutes.trips, { query: period }))).body,
    );
    expect(hers.vehicles).toBe(1);
    expect(hers.rows).toEqual(report.rows.slice(0, 2));
  });

  test('the reports of a host answer by their contract, each kind', async () => {
    const { dealer, period } = await openDepotOfVans();
    await addCircle(dealer, { lat: 52, lon: 13 }, 500, { speed_limit_kmh: 30 });
    const rows: Partial<Record<ReportKind, number>> = {};
    for (const kind of reportKinds) {
      const { body } = await dealer.get(pathOf(reportRoutes[kind], { query: period }));
      rows[kind] = reportSchemas[kind].parse(body).rows.length;
      const csv = await dealer.get(pathOf(reportRoutes[kind], { query: { ...period, format: 'csv' } }));
      expect(parseCsv(csv.text)).toHaveLength(rows[kind]);
    }
    expect(rows).toEqual({
      ...{ summary: 2, daily: 2, utilisation: 2, hours: 2, trips: 4, stops: 6, 'geofence-visits': 2 },
      // Each left the circle above its limit; what came a day late raised no events.
      ...{ overspeed: 2, events: 0, video: 0 },
    });
  });

  test('a report covers vehicles by their UUIDs or terminal IDs, up to 200 of them, or those of a group', async () => {
    const { dealer, two, ten, south, period, user } = await openDepotOfVans();
    const ids = async (caller: Caller, query: object) => {
      const answer = await caller.get(pathOf(reportRoutes.summary, { query: { ...period, ...query } }));
      return answer.code ?? reportSchemas.summary.parse(answer.body).rows.map((it) => it.vehicle_id);
    };
    expect(await ids(dealer, { vehicle: two })).toEqual([two]);
    expect(await ids(dealer, { vehicle: '010' })).toEqual([ten]);
    expect(await ids(dealer, { vehicle: `${ten},${two},010` })).toEqual([two, ten]);
    expect(await ids(dealer, { vehicle: Array.from({ length: 201 }, (_, at) => at).join(',') })).toBe(
      'validation_failed',
    );
    expect(await ids(dealer, { group_id: south })).toEqual([ten]);
    expect(await ids(dealer, { group_id: south, vehicle: two })).toEqual([]);
    expect(await ids(dealer, { vehicle: '11' })).toBe('not_found');
    expect(await ids(dealer, { group_id: two })).toBe('not_found');
    const ann = await user('ann');
    expect(await ids(ann, { vehicle: two })).toEqual([two]);
    expect(await ids(ann, { vehicle: ten })).toBe('not_found');
    expect(await ids(ann, { vehicle: `${two},${ten}` })).toBe('not_found');
    expect(await ids(ann, { group_id: south })).toBe('not_found');
    expect((await dealer.call('DELETE', `/api/v1/vehicles/${two}`)).status).toBe(204);
    expect(await ids(dealer, {})).toEqual([ten]);
    expect(await ids(dealer, { vehicle: two })).toEqual([two]);
    expect(await ids(ann, { vehicle: two })).toBe('not_found');
  });

  test('the reports of a host need the right to reports, and name only geofences that the caller may read', async () => {
    const { dealer, north, south, period, user } = await openDepotOfVans();
    const all = await addCircle(dealer, { lat: 52, lon: 13 }, 500);
    const hers = await addCircle(dealer, { lat: 52, lon: 13 }, 500, { name: 'Hers', group_ids: [north] });
    const others = await addCircle(dealer, { lat: 52, lon: 13 }, 500, { group_ids: [south, north] });
    const foreign = await addCircle(dealer, { lat: 52, lon: 13 }, 500, { group_ids: [south] });
    const ann = await user('ann');
    const bob = await user('bob', { reports: 'none' });
    const eve = await user('eve', { geofences: 'none' });
    for (const route of Object.values(reportRoutes)) {
      expect(await bob.get(pathOf(route, { query: period }))).toMatchObject({
        status: 403,
        code: 'forbidden',
      });
    }
    const places = async (caller: Caller) => {
      const { body } = await caller.get(pathOf(reportRoutes.stops, { query: { ...period, vehicle: '2' } }));
      return reportSchemas.stops.parse(body).rows[0]?.place.geozone_ids.toSorted();
    };
    expect(await places(ann)).toEqual([all, hers, others].sort());
    expect(await places(eve)).toEqual([]);
    const visits = async (caller: Caller, query: object) => {
      const answer = await caller.get(
        pathOf(reportRoutes['geofence-visits'], { query: { ...period, ...query } }),
      );
      return answer.code ?? reportSchemas['geofence-visits'].parse(answer.body).rows.length;
    };
    expect(await visits(ann, { geozone_id: hers })).toBe(1);
    expect(await visits(ann, { geozone_id: foreign })).toBe('not_found');
    expect(await visits(eve, { geozone_id: all })).toBe('not_found');
    expect(await visits(eve, {})).toBe(0);
  });

  test('a geofence that is drawn today has visits yesterday', async () => {
    const { dealer, two, start, period } = await openDepotOfVans();
    const geozone_id = await addCircle(dealer, { lat: 52, lon: 13 }, 500);
    const { body } = await dealer.get(
      pathOf(reportRoutes['geofence-visits'], { query: { ...period, geozone_id } }),
    );
    expect(reportSchemas['geofence-visits'].parse(body).rows[0]).toMatchObject({
      vehicle_id: two,
      geozone_id,
      enter_time: iso(start),
      open_start: false,
      open_end: false,
    });
  });

  test('the reports of a host numbers of the call take the place of the settings, and the answer says which held', async () => {
    const { dealer, period } = await openDepotOfVans();
    await dealer.call('PATCH', '/api/v1/settings', { trip_gap_s: 1_800, timezone: 'Asia/Tokyo' });
    const query = { ...period, vehicle: '2', trip_min_m: 5_000 };
    const { rows, numbers, tz } = reportSchemas.trips.parse(
      (await dealer.get(pathOf(reportRoutes.trips, { query }))).body,
    );
    expect(rows).toHaveLength(1);
    expect(numbers).toMatchObject({ trip_min_m: 5_000, trip_gap_s: 1_800, trip_radius_m: 200 });
    expect(tz).toBe('Asia/Tokyo');
    for (const wrong of [
      { ...period, trip_gap_s: 1 },
      { ...period, tz: 'Mars/Olympus' },
      { ...period, limit: 5 },
      { from: period.to, to: period.from },
      { from: '2024-01-01T00:00:00Z', to: '2025-01-02T00:00:00.001Z' },
    ]) {
      expect(await dealer.get(pathOf(reportRoutes.trips, { query: wrong }))).toMatchObject({
        status: 400,
        code: 'validation_failed',
      });
    }
    const year = { from: '2024-01-01T00:00:00Z', to: '2025-01-01T00:00:00Z' };
    expect((await dealer.get(pathOf(reportRoutes.trips, { query: year }))).status).toBe(200);
  });

  test('the reports of a host send their progress in lines to clients that accept them', async () => {
    const { dealer, period } = await openDepotOfVans();
    const path = pathOf(reportRoutes.trips, { query: period });
    const answer = await dealer.get(path, { Accept: 'application/x-ndjson' });
    expect(answer.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
    const line = progressLine(reportSchemas.trips);
    const lines = answer.text
      .trimEnd()
      .split('\n')
      .map((text) => line.parse(JSON.parse(text)));
    expect(lines.length).toBeGreaterThan(1);
    expect(lines[0]).toHaveProperty('progress');
    expect(lines.at(-1)).toEqual({ result: (await dealer.get(path)).body as unknown });
  });

  test('the reports of a host as CSV are a file with a telling name', async () => {
    const { dealer, two, ten, period } = await openDepotOfVans();
    const query = { ...period, format: 'csv', tz: 'Pacific/Kiritimati' };
    const answer = await dealer.get(pathOf(reportRoutes.trips, { query }));
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="trips_2026-11-21_2026-11-21.csv"',
    );
    expect(
      parseCsv(answer.text).map((it) => [it['vehicle_id'], it['vehicle_name'], it['terminal_id']]),
    ).toEqual([
      [two, 'Van 2', '2'],
      [two, 'Van 2', '2'],
      [ten, 'Van 10', '10'],
      [ten, 'Van 10', '10'],
    ]);
    const refused = await dealer.get(pathOf(reportRoutes.trips, { query: { ...query, vehicle: 'none' } }));
    expect(refused.status).toBe(404);
    expect(refused.headers.get('content-disposition')).toBeNull();
  });

  test('a report as a workbook or PDF bears its type and name, and shows only what the caller may see', async () => {
    const { host, period, user } = await openDepotOfVans();
    const ann = await user('ann', { reports: 'read', vehicles: 'read' });
    const open = (format: string) =>
      fetch(`${host.url}${pathOf(reportRoutes.trips, { query: { ...period, format } })}`, {
        headers: { Authorization: `JWT ${ann.jwt}` },
      });
    const [pdf, xlsx] = await Promise.all([open('pdf'), open('xlsx')]);
    expect([pdf.status, xlsx.status]).toEqual([200, 200]);
    expect(pdf.headers.get('content-type')).toBe(reportTypes.pdf);
    expect(xlsx.headers.get('content-type')).toBe(reportTypes.xlsx);
    expect(xlsx.headers.get('content-disposition')).toMatch(/^attachment; filename="trips_[-_\d]+[.]xlsx"$/);
    const lines = (await readPdf(new Uint8Array(await pdf.arrayBuffer()))).flat();
    expect(lines.filter((line) => /^Van \d+ 20/.test(line))).toHaveLength(2);
    expect(lines.join('\n')).not.toContain('Van 10');
    const book = XLSX.read(Buffer.from(await xlsx.arrayBuffer()));
    const rows = XLSX.utils.sheet_to_json<{ Vehicle: string }>(book.Sheets['Trips'] ?? {});
    expect(rows.map((row) => row.Vehicle)).toEqual(['Van 2', 'Van 2', 'Total']);
  });
});
