import type { Attributes } from '../../../contract/fields.ts';
import { emptyReport, type TerminalReport, maxKey, maxText, maxAttributes } from '../../terminalReport.ts';
import { answerLine } from './packets.ts';

export type DataType = 'SD' | 'D';

// Positions of the fields; from the eleventh on in D alone.
const fieldsOfShort = 10;
/** The last of them, the parameters, may have semicolons in a text. */
const fieldsOfLong = 16;

/** What the contract allows a position. */
const maxSatellites = 255;

/** The report, or why there is none, and what of it is sure nevertheless. */
type DataRead =
  | { report: TerminalReport; fault: null }
  | { report: null; fault: Fault; heard: Pick<TerminalReport, 'time_ms' | 'alarms'> };

/**
 * Reads the body of a packet with data, its CRC taken off, or says which field cannot be read.
 *
 * SD: date;time;lat1;lat2;lon1;lon2;speed;course;height;sats
 * D: the same, then hdop;inputs;outputs;adc;ibutton;params
 */
export function readData(type: DataType, text: string, terminal_id: string): DataRead {
  const fields = text.split(';');
  if (type === 'SD' ? fields.length !== fieldsOfShort : fields.length < fieldsOfLong)
    return {
      report: null,
      fault: faultOf('structure', `${fields.length} fields`),
      heard: { time_ms: null, alarms: [] },
    };
  const faults = createFaults();
  const report = readFields(type, fields, terminal_id, faults);
  if (faults.first === null) return { report, fault: null };
  const { time_ms, alarms } = report;
  return { report: null, fault: faults.first, heard: { time_ms, alarms } };
}

function readFields(
  type: DataType,
  fields: readonly string[],
  terminal_id: string,
  faults: ValueErrors,
): TerminalReport {
  const field = (at: number) => fields[at] ?? '';
  const time_ms = readTime(faults, field(0), field(1));
  const place = readPlace(faults, field(2), field(3), field(4), field(5));
  const speed_kmh = readDecimal(faults, 'motion', field(6));
  const course = readDecimal(faults, 'motion', field(7));
  const altitude_m = readDecimal(faults, 'motion', field(8));
  const sats = readDecimal(faults, 'satellites', field(9));
  const satellites = measure(sats === null ? null : Math.round(sats), maxSatellites);
  const report: TerminalReport = {
    ...emptyReport,
    terminal_id,
    time_ms,
    place,
    altitude_m,
    speed_kmh: measure(speed_kmh),
    course_deg: courseOf(course),
    satellites,
    // A place is sent without a fix too: the last that there was.
    valid: satellites !== 0,
  };
  if (type === 'SD') return report;
  const hdop = measure(readDecimal(faults, 'satellites', field(10)));
  const inputs = readCount(faults, 'ports', field(11));
  const outputs = readCount(faults, 'ports', field(12));
  const adc = readAdc(faults, field(13));
  const params = readParams(faults, fields.slice(fieldsOfLong - 1).join(';'));
  const ofFields: Attributes = {
    ...(inputs === null ? {} : { inputs }),
    ...(outputs === null ? {} : { outputs }),
    ...adc,
    ...(isAbsent(field(14)) ? {} : { ibutton: field(14).slice(0, maxKey) }),
  };
  return {
    ...report,
    hdop,
    ignition: params.ignition,
    alarms: params.isSos ? ['sos'] : [],
    attributes: { ...ofFields, ...besides(ofFields, params.attributes) },
  };
}

/** Parameters may have any name: one that a field of its own has does not stand in for that, and is kept beside it. */
function besides(ofFields: Attributes, params: Attributes): Attributes {
  const named = Object.entries(params).map(([name, value]) => [
    Object.hasOwn(ofFields, name) ? `param_${name}` : name,
    value,
  ]);
  return Object.fromEntries(named) as Attributes;
}

/** A message of 26 bytes in the longest box that there can be bears no position. */
const maxInBlackBox = 5_000;

/** The messages of a black box, each of the one kind or the other. Null for more than any terminal has. */
export function splitBlackBox(text: string): { type: DataType; text: string }[] | null {
  const pieces = text.split('|', maxInBlackBox + 2);
  const received = pieces.filter((one) => one.trim() !== '');
  // The last separator may stand behind the last message.
  if (pieces.length > maxInBlackBox + 1 || received.length > maxInBlackBox) return null;
  return received.map((one) => ({
    type: one.split(';', fieldsOfLong).length === fieldsOfShort ? 'SD' : 'D',
    text: one,
  }));
}

/** DDMMYY and HHMMSS with or without a fraction, UTC; null when either is absent. */
function readTime(faults: ValueErrors, date: string, time: string): number | null {
  if (isAbsent(date) || isAbsent(time)) return null;
  const [, days = 0, months = 0, years = 0] = (/^(\d\d)(\d\d)(\d\d)$/.exec(date.trim()) ?? []).map(Number);
  const clock = /^(\d\d)(\d\d)(\d\d)(\.\d*)?$/.exec(time.trim());
  const [, hours = 0, minutes = 0, seconds = 0] = (clock ?? []).map(Number);
  const midnight = new Date(Date.UTC(2000 + years, months - 1, days));
  // What is no date at all is the 0th of no month.
  const isDay = midnight.getUTCMonth() === months - 1 && midnight.getUTCDate() === days;
  if (!isDay || clock === null || hours > 23 || minutes > 59 || seconds > 59)
    return faults.add('time', `${date};${time}`);
  const fraction_ms = Math.round(Number(`0${clock[4] ?? ''}`) * 1_000);
  return midnight.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1_000 + fraction_ms;
}

function readPlace(
  faults: ValueErrors,
  lat: string,
  latSide: string,
  lon: string,
  lonSide: string,
): TerminalReport['place'] {
  if (isAbsent(lat) && isAbsent(lon)) return null;
  const north = readDegrees(lat, latSide, 'N', 'S');
  const east = readDegrees(lon, lonSide, 'E', 'W');
  if (north === null) return faults.add('place', `${lat};${latSide}`);
  return east === null ? faults.add('place', `${lon};${lonSide}`) : { lat: north, lon: east };
}

/**
 * DDMM.mmmm or DDDMM.mmmm: degrees are all digits before the last two before the point, as some terminals leave out
 * the zeros in front. Whether it is a place on earth is asked later, by all protocols alike. Null for anything else.
 */
function readDegrees(text: string, side: string, positive: string, negative: string): number | null {
  const match = /^(\d*?)(\d{1,2}(?:\.\d*)?)$/.exec(text.trim());
  const letter = side.trim().toUpperCase();
  if (match === null || (letter !== positive && letter !== negative)) return null;
  const degrees = Number(match[1] === '' ? '0' : match[1]) + Number(match[2]) / 60;
  // The store knows one zero only.
  return letter === negative && degrees !== 0 ? -degrees : degrees;
}

function courseOf(degrees: number | null): number | null {
  return degrees === null || degrees < 0 || degrees > 360 ? null : degrees % 360;
}

/** A comma list of decimals: `adc1` and so on, by their place in the list. */
export function readAdc(faults: ValueErrors, text: string): Attributes {
  if (isAbsent(text)) return {};
  const values = text.split(',', maxAttributes).map((one) => readDecimal(faults, 'adc', one));
  return Object.fromEntries(
    values.flatMap((value, at) => (value === null ? [] : [[`adc${at + 1}`, value] as const])),
  );
}

interface Params {
  attributes: Attributes;
  /** The alarm button. */
  isSos: boolean;
  ignition: boolean | null;
}

/** In whatever case. `sos` is the protocol's own name; the others are what its terminals say, and of nothing else. */
const switchNames = ['sos', 'ign', 'ignition'];

/**
 * A comma list of `name:type:value`; type 1 is a whole number, 2 a decimal one, 3 a text. A text may have commas
 * itself: what is no parameter goes on with the text before it. Of a name that repeats the last value is kept, and of
 * more names than a message may have the first; the switches are always read.
 */
export function readParams(faults: ValueErrors, text: string): Params {
  const received: Said = { switches: new Map(), others: new Map() };
  if (isAbsent(text)) return paramsOf(received);
  let textBefore: string | null = null;
  for (const piece of text.split(',')) {
    const match = /^([^:]+):([^:]*):([^]*)$/.exec(piece);
    const [, name = '', type = '', raw = ''] = match ?? [];
    if (match === null || !['1', '2', '3'].includes(type)) {
      if (textBefore !== null) goOn(received, textBefore, piece);
      else if (piece.trim() !== '') faults.add('params', piece);
      continue;
    }
    const key = name.trim().slice(0, maxKey);
    if (key === '') {
      faults.add('params', piece);
      continue;
    }
    textBefore = type === '3' ? key : null;
    if (type === '3') keep(received, key, raw.slice(0, maxText));
    else put(received, key, raw, faults);
  }
  return paramsOf(received);
}

/** What was read so far, by the names as they are written. */
interface Said {
  /** There are as many as their names have spellings. */
  switches: Map<string, string | number>;
  others: Map<string, string | number>;
}

function saidOf({ switches, others }: Said, name: string): Map<string, string | number> {
  return switchNames.includes(name.toLowerCase()) ? switches : others;
}

function keep(received: Said, name: string, value: string | number): void {
  const among = saidOf(received, name);
  if (among === received.switches || among.has(name) || among.size < maxAttributes) among.set(name, value);
}

function goOn(received: Said, name: string, more: string): void {
  const text = saidOf(received, name).get(name);
  if (typeof text === 'string' && text.length < maxText)
    keep(received, name, `${text},${more}`.slice(0, maxText));
}

/** Whole numbers are often written with a fraction where the type says they have none. */
function put(received: Said, name: string, raw: string, faults: ValueErrors): void {
  if (isAbsent(raw)) return;
  const isWhole = /^[+-]?\d+$/.test(raw.trim());
  const value = isWhole ? exactly(raw.trim()) : decimalOf(raw);
  if (value === null) faults.add('params', `${name}:${raw}`);
  else keep(received, name, value);
}

/**
 * Some terminals write their alarm button and their ignition as texts: whatever the type, 0 and 1 are meant. A switch
 * that says anything else is an attribute.
 */
function paramsOf({ switches, others }: Said): Params {
  const params: Params = { attributes: {}, isSos: false, ignition: null };
  for (const [name, value] of switches) {
    const received = String(value).trim();
    if (received !== '0' && received !== '1') {
      if (others.size < maxAttributes) others.set(name, value);
    } else if (name.toLowerCase() === 'sos') params.isSos ||= received === '1';
    else params.ignition = received === '1';
  }
  for (const [name, value] of others) params.attributes[name] = value;
  return params;
}

/** What a packet cannot be taken for; each has a code of its own in the answer. */
type FaultKind =
  'structure' | 'time' | 'place' | 'motion' | 'satellites' | 'ports' | 'adc' | 'params' | 'checksum';

/** Why a packet cannot be read. */
export interface Fault {
  kind: FaultKind;
  /** In words. */
  why: string;
}

/**
 * What is found wrong while a packet is read; the first counts. No errors that are thrown: a black box may hold
 * thousands of packets that cannot be read, and each would take its time to note where it was thrown.
 */
interface ValueErrors {
  first: Fault | null;
  /** Null, in the place of what cannot be read. */
  add(kind: FaultKind, detail: string): null;
}

export function createFaults(): ValueErrors {
  const faults: ValueErrors = {
    first: null,
    add(kind, detail) {
      faults.first ??= faultOf(kind, detail);
      return null;
    },
  };
  return faults;
}

const maxDetail = 100;

function faultOf(kind: FaultKind, detail: string): Fault {
  return { kind, why: `${kind}: ${detail.slice(0, maxDetail)}` };
}

/** NA stands for no value; in the wild the field is empty as well. */
function isAbsent(text: string): boolean {
  const trimmed = text.trim();
  return trimmed === '' || trimmed.toUpperCase() === 'NA';
}

/** Null when the value is absent, and when it is no number, which is a fault of this kind. */
function readDecimal(faults: ValueErrors, kind: FaultKind, text: string): number | null {
  return isAbsent(text) ? null : (decimalOf(text) ?? faults.add(kind, text));
}

/**
 * A whole number that is not negative, such as a mask of bits; as text where a double would not hold it exactly. Null as
 * of `readDecimal`.
 */
function readCount(faults: ValueErrors, kind: FaultKind, text: string): number | string | null {
  if (isAbsent(text)) return null;
  const trimmed = text.trim();
  return /^\d{1,20}$/.test(trimmed) ? exactly(trimmed) : faults.add(kind, text);
}

/** Null for what is no number. */
function decimalOf(text: string): number | null {
  const trimmed = text.trim();
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i.test(trimmed)) return null;
  const value = Number(trimmed);
  // The store knows one zero only: a repeat must look like what it repeats.
  return Number.isFinite(value) ? value + 0 : null;
}

/** A whole number as it is, or its digits where a double would round them. */
function exactly(digits: string): number | string {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value + 0 : digits;
}

/** Null for a value that cannot be measured: a terminal that says more is not to be lost for it. */
function measure(value: number | null, max = Infinity): number | null {
  return value === null || value < 0 || value > max ? null : value;
}

// Wialon IPS 2.0, the tables of answers; 1.1 has the same without the checksum. Whatever is not answered is repeated.

const codesOfShort: Readonly<Record<FaultKind, number>> = {
  structure: -1,
  time: 0,
  place: 10,
  motion: 11,
  satellites: 12,
  checksum: 13,
  // Of fields that a short packet does not have.
  ports: -1,
  adc: -1,
  params: -1,
};

const codesOfLong: Readonly<Record<FaultKind, number>> = {
  structure: -1,
  time: 0,
  place: 10,
  motion: 11,
  satellites: 12,
  ports: 13,
  adc: 14,
  params: 15,
  checksum: 16,
};

/** @param fault null: it was taken */
export function dataAnswer(type: DataType, fault: FaultKind | null): Buffer {
  const codes = type === 'SD' ? codesOfShort : codesOfLong;
  return answerLine(`A${type}`, fault === null ? 1 : codes[fault]);
}

/** @param taken how many messages; null: the CRC does not fit */
export function blackBoxAnswer(taken: number | null): Buffer {
  return answerLine('AB', taken ?? '');
}

export function loginAnswer(outcome: 'welcome' | 'refused' | 'checksum'): Buffer {
  return answerLine('AL', { welcome: '1', refused: '0', checksum: '10' }[outcome]);
}

export function messageAnswer(outcome: 'taken' | 'checksum' | 'refused'): Buffer {
  return answerLine('AM', { taken: '1', checksum: '01', refused: '0' }[outcome]);
}
