import type { Command } from '../commands.ts';
import { isSingleKey, shortcutOf } from './shortcut.ts';

/** Runs commands by their keys; returns its undo. */
export function listenForShortcuts(
  window: Window,
  commands: readonly Command[],
  singleKeysOn: () => boolean,
): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const shortcut = shortcutOf(event);
    const single = isSingleKey(shortcut);
    if (single && (!singleKeysOn() || isTakenByText(event.target))) return;
    if (shortcut === 'Ctrl+C' && (isTakenByText(event.target) || hasSelectedText(window))) return;
    if (isInOverlay(event.target)) return;
    for (const command of commands) {
      if (command.shortcut !== shortcut || !command.when()) continue;
      event.preventDefault();
      command.run();
      return;
    }
  };
  window.addEventListener('keydown', onKeyDown);
  return () => window.removeEventListener('keydown', onKeyDown);
}

function isTakenByText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest('input, textarea, select') !== null;
}

/** Of the page alone: text that is selected in a field is no selection of the page. */
function hasSelectedText(window: Window): boolean {
  return window.getSelection()?.isCollapsed === false;
}

/** Dialogs and menus have keys of their own. */
function isInOverlay(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('[role=dialog], [role=menu], .popover') !== null;
}
