import { z } from 'zod';
import { readStateFile, writeKept } from './stateFile.ts';
import type { Rectangle, WindowBounds } from './windowBounds.ts';

/** Of pages in windows of their own; each is drawn by a process of its own. */
export const MOST_WINDOWS = 12;
/** The places of so many windows are remembered, open or not. */
const MOST_REMEMBERED = 32;
/** Longer addresses are made to break what opens them. */
const LONGEST_ADDRESS = 2_048;
/** A window is moved and sized in many small steps. */
const REMEMBER_AFTER_MS = 1_000;
/** Small enough for a list, big enough to be found. */
export const smallestOwnWindow = { width: 320, height: 240 };

const whole = z.int();
const rememberedWindow = z.object({
  key: z.string(),
  address: z.string().max(LONGEST_ADDRESS),
  isOpen: z.boolean(),
  fullScreen: z.boolean(),
  place: z.object({
    maximized: z.boolean(),
    bounds: z.object({
      x: whole,
      y: whole,
      width: whole.min(smallestOwnWindow.width),
      height: whole.min(smallestOwnWindow.height),
    }),
  }),
});
const remembered = z.object({ windows: z.array(rememberedWindow).max(MOST_REMEMBERED) });
type Remembered = z.infer<typeof rememberedWindow>;

/** The part of a `BrowserWindow` that is used here. */
export interface OwnWindow {
  on(event: 'close' | 'closed' | 'resize' | 'move' | 'page-title-updated', listener: () => void): unknown;
  loadURL(url: string): Promise<void>;
  getNormalBounds(): Rectangle;
  isMaximized(): boolean;
  isFullScreen(): boolean;
  isDestroyed(): boolean;
  getTitle(): string;
  readonly webContents: { getURL(): string };
}

/** How a window opens. */
export interface Opening {
  /** null: in the middle of the main display. */
  place: WindowBounds | null;
  size: { width: number; height: number };
  fullScreen: boolean;
}

export interface WindowsDeps<Window extends OwnWindow> {
  /** Whether pages of an origin are the console's. */
  isOurs: (origin: string) => boolean;
  /** Where they are remembered. */
  file: string;
  /** Makes a guarded window, which shows itself when its page is ready. */
  create: (opening: Opening) => Window;
  /** Moves what is remembered into the displays that are there. */
  fit: (place: WindowBounds) => WindowBounds;
  bringToFront: (window: Window) => void;
  /** Shows an address in the main window, and that window. */
  showInMain: (url: string) => void;
  /** Keeps the displays on; returns its undo. */
  keepDisplaysOn: () => () => void;
  /** Says that no more windows can be opened. */
  refuse: (most: number) => void;
  after: (ms: number, run: () => void) => () => void;
  warn: (words: string, error?: unknown) => void;
}

/**
 * What an address of the console opens: `/?window=KEY` a window of that name, `/` the main one. With `awake=1` the displays
 * stay on while it is open.
 *
 * @returns null for what is no page of the console
 */
export function consolePage(
  url: string,
  isOurs: (origin: string) => boolean,
): { key: string | null; staysAwake: boolean } | null {
  if (url.length > LONGEST_ADDRESS || !URL.canParse(url)) return null;
  const { origin, pathname, searchParams } = new URL(url);
  if (!isOurs(origin) || pathname !== '/') return null;
  const key = searchParams.get('window');
  if (key !== null && !/^[a-z]{1,16}$/.test(key)) return null;
  return { key, staysAwake: searchParams.get('awake') === '1' };
}

/**
 * The windows beside the main one, one for each key. They are remembered as they stand, and opened again at the next
 * start.
 */
export function createWindows<Window extends OwnWindow>(deps: WindowsDeps<Window>) {
  const open = new Map<string, Window>();
  const known = new Map(readRemembered(deps.file).map((it) => [it.key, it]));
  const listeners = new Set<() => void>();
  let stopTimer: (() => void) | null = null;
  let isEnding = false;

  function show(url: string, key: string, staysAwake: boolean, size: Opening['size']): void {
    const there = open.get(key);
    if (there !== undefined) {
      // The same address would load the page anew.
      if (there.webContents.getURL() !== url) load(there, url);
      deps.bringToFront(there);
      return;
    }
    if (open.size >= MOST_WINDOWS) {
      deps.refuse(MOST_WINDOWS);
      return;
    }
    const before = known.get(key);
    const window = deps.create({
      place: before === undefined ? null : deps.fit(before.place),
      size,
      fullScreen: before?.fullScreen ?? false,
    });
    open.set(key, window);
    const release = staysAwake ? deps.keepDisplaysOn() : () => undefined;
    window.on('resize', rememberSoon);
    window.on('move', rememberSoon);
    window.on('page-title-updated', changed);
    window.on('close', () => note(key, window, isEnding));
    window.on('closed', () => {
      open.delete(key);
      release();
      remember();
      changed();
    });
    load(window, url);
    remember();
    changed();
  }

  function load(window: Window, url: string): void {
    window.loadURL(url).catch((error: unknown) => {
      // Closed while it loaded, or led elsewhere by its page.
      if (!window.isDestroyed()) deps.warn('the page of a window was not loaded', error);
    });
  }

  function note(key: string, window: Window, isOpen: boolean): void {
    const before = known.get(key);
    const now = window.webContents.getURL();
    const entry: Remembered = {
      key,
      // A window that shows no page yet has an address that is none of ours.
      address:
        consolePage(now, deps.isOurs)?.key === key
          ? afterOrigin(now)
          : (before?.address ?? `/?window=${key}`),
      isOpen,
      fullScreen: window.isFullScreen(),
      place: { bounds: window.getNormalBounds(), maximized: window.isMaximized() },
    };
    known.delete(key);
    known.set(key, entry);
  }

  function rememberSoon(): void {
    stopTimer ??= deps.after(REMEMBER_AFTER_MS, remember);
  }

  function remember(): void {
    stopTimer?.();
    stopTimer = null;
    for (const [key, window] of open) if (!window.isDestroyed()) note(key, window, true);
    // Those that were open last are kept.
    const windows = [...known.values()].slice(-MOST_REMEMBERED);
    try {
      writeKept(deps.file, { windows });
    } catch (error) {
      deps.warn('the places of the windows were not stored', error);
    }
  }

  const changed = () => listeners.forEach((run) => run());

  return {
    /**
     * Opens what a page of ours opens. The page gets no hold of the new window: it has the guards of all windows, and its
     * opener is not among those that may script it.
     */
    openFor(url: string, features: string): void {
      const page = consolePage(url, deps.isOurs);
      if (page === null) deps.warn(`a page tried to open ${url.slice(0, LONGEST_ADDRESS)}`);
      else if (page.key === null) deps.showInMain(url);
      else show(url, page.key, page.staysAwake, sizeOf(features));
    },
    /** Opens those that were open when the program ended, with pages of this origin. */
    restore(origin: string): void {
      for (const { key, address, isOpen } of [...known.values()]) {
        if (!isOpen || (open.size >= MOST_WINDOWS && !open.has(key))) continue;
        const url = origin + address;
        const page = consolePage(url, deps.isOurs);
        if (page?.key === key) show(url, key, page.staysAwake, sizeOf(''));
      }
    },
    /** For a menu, in the order in which they were opened. */
    list: () =>
      [...open.values()].map((window) => ({ title: titleOf(window), show: () => deps.bringToFront(window) })),
    /** Called when windows come, go, or have another title. Returns its undo. */
    onChange(run: () => void): () => void {
      listeners.add(run);
      return () => listeners.delete(run);
    },
    /** From now on, windows that close are opened again at the next start. */
    end(): void {
      if (isEnding) return;
      remember();
      isEnding = true;
    },
  };
}

export type Windows = Pick<
  ReturnType<typeof createWindows>,
  'openFor' | 'restore' | 'list' | 'onChange' | 'end'
>;

const afterOrigin = (url: string): string => url.slice(new URL(url).origin.length);

/** Without the count of open alarms before it, which changes all the time. */
export const titleOf = (window: Pick<OwnWindow, 'getTitle'>): string =>
  window.getTitle().replace(/^\(\d+\) /, '');

/** What a page asks for, by the third argument of `window.open`. */
function sizeOf(features: string): Opening['size'] {
  const named = (name: 'width' | 'height', standard: number) => {
    const given = Number(new RegExp(`(?:^|,)${name}=(\\d{1,5})(?:,|$)`).exec(features)?.[1] ?? standard);
    return Math.min(10_000, Math.max(smallestOwnWindow[name], given));
  };
  return { width: named('width', 1_366), height: named('height', 768) };
}

function readRemembered(file: string): Remembered[] {
  const kept = remembered.safeParse(readStateFile(file));
  return kept.success ? kept.data.windows : [];
}
