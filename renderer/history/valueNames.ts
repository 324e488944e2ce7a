/** What the last word of a value's name says of its unit. */
const UNITS: Readonly<Record<string, string>> = {
  a: 'A',
  c: '°C',
  deg: '°',
  h: 'h',
  hpa: 'hPa',
  kg: 'kg',
  km: 'km',
  kmh: 'km/h',
  kpa: 'kPa',
  l: 'l',
  m: 'm',
  mv: 'mV',
  pct: '%',
  rpm: 'rpm',
  s: 's',
  v: 'V',
  w: 'W',
};

/** `fuel_level_pct` is "Fuel level" in %; names without a unit stay whole. */
export function nameOfValue(name: string): { label: string; unit: string } {
  const words = name.split('_').filter((it) => it !== '');
  const last = words.at(-1) ?? '';
  const perHour = words.length > 2 && last === 'h' ? UNITS[words.at(-2) ?? ''] : undefined;
  const unit = perHour === undefined ? (words.length > 1 ? UNITS[last] : undefined) : `${perHour}/h`;
  const taken = unit === undefined ? 0 : perHour === undefined ? 1 : 2;
  const text = words.slice(0, words.length - taken).join(' ');
  return {
    label: text === '' ? name : text.charAt(0).toUpperCase() + text.slice(1),
    unit: unit ?? '',
  };
}
