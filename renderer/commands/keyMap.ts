import type { TextKey } from '../i18n/text.ts';

/**
 * What the user has changed of the keys: the shortcut that an action has from the start, and the one that it has now.
 * Actions that share a key, each in its place, keep sharing it. An action whose key another one has taken has none.
 */
export type KeyMap = Readonly<Record<string, string>>;

/** The key that does now what `first` does from the start; null where none does. */
export function keyOf(map: KeyMap, first: string): string | null {
  return map[first] ?? (isTaken(map, first) ? null : first);
}

const isTaken = (map: KeyMap, key: string): boolean => Object.values(map).includes(key);

/** What a pressed key does, by the key that does it from the start; null for nothing. */
export function firstKeyOf(map: KeyMap, pressed: string): string | null {
  const moved = Object.keys(map).find((first) => map[first] === pressed);
  return moved ?? (pressed in map ? null : pressed);
}

/** Gives an action another key, or its own one back. One that was given that key has its own again. */
export function withKey(map: KeyMap, first: string, key: string): KeyMap {
  const others = Object.entries(map).filter(([own, now]) => own !== first && now !== key);
  return Object.fromEntries(key === first ? others : [...others, [first, key]]);
}

const EDITING = ['A', 'C', 'V', 'X', 'Y', 'Z', 'Shift+Z'].map((it) => `Ctrl+${it}`);
/** Chromium and Firefox hand none of these to a page, or lose the console with them. */
const BROWSER = [
  ...['T', 'N', 'W', 'R', 'Q', 'L', 'P', 'S', 'F', 'Shift+T', 'Shift+N', 'Shift+W', 'Shift+R', 'Shift+I'],
  ...['Shift+J', 'Shift+C', 'Tab', 'Shift+Tab', 'PageUp', 'PageDown', '+', '-', '=', '0', 'F4', 'F5'],
].map((it) => `Ctrl+${it}`);
const OTHERS_OF_BROWSER = [
  'F1',
  'F3',
  'F5',
  'F11',
  'F12',
  'Alt+F4',
  'Alt+D',
  'Alt+F',
  'Alt+E',
  'Alt+Home',
  'Shift+F10',
  'ContextMenu',
];
const MOVING = /(^|[+])(Tab|Enter|Escape|Arrow\w+|Home|End|PageUp|PageDown|Backspace|Delete| )$/;

/** Why an action cannot have a key; null where it can. */
export function refusalOf(key: string): TextKey | null {
  if (EDITING.includes(key)) return 'keys.refused.editing';
  if (BROWSER.includes(key) || OTHERS_OF_BROWSER.includes(key)) return 'keys.refused.browser';
  if (MOVING.test(key)) return 'keys.refused.moving';
  return null;
}
