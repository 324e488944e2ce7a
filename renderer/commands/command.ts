import type { AppContext } from '../appContext/appContext.ts';
import type { TextKey } from '../i18n/text.ts';

/** In the order in which menus, the palette and the list of keys show them. */
export const COMMAND_GROUPS = [
  'selection',
  'queue',
  'map',
  'go',
  'panes',
  'console',
  'incidents',
  'shift',
  'lists',
  'history',
  'video',
] as const;

/** What an operator can have the console do. Menus, keys, the palette and the list of keys all read these records. */
export interface Command<Context = AppContext> {
  id: string;
  label: TextKey;
  group: (typeof COMMAND_GROUPS)[number];
  /** As `shortcutOf` writes it; null for a command without a key. */
  shortcut: string | null;
  /** Keys that mean the same, or another direction of the same. */
  otherShortcuts?: readonly string[];
  /** All its keys as the list of keys shows them, where that is more than `shortcut`. */
  keycap?: string;
  /** Which key was pressed decides what it does, so that only keys can run it. */
  needsKey?: true;
  when: (context: Context) => boolean;
  /** `pressed` is the shortcut that it was run by. */
  run: (context: Context, pressed: string) => void;
}
