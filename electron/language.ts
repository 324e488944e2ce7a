import { join } from 'node:path';
import { z } from 'zod';
import {
  createLookUp,
  languageOfTags,
  languages,
  localeOf,
  type Language,
  type Texts,
  type Values,
} from '../server/app.ts';
import { readStateFile, writeKept } from './stateFile.ts';
import * as de from './texts/de.ts';
import * as en from './texts/en.ts';
import * as es from './texts/es.ts';
import * as pt from './texts/pt.ts';
import * as ru from './texts/ru.ts';
import * as zh from './texts/zh.ts';

/** A text with plural forms is named without its `_one`, `_other`. */
export type ShellText = keyof typeof en.texts extends infer K
  ? K extends `${infer Base}_${'one' | 'other'}`
    ? Base
    : K
  : never;

/** Says a text; `count` chooses among its plural forms. */
export type Say = (key: ShellText, values?: Values) => string;

/** What a box says. */
export interface BoxWords {
  message: string;
  detail: string;
}

export interface Words {
  say: Say;
  /** A time of this computer's clock, as `14:05`. */
  time: (ms: number) => string;
  /** The same with its day. */
  moment: (ms: number) => string;
}

const catalogues: Record<Language, Texts> = {
  en: en.texts,
  de: de.texts,
  es: es.texts,
  pt: pt.texts,
  ru: ru.texts,
  zh: zh.texts,
};

/** What the desktop says, in the language that `current` gives at that moment. */
export function createWords(current: () => Language): Words {
  const write = (ms: number, format: Intl.DateTimeFormatOptions) =>
    new Date(ms).toLocaleString(localeOf(current()), { hourCycle: 'h23', ...format });
  return {
    say: (key, values) => createLookUp(current(), catalogues[current()], en.texts)(key, values) ?? key,
    time: (ms) => write(ms, { hour: '2-digit', minute: '2-digit' }),
    moment: (ms) => write(ms, { dateStyle: 'medium', timeStyle: 'short' }),
  };
}

export interface ShellLanguage extends Words {
  current: () => Language;
  /** Speaks the language of this tag from now on, and after the next start. */
  set: (tag: string) => void;
  /** Calls after each change; returns its undo. */
  onChange: (listener: () => void) => () => void;
}

/**
 * The language of menus and boxes: the one that the console spoke last on this computer, and before that the first of
 * the system's that there is.
 *
 * @param deps.folder of this program's own files
 * @param deps.preferred the system's languages as tags, the preferred one first
 */
export function createShellLanguage(deps: {
  folder: string;
  preferred: () => readonly string[];
  warn: (words: string, error: unknown) => void;
}): ShellLanguage {
  const file = join(deps.folder, 'language.json');
  const kept = z.object({ language: z.enum(languages) }).safeParse(readStateFile(file));
  const listeners = new Set<() => void>();
  let language = kept.data?.language ?? null;
  const current = () => language ?? languageOfTags(deps.preferred());
  return {
    ...createWords(current),
    current,
    set(tag) {
      const given = languageOfTags([tag]);
      if (given === language) return;
      language = given;
      try {
        writeKept(file, { language });
      } catch (error) {
        deps.warn('language.json was not written', error);
      }
      for (const listener of listeners) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
