import type { Translation } from '../languages.ts';
import type { ServerTexts } from '../serverTexts.ts';

/** Texts of files and emails, and of what the console calls by the same words, in Russian. */
export const texts: Translation<ServerTexts, 'ru'> = {};
