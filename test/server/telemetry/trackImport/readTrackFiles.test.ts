import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxImportedPositions } from '../../../../server/contract/trackImport.ts';
import { FileError } from '../../../../server/geofences/files/feature.ts';
import {
  fixesIn,
  positionAt,
  type ReadTrack,
} from '../../../../server/telemetry/trackImport/importedTrack.ts';
import { readGpx } from '../../../../server/telemetry/trackImport/readGpx.ts';
import { readTrackCsv } from '../../../../server/telemetry/trackImport/readTrackCsv.ts';

const now_ms = Date.UTC(2026, 10, 24, 12);
const of = { vehicle_id: 'v', received_ms: now_ms, source: 'file' };
const rowsOf = ({ table }: ReadTrack) =>
  Array.from({ length: fixesIn(table) }, (_, at) => positionAt(table, at, of));
const timesOf = (read: ReadTrack) => rowsOf(read).map((it) => new Date(it.time_ms).toISOString());

function csv(text: string, { tz = 'UTC', mapping = [] as string[] } = {}): ReadTrack {
  return readTrackCsv(text, { tz, mapping, now_ms });
}

describe('a table of positions', () => {
  it('a table of positions is read by the usual names of its columns, in the units that they name', () => {
    const read = csv(
      [
        'Timestamp;Latitude;Longitude;Speed (mph);Heading;Altitude (ft);Odometer km;Ignition;Driver',
        '2026-11-20 08:00:00;56,95;24,1;10;90;100;12,5;on;Anna',
        '2026-11-20 08:00:10;56,96;24,1;n/a;;;;off;',
      ].join('\n'),
    );
    expect(read.columns).toEqual({
      ...{ time: 'Timestamp', lat: 'Latitude', lon: 'Longitude', speed_kmh: 'Speed (mph)' },
      ...{
        course_deg: 'Heading',
        altitude_m: 'Altitude (ft)',
        odometer_m: 'Odometer km',
        ignition: 'Ignition',
      },
    });
    expect(rowsOf(read)).toMatchObject([
      {
        ...{ time_ms: Date.UTC(2026, 10, 20, 8), lat: 56.95, lon: 24.1, speed_kmh: 16.0934, course_deg: 90 },
        ...{ altitude_m: 30.48, odometer_m: 12_500, ignition: true, valid: true },
        attributes: { imported: 'file' },
      },
      { speed_kmh: null, course_deg: null, altitude_m: null, ignition: false },
    ]);
  });

  it('times of a table without an offset are those of the time zone, on both sides of a change of clocks', () => {
    const times = [
      '2026-10-24 12:00:00',
      '25.10.2026 12:00',
      '2026-10-25T12:00:00Z',
      '2026-10-25T12:00:00.5+0530',
      '1792929600',
      '1792929601000',
    ];
    const read = csv(['time,lat,lon', ...times.map((it) => `${it},1,2`)].join('\n'), { tz: 'Europe/Berlin' });
    expect(read.faults).toEqual([]);
    expect(timesOf(read)).toEqual(
      [
        '2026-10-24T10:00:00.000Z',
        '2026-10-25T06:30:00.500Z',
        '2026-10-25T11:00:00.000Z',
        '2026-10-25T12:00:00.000Z',
        '2026-10-25T12:00:00.000Z',
        '2026-10-25T12:00:01.000Z',
      ].filter((it, at, all) => all.indexOf(it) === at),
    );
  });

  it('a number with its unit is of that unit, whatever the header says', () => {
    const read = csv(
      'time,lat,lon,Speed (mph),Odometer\n2026-11-20 08:00,1,2,50 km/h,12 km\n2026-11-20 09:00,1,2,50 mph,7',
    );
    expect(rowsOf(read)).toMatchObject([
      { speed_kmh: 50, odometer_m: 12_000 },
      { speed_kmh: 80.4672, odometer_m: 7 },
    ]);
    const bare = csv('time,lat,lon,speed\n2026-11-20 08:00,1,2,50 mph');
    expect(rowsOf(bare)).toMatchObject([{ speed_kmh: 80.4672 }]);
  });

  it('a date and a time in two columns are one time', () => {
    expect(timesOf(csv('Date,Time,lat,lon\n2026-11-20,08:15:00,1,2'))).toEqual(['2026-11-20T08:15:00.000Z']);
  });

  it('a column that no name gives away is read by its mapping', () => {
    const read = csv('when,where north,where east\n2026-11-20 08:00,1,2', {
      mapping: ['time:when', 'lat:where north', 'lon:where east'],
    });
    expect(rowsOf(read)).toMatchObject([{ lat: 1, lon: 2 }]);
    // With a mapping, others are not read.
    const some = csv('time,lat,lon,speed\n2026-11-20 08:00,1,2,50', {
      mapping: ['time:time', 'lat:lat', 'lon:lon'],
    });
    expect(rowsOf(some)).toMatchObject([{ lat: 1, speed_kmh: null }]);
    expect(() => csv('time,lat,lon\n1,2,3', { mapping: ['lat:north'] })).toThrow(
      'There is no column “north”.',
    );
    expect(() => csv('time,lat,lon\n1,2,3', { mapping: ['lat:lat', 'lat:lon'] })).toThrow(
      '`mapping` names lat twice.',
    );
  });

  it('each row that cannot be imported is rejected with its line and the reason', () => {
    const read = csv(
      [
        'time,lat,lon,speed',
        '2026-13-20 08:00,1,2,',
        '11/12/2026 08:00,1,2,',
        ',1,2,',
        '2026-11-25 08:00,1,2,',
        '1970-01-01 00:00,1,2,',
        '2026-11-20 08:00,91,2,',
        '2026-11-20 08:00,0,0,',
        '2026-11-20 08:00,1,2,fast',
        '2026-11-20 08:00,1,2,1200',
        '2026-02-30 08:00,1,2,',
        '30.02.2026 08:00,1,2,',
        '2026-11-20 08:00,1,2,50',
        '2026-11-20 08:00,3,4,60',
      ].join('\n'),
    );
    const unreadable = 'which cannot be read: write it as 2026-11-24 13:05:00';
    expect(read.faults.at(-1)?.causes).toMatchObject([{ code: 'position.time_unreadable_csv' }]);
    expect(read.faults.map(({ row, message }) => ({ row, message }))).toEqual([
      { row: 2, message: `has the time “2026-13-20 08:00”, ${unreadable}` },
      { row: 3, message: `has the time “11/12/2026 08:00”, ${unreadable}` },
      { row: 4, message: 'has no time' },
      { row: 5, message: 'has a time in the future' },
      { row: 6, message: 'has a time before 1980' },
      { row: 7, message: 'has no valid position: lat 91, lon 2' },
      { row: 8, message: 'has no GPS fix: lat 0, lon 0' },
      { row: 9, message: 'has speed_kmh “fast”, which is no number' },
      { row: 10, message: 'has speed_kmh 1200, which is not 0 to 1000' },
      { row: 11, message: `has the time “2026-02-30 08:00”, ${unreadable}` },
      { row: 12, message: `has the time “30.02.2026 08:00”, ${unreadable}` },
    ]);
    expect(read).toMatchObject({ rows: 13, rejected: 11 });
    // Of two at one time the first.
    expect(rowsOf(read)).toMatchObject([{ lat: 1, speed_kmh: 50 }]);
  });

  it('a number in another unit than that of its column is read in its own, and rejected where its field has no such unit', () => {
    const read = csv(
      [
        'time;Lat (°);Lon °;Speed_km_h;Course (°);Battery (%);Altitude [ft];Satellites',
        '2026-11-20 08:00;56.9°;24.1°;10 kn;90°;80 %;100 m;7',
        '2026-11-20 08:01;56.9;24.1;50;90;80;100;7',
        '2026-11-20 08:02;56.9;24.1;50 km;90;80;100;7',
        '2026-11-20 08:03;56.9;24.1;50%;90;80;100;7',
        '2026-11-20 08:04;56.9 m;24.1;50;90;80;100;7',
        '2026-11-20 08:05;56.9;24.1;50;90 km/h;80;100;7',
        '2026-11-20 08:06;56.9;24.1;50;90;12 mV;100;7',
        '2026-11-20 08:07;56.9;24.1;50;90;80;100;7 m',
        '2026-11-20 08:08;56.9;24.1;50 furlongs;90;80;100;7',
      ].join('\n'),
    );
    expect(rowsOf(read)).toMatchObject([
      { lat: 56.9, lon: 24.1, speed_kmh: 18.52, course_deg: 90, battery_pct: 80, altitude_m: 100 },
      { lat: 56.9, lon: 24.1, speed_kmh: 50, course_deg: 90, battery_pct: 80, altitude_m: 30.48 },
    ]);
    expect(read.faults.map(({ row, causes }) => [row, causes])).toEqual(
      [
        ['position.not_in_unit', 'speed_kmh', '50 km'],
        ['position.not_in_unit', 'speed_kmh', '50%'],
        ['position.not_in_unit', 'lat', '56.9 m'],
        ['position.not_in_unit', 'course_deg', '90 km/h'],
        ['position.not_in_unit', 'battery_pct', '12 mV'],
        ['position.not_in_unit', 'satellites', '7 m'],
        ['position.no_number', 'speed_kmh', '50 furlongs'],
      ].map(([code, field, text], at) => [at + 4, [{ code, values: { field, text } }]]),
    );
  });

  it.each([
    ['Course (km/h)', 'course_deg'],
    ['Speed (km)', 'speed_kmh'],
    ['Odometer, h', 'odometer_m'],
    ['lat m', 'lat'],
  ] as const)('a column “%s” is refused for %s, mapped or found by its name', (column, field) => {
    const columns = { time: 'time', lat: 'lat', lon: 'lon', [field]: column };
    const text = `${Object.values(columns).join(';')}\n2026-11-20 08:00`;
    const refusal = `The unit of the column “${column}” is not valid for ${field}.`;
    expect(() => csv(text)).toThrow(refusal);
    const mapping = Object.entries(columns).map((it) => it.join(':'));
    expect(() => csv(text, { mapping })).toThrow(refusal);
  });

  it('a unit in a header may be of several words', () => {
    const speedOf = (unit: string) =>
      rowsOf(csv(`time,lat,lon,Speed (${unit})\n2026-11-20 08:00,1,2,10`))[0]?.speed_kmh;
    const unitsOfSpeed = ['km/h', 'km h', 'miles per hour', 'm/s', 'm s', 'kn'];
    expect(unitsOfSpeed.map(speedOf)).toEqual([10, 10, 16.0934, 36, 36, 18.52]);
  });

  it('a column in another unit does not matter where it is not read, nor does one that is called as a unit is', () => {
    const { columns } = csv('time,lat,lon,Battery (V),Battery (%)\n2026-11-20 08:00,1,2,12,80');
    expect(columns.battery_pct).toBe('Battery (%)');
    const ofVoltage = 'time,lat,lon,Battery (V)\n2026-11-20 08:00,1,2,12';
    expect(rowsOf(csv(ofVoltage))).toMatchObject([{ battery_pct: null }]);
    const asCharge = ['time:time', 'lat:lat', 'lon:lon', 'battery_pct:Battery (V)'];
    expect(() => csv(ofVoltage, { mapping: asCharge })).toThrow(
      'The unit of the column “Battery (V)” is not valid for battery_pct.',
    );
    const mapping = ['time:time', 'lat:lat', 'lon:lon', 'speed_kmh:v', 'altitude_m:h'];
    const read = csv('time,lat,lon,v,h,Battery (V)\n2026-11-20 08:00,1,2,50,7,12', { mapping });
    expect(rowsOf(read)).toMatchObject([{ speed_kmh: 50, altitude_m: 7, battery_pct: null }]);
  });

  it('a table without a time, a latitude or a longitude is refused with the columns that it has', () => {
    expect(() => csv('name,phone\na,b')).toThrow(
      'No column was found for: time, lat, lon. The header line has “name”, “phone”.',
    );
    expect(() => csv('')).toThrow('The header line has –.');
    expect(() => csv('time,lat,lon\n')).toThrow('There are no rows below the header line.');
  });

  it('a table of more positions than are taken is refused', () => {
    const rows = `0,1,2\n`.repeat(maxImportedPositions + 1);
    expect(() => csv(`time,lat,lon\n${rows}`)).toThrow('It has more than 100,000 positions: split it.');
  });
});

describe('a GPX file', () => {
  const gpx = (points: string) => `<?xml version="1.0"?><gpx><trk><trkseg>${points}</trkseg></trk></gpx>`;

  it('a GPX file gives its track points in order of time, with speeds of GPX 1.0 and of Garmin in km/h', () => {
    const read = readGpx(
      gpx(
        `<trkpt lat="2" lon="3"><ele>7.5</ele><time>2026-11-20T08:00:10Z</time><sat>9</sat><extensions>
          <x:TrackPointExtension><x:speed>10</x:speed><x:course>90</x:course></x:TrackPointExtension></extensions></trkpt>
        <trkpt lat="1" lon="3"><time>2026-11-20T08:00:00</time><speed>2.5</speed></trkpt>`,
      ),
      now_ms,
    );
    expect(rowsOf(read)).toMatchObject([
      { time_ms: Date.UTC(2026, 10, 20, 8), lat: 1, lon: 3, speed_kmh: 9, course_deg: null },
      { lat: 2, altitude_m: 7.5, satellites: 9, speed_kmh: 36, course_deg: 90 },
    ]);
  });

  it('a time that is no date with a time of day is rejected, not guessed', () => {
    const times = [
      ...['12', '2026-11-20', '11/20/2026 08:00', '20 Nov 2026 08:00', '2026-02-30T08:00:00Z'],
      ...['2026-13-01T08:00:00Z', '2026-11-20T24:30:00Z', '2026-11-20T08:00:00+01:00'],
    ];
    const read = readGpx(
      gpx(times.map((it) => `<trkpt lat="1" lon="2"><time>${it}</time></trkpt>`).join('')),
      now_ms,
    );
    expect(read.faults.map(({ row, message }) => [row, message])).toEqual(
      times.slice(0, -1).map((it, at) => [at + 1, `has the time “${it}”, which cannot be read`]),
    );
    expect(rowsOf(read)).toMatchObject([{ time_ms: Date.UTC(2026, 10, 20, 7) }]);
  });

  it('points without a time or a place are rejected one by one', () => {
    const read = readGpx(
      gpx('<trkpt lat="1" lon="2"/><trkpt lat="1"><time>2026-11-20T08:00:00Z</time></trkpt>'),
      now_ms,
    );
    expect(read.faults.map((it) => it.message)).toEqual([
      'has no time',
      'has no valid position: lat 1, lon NaN',
    ]);
  });

  it('a file that declares entities, is no GPX or has no track is refused as a whole', () => {
    const bomb = '<!DOCTYPE gpx [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><gpx>&b;</gpx>';
    expect(() => readGpx(bomb, now_ms)).toThrow('It has a document type (DOCTYPE), which is not allowed.');
    expect(() => readGpx('<kml/>', now_ms)).toThrow('Its root is <kml>, not <gpx>.');
    expect(() => readGpx('<gpx/>', now_ms)).toThrow('It has no track points (trkpt).');
  });

  it('whatever stands in a file, it is read or refused as a file', () => {
    const pieces = [
      '<gpx>',
      '</gpx>',
      '<trkpt lat="1" lon="2">',
      '</trkpt>',
      '<time>',
      '</time>',
      '2026',
      '&lt;',
      ',',
      '\n',
      'time,lat,lon\n',
      '"',
    ];
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 20 }), (parts) => {
        for (const read of [() => readGpx(parts.join(''), now_ms), () => csv(parts.join(''))]) {
          try {
            read();
          } catch (error) {
            expect(error).toBeInstanceOf(FileError);
          }
        }
      }),
    );
  });
});
