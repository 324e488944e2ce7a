import { createStore } from 'zustand/vanilla';
import { localeOf, type Language } from '../../server/contract/languages.ts';
import { unitsTexts } from '../i18n/en/units.ts';

type UnitWords = { readonly [Key in keyof typeof unitsTexts]: string };

/** How numbers, times and units are written. */
export interface Formats {
  language: Language;
  /** Of dates and numbers; British English, which the console is written in. */
  locale: string;
  distanceUnit: 'km' | 'mi';
  volumeUnit: 'l' | 'gal';
  hourCycle: 'h23' | 'h12';
  /** A name of the IANA list; null: that of the depot. */
  timeZone: string | null;
  /** By ISO 8601: 1 is Monday. */
  firstDay: 1 | 6 | 7;
  decimalSign: string;
  words: UnitWords;
}

export function formatsOf(
  chosen: Pick<Formats, 'language' | 'distanceUnit' | 'volumeUnit' | 'hourCycle' | 'timeZone' | 'firstDay'>,
  words: UnitWords,
): Formats {
  const locale = localeOf(chosen.language);
  const sign = new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal');
  return { ...chosen, locale, words, decimalSign: sign?.value ?? '.' };
}

/**
 * The formats in force. As with the locale of `Intl` there is one for the page, since one user looks at it, and every
 * number on it goes through here.
 */
export const formats = createStore<Formats>(() =>
  formatsOf(
    {
      language: 'en',
      distanceUnit: 'km',
      volumeUnit: 'l',
      hourCycle: 'h23',
      timeZone: null,
      firstDay: 1,
    },
    unitsTexts,
  ),
);
