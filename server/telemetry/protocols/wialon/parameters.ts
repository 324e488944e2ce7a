import type { Attributes } from '../../../contract/fields.ts';
import { maxKey, maxText, maxAttributes } from '../attributeLimits.ts';
import { decimalOf, exactly, isAbsent, readDecimal, type ValueErrors } from './values.ts';

/** A comma list of decimals: `adc1` and so on, by their place in the list. */
export function readAdc(faults: ValueErrors, text: string): Attributes {
  if (isAbsent(text)) return {};
  const values = text.split(',', maxAttributes).map((one) => readDecimal(faults, 'adc', one));
  return Object.fromEntries(
    values.flatMap((value, at) => (value === null ? [] : [[`adc${at + 1}`, value] as const])),
  );
}

export interface Params {
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
