import { emptyReport, type TerminalReport } from '../../terminalReport.ts';
import { readBcdTime, standardOffsetMin } from './encodings.ts';
import { asBuffer, terminalIdOf, type Header } from './message.ts';
import type { Attributes } from '../../../contract/fields.ts';

// Names of alarms in our words; those that are kinds of events here (contract/events.ts) have the kind's name.

type BitNames = Readonly<Record<number, string>>;

/** The alarm DWORD: JT/T 808-2013 table 24. */
const general: BitNames = {
  0: 'sos',
  1: 'overspeed',
  2: 'fatigue_driving',
  3: 'danger_warning',
  4: 'gnss_fault',
  5: 'gnss_antenna_cut',
  6: 'gnss_antenna_short',
  7: 'low_battery',
  8: 'power_cut',
  9: 'display_fault',
  10: 'tts_fault',
  11: 'camera_fault',
  12: 'card_reader_fault',
  13: 'overspeed_warning',
  14: 'fatigue_warning',
  18: 'driving_time_exceeded',
  19: 'parked_too_long',
  20: 'area_crossed',
  21: 'route_crossed',
  22: 'segment_time',
  23: 'off_route',
  24: 'speed_sensor_fault',
  25: 'fuel_abnormal',
  26: 'theft',
  27: 'illegal_ignition',
  28: 'illegal_move',
  29: 'collision',
  30: 'rollover',
  31: 'illegal_door_opening',
};

/** Reserved before 2019, where makers put their own there. */
const since2019: BitNames = { 15: 'illegal_driving', 16: 'tyre_pressure', 17: 'blind_spot_fault' };

/** Item 14: JT/T 1078-2016 table 14. */
const video: BitNames = {
  0: 'video_signal_lost',
  1: 'video_signal_covered',
  2: 'video_storage_fault',
  3: 'video_fault',
  4: 'overloaded',
  5: 'abnormal_driving',
  6: 'video_alarm_storage_full',
};

/** Item 18: JT/T 1078-2016 table 15. */
const driver: BitNames = { 0: 'driver_fatigue', 1: 'driver_phone', 2: 'driver_smoking' };

/** The alarms that have a name, and the bits that have none; lowest first. */
interface AlarmBits {
  names: string[];
  unnamed: number[];
}

const generalSince2019: BitNames = { ...general, ...since2019 };

function generalAlarms(flags: number, is2019: boolean): AlarmBits {
  return named(flags, is2019 ? generalSince2019 : general);
}

function videoAlarms(flags: number): AlarmBits {
  return named(flags, video);
}

function driverAlarms(flags: number): AlarmBits {
  return named(flags, driver);
}

/** The bits that are set, lowest first; of a DWORD. */
function bitsOf(flags: number): number[] {
  return Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => ((flags >>> bit) & 1) === 1);
}

function named(flags: number, names: BitNames): AlarmBits {
  const bits = bitsOf(flags);
  return {
    names: bits.flatMap((bit) => names[bit] ?? []),
    unnamed: bits.filter((bit) => names[bit] === undefined),
  };
}

// The body of 0x0200: JT/T 808-2013 tables 23 to 25, 2019 tables 23 to 26.

export const fixedLength = 28;

// Bits of the status DWORD.
const ignition = 0;
const fix = 1;
const south = 2;
const west = 3;
const outOfService = 4;
const encryptedPlace = 5;
/** Reserved before 2019. */
const warnings: readonly [bit: number, name: string][] = [
  [6, 'forward_collision_warning'],
  [7, 'lane_departure_warning'],
];
const load = 8;
/** By the two bits of it. Terminals without a sensor say "empty" all the time, so that is not said; 2 is reserved. */
const loads: readonly (string | null)[] = [null, 'half', null, 'full'];
const fuelCut = 10;
const circuitCut = 11;
const doorsLocked = 12;
const firstListener = 13;
const lastListener = 17;
const satelliteSystems: readonly [bit: number, name: string][] = [
  [18, 'gps'],
  [19, 'beidou'],
  [20, 'glonass'],
  [21, 'galileo'],
];
/** Reserved before 2019. */
const moving = 22;

/** What the contract allows a position. */
const maxAlarms = 32;

/** No road is so high: such an altitude is a negative number that was written as a WORD. */
const firstNegativeM = 0x8000;

/** Null for a body that is too short to be a position. */
export function readLocation(body: Uint8Array, header: Header): TerminalReport | null {
  if (body.length < fixedLength) return null;
  const bytes = asBuffer(body);
  const is2019 = header.version !== null;
  const alarms = generalAlarms(bytes.readUInt32BE(0), is2019);
  const status = bytes.readUInt32BE(4);
  const is = (bit: number) => ((status >>> bit) & 1) === 1;
  const altitude = bytes.readUInt16BE(16);
  const course = bytes.readUInt16BE(20);
  const time_ms = readBcdTime(body.subarray(22, fixedLength), standardOffsetMin);
  const items = readItems(body.subarray(fixedLength));
  const openDoors = bitsOf(status)
    .filter((bit) => bit >= firstListener && bit <= lastListener)
    .map((bit) => bit - firstListener + 1);
  const namesOf = (bits: readonly [bit: number, name: string][]) =>
    bits.flatMap(([bit, name]) => (is(bit) ? [name] : []));
  const loaded = loads[(status >>> load) & 0b11] ?? null;
  const systems = namesOf(satelliteSystems);
  return {
    ...emptyReport,
    terminal_id: terminalIdOf(header),
    time_ms,
    place: {
      lat: degrees(bytes.readUInt32BE(8), is(south)),
      lon: degrees(bytes.readUInt32BE(12), is(west)),
    },
    altitude_m: altitude >= firstNegativeM ? altitude - 0x1_0000 : altitude,
    speed_kmh: bytes.readUInt16BE(18) / 10,
    course_deg: course > 360 ? null : course % 360,
    // Without its moment a place would be drawn as the present one.
    valid: is(fix) && time_ms !== null,
    ignition: is(ignition),
    odometer_m: items.odometer_m,
    satellites: items.satellites,
    // The emergency button is the first of them.
    alarms: [...new Set([...alarms.names, ...(is2019 ? namesOf(warnings) : []), ...items.alarms])].slice(
      0,
      maxAlarms,
    ),
    attributes: {
      ...items.attributes,
      // As it is too: makers give the reserved bits a meaning of their own.
      status,
      ...(alarms.unnamed.length > 0 ? { alarm_bits: alarms.unnamed.join(',') } : {}),
      ...(is(outOfService) ? { out_of_service: true } : {}),
      ...(is(encryptedPlace) ? { place_encrypted: true } : {}),
      ...(is(fuelCut) ? { fuel_cut: true } : {}),
      ...(is(circuitCut) ? { circuit_cut: true } : {}),
      ...(is(doorsLocked) ? { doors_locked: true } : {}),
      ...(openDoors.length > 0 ? { doors_open: openDoors.join(',') } : {}),
      ...(loaded === null ? {} : { load: loaded }),
      ...(systems.length > 0 ? { satellite_systems: systems.join(',') } : {}),
      ...(is2019 ? { movement: is(moving) } : {}),
    },
  };
}

/** 0x0201: the serial of the platform's question, then a position. */
export function readLocationResponse(body: Uint8Array, header: Header): TerminalReport | null {
  return readLocation(body.subarray(2), header);
}

interface LocationBatch {
  /** Those that can be read for sure. */
  reports: TerminalReport[];
  /** How many there are by its own words. */
  stated: number;
  /**
   * Whether nothing of it is lost: each has the length that it says, as many are there as it says, and no byte is left.
   */
  isWhole: boolean;
}

/** 0x0704: positions that were kept back, in whatever order. */
export function readLocationBatch(body: Uint8Array, header: Header): LocationBatch {
  const bytes = asBuffer(body);
  if (bytes.length < 3) return { reports: [], stated: 0, isWhole: false };
  const stated = bytes.readUInt16BE(0);
  const reports: TerminalReport[] = [];
  let broken = 0;
  let at = 3; // behind the count and the kind
  while (at + 2 <= bytes.length) {
    const start = at + 2;
    const end = start + bytes.readUInt16BE(at);
    const report = end > bytes.length ? null : readLocation(body.subarray(start, end), header);
    // Behind a broken one the lengths may be out of step, and bytes read at a wrong place hardly ever make a moment.
    if (report === null || (broken > 0 && report.time_ms === null)) broken += 1;
    else reports.push(report);
    at = end;
  }
  const isWhole = broken === 0 && at === bytes.length && reports.length >= stated;
  return { reports, stated, isWhole };
}

/** Written in millionths, its side of the equator or of Greenwich in a status bit. The store knows one zero only. */
function degrees(millionths: number, isNegative: boolean): number {
  return (isNegative && millionths !== 0 ? -millionths : millionths) / 1e6;
}

// What may follow a position: id BYTE, length BYTE, value. JT/T 808-2013 tables 27 to 31; JT/T 1078-2016 table 13.

interface LocationItems {
  odometer_m: number | null;
  satellites: number | null;
  alarms: string[];
  attributes: Attributes;
}

type ReadItem = (value: Buffer, into: LocationItems) => void;

/** By id; `length` is what the value has at least. */
const known: Readonly<Record<number, { length: number; read: ReadItem }>> = {
  0x01: { length: 4, read: (value, into) => (into.odometer_m = value.readUInt32BE(0) * 100) },
  0x02: attribute(2, 'fuel_l', (value) => value.readUInt16BE(0) / 10),
  0x03: attribute(2, 'recorder_speed_kmh', (value) => value.readUInt16BE(0) / 10),
  0x04: attribute(2, 'event_to_confirm', (value) => value.readUInt16BE(0)),
  0x11: {
    length: 1,
    read(value, { attributes }) {
      attributes['overspeed_place_type'] = value.readUInt8(0);
      if (value.length >= 5) attributes['overspeed_place'] = value.readUInt32BE(1);
    },
  },
  0x12: {
    length: 6,
    read(value, { attributes }) {
      attributes['crossed_place_type'] = value.readUInt8(0);
      attributes['crossed_place'] = value.readUInt32BE(1);
      attributes['crossed_way'] = value.readUInt8(5) === 0 ? 'in' : 'out';
    },
  },
  0x13: {
    length: 7,
    read(value, { attributes }) {
      attributes['segment'] = value.readUInt32BE(0);
      attributes['segment_s'] = value.readUInt16BE(4);
      attributes['segment_result'] = value.readUInt8(6) === 0 ? 'too_short' : 'too_long';
    },
  },
  0x14: {
    length: 4,
    read: (value, into) => take(videoAlarms(value.readUInt32BE(0)), 'video_alarm_bits', into),
  },
  0x15: attribute(4, 'video_lost_channels', (value) => counted(value.readUInt32BE(0))),
  0x16: attribute(4, 'video_covered_channels', (value) => counted(value.readUInt32BE(0))),
  0x17: attribute(2, 'faulty_storages', (value) => counted(value.readUInt16BE(0))),
  0x18: {
    length: 2,
    read(value, into) {
      take(driverAlarms(value.readUInt16BE(0)), 'driver_alarm_bits', into);
      // The table says two bytes and lists three.
      if (value.length >= 3) into.attributes['driver_fatigue_degree'] = value.readUInt8(2);
    },
  },
  0x25: attribute(4, 'vehicle_signals', (value) => bitsOf(value.readUInt32BE(0)).join(',')),
  0x2a: attribute(2, 'io_status', (value) => value.readUInt16BE(0)),
  0x2b: {
    length: 4,
    read(value, { attributes }) {
      attributes['adc_0'] = value.readUInt16BE(2);
      attributes['adc_1'] = value.readUInt16BE(0);
    },
  },
  0x30: attribute(1, 'signal', (value) => value.readUInt8(0)),
  0x31: { length: 1, read: (value, into) => (into.satellites = value.readUInt8(0)) },
};

/** Items that nobody knows are kept as they came, in hex. Reads as far as the lengths fit. */
function readItems(bytes: Uint8Array): LocationItems {
  const buffer = asBuffer(bytes);
  const items: LocationItems = { odometer_m: null, satellites: null, alarms: [], attributes: {} };
  for (let at = 0; at + 2 <= buffer.length;) {
    const id = buffer.readUInt8(at);
    const end = at + 2 + buffer.readUInt8(at + 1);
    if (end > buffer.length) break;
    const value = buffer.subarray(at + 2, end);
    const item = known[id];
    if (item !== undefined && value.length >= item.length) item.read(value, items);
    else if (value.length > 0) items.attributes[`item_${hexOf(id)}`] = value.toString('hex');
    at = end;
  }
  return items;
}

/** What says nothing, an empty list, is left out. */
function attribute(length: number, name: string, valueOf: (value: Buffer) => number | string) {
  return {
    length,
    read(value: Buffer, { attributes }: LocationItems) {
      const received = valueOf(value);
      if (received !== '') attributes[name] = received;
    },
  };
}

/** Bits without a name are kept by their numbers: makers give them a meaning of their own. */
function take({ names, unnamed }: AlarmBits, name: string, { alarms, attributes }: LocationItems): void {
  alarms.push(...names);
  if (unnamed.length > 0) attributes[name] = unnamed.join(',');
}

/** The bits that are set, counted from 1 as channels and storages are. */
function counted(flags: number): string {
  return bitsOf(flags)
    .map((bit) => bit + 1)
    .join(',');
}

function hexOf(id: number): string {
  return id.toString(16).padStart(2, '0');
}
