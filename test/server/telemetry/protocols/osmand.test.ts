import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeOsmandJson,
  decodeOsmandParameters,
  Unreadable,
} from '../../../../server/telemetry/protocols/osmand.ts';
import type { Report } from '../../../../server/telemetry/report.ts';

const decode = (query: string, unit: 'kn' | 'kmh' | 'ms' = 'kn') =>
  decodeOsmandParameters(new URLSearchParams(query), unit);
const decodeJson = (value: unknown) => decodeOsmandJson(JSON.stringify(value));

describe('parameters of the query or form', () => {
  test('reads every field that has a place of its own, and keeps the others as attributes', () => {
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
    } satisfies Report);
  });

  test('takes deviceid for id, heading for bearing, and location for lat and lon', () => {
    const report = decode('deviceid=7&location=-33.9%2C18.4&heading=360');
    expect(report).toMatchObject({ terminal_id: '7', place: { lat: -33.9, lon: 18.4 }, course_deg: 0 });
  });

  test.each([
    ['kn', 74.08],
    ['kmh', 40],
    ['ms', 144],
  ] as const)('reads a speed of 40 in %s as %f km/h', (unit, kmh) => {
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
  ])('reads a time given as %s', (_form, text, time_ms) => {
    expect(decode(`id=1&timestamp=${encodeURIComponent(text)}`).time_ms).toBe(time_ms);
  });

  test('leaves the time open when the terminal says none', () => {
    expect(decode('id=1&lat=1&lon=2').time_ms).toBeNull();
  });

  test('takes a message without a place as such', () => {
    expect(decode('id=1&batt=50')).toMatchObject({ place: null, battery_pct: 50, valid: true });
  });

  test('keeps all values of keys that repeat', () => {
    const { attributes } = decode('id=1&cell=257,02,16,2224&cell=257,02,16,2223,-90&wifi=aa,-80&wifi=bb,-70');
    expect(attributes).toEqual({ cell: '257,02,16,2224 257,02,16,2223,-90', wifi: 'aa,-80 bb,-70' });
  });

  test('hears the emergency button as an alarm and as a parameter, once', () => {
    expect(decode('id=1&alarm=sos').alarms).toEqual(['sos']);
    expect(decode('id=1&sos=true').alarms).toEqual(['sos']);
    expect(decode('id=1&sos=1&alarm=SOS,hardBraking').alarms).toEqual(['sos', 'harsh_braking']);
    expect(decode('id=1&sos=0').alarms).toEqual([]);
  });

  test('says that a terminal itself doubts its fix', () => {
    for (const no of ['false', '0', 'FALSE'])
      expect(decode(`id=1&lat=1&lon=2&valid=${no}`).valid).toBe(false);
    for (const yes of ['true', '1', 'perhaps'])
      expect(decode(`id=1&lat=1&lon=2&valid=${yes}`).valid).toBe(true);
  });

  test('takes -1, which clients write for unknown, as unknown', () => {
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

  test('cannot read a message that does not say whose it is', () => {
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
    'id=1&lat=1&lon=2&speed=fast',
    'id=1&timestamp=yesterday',
    'id=1&timestamp=2026-13-45T99:00:00Z',
    'id=1&timestamp=-5',
    `id=1&timestamp=${'9'.repeat(400)}`,
  ])('cannot read %s', (query) => {
    expect(() => decode(query)).toThrow(expect.objectContaining({ code: 'unreadable' }) as Error);
  });

  test('a number of satellites that no receiver sees is not taken', () => {
    expect(decode('id=1&sat=1e30').satellites).toBeNull();
    expect(decode('id=1&sat=255').satellites).toBe(255);
  });

  test('takes no more alarms of one message than a position may bear', () => {
    const names = Array.from({ length: 500 }, (_, at) => `alarm${at}`);
    expect(decode(`id=1&alarm=${names.join(',')}`).alarms).toEqual(names.slice(0, 32));
    expect(decode(`id=1&alarm=${names.join(',')}&sos=1`).alarms).toEqual(['sos', ...names.slice(0, 31)]);
  });
});

describe('the JSON of newer clients', () => {
  const whole = {
    device_id: 'phone-1',
    location: {
      timestamp: '2026-11-21T08:00:00.123Z',
      coords: { latitude: 48.1, longitude: 11.5, accuracy: 5, speed: 10, heading: 90, altitude: 519.5 },
      is_moving: true,
      odometer: 4200.5,
      event: 'motionchange',
      battery: { level: 0.876, is_charging: true },
      activity: { type: 'in_vehicle' },
      extras: { driver: 'Ann', shift: 2, nested: { is: 'not kept' } },
    },
  };

  test('reads it, with the speed in m/s', () => {
    expect(decodeJson(whole)).toEqual({
      terminal_id: 'phone-1',
      time_ms: 1_795_248_000_123,
      place: { lat: 48.1, lon: 11.5 },
      altitude_m: 519.5,
      speed_kmh: 36,
      course_deg: 90,
      accuracy_m: 5,
      satellites: null,
      hdop: null,
      valid: true,
      ignition: null,
      odometer_m: 4200.5,
      battery_pct: 87.6,
      alarms: [],
      attributes: {
        event: 'motionchange',
        is_moving: true,
        charge: true,
        activity: 'in_vehicle',
        driver: 'Ann',
        shift: 2,
      },
    } satisfies Report);
  });

  test('takes -1 as unknown and a missing coords as no place', () => {
    const { location } = whole;
    const coords = { ...location.coords, speed: -1, heading: -1, accuracy: -1 };
    expect(decodeJson({ ...whole, location: { ...location, coords, battery: { level: -1 } } })).toMatchObject(
      {
        speed_kmh: null,
        course_deg: null,
        accuracy_m: null,
        battery_pct: null,
      },
    );
    expect(decodeJson({ device_id: 7, location: { event: 'SOS' } })).toMatchObject({
      terminal_id: '7',
      place: null,
      time_ms: null,
      alarms: ['sos'],
    });
  });

  test('cannot read what is no object, names no device, or has half a place', () => {
    for (const text of ['', '{', 'null', '[]', '"id"', '17']) {
      expect(() => decodeOsmandJson(text)).toThrow(expect.objectContaining({ code: 'unreadable' }) as Error);
    }
    for (const value of [{}, { device_id: null }, { device_id: '' }, { device_id: {} }]) {
      expect(() => decodeJson(value)).toThrow(expect.objectContaining({ code: 'missing_id' }) as Error);
    }
    const half = { device_id: '1', location: { coords: { latitude: 1 } } };
    expect(() => decodeJson(half)).toThrow(expect.objectContaining({ code: 'unreadable' }) as Error);
  });
});

describe('whatever is sent', () => {
  const keys = [
    ...['id', 'deviceid', 'lat', 'lon', 'location', 'timestamp', 'valid', 'speed', 'bearing', 'heading'],
    ...['altitude', 'accuracy', 'hdop', 'sat', 'batt', 'ignition', 'odometer', 'alarm', 'sos', 'cell'],
    ...['__proto__', 'constructor', 'toString'],
  ];
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.double().map(String),
    fc.integer().map(String),
    fc.constantFrom('true', 'false', '1e308', '-1e308', '9'.repeat(400), '1,2', '2026-11-21 08:00:00', ''),
  );
  const pairs = fc.array(
    fc.tuple(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...keys) }, fc.string()), value),
    { maxLength: 25 },
  );

  /** The report, or null when the decoder says that it cannot read this; anything else it throws is a fault. */
  function reportOf(decodeIt: () => Report): Report | null {
    try {
      return decodeIt();
    } catch (error) {
      if (error instanceof Unreadable) return null;
      throw error;
    }
  }

  function expectStorable(report: Report): void {
    const numbers = [
      report.time_ms ?? 0,
      ...Object.values(report.place ?? {}),
      ...['altitude_m', 'speed_kmh', 'course_deg', 'accuracy_m', 'hdop', 'odometer_m'].map(
        (key) => (report as unknown as Record<string, number | null>)[key] ?? 0,
      ),
    ];
    expect(numbers.every(Number.isFinite)).toBe(true);
    expect(report.terminal_id).not.toBe('');
    expect(
      report.satellites === null || (Number.isInteger(report.satellites) && report.satellites <= 255),
    ).toBe(true);
    expect(report.course_deg === null || (report.course_deg >= 0 && report.course_deg <= 360)).toBe(true);
    expect(report.battery_pct === null || (report.battery_pct >= 0 && report.battery_pct <= 100)).toBe(true);
    expect(report.alarms.length).toBeLessThanOrEqual(32);
    for (const alarm of report.alarms) expect(alarm).toMatch(/^[a-z0-9_]{1,40}$/);
    for (const [key, kept] of Object.entries(report.attributes)) {
      expect(key.length).toBeGreaterThan(0);
      expect(key.length).toBeLessThanOrEqual(64);
      if (typeof kept === 'number') expect(Number.isFinite(kept)).toBe(true);
      if (typeof kept === 'string') expect(kept.length).toBeLessThanOrEqual(2_000);
    }
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  }

  test('parameters never crash the decoder, and what it makes of them can be stored', () => {
    fc.assert(
      fc.property(pairs, fc.boolean(), fc.constantFrom('kn', 'kmh', 'ms'), (list, named, unit) => {
        const parameters = new URLSearchParams(named ? [['id', 'x'], ...list] : list);
        const report = reportOf(() => decodeOsmandParameters(parameters, unit));
        if (report !== null) expectStorable(report);
      }),
      { numRuns: 3_000 },
    );
  });

  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const shaped = fc.record(
    {
      device_id: anything,
      timestamp: anything,
      location: fc.oneof(
        anything,
        fc.record(
          {
            timestamp: anything,
            coords: fc.oneof(
              anything,
              fc.record(
                {
                  latitude: anything,
                  longitude: anything,
                  speed: anything,
                  heading: anything,
                  accuracy: anything,
                  altitude: anything,
                },
                { requiredKeys: [] },
              ),
            ),
            odometer: anything,
            event: anything,
            alarm: anything,
            battery: fc.oneof(anything, fc.record({ level: anything, is_charging: anything })),
            extras: fc.oneof(anything, fc.dictionary(fc.string(), anything)),
          },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  );

  test('JSON of any form never crashes the decoder, and what it makes of it can be stored', () => {
    const text = fc.oneof(
      { weight: 8, arbitrary: shaped.map((it) => JSON.stringify(it)) },
      fc.json(),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(text, (body) => {
        const report = reportOf(() => decodeOsmandJson(body));
        if (report !== null) expectStorable(report);
      }),
      { numRuns: 3_000 },
    );
  });
});
