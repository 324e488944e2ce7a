import { texts as serverTexts } from '../../server/contract/texts/ru.ts';
import { joinTexts } from './joinTexts.ts';

/** Every message of the console in Russian, as far as it is translated. */
export const texts = joinTexts(
  serverTexts,
  import.meta.glob<Record<string, string>>('./ru/*.ts', { eager: true, import: 'texts' }),
);
