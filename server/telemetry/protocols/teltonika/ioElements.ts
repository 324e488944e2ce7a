import type { Attributes } from '../../../contract/fields.ts';

// What the elements of a record are. Source: wiki.teltonika-gps.com, "Teltonika Data Sending Parameters ID" of the FMB,
// FMC and FMM models, and where they agree with it those of the FM and FMB6 ones. Lists differ between families: an
// element counts as known only in the width that the list gives it, and is kept raw otherwise.

export interface IoValues {
  ignition: boolean | null;
  odometer_m: number | null;
  battery_pct: number | null;
  hdop: number | null;
  /** The panic button is pressed. */
  isPanic: boolean;
  attributes: Attributes;
}

interface Known {
  width: number;
  read: (value: Buffer, into: IoValues) => void;
}

/** What the contract allows a text. */
const longestHex = 1_000;

// DS18B20 data sheet: -55 to 125 °C. Others are the terminal's codes for a sensor that is not there.
const coldest = -55;
const hottest = 125;

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
  16: { width: 4, read: (value, into) => (into.odometer_m = value.readUInt32BE()) },
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
    read: (value, into) => (into.battery_pct = Math.min(100, value.readUInt8())),
  },
  115: signed(2, 'engine_c', 10),
  179: flag('output_1'),
  180: flag('output_2'),
  181: number(2, 'pdop', 10),
  182: { width: 2, read: (value, into) => (into.hdop = value.readUInt16BE() / 10) },
  199: number(4, 'trip_m'),
  200: number(1, 'sleep_mode'),
  205: number(2, 'cell_id'),
  206: number(2, 'area_code'),
  207: key('rfid'),
  236: {
    width: 1,
    read(value, into) {
      into.isPanic = value.readUInt8() !== 0;
    },
  },
  239: { width: 1, read: (value, into) => (into.ignition = value.readUInt8() !== 0) },
  240: flag('movement'),
  241: number(4, 'gsm_operator'),
};

/** Elements that nobody knows are kept as `io_` and their id: a number, or in hex what is longer than four bytes. */
export function readIo(io: ReadonlyMap<number, Buffer>): IoValues {
  const values: IoValues = {
    ignition: null,
    odometer_m: null,
    battery_pct: null,
    hdop: null,
    isPanic: false,
    attributes: {},
  };
  for (const [id, value] of io) {
    const element = known[id];
    if (element?.width === value.length) element.read(value, values);
    else if (value.length > 0) values.attributes[`io_${id}`] = rawValue(value);
  }
  return values;
}

function rawValue(value: Buffer): number | string {
  return value.length <= 4 ? value.readUIntBE(0, value.length) : value.toString('hex').slice(0, longestHex);
}

function flag(name: string): Known {
  return { width: 1, read: (value, { attributes }) => (attributes[name] = value.readUInt8() !== 0) };
}

/** Unsigned; `parts` of the unit, as mV is a thousandth of V. */
function number(width: number, name: string, parts = 1): Known {
  return {
    width,
    read: (value, { attributes }) => (attributes[name] = value.readUIntBE(0, width) / parts),
  };
}

function signed(width: number, name: string, parts = 1): Known {
  return {
    width,
    read: (value, { attributes }) => (attributes[name] = value.readIntBE(0, width) / parts),
  };
}

function temperature(name: string): Known {
  return {
    width: 4,
    read(value, { attributes }) {
      const degrees = value.readInt32BE() / 10;
      if (degrees >= coldest && degrees <= hottest) attributes[name] = degrees;
    },
  };
}

/** Of a person: all zeros are nobody's. */
function key(name: string): Known {
  return {
    width: 8,
    read(value, { attributes }) {
      if (value.some((byte) => byte !== 0)) attributes[name] = value.toString('hex');
    },
  };
}
