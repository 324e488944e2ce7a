import type { i18n } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { videoTexts, type SayVideo } from './videoTexts.ts';

/** Messages of the video screen, drawn anew when the language changes. */
export function useVideoText(): SayVideo {
  const { i18n } = useTranslation();
  return useMemo(() => sayVideoWith(i18n), [i18n]);
}

/** Brings the messages into the catalogue in force; a translation that is there already stays. */
export function sayVideoWith(texts: i18n): SayVideo {
  texts.addResourceBundle('en', 'translation', videoTexts, true, false);
  return (key, values) => texts.t(key, values ?? {});
}
