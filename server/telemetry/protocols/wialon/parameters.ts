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
  const said: Said = { switches: new Map(), others: new Map() };
  if (isAbsent(text)) return paramsOf(said);
  let textBefore: string | null = null;
  for (const piece of text.split(',')) {
    const match = /^([^:]+):([^:]*):([^]*)$/.exec(piece);
    const [, name = '', type = '', raw = ''] = match ?? [];
    if (match === null || !['1', '2', '3'].includes(type)) {
      if (textBefore !== null) goOn(said, textBefore, piece);
      else if (piece.trim() !== '') faults.add('params', piece);
      continue;
    }
    const key = name.trim().slice(0, maxKey);
    if (key === '') {
      faults.add('params', piece);
      continue;
    }
    textBefore = type === '3' ? key : null;
    if (type === '3') keep(said, key, raw.slice(0, maxText));
    else put(said, key, raw, faults);
  }
  return paramsOf(said);
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

function keep(said: Said, name: string, value: string | number): void {
  const among = saidOf(said, name);
  if (among === said.switches || among.has(name) || among.size < maxAttributes) among.set(name, value);
}

function goOn(said: Said, name: string, more: string): void {
  const text = saidOf(said, name).get(name);
  if (typeof text === 'string' && text.length < maxText)
    keep(said, name, `${text},${more}`.slice(0, maxText));
}

/** Whole numbers are often written with a fraction where the type says they have none. */
function put(said: Said, name: string, raw: string, faults: ValueErrors): void {
  if (isAbsent(raw)) return;
  const isWhole = /^[+-]?\d+$/.test(raw.trim());
  const value = isWhole ? exactly(raw.trim()) : decimalOf(raw);
  if (value === null) faults.add('params', `${name}:${raw}`);
  else keep(said, name, value);
}

/**
 * Some terminals write their alarm button and their ignition as texts: whatever the type, 0 and 1 are meant. A switch
 * that says anything else is an attribute.
 */
function paramsOf({ switches, others }: Said): Params {
  const params: Params = { attributes: {}, isSos: false, ignition: null };
  for (const [name, value] of switches) {
    const said = String(value).trim();
    if (said !== '0' && said !== '1') {
      if (others.size < maxAttributes) others.set(name, value);
    } else if (name.toLowerCase() === 'sos') params.isSos ||= said === '1';
    else params.ignition = said === '1';
  }
  for (const [name, value] of others) params.attributes[name] = value;
  return params;
}
