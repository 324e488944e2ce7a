import type { BrowserWindow as Window, BrowserWindowConstructorOptions } from 'electron';
import { saveWindowBounds, type WindowBounds } from './windowBounds.ts';

/** The console's ground colour, so that nothing flashes before the first picture. */
const GROUND = '#0b1013';

/** A window of the console: a browser without Node, in a sandbox. */
export function windowOptions(deps: {
  /** With its place, or of this size in the middle of the main display. */
  bounds: { width: number; height: number; x?: number; y?: number };
  smallest: { width: number; height: number };
  preload: string;
  icon: string;
}): BrowserWindowConstructorOptions {
  return {
    ...deps.bounds,
    minWidth: deps.smallest.width,
    minHeight: deps.smallest.height,
    backgroundColor: GROUND,
    icon: deps.icon,
    show: false,
    webPreferences: {
      preload: deps.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      // Dictionaries would be fetched from the internet.
      spellcheck: false,
      // Alarms come in while the window is minimised, and sound without a click before them.
      backgroundThrottling: false,
      autoplayPolicy: 'no-user-gesture-required',
    },
  };
}

/** @param show shows it once it has a picture; null: it stays out of sight until somebody opens it */
export function showWindow(
  window: Window,
  place: WindowBounds,
  placeFile: string,
  show: (() => void) | null,
  warn: (words: string, error: unknown) => void,
): void {
  // Maximising would show it.
  if (place.maximized && show === null) window.once('show', () => window.maximize());
  else if (place.maximized) window.maximize();
  if (show !== null) window.once('ready-to-show', show);
  window.on('close', () => saveWindowBounds(placeFile, window, warn));
}

export function bringToFront(window: Pick<Window, 'isMinimized' | 'restore' | 'show' | 'focus'>): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
