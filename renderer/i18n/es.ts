import { texts as serverTexts } from '../../server/contract/texts/es.ts';
import { joinTexts } from './joinTexts.ts';

/** Every message of the console in Spanish, as far as it is translated. */
export const texts = joinTexts(
  serverTexts,
  import.meta.glob<Record<string, string>>('./es/*.ts', { eager: true, import: 'texts' }),
);
