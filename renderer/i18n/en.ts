import { firstTexts } from './enFirst.ts';
import { laterTexts } from './enLater.ts';

/** Every message of the console in English. `_one` and `_other` are the plural forms chosen by `count`. */
export const en = { ...firstTexts, ...laterTexts } as const;
