import { describe, expect, test } from 'vitest';
import { avlReport } from '../../../../../server/telemetry/protocols/teltonika/avlReport.ts';
import { readAvlData } from '../../../../../server/telemetry/protocols/teltonika/avlRecords.ts';
import type { TerminalReport } from '../../../../../server/telemetry/terminalReport.ts';
import { dataBytes, type FakeRecord } from '../../../../support/fakeTeltonika.ts';

const fix: FakeRecord = { time_ms: Date.UTC(2026, 10, 21), lat: 56.95, lon: 24.1 };

function reportOf(more: Partial<FakeRecord>): TerminalReport {
  const read = readAvlData(dataBytes([{ ...fix, ...more }], 0x8e));
  const [record] = read.kind === 'records' ? read.records : [];
  if (record === undefined) throw new Error('no record');
  return avlReport(record, '1');
}

const word = (value: number) => Buffer.of((value >> 8) & 0xff, value & 0xff);
const dword = (value: number) => Buffer.concat([word(value >> 16), word(value)]);

describe('elements', () => {
  test('unknown elements are kept in a bounded number, and known ones are read all the same', () => {
    const strange = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [1_000 + at, Buffer.of(1)]));
    const { attributes, ignition } = reportOf({ io: { ...strange, 66: word(12_345), 239: Buffer.of(1) } });
    const kept = Array.from({ length: 128 }, (_, at) => `io_${1_000 + at}`);
    expect(Object.keys(attributes).filter((it) => it.startsWith('io_'))).toEqual(kept);
    expect(attributes).toMatchObject({ external_v: 12.345 });
    expect(ignition).toBe(true);
  });

  test('elements that every terminal has become our fields', () => {
    const io = { 239: Buffer.of(0), 16: dword(123_456), 113: Buffer.of(87), 182: word(12) };
    expect(reportOf({ io })).toMatchObject({
      ignition: false,
      odometer_m: 123_456,
      battery_pct: 87,
      hdop: 1.2,
      attributes: {},
    });
  });

  test.each([
    ['the voltage of the vehicle', 66, word(12_345), { external_v: 12.345 }],
    ['the voltage of its own battery', 67, word(4_001), { battery_v: 4.001 }],
    ['an input', 1, Buffer.of(1), { input_1: true }],
    ['an analog input', 9, word(1_500), { adc_1_v: 1.5 }],
    ['an output', 179, Buffer.of(0), { output_1: false }],
    ['the signal', 21, Buffer.of(5), { gsm_signal: 5 }],
    ['movement', 240, Buffer.of(1), { movement: true }],
    ['the fuel in the tank', 84, word(455), { fuel_l: 45.5 }],
    ['its share', 89, Buffer.of(60), { fuel_level_pct: 60 }],
    ['a temperature', 72, dword(-125), { temperature_1_c: -12.5 }],
    ['a temperature of the engine', 115, word(-15), { engine_c: -1.5 }],
    ['a sensor that is not there', 72, dword(3_000), {}],
    ['a driver’s key', 78, Buffer.from('0102030405060708', 'hex'), { ibutton: '0102030405060708' }],
    ['a key that ends in zeros', 78, Buffer.from('0100000000000000', 'hex'), { ibutton: '0100000000000000' }],
    [
      'a key that begins with them',
      207,
      Buffer.from('0000000000000001', 'hex'),
      { rfid: '0000000000000001' },
    ],
    ['nobody’s key', 78, Buffer.alloc(8), {}],
    ['what an accelerometer measures', 17, word(-27), { acceleration_x_mg: -27 }],
    ['the same downwards', 19, word(-3_598), { acceleration_z_mg: -3_598 }],
    ['the level of a fuel sensor', 201, word(1_234), { lls_1_level: 1_234 }],
    ['the code of one that fails', 203, word(-4), { lls_2_level: -4 }],
    ['the temperature of one', 202, Buffer.of(0xf6), { lls_1_c: -10 }],
    ['of the fifth', 215, Buffer.of(0x80), { lls_5_c: -128 }],
    ['the mileage that the vehicle shows', 389, dword(123_456), { obd_odometer_m: 123_456_000 }],
    ['the same in another width', 389, Buffer.of(0x11), { io_389: 0x11 }],
    ['the fuel that the vehicle shows', 390, dword(455), { fuel_l: 45.5 }],
    ['the name of a driver', 403, Buffer.from('ANNA KALNINA\0\0'), { driver_name: 'ANNA KALNINA' }],
    ['a name in who knows what letters', 403, Buffer.from('c0c1c2c3c4', 'hex'), { io_403: 'c0c1c2c3c4' }],
    ['nobody’s name', 403, Buffer.alloc(35), {}],
    ['the number of a driver’s card', 406, dword(7_654_321), { driver_card_id: 7_654_321 }],
    ['one that nobody knows', 9_999, word(513), { io_9999: 513 }],
    ['a long one', 385, Buffer.from('aabbcc00ddeeff', 'hex'), { io_385: 'aabbcc00ddeeff' }],
    ['an empty one', 385, Buffer.alloc(0), {}],
    ['one of another width than is known', 113, dword(29_525), { io_113: 29_525 }],
  ])('%s', (_, id, value, attributes) => {
    const report = reportOf({ io: { [id]: value } });
    expect(report.attributes).toEqual(attributes);
  });

  test('elements that make a terminal write the record are named, with its priority', () => {
    expect(reportOf({ eventIo: 240, priority: 1, io: { 240: Buffer.of(1) } }).attributes).toEqual({
      movement: true,
      event_io: 240,
      priority: 1,
    });
  });
});

describe('alarms', () => {
  test.each([
    ['the panic button, by priority', { priority: 2 }, ['sos']],
    ['the panic button, by its element', { io: { 236: Buffer.of(1) } }, ['sos']],
    ['both', { priority: 2, io: { 236: Buffer.of(1) } }, ['sos']],
    ['a released one', { io: { 236: Buffer.of(0) } }, []],
    ['power that is cut', { eventIo: 252, io: { 252: Buffer.of(1) } }, ['power_cut']],
    ['power that is back', { eventIo: 252, io: { 252: Buffer.of(0) } }, []],
    ['harsh braking', { eventIo: 253, io: { 253: Buffer.of(2) } }, ['harsh_braking']],
    ['harsh driving of an unknown kind', { eventIo: 253, io: { 253: Buffer.of(9) } }, []],
    ['a crash', { eventIo: 247, io: { 247: Buffer.of(4) } }, ['collision']],
    ['towing', { eventIo: 246, io: { 246: Buffer.of(1) } }, ['towing']],
    ['one that is no more than a repeat', { eventIo: 240, io: { 252: Buffer.of(1), 240: Buffer.of(1) } }, []],
    ['one whose element is not there', { eventIo: 252 }, []],
  ])('%s', (_, more, alarms) => {
    expect(reportOf(more).alarms).toEqual(alarms);
  });
});

describe('a place', () => {
  test('a place without a fix is the last one, and not valid', () => {
    expect(reportOf({ satellites: 0, speed_kmh: 0, course_deg: 0 })).toMatchObject({
      place: { lat: 56.95, lon: 24.1 },
      valid: false,
    });
  });

  test.each([
    ['a speed', { speed_kmh: 97, course_deg: 0 }],
    ['an angle', { speed_kmh: 0, course_deg: 12 }],
  ])('a place without satellites but with %s is valid', (_, more) => {
    expect(reportOf({ satellites: 0, ...more })).toMatchObject({
      place: { lat: 56.95, lon: 24.1 },
      valid: true,
    });
  });

  test('an invalid place is left out when there is no fix, and kept when the terminal means it', () => {
    expect(reportOf({ satellites: 0, speed_kmh: 0, course_deg: 0, lat: 99 }).place).toBeNull();
    expect(reportOf({ satellites: 5, lat: 99 }).place).toEqual({ lat: 99, lon: 24.1 });
  });

  test.each([
    [359, 359],
    [360, 0],
    [361, null],
    [65_535, null],
  ])('a place with a course of %i has %s', (course_deg, wanted) => {
    expect(reportOf({ course_deg }).course_deg).toBe(wanted);
  });
});
