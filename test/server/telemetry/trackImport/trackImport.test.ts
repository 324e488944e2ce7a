import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditRoutes } from '../../../../server/contract/audit.ts';
import { eventRoutes } from '../../../../server/contract/events.ts';
import { positionRoutes } from '../../../../server/contract/positions.ts';
import type { TrackImportResult } from '../../../../server/contract/trackImport.ts';
import { vehicleRoutes } from '../../../../server/contract/vehicles.ts';
import { addVehicle } from '../../../journey/depot.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';
import { startTestHost, type Caller, type TestHost } from '../../../support/testHost.ts';

const clock = createFakeClock();
let host: TestHost;
let dealer: Caller;
let vehicles = 0;
const minute = 60_000;
const iso = (ms: number) => new Date(ms).toISOString();

beforeAll(async () => {
  host = await startTestHost({ clock, users: [{ login: 'anna', rights: { vehicles: 'write' } }] });
  dealer = await host.login();
});
afterAll(() => host.close());

const newVehicle = () => addVehicle(dealer, `T${(vehicles += 1)}`);

async function importTrack(
  vehicle: string,
  text: string,
  { query = '', type = 'text/csv', caller = dealer } = {},
) {
  return caller.post(`/api/v1/vehicles/${vehicle}/track/import?source=old.csv${query}`, text, {
    'Content-Type': type,
  });
}

async function imported(...given: Parameters<typeof importTrack>): Promise<TrackImportResult> {
  const answer = await importTrack(...given);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as TrackImportResult;
}

const exported = async (vehicle: string, format: string, from_ms: number, to_ms: number) =>
  (
    await dealer.get(
      `/api/v1/vehicles/${vehicle}/track?format=${format}&from=${iso(from_ms)}&to=${iso(to_ms)}`,
    )
  ).text;

/** A table of positions, ten seconds apart. */
function table(from_ms: number, rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, at) => `${iso(from_ms + at * 10_000)},56.${10_000 + at},24.1,${at % 90}`,
  );
  return ['time,lat,lon,speed', ...lines].join('\n');
}

describe('POST /vehicles/{vehicle}/track/import', () => {
  it('a dry run says what an import would do, and stores nothing; the import does it', async () => {
    const vehicle = await newVehicle();
    const from_ms = clock.now() - 90 * minute;
    await dealer.ask(positionRoutes.post, {
      body: {
        positions: [{ vehicle_id: vehicle, time: iso(from_ms + 10_000), lat: 50, lon: 20, speed_kmh: 7 }],
      },
    });
    const text = `${table(from_ms, 300)}\nnever,1,2,3`;
    const wanted = {
      ...{ rows: 301, imported: 299, duplicates: 1, rejected: 1 },
      ...{ from: iso(from_ms), to: iso(from_ms + 2_990_000) },
      columns: { time: 'time', lat: 'lat', lon: 'lon', speed_kmh: 'speed' },
      faults: [expect.objectContaining({ row: 302 })],
    };
    const track = () =>
      dealer.get(`/api/v1/vehicles/${vehicle}/track?from=${iso(from_ms)}&to=${iso(clock.now())}`);
    expect(await imported(vehicle, text, { query: '&dry_run=1' })).toEqual(wanted);
    expect((await track()).body.positions).toHaveLength(1);
    expect(await imported(vehicle, text)).toEqual(wanted);
    const { positions } = (await track()).body;
    expect(positions).toHaveLength(300);
    expect(positions[0]).toMatchObject({ speed_kmh: 0, attributes: { imported: 'old.csv' } });
    // What a terminal has sent stays as it was.
    expect(positions[1]).toMatchObject({ lat: 50, speed_kmh: 7, attributes: {} });
    expect(await imported(vehicle, text)).toMatchObject({ imported: 0, duplicates: 300, rejected: 1 });
    const { items } = await dealer.ask(auditRoutes.list, {
      query: { kind: 'vehicle_data', entity_id: vehicle },
    });
    expect(items[0]).toMatchObject({ action: 'created', after: { source: 'old.csv', rows: 301 } });
  });

  it('imported positions make no event and do not change where a vehicle is now', async () => {
    const vehicle = await newVehicle();
    await dealer.ask(vehicleRoutes.patch, { params: { vehicle }, body: { speed_limit_kmh: 30 } });
    await imported(vehicle, table(clock.now() - 90 * minute, 400));
    expect((await dealer.ask(eventRoutes.list, { query: { vehicle } })).items).toEqual([]);
    const { status, position } = await dealer.ask(vehicleRoutes.get, { params: { vehicle } });
    expect({ status, position }).toEqual({ status: 'never', position: null });
  });

  it('a mapping names the columns that a table has, in one parameter or in several', async () => {
    const vehicle = await newVehicle();
    const text = `When,"North, deg",East\n${iso(clock.now() - minute)},1,2`;
    const entries = ['time:When', 'lat:North, deg', 'lon:East'];
    for (const query of [
      `&mapping=${encodeURIComponent(entries.join('\n'))}`,
      entries.map((it) => `&mapping=${encodeURIComponent(it)}`).join(''),
    ]) {
      expect(await imported(vehicle, text, { query: `&dry_run=1${query}` })).toMatchObject({ imported: 1 });
    }
    expect(await importTrack(vehicle, text, { query: '&mapping=colour:When' })).toMatchObject({
      status: 400,
    });
  });

  it('reports that were run before an import are run anew with its positions', async () => {
    const vehicle = await newVehicle();
    const from_ms = clock.now() - 30 * 60 * minute;
    const positionsIn = async () => {
      const period = new URLSearchParams({ from: iso(from_ms - minute), to: iso(clock.now()), vehicle });
      const { rows } = (await dealer.get(`/api/v1/reports/daily?${period}`)).body as {
        rows: { positions: number }[];
      };
      return rows.reduce((sum, it) => sum + it.positions, 0);
    };
    await imported(vehicle, table(from_ms, 100));
    expect(await positionsIn()).toBe(100);
    await imported(vehicle, table(from_ms + 60 * minute, 50));
    expect(await positionsIn()).toBe(150);
  });

  it('only dealers import tracks, of vehicles that are there, from files that can be read', async () => {
    const vehicle = await newVehicle();
    const anna = await host.login('anna');
    const text = table(clock.now() - minute, 1);
    expect(await importTrack(vehicle, text, { caller: anna })).toMatchObject({ status: 403 });
    expect(await importTrack('unknown-1', text)).toMatchObject({ status: 404 });
    expect(await importTrack(vehicle, text, { type: 'text/plain' })).toMatchObject({ status: 415 });
    expect(await importTrack(vehicle, 'a,b\n1,2')).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(await importTrack(vehicle, '<kml/>', { type: 'application/gpx+xml' })).toMatchObject({
      status: 400,
      body: {
        detail: 'The GPX file cannot be imported. Its root is <kml>, not <gpx>.',
        causes: [
          { code: 'file.not_imported' },
          { code: 'file.wrong_root', values: { root: '<kml>', wanted: '<gpx>' } },
        ],
      },
    });
    expect(await importTrack(vehicle, 'time,lat,lon\n'.padEnd(2_000_000, '0,1,2\n'))).toMatchObject({
      status: 413,
    });
  });

  const file = new URL('../../../../../shared/data/tracks/', import.meta.url);
  const cars = ['munich-car-2014-09-10.csv', 'nyc-bus-6603-2014-04-15.csv'].map(
    (name) => new URL(name, file),
  );

  it.skipIf(!cars.every((it) => existsSync(it)))(
    'what is exported as CSV or GPX is the same after it was imported into another vehicle',
    async () => {
      for (const car of cars) {
        const text = readFileSync(car, 'utf8');
        const first = await newVehicle();
        const { rows, rejected, from, to } = await imported(first, text);
        expect({ rows, rejected }).toEqual({ rows: text.trim().split('\n').length - 1, rejected: 0 });
        const period = [Date.parse(from ?? ''), Date.parse(to ?? '')] as const;
        for (const [format, type] of [
          ['csv', 'text/csv'],
          ['gpx', 'application/gpx+xml'],
        ] as const) {
          const original = await exported(first, format, ...period);
          const second = await newVehicle();
          await imported(second, original, { type });
          const again = await exported(second, format, ...period);
          expect(withoutNames(again)).toEqual(withoutNames(original));
          expect(original.length).toBeGreaterThan(50_000);
        }
      }
    },
  );
});

/** Without the vehicle, its terminal and the time of receipt, which stand between the first and the third comma. */
function withoutNames(text: string): string {
  return text.replaceAll(/^[0-9a-f-]{36},T\d+,([^,]*),[^,]*/gm, '$1').replace(/<name>[^<]*<\/name>/, '');
}
