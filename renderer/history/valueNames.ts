import { unitSign, type Quantity } from '../format/units.ts';

/** What the last word of a value's name says of its unit. */
const SIGNS: Readonly<Record<string, string>> = {
  a: 'A',
  c: '°C',
  deg: '°',
  h: 'h',
  hpa: 'hPa',
  kg: 'kg',
  kpa: 'kPa',
  mv: 'mV',
  pct: '%',
  rpm: 'rpm',
  s: 's',
  v: 'V',
  w: 'W',
};

/** Those that are shown in the unit of the user. */
const MEASURES: Readonly<Record<string, Quantity>> = {
  kmh: 'speed',
  km: 'distance',
  l: 'volume',
  m: 'length',
};

/** `fuel_level_pct` is "Fuel level" in %; names without a unit stay whole. */
export function nameOfValue(name: string): { label: string; unit: string; quantity: Quantity | null } {
  const words = name.split('_').filter((it) => it !== '');
  const last = words.at(-1) ?? '';
  const signOf = (word: string) => (MEASURES[word] === undefined ? SIGNS[word] : unitSign(MEASURES[word]));
  const perHour = words.length > 2 && last === 'h' ? signOf(words.at(-2) ?? '') : undefined;
  const unit = perHour === undefined ? (words.length > 1 ? signOf(last) : undefined) : `${perHour}/h`;
  const taken = unit === undefined ? 0 : perHour === undefined ? 1 : 2;
  const text = words.slice(0, words.length - taken).join(' ');
  return {
    label: text === '' ? name : text.charAt(0).toUpperCase() + text.slice(1),
    unit: unit ?? '',
    quantity:
      unit === undefined ? null : (MEASURES[(perHour === undefined ? last : words.at(-2)) ?? ''] ?? null),
  };
}
