import { type TerminalReport, maxAttributes } from '../../terminalReport.ts';
import { forEachElement, type AvlRecord, type Elements } from './avlRecords.ts';
import type { Attributes } from '../../../contract/fields.ts';

const panicPriority = 2;

/**
 * Alarms of the terminal itself, by the element that made it write the record and that element's value; those that are
 * kinds of events here have the kind's name.
 */
const alarmsOfEvents: Readonly<Record<number, (value: number) => string | null>> = {
  246: (value) => (value === 1 ? 'towing' : null),
  247: (value) => (value >= 1 ? 'collision' : null),
  249: (value) => (value === 1 ? 'gsm_jamming' : null),
  252: (value) => (value === 1 ? 'power_cut' : null),
  253: (value) => [null, 'harsh_acceleration', 'harsh_braking', 'harsh_cornering'][value] ?? null,
  255: () => 'overspeed',
  318: (value) => (value >= 1 ? 'gnss_jamming' : null),
};

/** One record in the common form of all protocols. */
export function avlReport(record: AvlRecord, terminal_id: string): TerminalReport {
  const { time_ms, lat, lon, altitude_m, course_deg, satellites, speed_kmh, priority } = record;
  const { event_io, generation_type } = record;
  const { attributes, isPanic, hdop, ignition, odometer_m, battery_pct } = readIo(record.io);
  if (priority !== 0) attributes['priority'] = priority;
  if (event_io !== 0) attributes['event_io'] = event_io;
  if (generation_type !== null) attributes['generation_type'] = generation_type;
  const alarms = priority === panicPriority || isPanic ? ['sos'] : [];
  const alarm = alarmOf(record);
  if (alarm !== null) alarms.push(alarm);
  // By Teltonika's definition all three are 0 without a fix.
  const hasFix = satellites > 0 || speed_kmh > 0 || course_deg > 0;
  const isOnEarth = Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  // Field by field: spread over what no message says, each record of the fleet costs a copy of it.
  return {
    time_ms,
    // Without a fix the last place is repeated; what was never one is no reason to refuse all the rest.
    place: hasFix || isOnEarth ? { lat, lon } : null,
    altitude_m,
    speed_kmh,
    course_deg: course_deg > 360 ? null : course_deg % 360,
    accuracy_m: null,
    satellites,
    hdop,
    valid: hasFix,
    ignition,
    odometer_m,
    battery_pct,
    alarms,
    attributes,
    terminal_id,
  };
}

function alarmOf({ event_io, io }: AvlRecord): string | null {
  const toAlarm = alarmsOfEvents[event_io];
  if (toAlarm === undefined) return null;
  const value = numberIn(io, event_io);
  return value === null ? null : toAlarm(value);
}

/** Null for an element that is not there, and for one that is no number. */
function numberIn(io: Elements, target: number): number | null {
  let value: number | null = null;
  forEachElement(io, (id, at, length) => {
    if (id === target && length > 0 && length <= 4) value = io.bytes.readUIntBE(at, length);
  });
  return value;
}

// What the elements of a record are. Source: wiki.teltonika-gps.com, "Teltonika Data Sending Parameters ID" of the FMB,
// FMC and FMM models, and where they agree with it those of the FM and FMB6 ones. Lists differ between families: an
// element counts as known only in the width that the list gives it, and is kept raw otherwise.

interface IoValues {
  ignition: boolean | null;
  odometer_m: number | null;
  battery_pct: number | null;
  hdop: number | null;
  /** The panic button is pressed. */
  isPanic: boolean;
  attributes: Attributes;
}

interface Known {
  /** Null: of whatever width it comes. */
  width: number | null;
  /** @param at where the value stands in the packet, `length` long */
  read: (bytes: Buffer, at: number, into: IoValues, length: number) => void;
}

/** What the contract allows a text. */
const maxHex = 1_000;

// DS18B20 data sheet: -55 to 125 °C. Others are the terminal's codes for a sensor that is not there.
const coldest = -55;
const hottest = 125;
/** What the sensor says before it has measured: to the terminal a code as well, of one that is not ready. */
const notReady = 85;

const known: Readonly<Record<number, Known>> = {
  1: flag('input_1'),
  2: flag('input_2'),
  3: flag('input_3'),
  4: flag('input_4'),
  6: number(2, 'adc_2_v', 1_000),
  9: number(2, 'adc_1_v', 1_000),
  10: number(2, 'adc_2_v', 1_000),
  12: number(4, 'gnss_fuel_used_l', 1_000),
  13: number(2, 'gnss_fuel_rate_l_100km', 100),
  16: { width: 4, read: (bytes, at, into) => (into.odometer_m = bytes.readUInt32BE(at)) },
  17: signed(2, 'acceleration_x_mg'),
  18: signed(2, 'acceleration_y_mg'),
  19: signed(2, 'acceleration_z_mg'),
  21: number(1, 'gsm_signal'),
  24: number(2, 'gnss_speed_kmh'),
  30: number(1, 'dtc_count'),
  31: number(1, 'engine_load_pct'),
  32: signed(1, 'coolant_c'),
  36: number(2, 'engine_rpm'),
  37: number(1, 'obd_speed_kmh'),
  48: number(1, 'fuel_level_pct'),
  66: number(2, 'external_v', 1_000),
  67: number(2, 'battery_v', 1_000),
  68: number(2, 'battery_a', 1_000),
  69: number(1, 'gnss_status'),
  72: temperature('temperature_1_c'),
  73: temperature('temperature_2_c'),
  74: temperature('temperature_3_c'),
  75: temperature('temperature_4_c'),
  78: key('ibutton'),
  80: number(1, 'data_mode'),
  81: number(1, 'can_speed_kmh'),
  82: number(1, 'accelerator_pct'),
  83: number(4, 'fuel_used_l', 10),
  84: number(2, 'fuel_l', 10),
  85: number(2, 'engine_rpm'),
  87: number(4, 'can_odometer_m'),
  89: number(1, 'fuel_level_pct'),
  110: number(2, 'fuel_rate_l_h', 10),
  113: {
    width: 1,
    read: (bytes, at, into) => (into.battery_pct = Math.min(100, bytes.readUInt8(at))),
  },
  115: signed(2, 'engine_c', 10),
  179: flag('output_1'),
  180: flag('output_2'),
  181: number(2, 'pdop', 10),
  182: { width: 2, read: (bytes, at, into) => (into.hdop = bytes.readUInt16BE(at) / 10) },
  199: number(4, 'trip_m'),
  200: number(1, 'sleep_mode'),
  201: level(1),
  202: signed(1, 'lls_1_c'),
  203: level(2),
  204: signed(1, 'lls_2_c'),
  205: number(2, 'cell_id'),
  206: number(2, 'area_code'),
  207: key('rfid'),
  210: level(3),
  211: signed(1, 'lls_3_c'),
  212: level(4),
  213: signed(1, 'lls_4_c'),
  214: level(5),
  215: signed(1, 'lls_5_c'),
  236: {
    width: 1,
    read(bytes, at, into) {
      into.isPanic = bytes.readUInt8(at) !== 0;
    },
  },
  239: { width: 1, read: (bytes, at, into) => (into.ignition = bytes.readUInt8(at) !== 0) },
  240: flag('movement'),
  241: number(4, 'gsm_operator'),
  389: {
    width: 4,
    read: (bytes, at, { attributes }) => (attributes['obd_odometer_m'] = bytes.readUInt32BE(at) * 1_000),
  },
  390: number(4, 'fuel_l', 10),
  403: {
    width: null,
    read(bytes, at, { attributes }, length) {
      const text = bytes
        .toString('latin1', at, at + length)
        .replaceAll('\0', '')
        .trim();
      if (text !== '' && /^[\x20-\x7e]+$/.test(text)) attributes['driver_name'] = text.slice(0, maxHex);
      // Names that are not in ASCII come in encodings that the list does not name.
      else if (text !== '') attributes['io_403'] = rawValue(bytes, at, length);
    },
  },
  406: number(4, 'driver_card_id'),
};

/**
 * Elements that nobody knows are kept as `io_` and their id: a number, or in hex what is longer than four bytes; the
 * first of them, where there are more than a message may have.
 */
function readIo(io: Elements): IoValues {
  const { bytes } = io;
  const values: IoValues = {
    ignition: null,
    odometer_m: null,
    battery_pct: null,
    hdop: null,
    isPanic: false,
    attributes: {},
  };
  let strange = 0;
  forEachElement(io, (id, at, length) => {
    if (length === 0) return;
    const element = known[id];
    if (element !== undefined && (element.width === null || element.width === length))
      element.read(bytes, at, values, length);
    else if (strange < maxAttributes) {
      values.attributes[rawName(id)] = rawValue(bytes, at, length);
      strange += 1;
    }
  });
  return values;
}

// By id; a fleet has some hundreds of them, and there are no more than a WORD can name.
const rawNames = new Map<number, string>();

function rawName(id: number): string {
  let name = rawNames.get(id);
  if (name === undefined) {
    name = `io_${id}`;
    rawNames.set(id, name);
  }
  return name;
}

function rawValue(bytes: Buffer, at: number, length: number): number | string {
  if (length <= 4) return bytes.readUIntBE(at, length);
  return bytes.toString('hex', at, at + Math.min(length, maxHex / 2));
}

function flag(name: string): Known {
  return { width: 1, read: (bytes, at, { attributes }) => (attributes[name] = bytes.readUInt8(at) !== 0) };
}

/** Unsigned; `parts` of the unit, as mV is a thousandth of V. */
function number(width: number, name: string, parts = 1): Known {
  return {
    width,
    read: (bytes, at, { attributes }) => (attributes[name] = bytes.readUIntBE(at, width) / parts),
  };
}

function signed(width: number, name: string, parts = 1): Known {
  return {
    width,
    read: (bytes, at, { attributes }) => (attributes[name] = bytes.readIntBE(at, width) / parts),
  };
}

/** Of a fuel sensor, in litres or in its own steps as it is calibrated; what is below nothing is a fault of its. */
function level(sensor: number): Known {
  return signed(2, `lls_${sensor}_level`);
}

function temperature(name: string): Known {
  return {
    width: 4,
    read(bytes, at, { attributes }) {
      const degrees = bytes.readInt32BE(at) / 10;
      if (degrees >= coldest && degrees <= hottest && degrees !== notReady) attributes[name] = degrees;
    },
  };
}

/** Of a person: all zeros are nobody's. */
function key(name: string): Known {
  return {
    width: 8,
    read(bytes, at, { attributes }) {
      const isNobody = bytes.readUInt32BE(at) === 0 && bytes.readUInt32BE(at + 4) === 0;
      if (!isNobody) attributes[name] = bytes.toString('hex', at, at + 8);
    },
  };
}
