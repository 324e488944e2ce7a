import { hintNames, type HintName } from '../../server/contract/preferences.ts';
import type { AppContext } from '../appContext/appContext.ts';

/** What a hint points at, and the keys that it is about, as they are from the start. */
export interface Hint {
  id: HintName;
  /** A CSS selector. */
  anchor: string;
  keys: readonly string[];
}

export const HINTS: Readonly<Record<HintName, Hint>> = {
  search: { id: 'search', anchor: '.top-bar__search', keys: ['/'] },
  queue: { id: 'queue', anchor: '.queue', keys: ['J', 'K', 'A'] },
  picture: { id: 'picture', anchor: '.queue', keys: ['V'] },
  history: { id: 'history', anchor: '.rail__link[href^="#/history"]', keys: [] },
  shift: { id: 'shift', anchor: '.rail__link[href^="#/shift"]', keys: [] },
  keys: { id: 'keys', anchor: '.top-bar > :last-child', keys: ['?'] },
};

/**
 * The next hint whose subject is on the screen; null when all that could be shown were seen.
 *
 * @param seen undefined: this user is shown none
 */
export function nextHint(
  seen: readonly HintName[] | undefined,
  isThere: (anchor: string) => boolean,
): { hint: Hint; number: number } | null {
  if (seen === undefined) return null;
  const id = hintNames.find((it) => !seen.includes(it) && isThere(HINTS[it].anchor));
  return id === undefined ? null : { hint: HINTS[id], number: hintNames.indexOf(id) + 1 };
}

/** Kept for all workstations of the user. */
export function noteSeen({ userPreferences }: Pick<AppContext, 'userPreferences'>, ids: readonly HintName[]) {
  const seen = userPreferences.store.getState().hints_seen ?? [];
  userPreferences.change({ hints_seen: hintNames.filter((it) => seen.includes(it) || ids.includes(it)) });
}
