import { createContext, useContext } from 'react';
import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from './command.ts';
import { type KeyMap, keyOf } from './keyMap.ts';
import { keycapOf } from './shortcuts.ts';

/** Hints write some keys otherwise than they are heard. */
const HEARD_AS: Readonly<Record<string, string>> = {
  Esc: 'Escape',
  Space: ' ',
  '−': '-',
  'Shift ,': '<',
  'Shift .': '>',
};

/** A hint as the keyboard of this user has it: `written` is the key from the start. Null where no key does it. */
export function hintOf(map: KeyMap, written: string): string | null {
  const first = HEARD_AS[written] ?? (written.length === 1 ? written : written.replaceAll(' ', '+'));
  const now = keyOf(map, first);
  return now === first ? written : now === null ? null : keycapOf(now);
}

/** All keys of a command as the list of keys shows them. */
export function keysTextOf(map: KeyMap, { shortcut, otherShortcuts = [], keycap }: Command): string {
  const own = shortcut === null ? [] : [shortcut, ...otherShortcuts];
  if (keycap !== undefined && own.every((key) => keyOf(map, key) === key)) return keycap;
  const now = own.flatMap((key) => keyOf(map, key) ?? []);
  return (keycap === undefined ? now.slice(0, 1) : now).map(keycapOf).join(' ');
}

const NONE: KeyMap = {};
const Context = createContext(NONE);

/** Above everything that shows keys. */
export const KeyMapProvider = Context.Provider;

/** As the user has changed it. */
export const keyMapOf = ({ userPreferences }: Pick<AppContext, 'userPreferences'>): KeyMap =>
  userPreferences.store.getState().shortcuts ?? NONE;

export const useKeyMap = (): KeyMap => useContext(Context);
