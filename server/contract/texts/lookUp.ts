import type { Language } from '../languages.ts';

export type Texts = Readonly<Record<string, string | undefined>>;
export type Values = Readonly<Record<string, string | number>>;

/**
 * Finds texts of a catalogue and fills in their `{{values}}`; `count` chooses among plural forms. What the language has
 * not is said in English; undefined for a key that English has not.
 */
export function createLookUp(
  language: Language,
  own: Texts,
  english: Texts,
): (key: string, values?: Values) => string | undefined {
  const plural = new Intl.PluralRules(language);
  return (key, values = {}) => {
    const { count } = values;
    const text =
      own[key] ??
      (typeof count === 'number' ? own[`${key}_${plural.select(count)}`] : undefined) ??
      (typeof count === 'number' ? own[`${key}_other`] : undefined) ??
      english[key] ??
      english[`${key}_${count === 1 ? 'one' : 'other'}`];
    return text?.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => String(values[name] ?? whole));
  };
}
