import { fitWindowBounds, type Rectangle, type WindowBounds } from './windowBounds.ts';

/** The part of Electron's `Display` that is used here. */
interface Display {
  bounds: Rectangle;
  workArea: Rectangle;
  scaleFactor: number;
}

/** The part of Electron's `screen` that is used here. */
export interface Screen {
  on(event: 'display-added' | 'display-removed' | 'display-metrics-changed', listener: () => void): unknown;
  removeListener(
    event: 'display-added' | 'display-removed' | 'display-metrics-changed',
    listener: () => void,
  ): unknown;
  getPrimaryDisplay(): Display;
  getAllDisplays(): Display[];
}

/** The part of a `BrowserWindow` that is used here. */
export interface DisplayedWindow {
  on(event: 'move' | 'resize' | 'maximize' | 'unmaximize' | 'closed', listener: () => void): unknown;
  getNormalBounds(): Rectangle;
  isMaximized(): boolean;
  once(event: 'leave-full-screen', listener: () => void): unknown;
  isFullScreen(): boolean;
  setFullScreen(on: boolean): void;
  isDestroyed(): boolean;
  setBounds(bounds: Rectangle): void;
  maximize(): void;
  unmaximize(): void;
}

/** Systems move windows off a display before they say that it is gone; what moves this soon before was not the operator. */
const SETTLED_MS = 1_000;
/** Systems report one change as several: a display that goes changes the others' work areas. */
const CHANGED_MS = 500;
/** Sets of displays, as at work, at home and on the way. */
const MOST_LAYOUTS = 8;

/**
 * Keeps windows on the displays that are there. Each set of displays has places of its own: a display that goes brings its
 * windows onto the others, and once it is back they stand where they stood.
 *
 * @returns takes care of a window from its beginning, and `stop`
 */
export function followDisplays(deps: {
  screen: Screen;
  after: (ms: number, run: () => void) => () => void;
}): { adopt: (window: DisplayedWindow) => void; stop: () => void } {
  const { screen, after } = deps;
  const windows = new Map<DisplayedWindow, Followed>();
  let layout = layoutOf(screen);
  let stopTimer = (): void => undefined;

  interface Followed {
    /** By the set of displays, the one used last at the end. */
    places: Map<string, WindowBounds>;
    stopTimer: () => void;
  }

  function note(window: DisplayedWindow, followed: Followed): void {
    if (window.isDestroyed()) return;
    const { places } = followed;
    places.delete(layout);
    places.set(layout, { bounds: window.getNormalBounds(), maximized: window.isMaximized() });
    const [oldest] = places.keys();
    if (places.size > MOST_LAYOUTS && oldest !== undefined) places.delete(oldest);
  }

  function onChange(): void {
    for (const followed of windows.values()) followed.stopTimer();
    stopTimer();
    stopTimer = after(CHANGED_MS, arrange);
  }

  function arrange(): void {
    layout = layoutOf(screen);
    const areas = workAreas(screen);
    for (const [window, followed] of windows) {
      const now = { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
      const wanted = fitWindowBounds(followed.places.get(layout) ?? now, areas);
      if (!isSame(wanted, now)) place(window, wanted);
      note(window, followed);
    }
  }

  const events = ['display-added', 'display-removed', 'display-metrics-changed'] as const;
  for (const event of events) screen.on(event, onChange);
  return {
    adopt(window) {
      const followed: Followed = { places: new Map(), stopTimer: () => undefined };
      windows.set(window, followed);
      note(window, followed);
      const onMoved = () => {
        followed.stopTimer();
        followed.stopTimer = after(SETTLED_MS, () => note(window, followed));
      };
      for (const event of ['move', 'resize', 'maximize', 'unmaximize'] as const) window.on(event, onMoved);
      window.on('closed', () => {
        followed.stopTimer();
        windows.delete(window);
      });
    },
    stop() {
      stopTimer();
      for (const event of events) screen.removeListener(event, onChange);
    },
  };
}

function place(window: DisplayedWindow, wanted: WindowBounds): void {
  const { bounds, maximized } = wanted;
  if (window.isFullScreen()) {
    window.once('leave-full-screen', () => {
      place(window, wanted);
      window.setFullScreen(true);
    });
    window.setFullScreen(false);
    return;
  }
  if (window.isMaximized()) window.unmaximize();
  window.setBounds(bounds);
  // The first call takes the scale of the display that the window comes from (electron#16444, electron#10862).
  if (!isSameRectangle(window.getNormalBounds(), bounds)) window.setBounds(bounds);
  if (maximized) window.maximize();
}

/** The main display first, as `fitWindowBounds` takes them. */
export function workAreas(screen: Pick<Screen, 'getPrimaryDisplay' | 'getAllDisplays'>): Rectangle[] {
  return [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map(({ workArea }) => workArea);
}

/** A display has another id on Linux each time that it comes; by place and scale sets differ as well. */
function layoutOf(screen: Pick<Screen, 'getAllDisplays'>): string {
  return screen
    .getAllDisplays()
    .map(({ bounds: { x, y, width, height }, scaleFactor }) => [x, y, width, height, scaleFactor].join(' '))
    .sort()
    .join('; ');
}

function isSame(one: WindowBounds, other: WindowBounds): boolean {
  return one.maximized === other.maximized && isSameRectangle(one.bounds, other.bounds);
}

function isSameRectangle(one: Rectangle, other: Rectangle): boolean {
  return one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;
}
