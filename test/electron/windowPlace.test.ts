import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepPlace, placeWindow, readPlace } from '../../electron/windowPlace.ts';

const main = { x: 0, y: 25, width: 1920, height: 1055 };
const right = { x: 1920, y: 0, width: 2560, height: 1440 };
const left = { bounds: { x: 2000, y: 40, width: 1400, height: 900 }, maximized: true };

describe('the window', () => {
  it('opens in the middle of the main screen at first', () => {
    expect(placeWindow(null, [main, right])).toEqual({
      bounds: { x: 160, y: 53, width: 1600, height: 1000 },
      maximized: false,
    });
  });

  it('fits a small screen', () => {
    const small = { x: 0, y: 0, width: 1366, height: 728 };
    expect(placeWindow(null, [small]).bounds).toEqual(small);
  });

  it('opens where it was left', () => {
    expect(placeWindow(left, [main, right])).toEqual(left);
  });

  it('comes to the main screen when its own is not there any more, and stays maximised', () => {
    expect(placeWindow(left, [main])).toEqual({
      bounds: { x: 160, y: 53, width: 1600, height: 1000 },
      maximized: true,
    });
  });

  it.each([
    { x: 1850, y: 100 },
    { x: -1390, y: 100 },
    { x: 100, y: -30 },
    { x: 100, y: 1060 },
  ])('is moved when its title bar cannot be taken hold of at %j', (corner) => {
    const lost = { bounds: { ...left.bounds, ...corner }, maximized: false };
    expect(placeWindow(lost, [main])).not.toEqual(lost);
  });
});

describe('what is remembered of the window', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetdeck-place-'));
    file = join(folder, 'deep', 'window.json');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is read as it was kept', () => {
    keepPlace(file, { getNormalBounds: () => left.bounds, isMaximized: () => true });
    expect(readPlace(file)).toEqual(left);
  });

  it.each(['', 'null', '{}', '{"bounds":{"x":1},"maximized":true}', '{"bounds":null,"maximized":false}'])(
    'is nothing when it reads %j',
    (text) => {
      keepPlace(file, { getNormalBounds: () => left.bounds, isMaximized: () => true });
      writeFileSync(file, text);
      expect(readPlace(file)).toBeNull();
    },
  );

  it('is nothing when it is smaller than the window may be', () => {
    const tiny = { x: 0, y: 0, width: 10, height: 10 };
    keepPlace(file, { getNormalBounds: () => tiny, isMaximized: () => false });
    expect(readPlace(file)).toBeNull();
  });
});
