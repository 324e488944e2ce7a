const THIN_SPACE = '\u2009';

/** A number with so many decimals, a true minus sign, thousands set apart by a thin space. */
export function formatNumber(value: number, decimals = 0): string {
  const [whole = '0', fraction] = Math.abs(value).toFixed(decimals).split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, THIN_SPACE) : whole;
  const digits = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  const isZero = /^[0.]*$/.test(digits);
  return value < 0 && !isZero ? `−${digits}` : digits;
}

export const formatSpeed = (kmh: number): string => `${formatNumber(kmh)} km/h`;

/** Metres up to a kilometre, then kilometres with one decimal. */
export function formatDistance(m: number): string {
  return m < 999.5 ? `${formatNumber(m)} m` : `${formatNumber(m / 1_000, 1)} km`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${formatNumber(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${formatNumber(bytes / 1e6, 1)} MB` : `${formatNumber(bytes / 1e9, 1)} GB`;
}
