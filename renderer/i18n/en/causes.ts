import { causeTexts, type CauseCode } from '../../../server/contract/causeTexts.ts';

/** The server's own sentences, for other languages to translate: in English the console shows its `detail`. */
export const causesTexts = Object.fromEntries(
  Object.entries(causeTexts).map(([code, text]) => [`cause.${code}`, text]),
) as Record<`cause.${CauseCode}`, string>;
