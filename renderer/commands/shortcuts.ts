import type { Command } from './command.ts';
import { firstKeyOf, type KeyMap } from './keyMap.ts';

/** What the keys of a US keyboard write beside letters, plain and with Shift: those of other scripts carry it as well. */
const US_SIGNS: Readonly<Record<string, readonly [plain: string, shifted: string]>> = {
  BracketLeft: ['[', '{'],
  BracketRight: [']', '}'],
  Semicolon: [';', ':'],
  Quote: ["'", '"'],
  Comma: [',', '<'],
  Period: ['.', '>'],
  Backquote: ['`', '~'],
};

/**
 * The sign that a key bears in Latin letters. It goes by what the key writes, so that A is where the keyboard says so
 * (AZERTY, Dvorak); where that is of another script, as on a Russian keyboard, or of no use (held Alt on a Mac, an input
 * method that takes the key), it goes by where the key lies, which is what such keyboards bear beside their own letters.
 */
function signOf({ key, code = '', altKey, shiftKey }: Pressed): string {
  const isOfLatin = key.length === 1 ? key <= '~' : key !== 'Dead' && key !== 'Process';
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  if (altKey && digit !== undefined) return digit;
  if (isOfLatin) return key;
  return /^Key([A-Z])$/.exec(code)?.[1] ?? US_SIGNS[code]?.[shiftKey ? 1 : 0] ?? digit ?? key;
}

type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'> & {
  /** Where the key lies; a browser knows. */
  code?: string;
};

/** A key press as commands name it: `A`, `Shift+A`, `Ctrl+K`, `/`, `Escape`. */
export function shortcutOf(event: Pressed): string {
  const key = signOf(event);
  const isLetter = /^[a-z]$/i.test(key);
  const parts: string[] = [];
  if (event.ctrlKey || event.metaKey) parts.push('Ctrl');
  if (event.altKey) parts.push('Alt');
  // Signs lie on other keys in other layouts: their Shift is part of how they are typed.
  if (event.shiftKey && (isLetter || key.length > 1)) parts.push('Shift');
  parts.push(isLetter ? key.toUpperCase() : key);
  return parts.join('+');
}

/** Without Ctrl or Alt: what an operator can switch off, and what belongs to a text field that has the focus. */
export function isSingleKey(shortcut: string): boolean {
  return !/^(Ctrl|Alt)\+/.test(shortcut) && shortcut !== 'Escape' && !/(^|\+)F\d+$/.test(shortcut);
}

/** As keycaps show it. */
export function keycapOf(shortcut: string): string {
  return shortcut === 'Escape' ? 'Esc' : shortcut.replaceAll('+', ' ').replace(/^ $/, '+').replace('-', '−');
}

/** What is typed is undone, and selected as a whole, where it is typed. */
const TEXT_KEYS = ['Ctrl+Z', 'Ctrl+Shift+Z', 'Ctrl+Y', 'Ctrl+A'];

/**
 * Runs commands by their keys, as the user has them; a command is passed the key that it has from the start. Returns its
 * undo.
 *
 * @param coming a dialog that was asked for and is not there yet: all keys are its own, and Escape drops it
 */
export function listenForShortcuts<Context>(
  window: Window,
  commands: readonly Command<Context>[],
  context: Context,
  singleKeysOn: () => boolean,
  keyMap: () => KeyMap = () => ({}),
  coming: { isComing: () => boolean; drop: () => void } | null = null,
): () => void {
  let closesOverlay = false;
  const beforeAll = (event: KeyboardEvent) => {
    const isOpen = isOverlayOpen();
    closesOverlay = event.key === 'Escape' && isOpen;
    if (isOpen || coming?.isComing() !== true) return;
    event.stopPropagation();
    const shortcut = shortcutOf(event);
    if (isSingleKey(shortcut)) event.preventDefault();
    if (shortcut === 'Escape') coming.drop();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (closesOverlay) return;
    if (event.defaultPrevented || event.isComposing) return;
    const shortcut = shortcutOf(event);
    const single = isSingleKey(shortcut);
    if (single && (!singleKeysOn() || isTakenByText(event.target))) return;
    if (shortcut === ' ' && isPressedBySpace(event.target)) return;
    if (TEXT_KEYS.includes(shortcut) && isTakenByText(event.target)) return;
    if (shortcut === 'Ctrl+C' && (isTakenByText(event.target) || hasSelectedText(window))) return;
    if (isInOverlay(event.target)) return;
    const first = firstKeyOf(keyMap(), shortcut);
    if (first === null) return;
    for (const command of commands) {
      if (command.shortcut !== first && command.otherShortcuts?.includes(first) !== true) continue;
      if (!command.when(context)) continue;
      event.preventDefault();
      command.run(context, first);
      return;
    }
  };
  window.addEventListener('keydown', beforeAll, { capture: true });
  window.addEventListener('keydown', onKeyDown);
  return () => {
    window.removeEventListener('keydown', beforeAll, { capture: true });
    window.removeEventListener('keydown', onKeyDown);
  };
}

/**
 * Whether a list or a dialog is open, which Escape is for. To be asked before anybody has the key: what it closes is
 * gone afterwards.
 */
export const isOverlayOpen = (): boolean => document.querySelector('.popover, [role=dialog]') !== null;

/** A box to be checked and a radio button take no text. */
function isTakenByText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const field = target.closest('input, textarea, select');
  return (
    target.isContentEditable ||
    (field !== null && !('type' in field && ['checkbox', 'radio'].includes(String(field.type))))
  );
}

function isPressedBySpace(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, button, a') !== null;
}

/** Of the page alone: text that is selected in a field is no selection of the page. */
function hasSelectedText(window: Window): boolean {
  return window.getSelection()?.isCollapsed === false;
}

/** Dialogs and menus have keys of their own. */
function isInOverlay(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('[role=dialog], [role=menu], .popover') !== null;
}
