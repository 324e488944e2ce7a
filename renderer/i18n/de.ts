import { texts as serverTexts } from '../../server/contract/texts/de.ts';
import { joinTexts } from './joinTexts.ts';

/** Every message of the console in German, as far as it is translated. */
export const texts = joinTexts(
  serverTexts,
  import.meta.glob<Record<string, string>>('./de/*.ts', { eager: true, import: 'texts' }),
);
