import type { Attributes } from '../../../contract/fields.ts';
import { decimalOf, exactly, Fault, isAbsent, readDecimal } from './values.ts';

// What the contract allows an attribute.
const longestName = 64;
const longestText = 2_000;

/** A comma list of decimals: `adc1` and so on, by their place in the list. */
export function readAdc(text: string): Attributes {
  if (isAbsent(text)) return {};
  const values = text.split(',').map((one) => readDecimal('adc', one));
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

/** Not a word of the protocol, but what its terminals call it, and nothing else is called so. */
const namesOfIgnition = ['ign', 'ignition'];

/**
 * A comma list of `name:type:value`; type 1 is a whole number, 2 a decimal one, 3 a text. A text may have commas
 * itself: what is no parameter goes on with the text before it. Throws `Fault`.
 */
export function readParams(text: string): Params {
  const params: Params = { attributes: {}, isSos: false, ignition: null };
  if (isAbsent(text)) return params;
  let textBefore: string | null = null;
  for (const piece of text.split(',')) {
    const match = /^([^:]+):([^:]*):([^]*)$/.exec(piece);
    const [, name = '', type = '', raw = ''] = match ?? [];
    if (match === null || !['1', '2', '3'].includes(type)) {
      if (textBefore !== null) goOn(params.attributes, textBefore, piece);
      else if (piece.trim() !== '') throw new Fault('params', piece);
      continue;
    }
    const key = name.trim().slice(0, longestName);
    if (key === '') throw new Fault('params', piece);
    textBefore = type === '3' ? key : null;
    if (type === '3') params.attributes[key] = raw.slice(0, longestText);
    else put(params, key, raw);
  }
  return params;
}

function goOn(attributes: Attributes, name: string, more: string): void {
  const text = attributes[name];
  if (typeof text === 'string' && text.length < longestText)
    attributes[name] = `${text},${more}`.slice(0, longestText);
}

/** Whole numbers are often written with a fraction where the type says they have none. */
function put(params: Params, name: string, raw: string): void {
  if (isAbsent(raw)) return;
  const isWhole = /^[+-]?\d+$/.test(raw.trim());
  const value = isWhole ? exactly(raw.trim()) : decimalOf(raw);
  if (value === null) throw new Fault('params', `${name}:${raw}`);
  const lower = name.toLowerCase();
  const isSwitch = value === 0 || value === 1;
  if (lower === 'sos' && isSwitch) params.isSos = value === 1;
  else if (namesOfIgnition.includes(lower) && isSwitch) params.ignition = value === 1;
  else params.attributes[name] = value;
}
