import { formats } from './formats.ts';

/** The international mile and foot, and the gallon of the US. */
const KM_OF_MILE = 1.609344;
const M_OF_FOOT = 0.3048;
const L_OF_GALLON = 3.785411784;

/** What units measure: speeds are kept in km/h, distances (long) and lengths (short) in metres, volumes in litres. */
export type Quantity = 'speed' | 'distance' | 'length' | 'volume';

const isInMiles = (): boolean => formats.getState().distanceUnit === 'mi';

/** How many of what is kept make one of the unit that is shown. */
function factorOf(quantity: Quantity): number {
  switch (quantity) {
    case 'speed':
      return isInMiles() ? KM_OF_MILE : 1;
    case 'distance':
      return isInMiles() ? KM_OF_MILE * 1_000 : 1_000;
    case 'length':
      return isInMiles() ? M_OF_FOOT : 1;
    case 'volume':
      return formats.getState().volumeUnit === 'gal' ? L_OF_GALLON : 1;
  }
}

/** A kept value in the unit of the user. */
export const inUnit = (quantity: Quantity, kept: number): number => kept / factorOf(quantity);

/** What was typed in the unit of the user, as it is kept. */
export const fromUnit = (quantity: Quantity, shown: number): number => shown * factorOf(quantity);

/** The sign of the unit of the user. */
export function unitSign(quantity: Quantity): string {
  const { words, volumeUnit } = formats.getState();
  switch (quantity) {
    case 'speed':
      return words[isInMiles() ? 'unit.mph' : 'unit.kmh'];
    case 'distance':
      return words[isInMiles() ? 'unit.mi' : 'unit.km'];
    case 'length':
      return words[isInMiles() ? 'unit.ft' : 'unit.m'];
    case 'volume':
      return words[volumeUnit === 'gal' ? 'unit.gal' : 'unit.l'];
  }
}

/** For labels of the catalogue, as in "Speed limit, {{speed_unit}}". */
export const unitVariables = (): Record<`${Quantity}_unit`, string> => ({
  distance_unit: unitSign('distance'),
  length_unit: unitSign('length'),
  speed_unit: unitSign('speed'),
  volume_unit: unitSign('volume'),
});

/** What a field measures, by the end of its name in the contract: `speed_limit_kmh`, `radius_m`. */
function quantityOf(field: string): Quantity | null {
  if (field.endsWith('_kmh')) return 'speed';
  return field.endsWith('_m') ? 'length' : null;
}

/** A kept value as a form shows it: in the unit of the user, where it is another one to a tenth of it. */
export function shownInForm(field: string, kept: number): string {
  const quantity = quantityOf(field);
  const isAsKept = quantity === null || inUnit(quantity, 1) === 1;
  return String(isAsKept ? kept : Math.round(inUnit(quantity, kept) * 10) / 10);
}

/** What was typed in the unit of the user, as it is kept; `before` where the form still shows that. */
export function keptFromForm(field: string, typed: number, before?: number | null): number {
  const quantity = quantityOf(field);
  if (quantity === null || inUnit(quantity, 1) === 1 || Number.isNaN(typed)) return typed;
  if (before != null && shownInForm(field, before) === String(typed)) return before;
  const places = quantity === 'speed' ? 100 : 1;
  return Math.round(fromUnit(quantity, typed) * places) / places;
}
