import * as values from './osmandValues.ts';
import type { Attributes } from '../../../contract/fields.ts';
import { emptyReport, type TerminalReport, maxKey, maxText, maxAttributes } from '../../terminalReport.ts';
import { numberOf, type Faults, type SpeedUnit } from './osmandValues.ts';

// OsmAnd / Traccar Client over HTTP: parameters in the query string or in a form-encoded body. Sources:
// traccar.org/osmand; behaviour of Traccar's decoder. A default port of 5055 is usual.

/**
 * Decodes the parameters of the query or form. The protocol's convention for `speed` is knots; clients that send
 * another unit are a setting of the depot. What is optional and no number is left out. Throws `Unreadable`.
 */
export function decodeOsmandParameters(parameters: URLSearchParams, speedUnit: SpeedUnit): TerminalReport {
  const report: TerminalReport = { ...emptyReport, terminal_id: '', alarms: [], attributes: {} };
  const faults: Faults = [];
  const others: [key: string, said: string[]][] = [];
  let lat: number | null = null;
  let lon: number | null = null;
  const coordinate = (key: string, text: string) => {
    const number = numberOf(text);
    if (number === null) faults.push(`${key} is not a number`);
    return number;
  };
  const received = valuesByKey(parameters);
  for (const [key, all] of received) {
    const [value = ''] = all;
    switch (key) {
      case 'id':
      case 'deviceid':
        report.terminal_id = value;
        break;
      case 'lat':
        lat = coordinate(key, value);
        break;
      case 'lon':
        lon = coordinate(key, value);
        break;
      case 'location': {
        const [first = '', second = ''] = value.split(',', 2);
        lat = coordinate(key, first);
        lon = coordinate(key, second);
        break;
      }
      case 'timestamp':
        report.time_ms = values.timeOf(value, faults);
        break;
      case 'valid':
        report.valid = values.booleanOf(value) ?? true;
        break;
      case 'speed':
        report.speed_kmh = values.known((numberOf(value) ?? -1) * values.kmhPer[speedUnit]);
        break;
      case 'bearing':
      case 'heading':
        report.course_deg = values.courseOf(numberOf(value));
        break;
      case 'altitude':
        report.altitude_m = numberOf(value);
        break;
      case 'accuracy':
        report.accuracy_m = values.known(numberOf(value));
        break;
      case 'hdop':
        report.hdop = values.known(numberOf(value));
        break;
      case 'sat':
        report.satellites = values.satellitesOf(numberOf(value));
        break;
      case 'batt':
        report.battery_pct = values.percentOf(numberOf(value));
        break;
      case 'ignition':
        report.ignition = values.booleanOf(value);
        break;
      case 'odometer':
        report.odometer_m = values.known(numberOf(value));
        break;
      case 'alarm':
        report.alarms = all.flatMap(values.alarmsOf);
        break;
      default:
        others.push([key, all]);
    }
  }
  if (report.terminal_id === '')
    throw new values.Unreadable('missing_id', 'neither id nor deviceid is there');
  const alarms = values.boundedAlarms([
    ...report.alarms,
    ...(received.get('sos') ?? []).flatMap((it) => values.buttonOf(it, null)),
    ...(received.get('event') ?? []).flatMap((it) => values.buttonOf(null, it)),
  ]);
  const place = values.placeOf(lat, lon, faults);
  values.endureFaults(faults, alarms);
  return { ...report, alarms, place, attributes: attributesOf(others) };
}

const requestLine = /^(?:GET|POST|PUT) \S*[?&](?:id|deviceid)=\S* HTTP\/1\.[01]\r?\n/;
const bodyOfTracker = /\r?\n\r?\n(?:\s*\{\s*"(?:location|device_id)"|(?:\S*&)?(?:id|deviceid)=)/;

/**
 * Whether a connection that begins so is of an OsmAnd tracker: a request of HTTP that names a terminal, in its query or
 * in its body. Its first 512 bytes suffice where the query names it.
 */
export function looksLikeOsmand(bytes: Buffer): boolean {
  const text = bytes.toString('latin1', 0, 512);
  return requestLine.test(text) || (text.startsWith('POST ') && bodyOfTracker.test(text));
}

/** In one pass: anybody may send thousands of keys. What is empty is not said. */
function valuesByKey(parameters: URLSearchParams): Map<string, string[]> {
  const byKey = new Map<string, string[]>();
  for (const [key, value] of parameters) {
    if (key === '' || value === '') continue;
    const before = byKey.get(key);
    if (before === undefined) byKey.set(key, [value]);
    else before.push(value);
  }
  return byKey;
}

function attributesOf(others: readonly [key: string, said: string[]][]): Attributes {
  const attributes: Attributes = {};
  for (const [key, received] of others.slice(0, maxAttributes))
    attributes[key.slice(0, maxKey)] = attributeOf(received);
  return attributes;
}

/** `cell` and `wifi` may repeat: all their values are kept. */
function attributeOf(received: string[]): string | number | boolean {
  const [only] = received;
  if (received.length > 1 || only === undefined) return received.join(' ').slice(0, maxText);
  if (/^-?(0|[1-9]\d{0,14})(\.\d{1,9})?$/.test(only)) return Number(only);
  if (only === 'true' || only === 'false') return only === 'true';
  return only.slice(0, maxText);
}
