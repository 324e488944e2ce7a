import i18next, { type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { unitVariables } from '../format/units.ts';
import type { en } from './en.ts';
import type { causesTexts } from './en/causes.ts';
import type { problemsTexts } from './en/problems.ts';
import { firstTexts } from './enFirst.ts';

type Catalogue = keyof typeof en | keyof typeof problemsTexts | keyof typeof causesTexts;

/** A key of the message catalogue; a message with plural forms is named without its `_one`, `_other`. */
export type TextKey = Catalogue extends infer K
  ? K extends `${infer Base}_${'one' | 'other'}`
    ? Base
    : K
  : never;

/** Says a message of the catalogue; `count` chooses among its plural forms. */
export type Translate = (key: TextKey, values?: Record<string, string | number>) => string;

/** The English texts that there are by now. */
let english: Readonly<Record<string, string>> = firstTexts;
const catalogues = new Set<i18n>();

/** Gets the texts of parts that come after the first picture; a part that is shown has to have them. */
export async function loadLaterTexts(): Promise<void> {
  const { laterTexts } = await import('./enLater.ts');
  english = { ...firstTexts, ...laterTexts };
  for (const texts of catalogues) texts.addResourceBundle('en', 'translation', laterTexts);
}

/** The catalogue in force. Messages are plain text: React escapes them. What is not translated is English. */
export function createI18n(): i18n {
  const texts = i18next.createInstance();
  void texts.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: english } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  catalogues.add(texts);
  return texts;
}

export function createTranslate(texts: i18n): Translate {
  return (key, values) => texts.t(key, { ...unitVariables(), ...values });
}
