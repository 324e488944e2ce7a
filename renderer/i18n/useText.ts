import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { sayWith, type Say } from './text.ts';

/** Messages of the catalogue, drawn anew when the language changes. */
export function useText(): Say {
  const { i18n } = useTranslation();
  return useMemo(() => sayWith(i18n), [i18n]);
}
