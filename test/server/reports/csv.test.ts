import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvHead, csvLine, type CsvColumn } from '../../../server/reports/csvTable.ts';
import { parseCsv } from '../../support/parseCsv.ts';
import { csvOf, driveFrom, hour, minute, reportOn, van, yard } from './drives.ts';

const start = Date.parse('2026-11-20T08:00:00Z');

describe('a table', () => {
  const columns: CsvColumn<{ a: string; b: string }>[] = [
    { name: 'a', cell: (row) => row.a },
    { name: 'b', cell: (row) => row.b },
  ];

  test('a table is read back as it was written', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r\n', 'ü', '7', '.'),
      minLength: 1,
    });
    fc.assert(
      fc.property(fc.array(fc.record({ a: text, b: text }), { minLength: 1 }), (rows) => {
        const written = csvHead(columns) + rows.map((row) => csvLine(columns, row)).join('');
        const filled = rows.map(({ a, b }) => ({ a: `_${a}_`, b: `_${b}_` }));
        const readable = csvHead(columns) + filled.map((row) => csvLine(columns, row)).join('');
        expect(parseCsv(readable)).toEqual(filled);
        expect(written.startsWith('\uFEFFa,b\r\n')).toBe(true);
      }),
    );
  });

  test('a table lets no cell of text begin a formula, and leaves numbers as they are', () => {
    for (const bad of ['=1+1', '+1', '-1', '@cmd', '\t=1', '\r=1']) {
      const line = csvLine([{ name: 'a', cell: () => bad }], null);
      expect(line).toMatch(/^"?'/);
    }
    const cells = [-97.5, null, true, 'plain', 'a "b"'];
    const numbered: CsvColumn<null>[] = cells.map((cell, at) => ({ name: String(at), cell: () => cell }));
    expect(csvLine(numbered, null)).toBe('-97.5,,true,plain,"a ""b"""\r\n');
  });
});

describe('a report as CSV', () => {
  const drive = driveFrom(start)
    .stand(10 * minute)
    .go(36, 10 * minute)
    .stand(20 * minute)
    .keepSilent(2 * hour);
  drive.stand(minute);
  const geozone_id = '11111111-1111-4111-8111-111111111111';
  const more = {
    tz: 'America/New_York',
    vehicles: [{ ...van, name: '=SUM(A1)', plate: 'K-X, 12' }],
    geofences: [yard({ name: '@Yard "1"', geozone_id })],
  };

  test('a report as CSV has a line a trip, with names beside the ids and local times beside UTC', () => {
    const text = csvOf('trips', drive.rows, more);
    expect(
      text.startsWith(
        '\uFEFFvehicle_name,plate,terminal_id,vehicle_id,driver,start_time,start_local,end_time,',
      ),
    ).toBe(true);
    const [trip] = reportOn('trips', drive.rows, more).rows;
    const lines = parseCsv(text);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      vehicle_name: "'=SUM(A1)",
      plate: 'K-X, 12',
      terminal_id: '100',
      vehicle_id: 'v1',
      start_time: '2026-11-20T08:10:00.000Z',
      start_local: '2026-11-20 03:10:00',
      end_local: '2026-11-20 03:20:10',
      open_start: 'false',
      distance_m: String(trip?.distance_m),
      max_speed_kmh: '36',
      start_lat: '52',
      start_lon: '13',
      start_geofences: `'@Yard "1"`,
      start_geozone_ids: geozone_id,
    });
    expect(lines[0]).not.toHaveProperty('end_geofences');
  });

  test('a report as CSV has a line a stop, with its gaps summed up', () => {
    const lines = parseCsv(csvOf('stops', drive.rows, more));
    expect(lines).toMatchObject([
      { gap_s: '0', geofences: `'@Yard "1"`, open_start: 'true' },
      { gap_s: '7210', open_end: 'true' },
    ]);
  });

  test('a report as CSV of days has a line a day, and of a summary one a vehicle', () => {
    const zone = { ...more, tz: 'Asia/Tokyo' };
    const lines = parseCsv(csvOf('daily', drive.rows, zone));
    expect(
      lines.map((it) => [it['vehicle_name'], it['date'], it['trips'], it['first_departure_local'] ?? '']),
    ).toEqual([
      ["'=SUM(A1)", '2026-11-20', '1', '2026-11-20 17:10:00'],
      ["'=SUM(A1)", '2026-11-21', '0', ''],
    ]);
    expect(parseCsv(csvOf('summary', drive.rows, zone))).toMatchObject([
      { trips: '1', distance_by: 'odometer' },
    ]);
  });

  test('a report as CSV has a line a visit, with the name of the geofence', () => {
    const lines = parseCsv(csvOf('geofence-visits', drive.rows, more));
    expect(lines).toMatchObject([
      {
        geofence: `'@Yard "1"`,
        geozone_id: geozone_id,
        enter_time: '2026-11-20T08:00:00.000Z',
        enter_local: '2026-11-20 03:00:00',
        duration_s: expect.stringMatching(/^61\d/) as string,
        gap_s: '0',
      },
    ]);
  });
});
