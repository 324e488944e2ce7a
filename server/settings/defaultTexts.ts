import { isDeepStrictEqual } from 'node:util';
import { pdfTexts, type PdfTexts } from '../contract/documentTexts.ts';
import type { Language } from '../contract/languages.ts';
import { settingsFields, type SettingsFields } from '../contract/settings.ts';
import { createServerWords } from '../contract/texts/serverWords.ts';

type DefaultTexts = Pick<SettingsFields, 'incident_close_reasons' | 'incident_checklists'>;

type DefaultKey = Extract<keyof PdfTexts, `default.${string}`>;
const keyOf = new Map(
  Object.entries(pdfTexts).flatMap(([key, text]) =>
    key.startsWith('default.') ? [[text as string, key as DefaultKey]] : [],
  ),
);

/** In a language, those of these settings that are still as every depot begins. */
export function translatedDefaults(settings: DefaultTexts, language: Language): Partial<DefaultTexts> {
  const { say } = createServerWords({ language });
  const inWords = (text: string): string => {
    const key = keyOf.get(text);
    return key === undefined ? text : say(key);
  };
  const initial: DefaultTexts = settingsFields.parse({});
  const isInitial = (name: keyof DefaultTexts) => isDeepStrictEqual(settings[name], initial[name]);
  return {
    ...(isInitial('incident_close_reasons') && {
      incident_close_reasons: initial.incident_close_reasons.map(inWords),
    }),
    ...(isInitial('incident_checklists') && {
      incident_checklists: initial.incident_checklists.map((it) => ({ ...it, items: it.items.map(inWords) })),
    }),
  };
}
