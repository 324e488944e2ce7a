import { documentTexts, pdfTexts } from './documentTexts.ts';
import { eventKindTexts, reportTexts, thresholdTexts, videoReasonTexts } from './reportTexts.ts';

/** What the server writes in words into files and emails, in English. */
export const serverTexts = {
  ...documentTexts,
  ...pdfTexts,
  ...eventKindTexts,
  ...reportTexts,
  ...thresholdTexts,
  ...videoReasonTexts,
} as const;
export type ServerTexts = typeof serverTexts;
