import i18next, { type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { unitVariables } from '../format/units.ts';
import { en } from './en.ts';

type Catalogue = keyof typeof en;

/** A key of the message catalogue; a message with plural forms is named without its `_one`, `_other`. */
export type TextKey = Catalogue extends infer K
  ? K extends `${infer Base}_${'one' | 'other'}`
    ? Base
    : K
  : never;

/** Says a message of the catalogue; `count` chooses among its plural forms. */
export type Translate = (key: TextKey, values?: Record<string, string | number>) => string;

/** The catalogue in force. Messages are plain text: React escapes them. What is not translated is English. */
export function createI18n(): i18n {
  const texts = i18next.createInstance();
  void texts.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: en } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  return texts;
}

export function createTranslate(texts: i18n): Translate {
  return (key, values) => texts.t(key, { ...unitVariables(), ...values });
}
