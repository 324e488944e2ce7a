import type { Attributes } from '../../contract/fields.ts';
import { emptyReport, type Report } from '../report.ts';

// OsmAnd / Traccar Client over HTTP: parameters in the query string or in a form-encoded body, or the JSON of newer
// Traccar Clients. Sources: traccar.org/osmand; behaviour of Traccar's decoder. A default port of 5055 is usual.

export type SpeedUnit = 'kn' | 'kmh' | 'ms';

const kmhPer: Record<SpeedUnit, number> = { kn: 1.852, kmh: 1, ms: 3.6 };

/** A message that cannot be read; `missing_id` when it does not even say whose it is. */
export class Unreadable extends Error {
  override name = 'Unreadable';
  readonly code: 'missing_id' | 'unreadable';

  constructor(code: 'missing_id' | 'unreadable', message: string) {
    super(message);
    this.code = code;
  }
}

/** Numbers below are seconds since 1970, from here on milliseconds. */
const firstMillisecondStamp = 2 ** 31;
/** ECMA-262, "Time Values and Time Range": there is no later moment. */
const lastMoment_ms = 8.64e15;

// What the contract allows a position; a terminal that says more is not to be lost for it.
const mostSatellites = 255;
const mostAlarms = 32;
const longestKey = 64;
const longestText = 2_000;

/**
 * Decodes the parameters of the query or form. The protocol's convention for `speed` is knots; clients that send
 * another unit are a setting of the depot. Throws `Unreadable`.
 */
export function decodeOsmandParameters(parameters: URLSearchParams, speedUnit: SpeedUnit): Report {
  const report: Report = { ...emptyReport, terminal_id: '', alarms: [], attributes: {} };
  const attributes: Attributes = {};
  let lat: number | null = null;
  let lon: number | null = null;
  for (const key of new Set(parameters.keys())) {
    const values = parameters.getAll(key).filter((value) => value !== '');
    const value = values[0];
    if (value === undefined) continue;
    switch (key) {
      case 'id':
      case 'deviceid':
        report.terminal_id = value;
        break;
      case 'lat':
        lat = numberOf(key, value);
        break;
      case 'lon':
        lon = numberOf(key, value);
        break;
      case 'location': {
        const [first = '', second = ''] = value.split(',');
        lat = numberOf(key, first);
        lon = numberOf(key, second);
        break;
      }
      case 'timestamp':
        report.time_ms = timeOf(value);
        break;
      case 'valid':
        report.valid = booleanOf(value) ?? true;
        break;
      case 'speed':
        report.speed_kmh = known(numberOf(key, value) * kmhPer[speedUnit]);
        break;
      case 'bearing':
      case 'heading':
        report.course_deg = courseOf(numberOf(key, value));
        break;
      case 'altitude':
        report.altitude_m = numberOf(key, value);
        break;
      case 'accuracy':
        report.accuracy_m = known(numberOf(key, value));
        break;
      case 'hdop':
        report.hdop = known(numberOf(key, value));
        break;
      case 'sat':
        report.satellites = satellitesOf(numberOf(key, value));
        break;
      case 'batt':
        report.battery_pct = percentOf(numberOf(key, value));
        break;
      case 'ignition':
        report.ignition = booleanOf(value);
        break;
      case 'odometer':
        report.odometer_m = known(numberOf(key, value));
        break;
      case 'alarm':
        report.alarms = values.flatMap(alarmsOf);
        break;
      default:
        if (key !== '') attributes[key.slice(0, longestKey)] = attributeOf(values);
    }
  }
  if (report.terminal_id === '') throw new Unreadable('missing_id', 'neither id nor deviceid is there');
  if ((lat === null) !== (lon === null))
    throw new Unreadable('unreadable', 'lat and lon come together or not at all');
  if (booleanOf(String(attributes['sos'] ?? 'false')) === true) report.alarms.push('sos');
  report.alarms = boundedAlarms(report.alarms);
  return { ...report, place: lat === null || lon === null ? null : { lat, lon }, attributes };
}

type Json = Record<string, unknown>;

/** Decodes the JSON form; its speed is in m/s, -1 stands for unknown. Throws `Unreadable`. */
export function decodeOsmandJson(text: string): Report {
  const whole = jsonObject(text);
  const terminal = whole['device_id'];
  if ((typeof terminal !== 'string' || terminal === '') && typeof terminal !== 'number') {
    throw new Unreadable('missing_id', 'device_id is not there');
  }
  const location = objectOf(whole['location']);
  const coords = objectOf(location['coords']);
  const battery = objectOf(location['battery']);
  const lat = finite(coords['latitude']);
  const lon = finite(coords['longitude']);
  if ((lat === null) !== (lon === null))
    throw new Unreadable('unreadable', 'latitude and longitude come together');
  const speed = known(coords['speed']);
  const course = known(coords['heading']);
  const level = known(battery['level']);
  const stamp = location['timestamp'] ?? whole['timestamp'];
  const event = location['event'];
  const named = typeof event === 'string' && event.toLowerCase() === 'sos' ? ['sos'] : [];
  return {
    ...emptyReport,
    terminal_id: String(terminal),
    time_ms: typeof stamp === 'string' || typeof stamp === 'number' ? timeOf(String(stamp)) : null,
    place: lat === null || lon === null ? null : { lat, lon },
    altitude_m: finite(coords['altitude']),
    speed_kmh: speed === null ? null : known(speed * kmhPer.ms),
    course_deg: course === null ? null : courseOf(course),
    accuracy_m: known(coords['accuracy']),
    odometer_m: known(location['odometer']),
    battery_pct: level === null ? null : percentOf(level * 100),
    alarms: boundedAlarms([...named, ...alarmsOf(textOf(location['alarm']))]),
    attributes: jsonAttributes(location, battery),
  };
}

function jsonAttributes(location: Json, battery: Json): Attributes {
  const attributes: Attributes = {};
  const put = (key: string, value: unknown) => {
    if (key === '') return;
    const kept = typeof value === 'number' ? finite(value) : value;
    if (typeof kept === 'string') attributes[key.slice(0, longestKey)] = kept.slice(0, longestText);
    if (typeof kept === 'number' || typeof kept === 'boolean') attributes[key.slice(0, longestKey)] = kept;
  };
  put('event', location['event']);
  put('is_moving', location['is_moving']);
  put('charge', battery['is_charging']);
  put('activity', objectOf(location['activity'])['type']);
  put('mock', location['mock']);
  for (const [key, value] of Object.entries(objectOf(location['extras']))) put(key, value);
  return attributes;
}

function jsonObject(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  } catch {
    // said below
  }
  throw new Unreadable('unreadable', 'the body is not a JSON object');
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? withoutNegativeZero(value) : null;
}

/** A measured value that is never negative; the clients write -1 for unknown. */
function known(value: unknown): number | null {
  const number = finite(value);
  return number === null || number < 0 ? null : number;
}

function numberOf(key: string, text: string): number {
  const value = Number(text.trim());
  if (text.trim() === '' || !Number.isFinite(value))
    throw new Unreadable('unreadable', `${key} is not a number`);
  return withoutNegativeZero(value);
}

/** The store knows one zero only: a repeat must look like what it repeats. */
function withoutNegativeZero(value: number): number {
  return value + 0;
}

function satellitesOf(value: number): number | null {
  const count = Math.round(value);
  return value < 0 || count > mostSatellites ? null : count;
}

function percentOf(value: number): number | null {
  return value < 0 ? null : Math.min(100, Math.round(value * 10) / 10);
}

function courseOf(value: number): number | null {
  return value < 0 ? null : value % 360;
}

function booleanOf(text: string): boolean | null {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === '1') return true;
  if (lower === 'false' || lower === '0') return false;
  return null;
}

/** Seconds or milliseconds since 1970, ISO 8601 (UTC when it names no offset), or `yyyy-MM-dd HH:mm:ss` in UTC. */
function timeOf(text: string): number {
  const trimmed = text.trim();
  if (/^\d+(\.\d+)?$/.test(trimmed)) {
    const number = Number(trimmed);
    return moment(Math.round(number >= firstMillisecondStamp ? number : number * 1_000));
  }
  const iso = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?$/i.exec(
    trimmed,
  );
  const time = iso === null ? Number.NaN : Date.parse(`${iso[1]}T${iso[2]}${iso[3]?.toUpperCase() ?? 'Z'}`);
  return moment(time);
}

function moment(time_ms: number): number {
  if (!(Math.abs(time_ms) <= lastMoment_ms)) throw new Unreadable('unreadable', 'timestamp is not a time');
  return time_ms;
}

/** Traccar's names of alarms that are kinds of events here; the others have the same name once in our form. */
const ourNames: Readonly<Record<string, string>> = {
  hard_acceleration: 'harsh_acceleration',
  hard_braking: 'harsh_braking',
  hard_cornering: 'harsh_cornering',
};

/** Alarm names in our form: lower case letters, digits and underscores. */
function alarmsOf(text: string): string[] {
  return text
    .split(',')
    .map((name) =>
      name
        .trim()
        .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '_')
        .slice(0, 40),
    )
    .filter((name) => /[a-z0-9]/.test(name))
    .map((name) => (Object.hasOwn(ourNames, name) ? (ourNames[name] ?? name) : name));
}

/** Each once, the emergency button before all others: it is not to fall behind the limit. */
function boundedAlarms(names: readonly string[]): string[] {
  const once = [...new Set(names)];
  return [...once.filter((name) => name === 'sos'), ...once.filter((name) => name !== 'sos')].slice(
    0,
    mostAlarms,
  );
}

/** `cell` and `wifi` may repeat: all their values are kept. */
function attributeOf(values: string[]): string | number | boolean {
  const [only] = values;
  if (values.length > 1 || only === undefined) return values.join(' ').slice(0, longestText);
  if (/^-?(0|[1-9]\d{0,14})(\.\d{1,9})?$/.test(only)) return Number(only);
  if (only === 'true' || only === 'false') return only === 'true';
  return only.slice(0, longestText);
}
