import * as values from './osmandValues.ts';
import type { Attributes } from '../../../contract/fields.ts';
import {
  emptyReport,
  unreadableReports,
  type TerminalReport,
  maxKey,
  maxText,
  maxAttributes,
} from '../../terminalReport.ts';
import { finite, known, Unreadable, type Faults } from './osmandValues.ts';

// The JSON of newer Traccar Clients (from 9.0), which is that of the location library beneath them: one location, or a
// list of those that were kept back.

type Json = Record<string, unknown>;

/** The shortest that says anything has some sixty bytes, and a body is bounded. */
const maxLocations = 1_000;

/** The library's own has five, from the body to what an extra may hold; deeper ones would fill the stack. */
const maxLevels = 32;

/**
 * Decodes the JSON form; its speed is in m/s, -1 stands for unknown. Of a list the locations that cannot be read are
 * reports that say so. Throws `Unreadable`.
 */
export function decodeOsmandJson(text: string): TerminalReport[] {
  const whole = jsonObject(text);
  const named = whole['device_id'];
  if ((typeof named !== 'string' || named === '') && typeof named !== 'number')
    throw new Unreadable('missing_id', 'device_id is not there');
  const terminalId = String(named);
  const { location } = whole;
  if (!Array.isArray(location)) {
    const one = objectOf(location, 'location');
    return [locationReport(terminalId, { ...one, timestamp: one['timestamp'] ?? whole['timestamp'] })];
  }
  if (location.length === 0) throw new Unreadable('undecodable', 'location is an empty list');
  if (location.length > maxLocations)
    throw new Unreadable('undecodable', `more than ${maxLocations} locations`);
  return location.flatMap((one: unknown) => reportsOfOne(terminalId, one));
}

function reportsOfOne(terminalId: string, one: unknown): TerminalReport[] {
  try {
    return [locationReport(terminalId, objectOf(one ?? false, 'a location'))];
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return unreadableReports(terminalId, error.message, { text: JSON.stringify(one) });
  }
}

function locationReport(terminalId: string, location: Json): TerminalReport {
  const faults: Faults = [];
  const coords = objectOf(location['coords'], 'coords', faults);
  const optional = (key: string) => objectOf(location[key], key, []);
  const [battery, extras] = [optional('battery'), optional('extras')];
  const lat = coordinate(coords, 'latitude', faults);
  const lon = coordinate(coords, 'longitude', faults);
  const place = values.placeOf(lat, lon, faults);
  const { timestamp } = location;
  const isStamp = typeof timestamp === 'string' || typeof timestamp === 'number';
  const time_ms = isStamp ? values.timeOf(String(timestamp), faults) : null;
  const alarms = values.boundedAlarms([
    ...values.buttonOf(extras['sos'], location['event']),
    ...alarmNames(location['alarm']),
    ...alarmNames(extras['alarm']),
  ]);
  values.endureFaults(faults, alarms);
  const speed = known(coords['speed']);
  const level = known(battery['level']);
  return {
    ...emptyReport,
    terminal_id: terminalId,
    time_ms,
    place,
    altitude_m: finite(coords['altitude']),
    speed_kmh: speed === null ? null : known(speed * values.kmhPer.ms),
    course_deg: values.courseOf(finite(coords['heading'])),
    accuracy_m: known(coords['accuracy']),
    odometer_m: known(location['odometer']),
    battery_pct: level === null ? null : values.percentOf(level * 100),
    alarms,
    attributes: attributesOf(location, battery, extras),
  };
}

/** Numbers may be written as text. */
function coordinate(coords: Json, key: string, faults: Faults): number | null {
  const value = coords[key] ?? null;
  if (value === null) return null;
  const number = typeof value === 'string' ? values.numberOf(value) : finite(value);
  if (number === null) faults.push(`${key} is not a number`);
  return number;
}

/** By their names, with commas or in a list. */
function alarmNames(value: unknown): string[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.flatMap((one) => (typeof one === 'string' ? values.alarmsOf(one) : []));
}

function attributesOf(location: Json, battery: Json, extras: Json): Attributes {
  const { activity } = location;
  const { alarm: _, ...others } = extras;
  const all: [key: string, value: unknown][] = [
    ['event', location['event']],
    ['is_moving', location['is_moving']],
    ['charge', battery['is_charging']],
    ['activity', isObject(activity) ? activity['type'] : undefined],
    ['mock', location['mock']],
    ...Object.entries(others),
  ];
  const attributes: Attributes = {};
  for (const [key, value] of all.slice(0, maxAttributes)) {
    if (key === '') continue;
    const retained = typeof value === 'number' ? finite(value) : value;
    const name = key.slice(0, maxKey);
    if (typeof retained === 'string') attributes[name] = retained.slice(0, maxText);
    if (typeof retained === 'number' || typeof retained === 'boolean') attributes[name] = retained;
  }
  return attributes;
}

function jsonObject(text: string): Json {
  const value = parsed(text);
  if (!isObject(value)) throw new Unreadable('undecodable', 'the body is not a JSON object');
  if (isDeeper(value, maxLevels)) throw new Unreadable('undecodable', 'the body is nested too deeply');
  return value;
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1));
}

/** Empty for what is not there. Of anything else but an object nothing can be read: a fault, or it throws `Unreadable`. */
function objectOf(value: unknown, name: string, faults?: Faults): Json {
  if (isObject(value)) return value;
  if (value === undefined || value === null) return {};
  const fault = `${name} is not an object`;
  if (faults === undefined) throw new Unreadable('undecodable', fault);
  faults.push(fault);
  return {};
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
