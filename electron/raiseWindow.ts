import type { BrowserWindow } from 'electron';

/**
 * Has a window seen above all others, and leaves the keyboard where the operator types. Windows lets no program in the
 * background take the foreground (SetForegroundWindow, remarks), but lets each be on top for a moment, after which it
 * lies above what it covered. Wayland lets neither; there the task bar alone asks for attention.
 */
export function raiseWindow(
  window: Pick<
    BrowserWindow,
    'isFocused' | 'showInactive' | 'isAlwaysOnTop' | 'setAlwaysOnTop' | 'moveTop' | 'flashFrame'
  >,
): void {
  if (window.isFocused()) return;
  window.showInactive();
  if (!window.isAlwaysOnTop()) {
    window.setAlwaysOnTop(true);
    window.setAlwaysOnTop(false);
  }
  window.moveTop();
  window.flashFrame(true);
}
