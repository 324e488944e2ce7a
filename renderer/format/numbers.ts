const THIN_SPACE = '\u2009';

/** A number with so many decimals, a true minus sign, thousands set apart by a thin space. */
export function numberText(value: number, decimals = 0): string {
  const [whole = '0', fraction] = Math.abs(value).toFixed(decimals).split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, THIN_SPACE) : whole;
  const digits = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  const isZero = /^[0.]*$/.test(digits);
  return value < 0 && !isZero ? `−${digits}` : digits;
}

export const speedText = (kmh: number): string => `${numberText(kmh)} km/h`;

/** Metres up to a kilometre, then kilometres with one decimal. */
export function distanceText(m: number): string {
  return m < 999.5 ? `${numberText(m)} m` : `${numberText(m / 1_000, 1)} km`;
}

export function bytesText(bytes: number): string {
  if (bytes < 1e6) return `${numberText(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${numberText(bytes / 1e6, 1)} MB` : `${numberText(bytes / 1e9, 1)} GB`;
}
