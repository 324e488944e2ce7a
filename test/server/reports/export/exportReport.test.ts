import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as XLSX from '@e965/xlsx';
import { afterAll, describe, expect, test } from 'vitest';
import { reportKinds } from '../../../../server/contract/reportRows.ts';
import { exportReport } from '../../../../server/reports/export/exportReport.ts';
import { durationText } from '../../../../server/reports/export/cells.ts';
import { evenly } from '../../../../server/reports/export/tripMaps.ts';
import { arrangeRows } from '../../../../server/reports/arrangeRows.ts';
import type { ReportJob, ReportRow } from '../../../../server/reports/reportOrder.ts';
import { parseCsv } from '../../../support/parseCsv.ts';
import { makeMbtiles, street, tileOf } from '../../../support/mapFiles.ts';
import { tileAt } from '../../../../server/maps/composeTile.ts';
import { readPdf } from '../../../support/readPdf.ts';
import { csvOf, driveFrom, hour, minute, orderFor, readerOf, reportOn, van, yard } from '../drives.ts';

const start = Date.parse('2026-11-20T22:00:00Z');
/** Two trips with a stop between them, over midnight. */
const drive = driveFrom(start)
  .stand(10 * minute)
  .go(54, 40 * minute)
  .stand(90 * minute)
  .go(90, 20 * minute)
  .stand(30 * minute);
const period = { from_ms: start - hour, to_ms: start + 30 * hour };
const more: Partial<ReportJob> = {
  tz: 'Europe/Berlin',
  vehicles: [{ ...van, name: 'Van 1', plate: '=K-X 12' }],
  geofences: [yard({ name: 'Depot north' })],
};

const folder = mkdtempSync(join(tmpdir(), 'fleetdeck-export-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A street map of where the drive goes, at the zooms that maps of trips are drawn at. */
function streetMap(): ReportJob['maps'] {
  const tiles = [9, 10, 11, 12, 13, 14].flatMap((z) => {
    const places = drive.rows.map((row) => tileAt(row.lat, row.lon, z));
    const one = new Map(places.map((at) => [`${at.x}/${at.y}`, at]));
    return [...one.values()].map(({ x, y }) =>
      tileOf(z, x, y, [
        street('Elm Street', { kind: 'motorway' }),
        {
          layer: 'place',
          type: 'point',
          parts: [[1500, 1500]],
          properties: { kind: 'town', name: 'Elmswell' },
        },
      ]),
    );
  });
  const path = makeMbtiles(join(folder, 'streets.mbtiles'), { tiles });
  const area = { west: 12, south: 51, east: 14, north: 54 };
  const file = { map_id: 'm', path, kind: 'streets', schema: 'fleetdeck', shown: true } as const;
  return [{ ...file, area, min_zoom: 9, max_zoom: 14, licence: '© Elmswell surveyors' }];
}

async function fileOf(kind: ReportJob['kind'], format: 'xlsx' | 'pdf', also: Partial<ReportJob> = {}) {
  const order = orderFor(kind, period, { ...more, ...also, format });
  const result = await exportReport(order, readerOf(drive.rows), () => undefined);
  if (result.kind !== 'bytes') throw new Error(`answered ${result.kind}`);
  return result.bytes;
}

/** The rows of the first sheet as text, by the names of their columns. */
async function sheetOf(kind: ReportJob['kind'], also?: Partial<ReportJob>) {
  const book = XLSX.read(await fileOf(kind, 'xlsx', also));
  const sheet = book.Sheets[book.SheetNames[0] ?? ''] ?? {};
  return {
    shown: XLSX.utils.sheet_to_json<Record<string, string>>(sheet, { raw: false }),
    raw: XLSX.utils.sheet_to_json<Record<string, number | string>>(sheet),
  };
}

describe('a report as a file', () => {
  test('the trips of a workbook and of printed pages are those of JSON, to the last digit that they show', async () => {
    const { rows } = reportOn('trips', readerOf(drive.rows), { ...more, period });
    expect(rows).toHaveLength(2);
    const { shown, raw } = await sheetOf('trips');
    const lines = (await readPdf(await fileOf('trips', 'pdf'))).flat().join('\n');
    expect(raw.slice(0, -1).map((it) => it['Distance, km'])).toEqual(rows.map((it) => it.distance_m / 1_000));
    for (const [at, row] of rows.entries()) {
      const duration = durationText(row.duration_s);
      const km = (row.distance_m / 1_000).toFixed(2);
      expect(shown[at]).toMatchObject({
        Vehicle: 'Van 1',
        'Number plate': '=K-X 12',
        Duration: duration,
        'Distance, km': km,
        'Average, km/h': row.average_speed_kmh.toFixed(1),
        Positions: String(row.positions),
      });
      expect(lines).toContain(`${duration} ${km} Odometer ${row.average_speed_kmh.toFixed(1)}`);
    }
    const total_m = rows.reduce((sum, it) => sum + it.distance_m, 0);
    expect(raw.at(-1)?.['Distance, km']).toBeCloseTo(total_m / 1_000, 9);
    expect(lines).toContain(
      `${durationText(rows.reduce((sum, it) => sum + it.duration_s, 0))} ${(total_m / 1_000).toFixed(2)}`,
    );
    // By the clock of Berlin, where the second trip began on the next day.
    expect(shown.map((it) => it['Departure'])).toEqual([
      '2026-11-20 23:10:00',
      '2026-11-21 01:20:00',
      undefined,
    ]);
  });

  test.each(reportKinds)('a report of kind %s is a workbook and a PDF', async (kind) => {
    const { shown } = await sheetOf(kind);
    const pages = await readPdf(await fileOf(kind, 'pdf'));
    const hasRows = kind !== 'events' && kind !== 'video' && kind !== 'overspeed';
    expect(shown.length > 0).toBe(hasRows);
    expect(pages.flat().some((line) => line.startsWith('Van 1'))).toBe(hasRows);
    expect(pages.flat()).toContain('Vehicles Van 1');
    expect(pages.flat().join('\n')).not.toMatch(/undefined|null|NaN/);
  });

  test('a file says by which parameters its report was computed', async () => {
    const factsOf = async (kind: ReportJob['kind'], also: Partial<ReportJob>) =>
      (await readPdf(await fileOf(kind, 'pdf', also)))[0]?.join('\n');
    const working_hours = { days: [6, 1, 2], from: '22:00', to: '06:00' };
    expect(await factsOf('hours', { working_hours })).toContain('Working hours Mon, Tue, Sat 22:00 to 06:00');
    expect(await factsOf('overspeed', { limit_kmh: 80 })).toContain('Limit, km/h 80');
    expect(await factsOf('geofence-visits', { min_duration_s: 90 })).toContain('Minimum duration, s 90');
    expect(await factsOf('trips', {})).toContain('Trip ends after stop, s 180');
  });

  describe('with the columns, the order and the groups of a table on the screen', () => {
    const drives = [
      { from_ms: start, to_ms: start + 60 * minute, driver_id: 'b', name: 'Ben' },
      { from_ms: start + 60 * minute, to_ms: null, driver_id: 'a', name: 'Anna' },
    ];
    const layout: ReportJob['layout'] = {
      columns: ['start_time', 'distance_m', 'max_speed_kmh', 'driver'],
      sort: { column: 'distance_m', desc: false },
      group_by: 'driver',
    };
    const also = { vehicles: [{ ...van, drives, group_ids: ['north', 'south'] }], layout };
    const km = () =>
      reportOn('trips', readerOf(drive.rows), { ...more, ...also, period }).rows.map(
        (it) => it.distance_m / 1_000,
      );

    test('a workbook has them, with subtotals that spreadsheets count once', async () => {
      const [ben = 0, anna = 0] = km();
      const book = XLSX.read(await fileOf('trips', 'xlsx', also), { cellFormula: true, cellStyles: true });
      const sheet = book.Sheets['Trips'] ?? {};
      const lines = XLSX.utils.sheet_to_json<unknown[]>(sheet, { header: 1 });
      expect(lines[0]).toEqual(['Departure', 'Distance, km', 'Top, km/h', 'Driver']);
      // Both groups have one trip: they stand in the order of their distances.
      expect(lines.slice(1).map((it) => [it[1], it[3]])).toEqual([
        [anna, undefined],
        [anna, 'Anna'],
        [ben, undefined],
        [ben, 'Ben'],
        [expect.closeTo(anna + ben, 9), undefined],
      ]);
      expect([lines[1]?.[0], lines[3]?.[0], lines[5]?.[0]]).toEqual(['Anna (1)', 'Ben (1)', 'Total']);
      const formulaOf = (at: string) => (sheet[at] as XLSX.CellObject | undefined)?.f;
      expect(['B2', 'C4', 'B6'].map(formulaOf)).toEqual([
        'SUBTOTAL(109,B3:B3)',
        'SUBTOTAL(104,C5:C5)',
        'SUBTOTAL(109,B2:B5)',
      ]);
    });

    test('printed pages have them, below headings with totals', async () => {
      const text = (await readPdf(await fileOf('trips', 'pdf', also))).flat().join('\n');
      const [ben = '', anna = ''] = km().map((it) => it.toFixed(2));
      expect(text).toContain(`Anna (1) ${anna} 90.0`);
      expect(text).toContain(`${anna} 90.0 Anna`);
      expect(text.indexOf('Anna (1)')).toBeLessThan(text.indexOf(`Ben (1) ${ben}`));
      expect(text).not.toContain('Arrival');
    });

    test('a CSV says of each line what it is, and a vehicle in two groups counts once in all', async () => {
      const names = {
        rules: new Map(),
        users: new Map(),
        groups: new Map([
          ['south', 'South'],
          ['north', 'North'],
        ]),
      };
      const layoutOf = { ...layout, columns: ['distance_m', 'start'], group_by: 'group' as const };
      const order = { ...more, ...also, period, names, layout: layoutOf };
      const lines = parseCsv(csvOf('trips', drive.rows, order));
      const m = km().map((it) => String(it * 1_000));
      const [shorter, longer] = m.toSorted((a, b) => Number(a) - Number(b));
      const heads =
        'line,group,distance_m,start_lat,start_lon,start_geofences,start_geozone_ids,start_address';
      expect(csvOf('trips', drive.rows, order).split('\r\n')[0]).toBe(`\uFEFF${heads}`);
      const shown = lines.map((it) => [it['line'], it['group'], it['distance_m']]);
      const rowsOf = (group: string) => [
        ['row', group, shorter],
        ['row', group, longer],
      ];
      const sum = expect.stringMatching(/^\d+([.]\d+)?$/) as string;
      expect(shown).toEqual([
        ['group', 'North', sum],
        ...rowsOf('North'),
        ['group', 'South', sum],
        ...rowsOf('South'),
        ['total', undefined, sum],
      ]);
      expect(lines.at(-1)?.['distance_m']).toBe(lines[0]?.['distance_m']);
      // A workbook does not add up what stands twice.
      const book = XLSX.read(await fileOf('trips', 'xlsx', order), { cellFormula: true });
      const total = (book.Sheets['Trips']?.['A8'] ?? book.Sheets['Trips']?.['B8']) as
        XLSX.CellObject | undefined;
      expect(total?.f).toBeUndefined();
      // Where rows are only sorted, there are no lines but theirs.
      const sorted = { ...order, layout: { ...layoutOf, group_by: 'none' as const } };
      expect(parseCsv(csvOf('trips', drive.rows, sorted)).map((it) => it['distance_m'])).toEqual([
        shorter,
        longer,
      ]);
    });

    test('more rows than can be held to be arranged are refused', () => {
      const rows = Array.from({ length: 3 }, () => ({
        vehicle: van,
        row: { vehicle_id: 'v1' } as ReportRow,
      }));
      const order = orderFor('trips', period, { layout });
      expect(() => arrangeRows(order, rows, { rows: 2, lines: 9 })).toThrow('there are more than 2 rows');
      const groups = new Map([
        ['south', 'South'],
        ['north', 'North'],
      ]);
      const inGroups = orderFor('trips', period, {
        layout: { ...layout, group_by: 'group' },
        names: { rules: new Map(), users: new Map(), groups },
        vehicles: [{ ...van, group_ids: ['south', 'north', 'unseen'] }],
      });
      expect(() => arrangeRows(inGroups, rows, { rows: 3, lines: 5 })).toThrow('there are more than 5 rows');
      expect(arrangeRows(inGroups, rows, { rows: 3, lines: 6 })?.lines).toHaveLength(8);
    });
  });

  test('what lies beyond the period says so on printed pages', async () => {
    const cut = { period: { from_ms: start + 20 * minute, to_ms: start + 30 * minute } };
    const order = orderFor('trips', cut.period, { ...more, format: 'pdf' });
    const result = await exportReport(order, readerOf(drive.rows), () => undefined);
    if (result.kind !== 'bytes') throw new Error(`answered ${result.kind}`);
    const lines = (await readPdf(result.bytes)).flat().join('\n');
    expect(lines).toContain('before 2026-11-20 23:20');
    expect(lines).toContain('after 2026-11-20 23:30');
  });

  test('a trip of any length is drawn by few of its positions, its ends among them', () => {
    const rows = function* (count: number) {
      for (let at = 0; at < count; at++) yield { time_ms: at, lat: 50, lon: at / count, valid: at % 7 !== 3 };
    };
    const few = evenly(rows(100_000), 100);
    expect(few.length).toBeLessThanOrEqual(201);
    expect([few[0]?.time_ms, few.at(-1)?.time_ms]).toEqual([0, 99_999]);
    expect(evenly(rows(10), 100).map((it) => it.time_ms)).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9]);
    expect(evenly(rows(0), 100)).toEqual([]);
  });

  test('places have their geofences and addresses, and trips their maps with names and licence, of the map files', async () => {
    const maps = streetMap();
    const { shown } = await sheetOf('trips', { maps });
    expect(shown[0]?.['From']).toBe('Depot north');
    const bytes = await fileOf('trips', 'pdf', { maps });
    const pages = await readPdf(bytes);
    const last = pages.at(-1)?.join('\n') ?? '';
    for (const text of ['Maps of the trips', 'Elmswell', 'Maps: © Elmswell surveyors'])
      expect(last).toContain(text);
    // Drawn as vectors: there is no picture.
    expect(Buffer.from(bytes).toString('latin1')).not.toContain('/Subtype /Image');
    const without = await readPdf(await fileOf('trips', 'pdf'));
    expect(without.at(-1)?.join('\n')).not.toContain('Elmswell');
  });
});
