import { readStateFile, writeKept } from './stateFile.ts';

/** In the display's own points. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface WindowBounds {
  bounds: Rectangle;
  maximized: boolean;
}

/** The part of a `BrowserWindow` that is read here. */
interface PlacedWindow {
  getNormalBounds(): Rectangle;
  isMaximized(): boolean;
}

/** The smallest desktop the console is laid out for is 1366 × 768, less the task bar. */
export const smallestSize = { width: 1024, height: 640 };
const FIRST_SIZE = { width: 1600, height: 1000 };
/** So much of the window has to be on a screen to be taken hold of. */
const GRIP = 100;

/**
 * Where the window opens: as it was left, if that is still on a screen; made smaller, if that has become too small for it;
 * else in the middle of the first one.
 *
 * @param workAreas of the displays, the main one first
 */
export function fitWindowBounds(left: WindowBounds | null, workAreas: readonly Rectangle[]): WindowBounds {
  const own = left === null ? undefined : workAreas.find((it) => canBeTaken(left.bounds, it));
  if (left !== null && own !== undefined) {
    // One that is moved half off its screen, or spans two, is where the operator wants it.
    const fits = left.bounds.width <= own.width && left.bounds.height <= own.height;
    return fits || spans(left.bounds, workAreas) ? left : { ...left, bounds: within(left.bounds, own) };
  }
  const [area] = workAreas;
  if (area === undefined) return { bounds: { x: 0, y: 0, ...FIRST_SIZE }, maximized: false };
  const width = Math.min(FIRST_SIZE.width, area.width);
  const height = Math.min(FIRST_SIZE.height, area.height);
  return {
    bounds: {
      x: area.x + Math.round((area.width - width) / 2),
      y: area.y + Math.round((area.height - height) / 2),
      width,
      height,
    },
    maximized: left?.maximized ?? false,
  };
}

export function readWindowBounds(file: string): WindowBounds | null {
  const kept = readStateFile(file);
  if (typeof kept !== 'object' || kept === null || !('bounds' in kept) || !('maximized' in kept)) return null;
  return isRectangle(kept.bounds) ? { bounds: kept.bounds, maximized: kept.maximized === true } : null;
}

/** @param warn called when that could not be written: a window is closed all the same */
export function saveWindowBounds(
  file: string,
  window: PlacedWindow,
  warn: (words: string, error: unknown) => void,
): void {
  try {
    writeKept(file, { bounds: window.getNormalBounds(), maximized: window.isMaximized() });
  } catch (error) {
    warn('the place of the window was not stored', error);
  }
}

/** The title bar, by which a window is moved, has to be within reach. */
function canBeTaken(window: Rectangle, area: Rectangle): boolean {
  const overlap = Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x);
  return overlap >= GRIP && window.y >= area.y && window.y <= area.y + area.height - GRIP;
}

/** Whether the screens together show nearly all of it. */
function spans(window: Rectangle, areas: readonly Rectangle[]): boolean {
  const shown = [...new Map(areas.map((it) => [`${it.x} ${it.y}`, it])).values()].map((it) => {
    const width = Math.min(window.x + window.width, it.x + it.width) - Math.max(window.x, it.x);
    const height = Math.min(window.y + window.height, it.y + it.height) - Math.max(window.y, it.y);
    return Math.max(0, width) * Math.max(0, height);
  });
  return shown.reduce((sum, it) => sum + it, 0) >= 0.9 * window.width * window.height;
}

function within(window: Rectangle, area: Rectangle): Rectangle {
  const width = Math.min(window.width, area.width);
  const height = Math.min(window.height, area.height);
  return {
    x: Math.min(Math.max(window.x, area.x), area.x + area.width - width),
    y: Math.min(Math.max(window.y, area.y), area.y + area.height - height),
    width,
    height,
  };
}

function isRectangle(value: unknown): value is Rectangle {
  if (typeof value !== 'object' || value === null) return false;
  const { x, y, width, height } = { x: null, y: null, width: null, height: null, ...value };
  const isGiven = [x, y, width, height].every((it) => Number.isSafeInteger(it));
  return isGiven && Number(width) >= smallestSize.width && Number(height) >= smallestSize.height;
}
