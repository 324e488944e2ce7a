import { texts as serverTexts } from '../../server/contract/texts/zh.ts';
import './chineseFont.ts';
import { joinTexts } from './joinTexts.ts';

/** Every message of the console in Chinese, as far as it is translated. */
export const texts = joinTexts(
  serverTexts,
  import.meta.glob<Record<string, string>>('./zh/*.ts', { eager: true, import: 'texts' }),
);
