import { describe, expect, test } from 'vitest';
import { decodeOsmandParameters } from '../../../../../server/telemetry/protocols/osmand/osmandParameters.ts';
import type { TerminalReport } from '../../../../../server/telemetry/terminalReport.ts';

const decode = (query: string, unit: 'kn' | 'kmh' | 'ms' = 'kn') =>
  decodeOsmandParameters(new URLSearchParams(query), unit);

describe('parameters of the query or form', () => {
  test('parameters of the query or form reads every field that has a place of its own, and keeps the others as attributes', () => {
    const query =
      'id=van-7&lat=55.75&lon=-37.6178&timestamp=1795248000&altitude=-12.5&speed=10&bearing=271.5&accuracy=4.2' +
      '&hdop=0.9&sat=11&batt=87.26&ignition=true&odometer=1203456.7&valid=1&alarm=powerCut&rpm=933&door=open&lock=false';
    expect(decode(query)).toEqual({
      terminal_id: 'van-7',
      time_ms: 1_795_248_000_000,
      place: { lat: 55.75, lon: -37.6178 },
      altitude_m: -12.5,
      speed_kmh: 18.52,
      course_deg: 271.5,
      accuracy_m: 4.2,
      satellites: 11,
      hdop: 0.9,
      valid: true,
      ignition: true,
      odometer_m: 1_203_456.7,
      battery_pct: 87.3,
      alarms: ['power_cut'],
      attributes: { rpm: 933, door: 'open', lock: false },
    } satisfies TerminalReport);
  });

  test('parameters of the query or form takes deviceid for id, heading for bearing, and location for lat and lon', () => {
    const report = decode('deviceid=7&location=-33.9%2C18.4&heading=360');
    expect(report).toMatchObject({ terminal_id: '7', place: { lat: -33.9, lon: 18.4 }, course_deg: 0 });
  });

  test.each([
    ['kn', 74.08],
    ['kmh', 40],
    ['ms', 144],
  ] as const)('parameters of the query or form reads a speed of 40 in %s as %f km/h', (unit, kmh) => {
    expect(decode('id=1&lat=1&lon=2&speed=40', unit).speed_kmh).toBeCloseTo(kmh, 9);
  });

  test.each([
    ['seconds', '1795248000', 1_795_248_000_000],
    ['seconds with a fraction', '1795248000.25', 1_795_248_000_250],
    ['milliseconds', '1795248000123', 1_795_248_000_123],
    ['the last second that is not taken for milliseconds', '2147483647', 2_147_483_647_000],
    ['ISO 8601 in UTC', '2026-11-21T08:00:00Z', 1_795_248_000_000],
    ['ISO 8601 with milliseconds', '2026-11-21T08:00:00.5Z', 1_795_248_000_500],
    ['ISO 8601 with an offset', '2026-11-21T11:00:00+03:00', 1_795_248_000_000],
    ['ISO 8601 with an offset without a colon', '2026-11-21T11:00:00+0300', 1_795_248_000_000],
    ['date and time with a blank', '2026-11-21 08:00:00', 1_795_248_000_000],
  ])('parameters of the query or form reads a time given as %s', (_form, text, time_ms) => {
    expect(decode(`id=1&timestamp=${encodeURIComponent(text)}`).time_ms).toBe(time_ms);
  });

  test('parameters of the query or form leaves the time open when the terminal says none', () => {
    expect(decode('id=1&lat=1&lon=2').time_ms).toBeNull();
  });

  test('parameters of the query or form takes a message without a place as such', () => {
    expect(decode('id=1&batt=50')).toMatchObject({ place: null, battery_pct: 50, valid: true });
  });

  test('parameters of the query or form keeps all values of keys that repeat', () => {
    const { attributes } = decode('id=1&cell=257,02,16,2224&cell=257,02,16,2223,-90&wifi=aa,-80&wifi=bb,-70');
    expect(attributes).toEqual({ cell: '257,02,16,2224 257,02,16,2223,-90', wifi: 'aa,-80 bb,-70' });
  });

  test('parameters of the query or form hears the emergency button as an alarm and as a parameter, once', () => {
    expect(decode('id=1&alarm=sos').alarms).toEqual(['sos']);
    expect(decode('id=1&sos=true').alarms).toEqual(['sos']);
    expect(decode('id=1&sos=1&alarm=SOS,hardBraking').alarms).toEqual(['sos', 'harsh_braking']);
    expect(decode('id=1&sos=0').alarms).toEqual([]);
  });

  test('parameters of the query or form says that a terminal itself doubts its fix', () => {
    for (const no of ['false', '0', 'FALSE'])
      expect(decode(`id=1&lat=1&lon=2&valid=${no}`).valid).toBe(false);
    for (const yes of ['true', '1', 'perhaps'])
      expect(decode(`id=1&lat=1&lon=2&valid=${yes}`).valid).toBe(true);
  });

  test('parameters of the query or form takes -1, which clients write for unknown, as unknown', () => {
    const query = 'id=1&speed=-1&bearing=-1&accuracy=-1&hdop=-1&sat=-1&batt=-1&odometer=-1';
    expect(decode(query)).toMatchObject({
      speed_kmh: null,
      course_deg: null,
      accuracy_m: null,
      hdop: null,
      satellites: null,
      battery_pct: null,
      odometer_m: null,
    });
  });

  test('parameters of the query or form cannot read a message that does not say whose it is', () => {
    for (const query of ['', 'lat=1&lon=2', 'id=&lat=1&lon=2', 'ID=1']) {
      expect(() => decode(query)).toThrow(expect.objectContaining({ code: 'missing_id' }) as Error);
    }
  });

  test.each([
    'id=1&lat=north&lon=2',
    'id=1&lat=1',
    'id=1&lon=2',
    'id=1&location=1',
    'id=1&location=x,y',
    'id=1&lat=Infinity&lon=NaN',
    'id=1&timestamp=yesterday',
    'id=1&timestamp=2026-13-45T99:00:00Z',
    'id=1&timestamp=-5',
    `id=1&timestamp=${'9'.repeat(400)}`,
  ])('parameters of the query or form cannot read %s', (query) => {
    expect(() => decode(query)).toThrow(expect.objectContaining({ code: 'undecodable' }) as Error);
  });

  test.each([
    ['speed', 'speed_kmh'],
    ['bearing', 'course_deg'],
    ['heading', 'course_deg'],
    ['altitude', 'altitude_m'],
    ['accuracy', 'accuracy_m'],
    ['hdop', 'hdop'],
    ['sat', 'satellites'],
    ['batt', 'battery_pct'],
    ['odometer', 'odometer_m'],
  ] as const)(
    'parameters of the query or form leaves out a %s that is no number, and keeps the position',
    (key, field) => {
      for (const no of ['NaN', 'Infinity', 'fast', '%20', '9'.repeat(400)]) {
        const report = decode(`id=1&lat=1&lon=2&timestamp=1795248000&${key}=${no}`);
        expect(report).toMatchObject({
          place: { lat: 1, lon: 2 },
          time_ms: 1_795_248_000_000,
          [field]: null,
        });
        expect(report.attributes).toEqual({});
      }
    },
  );

  test('parameters of the query or form hears an alarm, whatever else of the message cannot be read', () => {
    for (const query of [
      'lat=NaN&lon=NaN&timestamp=1795248000',
      'lat=1&timestamp=1795248000',
      'location=here&timestamp=1795248000',
    ]) {
      const stated = { place: null, time_ms: 1_795_248_000_000, alarms: ['sos'] };
      expect(decode(`id=1&alarm=sos&${query}`)).toMatchObject(stated);
      expect(decode(`id=1&event=SOS&${query}`)).toMatchObject(stated);
      expect(decode(`id=1&sos=0&sos=1&${query}`)).toMatchObject(stated);
    }
    expect(decode('id=1&alarm=sos&lat=1&lon=2&timestamp=soon')).toMatchObject({
      place: { lat: 1, lon: 2 },
      time_ms: null,
      alarms: ['sos'],
    });
  });

  test('parameters of the query or form looks through thousands of keys once, reads all that it knows, and keeps a bounded number', () => {
    const many = Array.from({ length: 20_000 }, (_, at) => `k${at}=1`).join('&');
    const parameters = new URLSearchParams(`id=1&${many}&lat=1&lon=2&sos=1`);
    let passes = 0;
    const counted = Object.assign(parameters, {
      getAll: () => expect.fail('looks through all keys for each of them'),
      [Symbol.iterator]: () => {
        passes += 1;
        return parameters.entries();
      },
    });
    const report = decodeOsmandParameters(counted, 'kn');
    expect(passes).toBe(1);
    expect(report).toMatchObject({ place: { lat: 1, lon: 2 }, alarms: ['sos'] });
    expect(Object.keys(report.attributes)).toEqual(Array.from({ length: 128 }, (_, at) => `k${at}`));
  });

  test('a number of satellites that no receiver sees is not taken', () => {
    expect(decode('id=1&sat=1e30').satellites).toBeNull();
    expect(decode('id=1&sat=255').satellites).toBe(255);
  });

  test('parameters of the query or form takes no more alarms of one message than a position may bear', () => {
    const names = Array.from({ length: 500 }, (_, at) => `alarm${at}`);
    expect(decode(`id=1&alarm=${names.join(',')}`).alarms).toEqual(names.slice(0, 32));
    expect(decode(`id=1&alarm=${names.join(',')}&sos=1`).alarms).toEqual(['sos', ...names.slice(0, 31)]);
  });
});
