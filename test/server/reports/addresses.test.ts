import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mapRoutes } from '../../../server/contract/maps.ts';
import { reportAddresses } from '../../../server/contract/reportRows.ts';
import { reportRoutes, reportSchemas, type ReportOf } from '../../../server/contract/reports.ts';
import { createCsvSlots, fillSlots } from '../../../server/reports/addressSlots.ts';
import { encodeReport } from '../../../server/reports/computeReport.ts';
import { addVehicle } from '../../journey/depot.ts';
import { pathOf } from '../../support/caller.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { makeMbtiles, streetAt } from '../../support/mapFiles.ts';
import { parseCsv } from '../../support/parseCsv.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';
import { csvOf, day, driveFrom, hour, minute, reportOn } from './drives.ts';

const clock = createFakeClock();
const start = clock.now() - day;
const drive = driveFrom(start).stand(10 * minute);
const depot = drive.now();
drive.go(36, 10 * minute).stand(30 * minute);
const yard = drive.now();
const query = { from: new Date(start).toISOString(), to: new Date(start + 3 * hour).toISOString() };
// Of a CSV it makes a cell with quotes and a line break that looks like the end of a line without addresses.
const name = 'Van "7",,\r\n"address":null';
const [elm, oak] = ['Elm "Old" Street, 5', '=Oak Lane'];

let host: TestHost;
let dealer: Caller;
let folder: string;
beforeAll(async () => {
  host = await startTestHost({ clock });
  dealer = await host.login();
  folder = await mkdtemp(join(tmpdir(), 'fleetdeck-addresses-'));
  await addVehicle(dealer, '7', { name });
  const positions = drive.rows.map(({ time_ms, lat, lon, speed_kmh, ignition }) => ({
    ...{ terminal_id: '7', time: new Date(time_ms).toISOString(), lat, lon, speed_kmh, ignition },
  }));
  expect((await dealer.post('/api/v1/positions', { positions })).status).toBe(200);
});
afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

type Table = 'trips' | 'stops';
const json = async (kind: Table) => (await dealer.get(pathOf(reportRoutes[kind], { query }))).body as unknown;
const csv = async (kind: Table) =>
  (await dealer.get(pathOf(reportRoutes[kind], { query: { ...query, format: 'csv' } }))).text;
const places = async () => ({
  trips: reportSchemas.trips.parse(await json('trips')).rows.map((it) => [it.start.address, it.end.address]),
  stops: reportSchemas.stops.parse(await json('stops')).rows.map((it) => it.place.address),
});

test('a report has no addresses without a map file, and those of its streets with one', async () => {
  expect(await places()).toEqual({ trips: [[null, null]], stops: [null, null] });
  const bare = { trips: await csv('trips'), stops: await csv('stops') };
  const cells = (text: string) =>
    parseCsv(text).map((it) => [it['start_address'] ?? it['address'], it['end_address']]);
  expect(cells(bare.trips)).toEqual([[undefined, undefined]]);
  expect(bare.trips.slice(0, bare.trips.indexOf('\r\n'))).toMatch(
    /,end_geozone_ids,start_address,end_address$/,
  );

  const path = makeMbtiles(join(folder, 'elm.mbtiles'), {
    tiles: [streetAt(elm, depot), streetAt(oak, yard)],
    bounds: '12,51,14,53',
  });
  await dealer.ask(mapRoutes.add, { body: { path } });
  expect(await places()).toEqual({ trips: [[elm, oak]], stops: [elm, oak] });
  const trips = await csv('trips');
  expect(cells(trips)).toEqual([[elm, `'${oak}`]]);
  expect(cells(await csv('stops'))).toEqual([[elm, undefined], [`'${oak}`, undefined]]); // prettier-ignore
  // All the rest is as it was.
  const without = ({ start_address: _, end_address: __, ...rest }: Record<string, string>) => rest;
  expect(parseCsv(trips).map(without)).toEqual(parseCsv(bare.trips).map(without));
  expect(parseCsv(trips)[0]?.['vehicle_name']).toBe(name);
  expect(
    reportSchemas.summary.parse((await dealer.get(pathOf(reportRoutes.summary, { query }))).body).rows,
  ).toHaveLength(1);
});

test('a report has addresses of its first places alone, wherever its bytes are cut', () => {
  const count = 5_100;
  const report = reportOn('trips', drive.rows);
  const row = report.rows[0] ?? expect.fail();
  const rows = Array.from({ length: count }, (_, i) => ({ ...row, vehicle_id: `Ä ${i}` }));
  const [head = '', line = ''] = csvOf('trips', drive.rows).split(/(?<=\r\n)/);
  const csvSlots = createCsvSlots(head, ['start', 'end']);
  const lines = rows.map(() => line.replace('Van 1', 'Ä 1'));
  for (const it of lines) csvSlots.add(it, row);
  const results = [
    { kind: 'report', report: { ...report, rows } },
    { kind: 'csv', text: [head, ...lines].join(''), slots: csvSlots.slots },
  ] as const;
  for (const result of results) {
    const encoded = encodeReport({ ...result });
    if (encoded.kind !== 'bytes') throw new Error(encoded.kind);
    const { bytes, slots } = encoded;
    expect(slots).toHaveLength(reportAddresses.points);
    const addresses = slots.map((_, i) => (i % 3 === 0 ? null : `Ä "${i}"`));
    const format = result.kind === 'csv' ? 'csv' : 'json';
    const text = Buffer.concat(fillSlots(bytes, slots, addresses, format)).toString();
    const found =
      format === 'json'
        ? (JSON.parse(text) as ReportOf<'trips'>).rows.flatMap(({ start: a, end: b }) => [
            a.address,
            b.address,
          ])
        : parseCsv(text).flatMap((it) => [it['start_address'] ?? null, it['end_address'] ?? null]);
    expect(found).toHaveLength(2 * count);
    expect(found.slice(0, addresses.length)).toEqual(addresses);
    expect(new Set(found.slice(addresses.length))).toEqual(new Set([null]));
  }
});
