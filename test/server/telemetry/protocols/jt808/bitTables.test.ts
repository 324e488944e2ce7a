import { describe, expect, it } from 'vitest';
import { readLocation } from '../../../../../server/telemetry/protocols/jt808/location.ts';
import { emptyReport, type TerminalReport } from '../../../../../server/telemetry/terminalReport.ts';
import { positionBody, type FakePosition } from '../../../../support/fakeJt808.ts';

// Each bit by itself, against the tables of JT/T 808-2013 and 2019 and of JT/T 1078-2016: what it adds to a position
// that says nothing else, and that it adds no more.

const before2019 = { id: 0x0200, serial: 0, phoneBcd: '013800001234', version: null };
const since2019 = { ...before2019, phoneBcd: '00000000013800001234', version: 1 };
type Header = typeof before2019 | typeof since2019;

const fix = 1;
const time_ms = Date.UTC(2026, 10, 21, 4, 43);
const somewhere: FakePosition = { lat: 56.95, lon: 24.1, time_ms, acc: false };

/** The numbers from 0 to this one, which is left out. */
const upTo = (end: number) => [...Array(end).keys()];

/** What a position says of its own beside this: a fix, and since 2019 that the vehicle stands. */
function reportOf(header: Header, { attributes, ...said }: Partial<TerminalReport> = {}): TerminalReport {
  return {
    ...emptyReport,
    terminal_id: '13800001234',
    time_ms,
    place: { lat: 56.95, lon: 24.1 },
    altitude_m: 0,
    speed_kmh: 0,
    course_deg: 0,
    valid: true,
    ignition: false,
    ...said,
    attributes: { status: 2 ** fix, ...(header === since2019 ? { movement: false } : {}), ...attributes },
  };
}

const read = (position: Partial<FakePosition>, header: Header = before2019) =>
  readLocation(positionBody({ ...somewhere, ...position }), header);

function readStatus(bits: readonly number[], header: Header) {
  const body = positionBody(somewhere);
  body.writeUInt32BE(statusOf(bits), 4);
  return readLocation(body, header);
}

const statusOf = (bits: readonly number[]) => bits.reduce((sum, bit) => sum + 2 ** bit, 0);

/** A number in so many bytes, big-endian. */
function bytesOf(value: number, length: number): Buffer {
  return Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex');
}

describe('the alarm flags', () => {
  const always: readonly [bit: number, alarm: string][] = [
    [0, 'sos'],
    [1, 'overspeed'],
    [2, 'fatigue_driving'],
    [3, 'danger_warning'],
    [4, 'gnss_fault'],
    [5, 'gnss_antenna_cut'],
    [6, 'gnss_antenna_short'],
    [7, 'low_battery'],
    [8, 'power_cut'],
    [9, 'display_fault'],
    [10, 'tts_fault'],
    [11, 'camera_fault'],
    [12, 'card_reader_fault'],
    [13, 'overspeed_warning'],
    [14, 'fatigue_warning'],
    [18, 'driving_time_exceeded'],
    [19, 'parked_too_long'],
    [20, 'area_crossed'],
    [21, 'route_crossed'],
    [22, 'segment_time'],
    [23, 'off_route'],
    [24, 'speed_sensor_fault'],
    [25, 'fuel_abnormal'],
    [26, 'theft'],
    [27, 'illegal_ignition'],
    [28, 'illegal_move'],
    [29, 'collision'],
    [30, 'rollover'],
    // Reserved in the table of 2019; what a terminal says by it is meant as before.
    [31, 'illegal_door_opening'],
  ];
  const since: readonly [bit: number, alarm: string][] = [
    [15, 'illegal_driving'],
    [16, 'tyre_pressure'],
    [17, 'blind_spot_fault'],
  ];

  it.each(always)('the alarm flags before 2019 say by bit %i alone %s', (bit, alarm) => {
    expect(read({ alarm: 2 ** bit })).toStrictEqual(reportOf(before2019, { alarms: [alarm] }));
  });

  it.each([...always, ...since])('the alarm flags since 2019 say by bit %i alone %s', (bit, alarm) => {
    expect(read({ alarm: 2 ** bit }, since2019)).toStrictEqual(reportOf(since2019, { alarms: [alarm] }));
  });

  it.each([15, 16, 17])('the alarm flags before 2019 have no name for bit %i, and keep its number', (bit) => {
    const attributes = { alarm_bits: String(bit) };
    expect(read({ alarm: 2 ** bit })).toStrictEqual(reportOf(before2019, { attributes }));
  });

  it('the alarm flags without a bit are no alarm', () => {
    expect(read({})).toStrictEqual(reportOf(before2019));
    expect(read({}, since2019)).toStrictEqual(reportOf(since2019));
  });
});

describe('the status', () => {
  type Bit = [bit: number, what: string, said: Partial<TerminalReport>];
  const reserved = (bits: readonly number[]) => bits.map((bit): Bit => [bit, 'nothing, it is reserved', {}]);

  /** With a fix, by terminals of any year. */
  const always: readonly Bit[] = [
    [0, 'the ignition is on', { ignition: true }],
    [1, 'there is a fix', {}],
    [2, 'the place is south', { place: { lat: -56.95, lon: 24.1 } }],
    [3, 'the place is west', { place: { lat: 56.95, lon: -24.1 } }],
    [4, 'it is out of service', { attributes: { out_of_service: true } }],
    // Whether it has a fix stays as it says: there are terminals that set this bit beside a place in the clear.
    [5, 'the place is encrypted', { attributes: { place_encrypted: true } }],
    [10, 'the fuel is cut', { attributes: { fuel_cut: true } }],
    [11, 'the circuit is cut', { attributes: { circuit_cut: true } }],
    [12, 'the doors are locked', { attributes: { doors_locked: true } }],
    [13, 'door 1 is open', { attributes: { doors_open: '1' } }],
    [14, 'door 2 is open', { attributes: { doors_open: '2' } }],
    [15, 'door 3 is open', { attributes: { doors_open: '3' } }],
    [16, 'door 4 is open', { attributes: { doors_open: '4' } }],
    [17, 'door 5 is open', { attributes: { doors_open: '5' } }],
    [18, 'GPS was used', { attributes: { satellite_systems: 'gps' } }],
    [19, 'BeiDou was used', { attributes: { satellite_systems: 'beidou' } }],
    [20, 'GLONASS was used', { attributes: { satellite_systems: 'glonass' } }],
    [21, 'Galileo was used', { attributes: { satellite_systems: 'galileo' } }],
    ...reserved([23, 24, 25, 26, 27, 28, 29, 30, 31]),
  ];
  const before = reserved([6, 7, 22]);
  const since: readonly Bit[] = [
    [6, 'a collision ahead is warned of', { alarms: ['forward_collision_warning'] }],
    [7, 'a lane is left', { alarms: ['lane_departure_warning'] }],
    [22, 'the vehicle moves', { attributes: { movement: true } }],
  ];

  /** The position with a fix and this bit; the status itself stands in it as it came. */
  function expectBit(bit: number, said: Partial<TerminalReport>, header: Header): void {
    const bits = [...new Set([fix, bit])];
    const attributes = { status: statusOf(bits), ...said.attributes };
    expect(readStatus(bits, header)).toStrictEqual(reportOf(header, { ...said, attributes }));
  }

  it.each([...always, ...before])('the status before 2019 says by bit %i alone: %s', (bit, _what, said) => {
    expectBit(bit, said, before2019);
  });

  it.each([...always, ...since])('the status since 2019 says by bit %i alone: %s', (bit, _what, said) => {
    expectBit(bit, said, since2019);
  });

  it.each([
    ['nothing of the load', [], {}],
    ['that it is half loaded', [8], { load: 'half' }],
    ['nothing of the load', [9], {}],
    ['that it is full', [8, 9], { load: 'full' }],
  ])('the status says %s when of the bits 8 and 9 are set %j', (_what, loaded, load) => {
    const bits = [fix, ...loaded];
    const attributes = { status: statusOf(bits), ...load };
    for (const header of [before2019, since2019])
      expect(readStatus(bits, header)).toStrictEqual(reportOf(header, { attributes }));
  });

  it('the status without a bit says that there is no fix', () => {
    const said = { valid: false, attributes: { status: 0 } };
    expect(readStatus([], before2019)).toStrictEqual(reportOf(before2019, said));
    expect(readStatus([], since2019)).toStrictEqual(reportOf(since2019, said));
  });
});

describe('the video alarms, item 14', () => {
  const alarms = [
    'video_signal_lost',
    'video_signal_covered',
    'video_storage_fault',
    'video_fault',
    'overloaded',
    'abnormal_driving',
    'video_alarm_storage_full',
  ];

  it.each(alarms.map((alarm, bit) => [bit, alarm] as const))(
    'the video alarms, item 14 by bit %i alone are %s',
    (bit, alarm) => {
      const items = { 0x14: bytesOf(2 ** bit, 4) };
      expect(read({ items })).toStrictEqual(reportOf(before2019, { alarms: [alarm] }));
    },
  );

  it('the video alarms, item 14 have no name for the reserved bits, and keep their numbers', () => {
    for (const bit of upTo(32).slice(alarms.length)) {
      const items = { 0x14: bytesOf(2 ** bit, 4) };
      const attributes = { video_alarm_bits: String(bit) };
      expect(read({ items })).toStrictEqual(reportOf(before2019, { attributes }));
    }
  });
});

describe('the abnormal driving, item 18', () => {
  const alarms = ['driver_fatigue', 'driver_phone', 'driver_smoking'];

  it.each(upTo(8))(
    'the abnormal driving, item 18 reports each alarm of the value %i, and no other',
    (value) => {
      const items = { 0x18: bytesOf(value, 2) };
      const said = alarms.filter((_alarm, bit) => Math.floor(value / 2 ** bit) % 2 === 1);
      expect(read({ items })).toStrictEqual(reportOf(before2019, { alarms: said }));
    },
  );

  it.each([0, 1, 99, 100])(
    'the abnormal driving, item 18 reports a degree of fatigue of %i where there is a third byte',
    (degree) => {
      const items = { 0x18: Buffer.of(0, 1, degree) };
      const said = { alarms: ['driver_fatigue'], attributes: { driver_fatigue_degree: degree } };
      expect(read({ items })).toStrictEqual(reportOf(before2019, said));
    },
  );

  it('the abnormal driving, item 18 has no name for the reserved bits and those of the maker, and keeps their numbers', () => {
    for (const bit of upTo(16).slice(alarms.length)) {
      const items = { 0x18: bytesOf(2 ** bit, 2) };
      const attributes = { driver_alarm_bits: String(bit) };
      expect(read({ items })).toStrictEqual(reportOf(before2019, { attributes }));
    }
  });
});

describe('an additional item', () => {
  it.each([
    ['01', '00010203', { odometer_m: 6_605_100 }],
    ['02', '0123', { attributes: { fuel_l: 29.1 } }],
    ['03', '0211', { attributes: { recorder_speed_kmh: 52.9 } }],
    ['04', '0107', { attributes: { event_to_confirm: 263 } }],
    ['11', '00', { attributes: { overspeed_place_type: 0 } }],
    ['11', '0101020304', { attributes: { overspeed_place_type: 1, overspeed_place: 0x0102_0304 } }],
    ['11', '0400000005', { attributes: { overspeed_place_type: 4, overspeed_place: 5 } }],
    [
      '12',
      '010102030400',
      { attributes: { crossed_place_type: 1, crossed_place: 0x0102_0304, crossed_way: 'in' } },
    ],
    ['12', '040000000601', { attributes: { crossed_place_type: 4, crossed_place: 6, crossed_way: 'out' } }],
    [
      '13',
      '01020304012c00',
      { attributes: { segment: 0x0102_0304, segment_s: 300, segment_result: 'too_short' } },
    ],
    ['13', '00000007003c01', { attributes: { segment: 7, segment_s: 60, segment_result: 'too_long' } }],
    ['2a', '0203', { attributes: { io_status: 0x0203 } }],
    // The upper WORD is the second input.
    ['2b', '02030001', { attributes: { adc_0: 1, adc_1: 0x0203 } }],
    ['30', '1f', { attributes: { signal: 31 } }],
    ['31', '0e', { satellites: 14 }],
  ])('%s of %s says its own field, and nothing else', (id, value, said) => {
    const items = { [Number.parseInt(id, 16)]: Buffer.from(value, 'hex') };
    expect(read({ items })).toStrictEqual(reportOf(before2019, said));
    expect(read({ items }, since2019)).toStrictEqual(reportOf(since2019, said));
  });

  it.each([
    ['14', '00000000'],
    ['15', '00000000'],
    ['16', '00000000'],
    ['17', '0000'],
    ['25', '00000000'],
  ])('%s of %s, without a bit, says nothing', (id, value) => {
    const items = { [Number.parseInt(id, 16)]: Buffer.from(value, 'hex') };
    expect(read({ items })).toStrictEqual(reportOf(before2019));
  });

  it.each([
    ['15', 4, 1, 'video_lost_channels'],
    ['16', 4, 1, 'video_covered_channels'],
    ['17', 2, 1, 'faulty_storages'],
    ['25', 4, 0, 'vehicle_signals'],
  ])('%s, of %i bytes, counts its bits from %i, as %s', (id, length, first, name) => {
    for (const bit of upTo(length * 8)) {
      const items = { [Number.parseInt(id, 16)]: bytesOf(2 ** bit, length) };
      const attributes = { [name]: String(bit + first) };
      expect(read({ items })).toStrictEqual(reportOf(before2019, { attributes }));
    }
  });

  it.each([
    ['01', 4],
    ['02', 2],
    ['03', 2],
    ['04', 2],
    ['12', 6],
    ['13', 7],
    ['14', 4],
    ['15', 4],
    ['16', 4],
    ['17', 2],
    ['18', 2],
    ['25', 4],
    ['2a', 2],
    ['2b', 4],
  ])('%s that is shorter than %i bytes is kept as it came', (id, length) => {
    const value = 'ff'.repeat(length - 1);
    const items = { [Number.parseInt(id, 16)]: Buffer.from(value, 'hex') };
    const attributes = { [`item_${id}`]: value };
    expect(read({ items })).toStrictEqual(reportOf(before2019, { attributes }));
  });
});
