/** The languages of the console, of reports and of emails; English is the one that all texts are there in. */
export const languages = ['en', 'de', 'es', 'pt', 'ru', 'zh'] as const;
export type Language = (typeof languages)[number];
export type TranslatedLanguage = Exclude<Language, 'en'>;

/** The first of these tags (`pt-BR`, `pt_BR.UTF-8`) whose language there is; English where there is none. */
export function languageOfTags(tags: readonly string[]): Language {
  for (const tag of tags) {
    const found = languages.find((it) => it === tag.split(/[-_]/, 1)[0]?.toLowerCase());
    if (found !== undefined) return found;
  }
  return 'en';
}

/** British English has dates in the order of the other languages, and the 24 hours of dispatchers. */
export const localeOf = (language: Language): string => (language === 'en' ? 'en-GB' : language);

/**
 * The plural forms that texts have in each language, as `Intl.PluralRules` calls them. Spanish and Portuguese say
 * millions by `many`, which no count here reaches.
 */
export const pluralForms = {
  en: ['one', 'other'],
  de: ['one', 'other'],
  es: ['one', 'other'],
  pt: ['one', 'other'],
  ru: ['one', 'few', 'many', 'other'],
  zh: ['other'],
} as const satisfies Record<Language, readonly string[]>;

type PluralBase<Key> = Key extends `${infer Base}_one` ? Base : never;
type PluralForm<L extends Language> = (typeof pluralForms)[L][number];

/** The keys of English texts, with the plural forms of a language in the place of those of English. */
type KeysIn<English, L extends Language> =
  | Exclude<keyof English, `${PluralBase<keyof English>}_${PluralForm<'en'>}`>
  | `${PluralBase<keyof English>}_${PluralForm<L>}`;

/** Texts in another language; English stands in for what is not translated yet. */
export type Translation<English, L extends TranslatedLanguage> = {
  readonly [Key in KeysIn<English, L>]?: string;
};
