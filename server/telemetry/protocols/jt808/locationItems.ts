import type { Attributes } from '../../../contract/fields.ts';
import { bitsOf, driverAlarms, videoAlarms, type AlarmBits } from './alarms.ts';
import { asBuffer } from './message.ts';

// What may follow a position: id BYTE, length BYTE, value. JT/T 808-2013 tables 27 to 31; JT/T 1078-2016 table 13.

export interface LocationItems {
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
export function readItems(bytes: Uint8Array): LocationItems {
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
