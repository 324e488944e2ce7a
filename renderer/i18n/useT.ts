import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { formats } from '../format/formats.ts';
import { createTranslate, type Translate } from './text.ts';

/**
 * Messages of the catalogue. It is another function after a change of the language, a unit or the time zone, so that
 * whatever is drawn or computed with it is drawn and computed anew.
 */
export function useT(): Translate {
  const { i18n } = useTranslation();
  const inForce = useStore(formats);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `inForce`: texts bear units
  return useMemo(() => createTranslate(i18n), [i18n, inForce]);
}
