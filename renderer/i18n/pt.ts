import { texts as serverTexts } from '../../server/contract/texts/pt.ts';
import { joinTexts } from './joinTexts.ts';

/** Every message of the console in Portuguese, as far as it is translated. */
export const texts = joinTexts(
  serverTexts,
  import.meta.glob<Record<string, string>>('./pt/*.ts', { eager: true, import: 'texts' }),
);
