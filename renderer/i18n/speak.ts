import type { i18n } from 'i18next';
import { pluralForms, type Language, type TranslatedLanguage } from '../../server/contract/languages.ts';
import type { Preferences } from '../../server/contract/preferences.ts';
import { formats, formatsOf, type Formats } from '../format/formats.ts';
import { unitsTexts } from './en/units.ts';

/** Each in a part of the program of its own, loaded for who speaks it. */
const catalogues: Record<TranslatedLanguage, () => Promise<{ texts: Record<string, string> }>> = {
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
  pt: () => import('./pt.ts'),
  ru: () => import('./ru.ts'),
  zh: () => import('./zh.ts'),
};

/** What the languages call themselves. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  pt: 'Português',
  ru: 'Русский',
  zh: '中文',
};

/** As ISO 8601 numbers them. */
export const FIRST_DAYS = { monday: 1, saturday: 6, sunday: 7 } as const;

const chosenOf = (preferences: Preferences, language: Language) =>
  ({
    language,
    distanceUnit: preferences.distance_unit ?? 'km',
    volumeUnit: preferences.volume_unit ?? 'l',
    hourCycle: preferences.hour_cycle ?? 'h23',
    timeZone: preferences.time_zone ?? null,
    firstDay: FIRST_DAYS[preferences.first_day ?? 'monday'],
  }) satisfies Partial<Formats>;

export type Speak = ReturnType<typeof createSpeak>;

/**
 * Has the page speak as preferences say, at once; where they name no language, in `usual`. Resolves when it does. A
 * language that cannot be loaded leaves the texts as they are, and the units hold.
 */
export function createSpeak(texts: i18n, usual: () => Language, page: Pick<HTMLElement, 'lang'>) {
  let latest = 0;
  return async function speak(preferences: Preferences): Promise<void> {
    const mine = ++latest;
    let language = preferences.language ?? usual();
    try {
      if (language !== 'en' && !texts.hasResourceBundle(language, 'translation')) {
        const catalogue = await catalogues[language]();
        texts.addResourceBundle(language, 'translation', withRareForms(catalogue.texts, language));
      }
    } catch {
      language = formats.getState().language;
    }
    // Another choice was made while this language was loaded.
    if (mine !== latest) return;
    page.lang = language;
    const bundle = texts.getResourceBundle(language, 'translation') as Partial<Formats['words']>;
    await texts.changeLanguage(language);
    formats.setState(formatsOf(chosenOf(preferences, language), unitWordsOf(bundle)), true);
  };
}

const unitWordsOf = (bundle: Partial<Formats['words']>): Formats['words'] =>
  Object.fromEntries(
    Object.entries(unitsTexts).map(([key, word]) => [key, bundle[key as keyof Formats['words']] ?? word]),
  ) as Formats['words'];

/** Spanish and Portuguese have a form for millions, which is not written down: it is that of other numbers. */
function withRareForms(texts: Record<string, string>, language: TranslatedLanguage): Record<string, string> {
  if ((pluralForms[language] as readonly string[]).includes('many')) return texts;
  const rare = Object.entries(texts).flatMap(([key, text]) =>
    key.endsWith('_other') ? [[`${key.slice(0, -'_other'.length)}_many`, text]] : [],
  );
  return { ...texts, ...Object.fromEntries(rare) } as Record<string, string>;
}
