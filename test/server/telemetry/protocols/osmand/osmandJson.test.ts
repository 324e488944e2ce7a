import { describe, expect, test } from 'vitest';
import { decodeOsmandJson } from '../../../../../server/telemetry/protocols/osmand/osmandJson.ts';
import type { TerminalReport } from '../../../../../server/telemetry/terminalReport.ts';

const decodeAll = (value: unknown) => decodeOsmandJson(JSON.stringify(value));
const decodeJson = (value: unknown) => decodeAll(value)[0];

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

  test('the JSON of newer clients reads it, with the speed in m/s', () => {
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
    } satisfies TerminalReport);
  });

  test('the JSON of newer clients takes -1 as unknown and a missing coords as no place', () => {
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

  test.each([
    ['an extra', { extras: { alarm: 'sos' } }],
    ['an extra among others', { extras: { alarm: 'lowBattery,SOS' } }],
    ['a list of extras', { extras: { alarm: ['sos'] } }],
    ['the button as an extra', { extras: { sos: true } }],
    ['the button as text', { extras: { sos: '1' } }],
    ['the location’s own', { alarm: 'sos' }],
    ['the event', { event: 'SOS' }],
    ['an extra, without a place', { extras: { alarm: 'sos' }, coords: null }],
    ['an extra, at a place that cannot be read', { extras: { alarm: 'sos' }, coords: { latitude: 1 } }],
    ['an extra, at a time that cannot be read', { extras: { alarm: 'sos' }, timestamp: 'soon' }],
  ])('the JSON of newer clients hears the emergency button as %s', (_form, more) => {
    const report = decodeJson({ ...whole, location: { ...whole.location, ...more } });
    expect(report?.alarms).toContain('sos');
    expect(report?.attributes).not.toHaveProperty('alarm');
  });

  test('the JSON of newer clients reads each location of a list, and those that cannot be read are said to be so', () => {
    const at = (second: number, more = {}) => ({
      ...whole.location,
      timestamp: `2026-11-21T08:00:0${second}Z`,
      ...more,
    });
    const half = at(1, { coords: { latitude: 1 } });
    const help = at(2, { extras: { alarm: 'sos' } });
    const reports = decodeAll({ ...whole, location: [at(0), half, help, 'here', null] });
    expect(reports.map((it) => it.terminal_id)).toEqual(reports.map(() => 'phone-1'));
    expect(reports.map((it) => it.undecodable)).toEqual([
      undefined,
      'lat and lon come together or not at all',
      undefined,
      'a location is not an object',
      'a location is not an object',
    ]);
    expect(reports[0]).toEqual(decodeJson({ ...whole, location: at(0) }));
    expect(reports[1]?.attributes).toEqual({ text: JSON.stringify(half) });
    expect(reports[2]).toMatchObject({ time_ms: 1_795_248_002_000, alarms: ['sos'] });
  });

  test('the JSON of newer clients cannot read locations that are none, and too many', () => {
    for (const location of ['here', 7, true, [], Array.from({ length: 1_001 }, () => whole.location)]) {
      const reading = () => decodeJson({ ...whole, location });
      expect(reading).toThrow(expect.objectContaining({ code: 'undecodable' }) as Error);
    }
  });

  test('the JSON of newer clients cannot read what is nested so deeply that it would fill the stack', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    const said = (location: string) => () => decodeOsmandJson(`{"device_id":"1","location":${location}}`);
    const tooDeep = expect.objectContaining({
      code: 'undecodable',
      message: 'the body is nested too deeply',
    }) as Error;
    expect(said(nested(30_000))).toThrow(tooDeep);
    expect(said(`[{"coords":7,"extras":{"x":${nested(30_000)}}}]`)).toThrow(tooDeep);
    expect(said(`{"extras":{"x":${nested(30_000)}}}`)).toThrow(tooDeep);
    expect(said(`[{"coords":7,"extras":{"x":${nested(20)}}}]`)()).toMatchObject([
      { undecodable: 'coords is not an object' },
    ]);
  });

  test('the JSON of newer clients takes coordinates that are written as text, and none that are no numbers', () => {
    const coords = (latitude: unknown) => ({ ...whole.location, coords: { latitude, longitude: '11.5' } });
    expect(decodeJson({ ...whole, location: coords('48.1') })?.place).toEqual({ lat: 48.1, lon: 11.5 });
    for (const latitude of ['north', true, {}]) {
      const reading = () => decodeJson({ ...whole, location: coords(latitude) });
      expect(reading).toThrow(expect.objectContaining({ code: 'undecodable' }) as Error);
    }
  });

  test('the JSON of newer clients leaves out what is optional and cannot be read, and bounds what it keeps', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, at]));
    const { coords } = whole.location;
    const extras = { ...many, alarm: 'sos' };
    const location = { coords: { ...coords, speed: 'fast', heading: {} }, battery: 'full', extras };
    const report = decodeJson({ ...whole, location });
    expect(report).toMatchObject({
      place: { lat: 48.1, lon: 11.5 },
      speed_kmh: null,
      course_deg: null,
      battery_pct: null,
      alarms: ['sos'],
    });
    expect(Object.keys(report?.attributes ?? {}).length).toBeLessThanOrEqual(128);
  });

  test('the JSON of newer clients cannot read what is no object, names no device, or has half a place', () => {
    for (const text of ['', '{', 'null', '[]', '"id"', '17']) {
      expect(() => decodeOsmandJson(text)).toThrow(expect.objectContaining({ code: 'undecodable' }) as Error);
    }
    for (const value of [{}, { device_id: null }, { device_id: '' }, { device_id: {} }]) {
      expect(() => decodeJson(value)).toThrow(expect.objectContaining({ code: 'missing_id' }) as Error);
    }
    const half = { device_id: '1', location: { coords: { latitude: 1 } } };
    expect(() => decodeJson(half)).toThrow(expect.objectContaining({ code: 'undecodable' }) as Error);
  });
});
