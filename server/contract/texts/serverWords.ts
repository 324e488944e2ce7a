import { localeOf, type Language } from '../languages.ts';
import type { Preferences } from '../preferences.ts';
import type { ReportKind } from '../reportRows.ts';
import { serverTexts, type ServerTexts } from '../serverTexts.ts';
import * as de from './de.ts';
import * as es from './es.ts';
import { createLookUp, type Texts, type Values } from './lookUp.ts';
import * as pt from './pt.ts';
import * as ru from './ru.ts';
import * as zh from './zh.ts';

/** How files and emails are written: as whoever ordered them has set it. */
export type Wording = Pick<Preferences, 'language' | 'distance_unit' | 'hour_cycle'>;

const whole = ({ texts, pdfTexts }: { texts: Texts; pdfTexts: Texts }): Texts => ({ ...texts, ...pdfTexts });
const catalogues: Record<Language, Texts> = {
  en: serverTexts,
  de: whole(de),
  es: whole(es),
  pt: whole(pt),
  ru: whole(ru),
  zh: whole(zh),
};
const english: Texts = serverTexts;

/** A message with plural forms is named without its `_one`, `_other`. */
type ServerKey = keyof ServerTexts extends infer K
  ? K extends `${infer Base}_${'one' | 'other'}`
    ? Base
    : K
  : never;

const kmOfMile = 1.609344;
const mOfFoot = 0.3048;

export type ServerWords = ReturnType<typeof createServerWords>;

/** The texts, units and dates of files and emails in a language; what is not translated is English. */
export function createServerWords({ language = 'en', distance_unit = 'km', hour_cycle = 'h23' }: Wording) {
  const own = catalogues[language];
  const isInMiles = distance_unit === 'mi';
  const sign = (name: 'ft' | 'km' | 'kmh' | 'm' | 'mi' | 'mph') =>
    own[`sign.${name}`] ?? serverTexts[`sign.${name}`];
  const units: Values = {
    distance_unit: sign(isInMiles ? 'mi' : 'km'),
    length_unit: sign(isInMiles ? 'ft' : 'm'),
    speed_unit: sign(isInMiles ? 'mph' : 'kmh'),
  };
  const locale = localeOf(language);
  const decimalSign =
    new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';

  const of12Hours = (second?: '2-digit') =>
    new Intl.DateTimeFormat(locale, {
      ...{ timeZone: 'UTC', hourCycle: 'h12', hour: 'numeric', minute: '2-digit' },
      second,
    });
  const [minutes, seconds] = [of12Hours(), of12Hours('2-digit')];

  const find = createLookUp(language, own, english);
  const lookUp = (key: string, values?: Values) => find(key, { ...units, ...values });

  return {
    language,
    locale,
    decimalSign,
    isInMiles,
    hourCycle: hour_cycle,
    /** Says a text; `count` chooses among its plural forms. */
    say: (key: ServerKey, values?: Values): string => lookUp(key, values) ?? key,
    /** A time of 24 hours, `2026-11-01 14:30:00` or `14:30`, as the clock of the user has it: `2026-11-01 2:30:00 pm`. */
    clock: (text: string): string =>
      hour_cycle === 'h23'
        ? text
        : text.replace(/\d\d:\d\d(:\d\d)?$/, (time, second?: string) =>
            (second === undefined ? minutes : seconds).format(Date.parse(`1970-01-01T${time}Z`)),
          ),
    speed: (kmh: number): number => (isInMiles ? kmh / kmOfMile : kmh),
    /** Kilometres or miles. */
    distance: (m: number): number => m / (isInMiles ? kmOfMile * 1_000 : 1_000),
    /** Metres or feet. */
    length: (m: number): number => (isInMiles ? m / mOfFoot : m),
    distanceUnit: String(units['distance_unit']),
    lengthUnit: String(units['length_unit']),
    speedUnit: String(units['speed_unit']),

    /** What a column is called: as in its own kind of report, else as in all. */
    column(kind: ReportKind, key: string): string {
      const hour = /^driving_s_(\d\d)$/.exec(key)?.[1];
      if (hour !== undefined) return `${hour}:00`;
      const ofKind = lookUp(`reports.column.${kind.replaceAll('-', '_')}.${key}`);
      return ofKind ?? lookUp(`reports.column.${key}`) ?? inWords(key);
    },

    /** A code of the contract in words. */
    code: (key: string, code: string): string =>
      lookUp(`${codes[key] ?? `reports.code.${key}`}.${code}`) ?? inWords(code),

    title: (kind: ReportKind): string => lookUp(`reports.kind.${kind.replaceAll('-', '_')}`) ?? inWords(kind),

    /** A threshold of reports by its name in the settings. */
    threshold: (name: string): string => lookUp(`numbers.${name}`) ?? inWords(name),
  };
}

/** Codes whose texts stand elsewhere, by the keys of columns. */
const codes: Readonly<Record<string, string>> = { kind: 'alarm', error: 'reason' };

function inWords(code: string): string {
  const text = code.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
