import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { languages, pluralForms, type TranslatedLanguage } from '../../../server/contract/languages.ts';
import { serverTexts } from '../../../server/contract/serverTexts.ts';
import { generalTexts } from '../../../renderer/i18n/enFirst.ts';

const i18n = new URL('../../../renderer/i18n/', import.meta.url);
const shellFolder = new URL('../../../electron/texts/', import.meta.url);
const serverFolder = new URL('../../../server/contract/texts/', import.meta.url);

type Texts = Readonly<Record<string, string>>;

/** The texts of a module, whatever it calls them. */
async function textsOf(file: URL): Promise<Texts> {
  const module = (await import(fileURLToPath(file))) as Record<string, Texts>;
  return Object.assign({}, ...Object.values(module)) as Texts;
}

const filesOf = (folder: URL): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((it) => it.isFile() && it.name.endsWith('.ts'))
    .map((it) => it.name);

/** English by the files in which translators find it, as a path below the repository. */
export async function englishFiles(): Promise<Map<string, Texts>> {
  const domains = await Promise.all(
    filesOf(new URL('en/', i18n)).map(
      async (file) => [`renderer/i18n/LANGUAGE/${file}`, await textsOf(new URL(`en/${file}`, i18n))] as const,
    ),
  );
  return new Map<string, Texts>([
    ['server/contract/texts/LANGUAGE.ts', serverTexts],
    ['electron/texts/LANGUAGE.ts', await textsOf(new URL('en.ts', shellFolder))],
    ['renderer/i18n/LANGUAGE/general.ts', generalTexts],
    ...domains,
  ]);
}

/** The same files of a language, as far as they are there. */
export async function translatedFiles(language: TranslatedLanguage): Promise<Map<string, Texts>> {
  const folder = new URL(`${language}/`, i18n);
  const files = readdirSync(i18n).includes(language) ? filesOf(folder) : [];
  const domains = await Promise.all(
    files.map(
      async (file) => [`renderer/i18n/LANGUAGE/${file}`, await textsOf(new URL(file, folder))] as const,
    ),
  );
  return new Map<string, Texts>([
    ['server/contract/texts/LANGUAGE.ts', await textsOf(new URL(`${language}.ts`, serverFolder))],
    ['electron/texts/LANGUAGE.ts', await textsOf(new URL(`${language}.ts`, shellFolder))],
    ...domains,
  ]);
}

const placeholdersOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map((hit) => hit[1] ?? ''))].sort();

export interface Faults {
  /** What English has, and the language has not: file, key and the English text. */
  missing: string[];
  /** What is wrong with what the language has. */
  wrong: string[];
}

/** Compares the texts of a language with the English ones. */
export function faultsOf(
  language: TranslatedLanguage,
  english: ReadonlyMap<string, Texts>,
  translated: ReadonlyMap<string, Texts>,
): Faults {
  const faults: Faults = { missing: [], wrong: [] };
  const forms: readonly string[] = pluralForms[language];
  for (const file of translated.keys()) {
    if (!english.has(file)) faults.wrong.push(`${file}: English has no such file`);
  }
  for (const [file, source] of english) {
    const own = translated.get(file) ?? {};
    const wanted = wantedOf(source, forms);
    for (const [key, text] of wanted) {
      if (own[key] === undefined) faults.missing.push(`${file}: ${key}: ${text}`);
    }
    for (const [key, text] of Object.entries(own)) {
      const original = wanted.get(key);
      const [have, want] = [placeholdersOf(text), placeholdersOf(original ?? '')];
      // "One vehicle" needs no number where the form is of one alone; in Russian it is of 21 as well.
      const mayLack = key.endsWith('_one') && language !== 'ru' ? ['count'] : [];
      if (original === undefined) faults.wrong.push(`${file}: ${key}: English has no such text`);
      else if (text.trim() === '') faults.wrong.push(`${file}: ${key}: empty`);
      else if (
        have.some((it) => !want.includes(it)) ||
        want.some((it) => !have.includes(it) && !mayLack.includes(it))
      )
        faults.wrong.push(`${file}: ${key}: has {{${have.join(', ')}}}, English {{${want.join(', ')}}}`);
    }
  }
  return faults;
}

/** The keys that a language with these plural forms has for English ones, with the English text. */
function wantedOf(source: Texts, forms: readonly string[]): Map<string, string> {
  const wanted = new Map<string, string>();
  for (const [key, text] of Object.entries(source)) {
    const base = key.replace(/_(one|other)$/, '');
    const other = source[`${base}_other`];
    if (base === key || other === undefined) wanted.set(key, text);
    else for (const form of forms) wanted.set(`${base}_${form}`, other);
  }
  return wanted;
}

// `node test/renderer/i18n/checkTranslation.ts de` lists what is missing and what is wrong in German.
if (process.argv[1] !== undefined && basename(process.argv[1]) === 'checkTranslation.ts') {
  const language = languages.find((it) => it === process.argv[2]);
  if (language === undefined || language === 'en') throw new Error('name one of de, es, pt, ru, zh');
  const { missing, wrong } = faultsOf(language, await englishFiles(), await translatedFiles(language));
  const shown = (lines: string[]) => lines.map((it) => it.replace('LANGUAGE', language)).join('\n');
  process.stdout.write(
    `${shown(missing)}\n${shown(wrong)}\n${missing.length} missing, ${wrong.length} wrong\n`,
  );
}
