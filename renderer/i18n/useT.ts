import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { createTranslate, type Translate } from './text.ts';

/** Messages of the catalogue, drawn anew when the language changes. */
export function useT(): Translate {
  const { i18n } = useTranslation();
  return useMemo(() => createTranslate(i18n), [i18n]);
}
