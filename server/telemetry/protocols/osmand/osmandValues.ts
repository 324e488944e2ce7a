// What the query and form of the protocol and its JSON have in common.

/** A message that cannot be read; `missing_id` when it does not even say whose it is. */
export class Unreadable extends Error {
  override name = 'Unreadable';
  readonly code: 'missing_id' | 'undecodable';

  constructor(code: 'missing_id' | 'undecodable', message: string) {
    super(message);
    this.code = code;
  }
}

/** Why a message cannot be read, part by part; those parts are left out. */
export type Faults = string[];

/**
 * A message with faults cannot be read, unless it bears an alarm: that is heard with what can be read of the rest.
 * Throws `Unreadable`.
 */
export function endureFaults([fault]: Faults, alarms: readonly string[]): void {
  if (fault !== undefined && alarms.length === 0) throw new Unreadable('undecodable', fault);
}

/** Null when the message names none, or only a half, which is a fault. */
export function placeOf(
  lat: number | null,
  lon: number | null,
  faults: Faults,
): { lat: number; lon: number } | null {
  if (lat !== null && lon !== null) return { lat, lon };
  if (lat !== null || lon !== null) faults.push('lat and lon come together or not at all');
  return null;
}

/** The units of speed, in km/h. */
export const kmhPer = { kn: 1.852, kmh: 1, ms: 3.6 };

export type SpeedUnit = keyof typeof kmhPer;

/** Numbers below are seconds since 1970, from here on milliseconds. */
const firstMillisecondStamp = 2 ** 31;
/** ECMA-262, "Time Values and Time Range": there is no later moment. */
const lastMomentMs = 8.64e15;

// What the contract allows a position; a terminal that says more is not to be lost for it.
const maxSatellites = 255;
const maxAlarms = 32;

export function finite(value: unknown): number | null {
  // The store knows one zero only: a repeat must look like what it repeats.
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null;
}

/** A measured value that is never negative; the clients write -1 for unknown. */
export function known(value: unknown): number | null {
  const number = finite(value);
  return number === null || number < 0 ? null : number;
}

/** Null for what is no number; `NaN`, which some clients write for unknown, is none. */
export function numberOf(text: string): number | null {
  return text.trim() === '' ? null : finite(Number(text));
}

export function satellitesOf(value: number | null): number | null {
  const count = known(value);
  return count === null || Math.round(count) > maxSatellites ? null : Math.round(count);
}

export function percentOf(value: number | null): number | null {
  const percent = known(value);
  return percent === null ? null : Math.min(100, Math.round(percent * 10) / 10);
}

export function courseOf(value: number | null): number | null {
  const course = known(value);
  return course === null ? null : course % 360;
}

export function booleanOf(text: string): boolean | null {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === '1') return true;
  if (lower === 'false' || lower === '0') return false;
  return null;
}

/**
 * Seconds or milliseconds since 1970, ISO 8601 (UTC when it names no offset), or `yyyy-MM-dd HH:mm:ss` in UTC; as Unix
 * milliseconds. Null for what is no time, which is a fault.
 */
export function timeOf(text: string, faults: Faults): number | null {
  const time_ms = momentOf(text.trim());
  if (Math.abs(time_ms) <= lastMomentMs) return time_ms;
  faults.push('timestamp is not a time');
  return null;
}

function momentOf(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) {
    const number = Number(text);
    return Math.round(number >= firstMillisecondStamp ? number : number * 1_000);
  }
  const iso = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?$/i.exec(text);
  return iso === null ? Number.NaN : Date.parse(`${iso[1]}T${iso[2]}${iso[3]?.toUpperCase() ?? 'Z'}`);
}

/** Traccar's names of alarms that are kinds of events here; the others have the same name once in our form. */
const ourNames: Readonly<Record<string, string>> = {
  hard_acceleration: 'harsh_acceleration',
  hard_braking: 'harsh_braking',
  hard_cornering: 'harsh_cornering',
};

/** Alarm names in our form: lower case letters, digits and underscores. */
export function alarmsOf(text: string): string[] {
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

/** The emergency button as it is said beside the alarms: `sos=true`, or by the name of an event. */
export function buttonOf(sos: unknown, event: unknown): string[] {
  const isPressed =
    sos === true ||
    sos === 1 ||
    (typeof sos === 'string' && booleanOf(sos) === true) ||
    (typeof event === 'string' && event.trim().toLowerCase() === 'sos');
  return isPressed ? ['sos'] : [];
}

/** Each once, the emergency button before all others: it is not to fall behind the limit. */
export function boundedAlarms(names: readonly string[]): string[] {
  const once = [...new Set(names)];
  return [...once.filter((name) => name === 'sos'), ...once.filter((name) => name !== 'sos')].slice(
    0,
    maxAlarms,
  );
}
