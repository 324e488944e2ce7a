import { formats } from './formats.ts';
import { inUnit, unitSign } from './units.ts';

const THIN_SPACE = '\u2009';

/** A number with so many decimals, a true minus sign, thousands set apart by a thin space. */
export function formatNumber(value: number, decimals = 0): string {
  const [whole = '0', fraction] = Math.abs(value).toFixed(decimals).split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, THIN_SPACE) : whole;
  const digits = fraction === undefined ? grouped : `${grouped}${formats.getState().decimalSign}${fraction}`;
  const isZero = /^[0.,]*$/.test(digits);
  return value < 0 && !isZero ? `−${digits}` : digits;
}

/** The number of a speed in the unit of the user, without the unit. */
export const speedNumber = (kmh: number, decimals = 0): string =>
  formatNumber(inUnit('speed', kmh), decimals);

export const formatSpeed = (kmh: number, decimals = 0): string =>
  `${speedNumber(kmh, decimals)} ${unitSign('speed')}`;

/** Metres up to a kilometre, then kilometres with one decimal; feet up to a tenth of a mile, then miles. */
export function formatDistance(m: number): string {
  const isShort = formats.getState().distanceUnit === 'km' ? m < 999.5 : inUnit('distance', m) < 0.1;
  return isShort ? formatLength(m) : `${formatNumber(inUnit('distance', m), 1)} ${unitSign('distance')}`;
}

/** Kilometres or miles, however short. */
export const formatKilometres = (m: number, decimals = 0): string =>
  `${formatNumber(inUnit('distance', m), decimals)} ${unitSign('distance')}`;

/** Metres or feet, however long: altitudes, radii. */
export const formatLength = (m: number, decimals = 0): string =>
  `${formatNumber(inUnit('length', m), decimals)} ${unitSign('length')}`;

/** Square metres up to a tenth of a square kilometre, then square kilometres; the same of feet and miles. */
export function formatArea(m2: number): string {
  const { words, distanceUnit } = formats.getState();
  const isInMiles = distanceUnit === 'mi';
  const large = inUnit('distance', inUnit('distance', m2));
  if (large >= 0.1) return `${formatNumber(large, 2)} ${words[isInMiles ? 'unit.mi2' : 'unit.km2']}`;
  const small = inUnit('length', inUnit('length', m2));
  return `${formatNumber(small)} ${words[isInMiles ? 'unit.ft2' : 'unit.m2']}`;
}

export function formatBytes(bytes: number): string {
  const { words } = formats.getState();
  if (bytes < 1e6) return `${formatNumber(bytes / 1e3)} ${words['unit.kb']}`;
  return bytes < 1e9
    ? `${formatNumber(bytes / 1e6, 1)} ${words['unit.mb']}`
    : `${formatNumber(bytes / 1e9, 1)} ${words['unit.gb']}`;
}
