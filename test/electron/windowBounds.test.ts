import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { saveWindowBounds, fitWindowBounds, readWindowBounds } from '../../electron/windowBounds.ts';

const main = { x: 0, y: 25, width: 1920, height: 1055 };
const right = { x: 1920, y: 0, width: 2560, height: 1440 };
const left = { bounds: { x: 2000, y: 40, width: 1400, height: 900 }, maximized: true };

describe('the window', () => {
  it('the window opens in the middle of the main screen at first', () => {
    expect(fitWindowBounds(null, [main, right])).toEqual({
      bounds: { x: 160, y: 53, width: 1600, height: 1000 },
      maximized: false,
    });
  });

  it('the window fits a small screen', () => {
    const small = { x: 0, y: 0, width: 1366, height: 728 };
    expect(fitWindowBounds(null, [small]).bounds).toEqual(small);
  });

  it('the window opens where it was left', () => {
    expect(fitWindowBounds(left, [main, right])).toEqual(left);
  });

  it('the window comes to the main screen when its own is not there any more, and stays maximised', () => {
    expect(fitWindowBounds(left, [main])).toEqual({
      bounds: { x: 160, y: 53, width: 1600, height: 1000 },
      maximized: true,
    });
  });

  it('the window becomes smaller with its screen, and stays as it is across two', () => {
    const large = { x: 1900, y: 300, width: 2400, height: 1300 };
    const lower = { x: 1920, y: 0, width: 1280, height: 720 };
    expect(fitWindowBounds({ bounds: large, maximized: false }, [main, lower]).bounds).toEqual(lower);
    const wide = { x: 100, y: 100, width: 4300, height: 950 };
    expect(fitWindowBounds({ bounds: wide, maximized: false }, [main, right]).bounds).toEqual(wide);
  });

  it.each([
    { x: 1850, y: 100 },
    { x: -1390, y: 100 },
    { x: 100, y: -30 },
    { x: 100, y: 1060 },
  ])('the window is moved when its title bar cannot be taken hold of at %j', (corner) => {
    const lost = { bounds: { ...left.bounds, ...corner }, maximized: false };
    expect(fitWindowBounds(lost, [main])).not.toEqual(lost);
  });
});

describe('the remembered window', () => {
  let folder: string;
  let file: string;
  const warn = vi.fn();
  beforeEach(() => {
    warn.mockClear();
    folder = mkdtempSync(join(tmpdir(), 'fleetdeck-place-'));
    file = join(folder, 'deep', 'window.json');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('the remembered window is read as it was kept', () => {
    saveWindowBounds(file, { getNormalBounds: () => left.bounds, isMaximized: () => true }, warn);
    expect(readWindowBounds(file)).toEqual(left);
  });

  it.each(['', 'null', '{}', '{"bounds":{"x":1},"maximized":true}', '{"bounds":null,"maximized":false}'])(
    'the remembered window is nothing when it reads %j',
    (text) => {
      saveWindowBounds(file, { getNormalBounds: () => left.bounds, isMaximized: () => true }, warn);
      writeFileSync(file, text);
      expect(readWindowBounds(file)).toBeNull();
    },
  );

  it('the remembered window is nothing when it is smaller than the window may be', () => {
    const tiny = { x: 0, y: 0, width: 10, height: 10 };
    saveWindowBounds(file, { getNormalBounds: () => tiny, isMaximized: () => false }, warn);
    expect(readWindowBounds(file)).toBeNull();
  });

  it('the remembered window stays as it was, with a warning, when the new one cannot be written', () => {
    const window = { getNormalBounds: () => left.bounds, isMaximized: () => true };
    saveWindowBounds(file, window, warn);
    expect(warn).not.toHaveBeenCalled();
    // What would become the file.
    mkdirSync(`${file}.part`);
    saveWindowBounds(file, { ...window, isMaximized: () => false }, warn);
    expect(warn).toHaveBeenCalledOnce();
    expect(readWindowBounds(file)).toEqual(left);
  });
});
