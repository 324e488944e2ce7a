import { describe, expect, test } from 'vitest';
import { avlReport } from '../../../../../server/telemetry/protocols/teltonika/avlReport.ts';
import { readAvlData } from '../../../../../server/telemetry/protocols/teltonika/avlRecords.ts';
import { emptyReport, type TerminalReport } from '../../../../../server/telemetry/terminalReport.ts';
import { dataBytes, type FakeCodec, type FakeRecord } from '../../../../support/fakeTeltonika.ts';

// Every element by itself, as wiki.teltonika-gps.com, "Teltonika Data Sending Parameters ID", has its id, width, sign,
// multiplier and unit. Unsigned values have their highest bit set, so that no other sign or scale gives the same.

interface Row {
  id: number;
  width: number;
  /** A text: the bytes in Latin-1. */
  raw: number | string;
  /** What the report says beside what it says of a record without elements. */
  says: Partial<TerminalReport>;
}

const row = (id: number, width: number, raw: Row['raw'], says: Partial<TerminalReport>): Row => ({
  id,
  width,
  raw,
  says,
});

const attribute = (
  id: number,
  width: number,
  raw: Row['raw'],
  name: string,
  value: number | string | boolean,
) => row(id, width, raw, { attributes: { [name]: value } });

const flag = (id: number, name: string) => [
  attribute(id, 1, 0, name, false),
  attribute(id, 1, 1, name, true),
];

/** Of a Dallas sensor: 850, 2000, 3000, 4000 and 5000 are the terminal's codes for faults. */
const temperature = (id: number, name: string) => [
  attribute(id, 4, -123, name, -12.3),
  attribute(id, 4, 1_150, name, 115),
  attribute(id, 4, -550, name, -55),
  attribute(id, 4, 849, name, 84.9),
  ...[-551, 850, 1_251, 2_000, 3_000, 4_000, 5_000].map((raw) => row(id, 4, raw, {})),
];

const key = (id: number, name: string) => [
  attribute(id, 8, '\x81\x23\x45\x67\x89\xab\xcd\xef', name, '8123456789abcdef'),
  row(id, 8, '\0'.repeat(8), {}),
];

const fuelSensor = (sensor: number, levelId: number, temperatureId: number) => [
  attribute(levelId, 2, 4_095, `lls_${sensor}_level`, 4_095),
  attribute(levelId, 2, -5, `lls_${sensor}_level`, -5),
  attribute(temperatureId, 1, -40, `lls_${sensor}_c`, -40),
  attribute(temperatureId, 1, 80, `lls_${sensor}_c`, 80),
];

/** Those that a packet has a group for, and some that only its group of any length takes. */
const widths = [1, 2, 4, 8, 3, 16];

const elements: Row[] = [
  ...flag(1, 'input_1'),
  ...flag(2, 'input_2'),
  ...flag(3, 'input_3'),
  ...flag(4, 'input_4'),
  attribute(6, 2, 40_123, 'adc_2_v', 40.123),
  attribute(9, 2, 40_123, 'adc_1_v', 40.123),
  attribute(10, 2, 40_123, 'adc_2_v', 40.123),
  attribute(12, 4, 3_000_000_123, 'gnss_fuel_used_l', 3_000_000.123),
  attribute(13, 2, 40_123, 'gnss_fuel_rate_l_100km', 401.23),
  row(16, 4, 3_000_000_123, { odometer_m: 3_000_000_123 }),
  attribute(17, 2, -8_000, 'acceleration_x_mg', -8_000),
  attribute(18, 2, -8_000, 'acceleration_y_mg', -8_000),
  attribute(19, 2, -8_000, 'acceleration_z_mg', -8_000),
  attribute(21, 1, 133, 'gsm_signal', 133),
  attribute(24, 2, 40_123, 'gnss_speed_kmh', 40_123),
  attribute(30, 1, 201, 'dtc_count', 201),
  attribute(31, 1, 201, 'engine_load_pct', 201),
  attribute(32, 1, -40, 'coolant_c', -40),
  attribute(32, 1, 95, 'coolant_c', 95),
  attribute(36, 2, 40_123, 'engine_rpm', 40_123),
  attribute(37, 1, 201, 'obd_speed_kmh', 201),
  attribute(48, 1, 201, 'fuel_level_pct', 201),
  attribute(66, 2, 40_123, 'external_v', 40.123),
  attribute(67, 2, 40_123, 'battery_v', 40.123),
  attribute(68, 2, 40_123, 'battery_a', 40.123),
  attribute(69, 1, 131, 'gnss_status', 131),
  ...temperature(72, 'temperature_1_c'),
  ...temperature(73, 'temperature_2_c'),
  ...temperature(74, 'temperature_3_c'),
  ...temperature(75, 'temperature_4_c'),
  ...key(78, 'ibutton'),
  attribute(80, 1, 133, 'data_mode', 133),
  attribute(81, 1, 201, 'can_speed_kmh', 201),
  attribute(82, 1, 201, 'accelerator_pct', 201),
  attribute(83, 4, 3_000_000_123, 'fuel_used_l', 300_000_012.3),
  attribute(84, 2, 40_123, 'fuel_l', 4_012.3),
  attribute(85, 2, 40_123, 'engine_rpm', 40_123),
  attribute(87, 4, 3_000_000_123, 'can_odometer_m', 3_000_000_123),
  attribute(89, 1, 201, 'fuel_level_pct', 201),
  attribute(110, 2, 40_123, 'fuel_rate_l_h', 4_012.3),
  row(113, 1, 87, { battery_pct: 87 }),
  row(113, 1, 100, { battery_pct: 100 }),
  row(113, 1, 201, { battery_pct: 100 }),
  attribute(115, 2, -403, 'engine_c', -40.3),
  attribute(115, 2, 955, 'engine_c', 95.5),
  ...flag(179, 'output_1'),
  ...flag(180, 'output_2'),
  attribute(181, 2, 40_123, 'pdop', 4_012.3),
  row(182, 2, 40_123, { hdop: 4_012.3 }),
  attribute(199, 4, 3_000_000_123, 'trip_m', 3_000_000_123),
  attribute(200, 1, 132, 'sleep_mode', 132),
  ...fuelSensor(1, 201, 202),
  ...fuelSensor(2, 203, 204),
  attribute(205, 2, 40_123, 'cell_id', 40_123),
  attribute(206, 2, 40_123, 'area_code', 40_123),
  ...key(207, 'rfid'),
  ...fuelSensor(3, 210, 211),
  ...fuelSensor(4, 212, 213),
  ...fuelSensor(5, 214, 215),
  row(236, 1, 0, {}),
  row(236, 1, 1, { alarms: ['sos'] }),
  row(239, 1, 0, { ignition: false }),
  row(239, 1, 1, { ignition: true }),
  ...flag(240, 'movement'),
  attribute(241, 4, 3_000_024_701, 'gsm_operator', 3_000_024_701),
  attribute(389, 4, 3_000_000_123, 'obd_odometer_m', 3_000_000_123_000),
  attribute(390, 4, 3_000_000_123, 'fuel_l', 300_000_012.3),
  ...widths.map((width) => {
    const name = 'JANIS BERZINS II'.slice(0, width).trim().padEnd(width, '.');
    return attribute(403, width, name, 'driver_name', name);
  }),
  attribute(406, 4, 3_000_000_123, 'driver_card_id', 3_000_000_123),
];

/** By the element that makes the terminal write the record: what its values are alarms of. */
const events: { id: number; value: number; alarms: string[] }[] = [
  { id: 246, value: 0, alarms: [] },
  { id: 246, value: 1, alarms: ['towing'] },
  { id: 247, value: 0, alarms: [] },
  // 1 and 6: a crash, by a calibrated and an uncalibrated terminal; 2 to 5: one whose trace comes along.
  ...[1, 2, 3, 4, 5, 6].map((value) => ({ id: 247, value, alarms: ['collision'] })),
  { id: 249, value: 0, alarms: [] },
  { id: 249, value: 1, alarms: ['gsm_jamming'] },
  { id: 252, value: 0, alarms: [] },
  { id: 252, value: 1, alarms: ['power_cut'] },
  { id: 253, value: 0, alarms: [] },
  { id: 253, value: 1, alarms: ['harsh_acceleration'] },
  { id: 253, value: 2, alarms: ['harsh_braking'] },
  { id: 253, value: 3, alarms: ['harsh_cornering'] },
  { id: 253, value: 4, alarms: [] },
  // The value is the speed.
  { id: 255, value: 1, alarms: ['overspeed'] },
  { id: 255, value: 131, alarms: ['overspeed'] },
  { id: 318, value: 0, alarms: [] },
  // A warning, and a fix that cannot be had.
  { id: 318, value: 1, alarms: ['gnss_jamming'] },
  { id: 318, value: 2, alarms: ['gnss_jamming'] },
];

const fix: FakeRecord = {
  time_ms: Date.UTC(2026, 10, 22),
  lat: 56.95,
  lon: 24.1,
  altitude_m: -3,
  course_deg: 271,
  satellites: 11,
  speed_kmh: 43,
};

/** What is said of it when it has no elements. */
const bare: TerminalReport = {
  ...emptyReport,
  terminal_id: '1',
  time_ms: Date.UTC(2026, 10, 22),
  place: { lat: 56.95, lon: 24.1 },
  altitude_m: -3,
  course_deg: 271,
  satellites: 11,
  speed_kmh: 43,
};

const allIds = Array.from({ length: 65_536 }, (_, id) => id);

function reportIn(data: Buffer): TerminalReport {
  const read = readAvlData(data);
  const [record] = read.kind === 'records' ? read.records : [];
  if (record === undefined) throw new Error('no record');
  return avlReport(record, '1');
}

function reportOf(more: Partial<FakeRecord>, codec: FakeCodec = 0x8e): TerminalReport {
  return reportIn(dataBytes([{ ...fix, ...more }], codec));
}

function bytesOf({ width, raw }: Pick<Row, 'width' | 'raw'>): Buffer {
  if (typeof raw === 'string') return Buffer.from(raw, 'latin1');
  const bytes = Buffer.alloc(width);
  if (raw < 0) bytes.writeIntBE(raw, 0, width);
  else bytes.writeUIntBE(raw, 0, width);
  return bytes;
}

function inOrder(ids: Iterable<number>): number[] {
  return [...new Set(ids)].sort((one, other) => one - other);
}

test('a record without elements says where the vehicle is, and nothing else', () => {
  expect(reportOf({})).toEqual(bare);
});

describe('an element', () => {
  test.each(
    elements.map((it) => ({ ...it, hex: bytesOf(it).toString('hex'), attributes: JSON.stringify(it.says) })),
  )('$id of $width bytes, $hex, gives $attributes', ({ id, width, raw, says }) => {
    const value = bytesOf({ width, raw });
    expect(value).toHaveLength(width);
    expect(reportOf({ io: { [id]: value } })).toEqual({ ...bare, ...says });
  });

  // Bytes of letters: no known element keeps those raw.
  test.each(widths)('an element of %i bytes is kept raw when it is none of these', (width) => {
    const value = Buffer.alloc(width, 'A');
    const raw = width <= 4 ? value.readUIntBE(0, width) : value.toString('hex');
    const many = 100;
    const read = allIds.flatMap((first) => {
      if (first % many !== 0) return [];
      const ids = allIds.slice(first, first + many);
      const { attributes } = reportOf({ io: Object.fromEntries(ids.map((id) => [id, value])) });
      return ids.filter((id) => attributes[`io_${id}`] !== raw);
    });
    expect(read).toEqual(inOrder(elements.filter((it) => it.width === width).map(({ id }) => id)));
  });
});

describe('an event', () => {
  test.each(events)(
    'an event of element $id with the value $value is the alarms $alarms',
    ({ id, value, alarms }) => {
      const io = { [id]: Buffer.of(value) };
      const attributes = { [`io_${id}`]: value };
      expect(reportOf({ eventIo: id, io })).toEqual({
        ...bare,
        alarms,
        attributes: { ...attributes, event_io: id },
      });
      // The same value is none when something else made the terminal write the record.
      expect(reportOf({ eventIo: 1, io })).toEqual({
        ...bare,
        attributes: { ...attributes, event_io: 1 },
      });
    },
  );

  test('an event comes behind the panic button', () => {
    expect(reportOf({ priority: 2, eventIo: 253, io: { 253: Buffer.of(3) } })).toMatchObject({
      alarms: ['sos', 'harsh_cornering'],
    });
  });

  test('an event of any other element is no alarm', () => {
    const data = dataBytes([{ ...fix, eventIo: 0x1234, io: { 0x1234: Buffer.of(0) } }], 0x8e);
    const eventAt = data.indexOf('1234', 0, 'hex');
    const elementAt = data.lastIndexOf('1234', undefined, 'hex');
    const alarming = [1, 2, 3, 255].flatMap((value) =>
      allIds.filter((id) => {
        data.writeUInt16BE(id, eventAt);
        data.writeUInt16BE(id, elementAt);
        data.writeUInt8(value, elementAt + 2);
        return reportIn(data).alarms.length > 0;
      }),
    );
    // The panic button is an alarm whatever made the terminal write the record.
    expect(inOrder(alarming)).toEqual(inOrder([236, ...events.map(({ id }) => id)]));
  });
});

describe('a record', () => {
  test.each([
    [0, {}, []],
    [1, { priority: 1 }, []],
    [2, { priority: 2 }, ['sos']],
  ])('a record of priority %i has the attributes %j and the alarms %j', (priority, attributes, alarms) => {
    expect(reportOf({ priority })).toEqual({ ...bare, alarms, attributes });
  });

  // On exit, on entrance, on both, reserved, hysteresis, on change, eventual, periodical.
  test.each([0, 1, 2, 3, 4, 5, 6, 7])(
    'a record of codec 16 keeps that it is of the generation type %i',
    (type) => {
      const data = dataBytes([fix], 0x10);
      const at = 2 + 24 + 2;
      expect(data.readUInt8(at)).toBe(7);
      data.writeUInt8(type, at);
      expect(reportIn(data)).toEqual({ ...bare, attributes: { generation_type: type } });
    },
  );

  test('a record of codec 8 has no generation type', () => {
    expect(reportOf({}, 0x08)).toEqual(bare);
  });
});
