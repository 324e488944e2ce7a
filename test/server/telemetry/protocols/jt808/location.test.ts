import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readLocationResponse,
  readLocation,
  readLocationBatch,
} from '../../../../../server/telemetry/protocols/jt808/location.ts';
import { positionBody, words, type FakePosition } from '../../../../support/fakeJt808.ts';
import { jt808Vectors } from './jt808Data.ts';

const header = { id: 0x0200, serial: 0, phoneBcd: '013800001234', version: null };
const header2019 = { ...header, phoneBcd: '00000000013800001234', version: 1 };
const time_ms = Date.UTC(2026, 10, 21, 4, 43);
const somewhere: FakePosition = { lat: 56.95, lon: 24.1, time_ms };
const read = (position: Partial<FakePosition>, by: typeof header | typeof header2019 = header) =>
  readLocation(positionBody({ ...somewhere, ...position }), by);

/** The body with its status bits replaced. */
function withStatus(...bits: number[]): Buffer {
  const body = positionBody(somewhere);
  body.writeUInt32BE(bits.reduce((sum, bit) => sum | (1 << bit), 0) >>> 0, 4);
  return body;
}

describe('a position', () => {
  it('a position is read with its numbers, its time turned from GMT+8 into UTC', () => {
    expect(read({ altitude_m: 12, speed_kmh: 53.4, course_deg: 271 })).toMatchObject({
      terminal_id: '13800001234',
      time_ms,
      place: { lat: 56.95, lon: 24.1 },
      altitude_m: 12,
      speed_kmh: 53.4,
      course_deg: 271,
      valid: true,
      ignition: true,
      alarms: [],
      attributes: {},
    });
  });

  it('a position lies south and west by its status', () => {
    expect(read({ lat: -33.5, lon: -70.25 })?.place).toEqual({ lat: -33.5, lon: -70.25 });
    const onLines = readLocation(withStatus(1, 2, 3), header);
    expect(onLines?.place).toEqual({ lat: -56.95, lon: -24.1 });
    const zero = positionBody({ ...somewhere, lat: 0, lon: 0 });
    zero.writeUInt32BE(0b1110, 4);
    expect(Object.is(readLocation(zero, header)?.place?.lat, 0)).toBe(true);
  });

  it('a position is not valid without a fix, nor without a moment', () => {
    expect(read({ fix: false })).toMatchObject({ valid: false, place: { lat: 56.95, lon: 24.1 } });
    for (const time of ['000000000000', '261321044300', '260231000000', '261121244300', '26112104430a']) {
      const body = positionBody(somewhere);
      Buffer.from(time, 'hex').copy(body, 22);
      expect(readLocation(body, header)).toMatchObject({ valid: false, time_ms: null });
    }
  });

  it('a position below the sea is below the sea, and a course beyond the circle is none', () => {
    expect(read({ altitude_m: 0xffff - 3 })?.altitude_m).toBe(-4);
    expect(read({ course_deg: 360 })?.course_deg).toBe(0);
    expect(read({ course_deg: 361 })?.course_deg).toBeNull();
  });

  it('a position reports the states of the vehicle that the terminal sends, and no others', () => {
    expect(readLocation(withStatus(4, 5, 10, 11, 12, 13, 16), header)?.attributes).toEqual({
      status: 0b1_0011_1100_0011_0000,
      out_of_service: true,
      place_encrypted: true,
      fuel_cut: true,
      circuit_cut: true,
      doors_locked: true,
      doors_open: '1,4',
    });
  });

  it('a position reports the load of the vehicle, where that is known, and which satellites were used', () => {
    const published = (...bits: number[]) => readLocation(withStatus(...bits), header)?.attributes;
    expect(published(8)).toEqual({ status: 1 << 8, load: 'half' });
    expect(published(9)).toEqual({ status: 1 << 9 });
    expect(published(8, 9)).toEqual({ status: 3 << 8, load: 'full' });
    expect(published(18, 19)).toMatchObject({ satellite_systems: 'gps,beidou' });
    expect(published(20, 21)).toMatchObject({ satellite_systems: 'glonass,galileo' });
    expect(published(31)).toEqual({ status: 2 ** 31 });
  });

  it('a position reports since 2019 the driver’s warnings, and whether the vehicle moves', () => {
    const body = withStatus(1, 6, 7, 22);
    expect(readLocation(body, header2019)).toMatchObject({
      alarms: ['forward_collision_warning', 'lane_departure_warning'],
      attributes: { movement: true },
    });
    expect(readLocation(withStatus(1), header2019)?.attributes).toEqual({ status: 2, movement: false });
    expect(readLocation(body, header)).toMatchObject({ alarms: [] });
    expect(readLocation(body, header)?.attributes).not.toHaveProperty('movement');
  });

  it('a position that is cut short is none', () => {
    for (const length of [0, 1, 27])
      expect(readLocation(positionBody(somewhere).subarray(0, length), header)).toBeNull();
  });
});

describe('alarms', () => {
  it('alarms bear the names of events, the emergency button first', () => {
    expect(read({ alarm: 0b1_1000_0001 })?.alarms).toEqual(['sos', 'low_battery', 'power_cut']);
    expect(read({ alarm: 2 ** 31 + 2 ** 29 })?.alarms).toEqual(['collision', 'illegal_door_opening']);
  });

  it('alarms that are reserved before 2019 are kept by their bits', () => {
    const alarm = 2 ** 15 + 2 ** 16 + 2 ** 17;
    expect(read({ alarm })).toMatchObject({ alarms: [], attributes: { alarm_bits: '15,16,17' } });
    expect(read({ alarm }, header2019)).toMatchObject({
      alarms: ['illegal_driving', 'tyre_pressure', 'blind_spot_fault'],
    });
    expect(read({ alarm }, header2019)?.attributes).not.toHaveProperty('alarm_bits');
  });

  it('alarms are names that the contract allows, and not more than it allows', () => {
    const dword = Buffer.alloc(4, 0xff);
    const all = read({ alarm: 0xffff_ffff, items: { 0x14: dword, 0x18: dword } }, header2019)?.alarms ?? [];
    expect(all).toHaveLength(32);
    expect(new Set(all).size).toBe(32);
    expect(all[0]).toBe('sos');
    for (const name of all) expect(name).toMatch(/^[a-z0-9_]{1,40}$/);
  });
});

describe('additional items', () => {
  const hex = (text: string) => Buffer.from(text, 'hex');

  it('additional items are read by the tables of JT/T 808', () => {
    const items = {
      0x01: hex('000036c9'),
      0x02: hex('0123'),
      0x03: hex('0211'),
      0x04: hex('0007'),
      0x11: hex('0100000005'),
      0x12: hex('020000000601'),
      0x13: hex('00000007012c01'),
      0x25: hex('00000005'),
      0x2a: hex('0003'),
      0x2b: hex('00020001'),
      0x30: hex('1f'),
      0x31: hex('0e'),
    };
    expect(read({ items })).toMatchObject({
      odometer_m: 1_402_500,
      satellites: 14,
      attributes: {
        fuel_l: 29.1,
        recorder_speed_kmh: 52.9,
        event_to_confirm: 7,
        overspeed_place_type: 1,
        overspeed_place: 5,
        crossed_place_type: 2,
        crossed_place: 6,
        crossed_way: 'out',
        segment: 7,
        segment_s: 300,
        segment_result: 'too_long',
        vehicle_signals: '0,2',
        io_status: 3,
        adc_0: 1,
        adc_1: 2,
        signal: 31,
      },
    });
  });

  it('additional items are read by the tables of JT/T 1078', () => {
    const items = {
      0x14: hex('00000021'),
      0x15: hex('00000005'),
      0x16: hex('00000000'),
      0x17: hex('1001'),
      0x18: hex('000355'),
    };
    expect(read({ items })).toMatchObject({
      alarms: ['video_signal_lost', 'abnormal_driving', 'driver_fatigue', 'driver_phone'],
      attributes: { video_lost_channels: '1,3', faulty_storages: '1,13', driver_fatigue_degree: 0x55 },
    });
    expect(read({ items })?.attributes).not.toHaveProperty('video_covered_channels');
  });

  it('additional items that are unknown or too short are kept as they came', () => {
    const attributes = read({ items: { 0xe1: hex('0072'), 0x01: hex('0001'), 0xf0: hex('') } })?.attributes;
    expect(attributes).toEqual({ status: 3, item_e1: '0072', item_01: '0001' });
  });

  it('additional items that run over the end are left out, and those before them are not', () => {
    const body = Buffer.concat([positionBody({ ...somewhere, items: { 0x31: hex('09') } }), hex('01040000')]);
    expect(readLocation(body, header)).toMatchObject({ satellites: 9, odometer_m: null });
  });
});

describe('positions that were kept back', () => {
  const bodies = [0, 1, 2].map((at) => positionBody({ ...somewhere, time_ms: time_ms - at * 60_000 }));
  const batchOf = (some: Uint8Array[]) =>
    Buffer.concat([words(some.length), Buffer.of(1), ...some.flatMap((it) => [words(it.length), it])]);

  it('positions that were kept back are read all', () => {
    const { reports, ...rest } = readLocationBatch(batchOf(bodies), header);
    expect(reports.map((it) => it.time_ms)).toEqual([time_ms, time_ms - 60_000, time_ms - 120_000]);
    expect(rest).toEqual({ stated: 3, isWhole: true });
  });

  it('positions that were kept back are read but for those that are broken', () => {
    const [first, , last] = bodies;
    if (first === undefined || last === undefined) throw new Error('no bodies');
    const broken = batchOf([first, Buffer.alloc(5), last]);
    const read = (body: Uint8Array) => {
      const { reports, isWhole } = readLocationBatch(body, header);
      return { count: reports.length, isWhole };
    };
    expect(read(broken)).toEqual({ count: 2, isWhole: false });
    expect(read(broken.subarray(0, -3))).toEqual({ count: 1, isWhole: false });
    expect(read(broken.subarray(0, 3))).toEqual({ count: 0, isWhole: false });
    expect(read(new Uint8Array())).toEqual({ count: 0, isWhole: false });
  });

  it.each([
    [
      'says that there are more of them than there are',
      (it: Buffer) => Buffer.concat([words(4), it.subarray(2)]),
      3,
    ],
    ['is cut behind a whole one', (it: Buffer) => it.subarray(0, 3 + 2 * 30), 2],
    ['is cut within the last one', (it: Buffer) => it.subarray(0, -1), 2],
    ['has bytes left over', (it: Buffer) => Buffer.concat([it, Buffer.of(0)]), 3],
  ])('positions that were kept back are not whole when it %s', (_how, broken, count) => {
    const { reports, isWhole } = readLocationBatch(broken(batchOf(bodies)), header);
    expect([reports.length, isWhole]).toEqual([count, false]);
  });

  it('positions that were kept back are whole when there are more than it says', () => {
    const body = Buffer.concat([words(2), batchOf(bodies).subarray(2)]);
    expect(readLocationBatch(body, header)).toMatchObject({ stated: 2, isWhole: true });
  });

  it('positions that were kept back are not guessed behind a length that lies', () => {
    const [first, second] = bodies;
    if (first === undefined || second === undefined) throw new Error('no bodies');
    const items = [first, second, first].flatMap((it, at) => [words(at === 1 ? 20 : it.length), it]);
    // What follows is read eight bytes too early, as far as lengths come out of it.
    const body = Buffer.concat([words(3), Buffer.of(1), ...items]);
    const { reports, isWhole } = readLocationBatch(body, header);
    expect(isWhole).toBe(false);
    expect(reports.map((it) => it.time_ms)).toEqual([time_ms]);
  });
});

it('an answer to a question for the place begins with the serial of the question', () => {
  const body = Buffer.concat([words(7), positionBody(somewhere)]);
  expect(readLocationResponse(body, header)?.time_ms).toBe(time_ms);
});

it('any bytes make a position that can be stored, or none', () => {
  const seeds = jt808Vectors
    .filter((it) => it.expect.kind === 'positions')
    .map((it) => Buffer.from(it.input, 'hex'));
  const mutated = fc
    .tuple(
      fc.constantFrom(positionBody(somewhere), ...seeds.map((it) => it.subarray(13))),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 8 }),
    )
    .map(([seed, edits]) => {
      const bytes = Buffer.from(seed);
      for (const [at, value] of edits) bytes[at % bytes.length] = value;
      return bytes;
    });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), mutated), fc.boolean(), (body, is2019) => {
      const by = is2019 ? header2019 : header;
      const found = [
        readLocation(body, by),
        readLocationResponse(body, by),
        ...readLocationBatch(body, by).reports,
      ];
      for (const report of found) {
        if (report === null) continue;
        for (const value of [report.place?.lat, report.place?.lon, report.speed_kmh])
          expect(value).toBeTypeOf('number');
        expect(report.alarms.length).toBeLessThanOrEqual(32);
        for (const [key, value] of Object.entries(report.attributes)) {
          expect(key).toMatch(/^[a-z0-9_]{1,64}$/);
          if (typeof value === 'string') expect(value.length).toBeLessThanOrEqual(2_000);
          if (typeof value === 'number') expect(value).not.toBeNaN();
        }
      }
    }),
    { numRuns: 400 },
  );
});
