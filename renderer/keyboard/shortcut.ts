/** A key press as commands name it: `A`, `Shift+A`, `Ctrl+K`, `/`, `Escape`. */
export function shortcutOf(
  event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>,
): string {
  const { key } = event;
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
