import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bringToFront, showWindow, windowOptions } from '../../electron/window.ts';
import { StandInWindow } from './electronParts.ts';

const bounds = { x: 10, y: 20, width: 1300, height: 800 };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetdeck-window-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function show(maximized: boolean, isHidden: boolean) {
  const window = new StandInWindow({ webPreferences: {} });
  const placeFile = join(folder, 'window.json');
  const warn = vi.fn<() => void>();
  const onScreen = isHidden ? null : () => window.show();
  showWindow(window as unknown as BrowserWindow, { bounds, maximized }, placeFile, onScreen, warn);
  return { window, placeFile, warn };
}

describe('a window of the console', () => {
  it('a window of the console is made hidden, in a sandbox, and goes on while it is in the background', () => {
    const deps = { smallest: { width: 320, height: 240 }, preload: '/p.cjs', icon: '/i.png' };
    expect(windowOptions({ bounds: { width: 800, height: 600 }, ...deps })).toMatchObject({
      ...{ width: 800, height: 600, minWidth: 320, minHeight: 240, show: false },
      webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false },
    });
    expect(windowOptions({ bounds, ...deps }).webPreferences?.backgroundThrottling).toBe(false);
  });

  it('a window of the console is shown with its first picture, and stores its place when it closes', () => {
    const { window, placeFile } = show(false, false);
    expect(window.state).toBe('hidden');
    window.emit('ready-to-show');
    expect(window.state).toBe('shown');
    expect(existsSync(placeFile)).toBe(false);
    window.emit('close');
    expect(JSON.parse(readFileSync(placeFile, 'utf8'))).toEqual({ bounds, maximized: false });
  });

  it('a window of the console that starts out of sight is not maximised before somebody shows it', () => {
    const { window } = show(true, true);
    window.emit('ready-to-show');
    expect(window.state).toBe('hidden');
    expect(window.maximize).not.toHaveBeenCalled();
    window.emit('show');
    expect(window.maximize).toHaveBeenCalledOnce();
  });

  it('a window of the console comes to the front from the task bar', () => {
    const { window } = show(false, false);
    window.minimize();
    bringToFront(window);
    expect(window.state).toBe('shown');
    expect(window.focus).toHaveBeenCalledOnce();
  });
});
