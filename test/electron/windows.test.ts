import { EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { consolePage, createWindows, MOST_WINDOWS, type Opening } from '../../electron/windows.ts';
import { createFakeClock } from '../support/fakeClock.ts';

const ORIGIN = 'http://127.0.0.1:8471';
const QUEUE = `${ORIGIN}/?window=queue#/live`;
const WALL = `${ORIGIN}/?window=wall&awake=1#/live`;

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'fleetdeck-windows-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

class FakeWindow extends EventEmitter {
  url = '';
  bounds = { x: 100, y: 50, width: 900, height: 600 };
  title = '(3) Queue · Depot';
  loads = 0;
  isClosed = false;
  fullScreen = false;
  readonly webContents = { getURL: () => this.url };
  readonly opening: Opening;
  constructor(opening: Opening) {
    super();
    this.opening = opening;
    if (opening.place !== null) this.bounds = opening.place.bounds;
  }
  loadURL = (url: string) => {
    this.url = url;
    this.loads += 1;
    return Promise.resolve();
  };
  getNormalBounds = () => this.bounds;
  isMaximized = () => false;
  isFullScreen = () => this.fullScreen;
  isDestroyed = () => this.isClosed;
  getTitle = () => this.title;
  close() {
    this.emit('close');
    this.isClosed = true;
    this.emit('closed');
  }
}

/** The program from its start on; a second one in the same folder is the next start. */
function start() {
  const clock = createFakeClock();
  const made: FakeWindow[] = [];
  const said = {
    front: [] as FakeWindow[],
    main: [] as string[],
    refused: [] as number[],
    warned: [] as string[],
  };
  let awake = 0;
  const windows = createWindows<FakeWindow>({
    isOurs: (origin) => origin === ORIGIN,
    file: join(folder, 'windows.json'),
    create(opening) {
      const window = new FakeWindow(opening);
      made.push(window);
      return window;
    },
    fit: (place) => (place.bounds.x > 1_920 ? { ...place, bounds: { ...place.bounds, x: 0 } } : place),
    bringToFront: (window) => said.front.push(window),
    showInMain: (url) => said.main.push(url),
    keepDisplaysOn() {
      awake += 1;
      return () => void (awake -= 1);
    },
    refuse: (most) => said.refused.push(most),
    after: (ms, run) => clock.after(ms, run),
    warn: (words) => said.warned.push(words),
  });
  return { windows, made, said, clock, awake: () => awake };
}

const lastOf = ({ made }: ReturnType<typeof start>): FakeWindow => {
  const window = made.at(-1);
  if (window === undefined) throw new Error('no window was made');
  return window;
};

describe('the windows of the desktop', () => {
  it('a page opens a window of our own for a page of the console, of the size that it asks for', () => {
    const { windows, made } = start();
    windows.openFor(QUEUE, 'popup,width=1280,height=420');
    expect(made.map(({ url, opening }) => ({ url, opening }))).toEqual([
      { url: QUEUE, opening: { place: null, size: { width: 1_280, height: 420 }, fullScreen: false } },
    ]);
  });

  it('a page opens nothing by an address that is no page of the console', () => {
    const { windows, made, said } = start();
    const bad = [
      'http://127.0.0.1:8472/?window=queue',
      `${ORIGIN}/docs?window=queue`,
      `${ORIGIN}/?window=../queue`,
      `${ORIGIN}/?window=${'a'.repeat(17)}`,
      `${QUEUE}${'x'.repeat(2_048)}`,
      'javascript:alert(1)',
      'about:blank',
      'nonsense',
    ];
    bad.forEach((url) => windows.openFor(url, ''));
    expect(made).toEqual([]);
    expect(said.main).toEqual([]);
    expect(said.warned).toHaveLength(bad.length);
    expect(consolePage(WALL, (origin) => origin === ORIGIN)).toEqual({ key: 'wall', staysAwake: true });
  });

  it('a page that opens the whole console is given the main window', () => {
    const { windows, made, said } = start();
    windows.openFor(`${ORIGIN}/#/history?at=1`, '');
    expect([said.main, made.length]).toEqual([[`${ORIGIN}/#/history?at=1`], 0]);
  });

  it('a window that is open comes to the front, and is loaded only for another address', () => {
    const desktop = start();
    desktop.windows.openFor(QUEUE, '');
    desktop.windows.openFor(QUEUE, '');
    const window = lastOf(desktop);
    expect([desktop.made.length, window.loads, desktop.said.front]).toEqual([1, 1, [window]]);
    desktop.windows.openFor(`${QUEUE}?vehicle=v1`, '');
    expect([desktop.made.length, window.loads, window.url]).toEqual([1, 2, `${QUEUE}?vehicle=v1`]);
  });

  it('the windows stop at their bound, and the operator reads why', () => {
    const { windows, made, said } = start();
    for (let at = 0; at <= MOST_WINDOWS; at++) {
      windows.openFor(`${ORIGIN}/?window=${String.fromCharCode(97 + at)}`, '');
    }
    expect(made).toHaveLength(MOST_WINDOWS);
    expect(said.refused).toEqual([12]);
    // As many follow the main window to another host.
    windows.restore(ORIGIN);
    expect(said.front).toEqual(made);
  });

  it('windows that are open when the program ends open again as they stood; one that was closed does not', () => {
    const first = start();
    first.windows.openFor(QUEUE, '');
    const queue = lastOf(first);
    first.windows.openFor(WALL, '');
    const wall = lastOf(first);
    first.windows.openFor(`${ORIGIN}/?window=list#/live`, '');
    lastOf(first).close();
    queue.bounds = { x: 1_000, y: 10, width: 700, height: 300 };
    queue.url = `${QUEUE}?vehicle=v2`;
    wall.fullScreen = true;
    first.windows.end();
    queue.close();
    wall.close();

    const second = start();
    second.windows.restore(ORIGIN);
    expect(second.made.map(({ url, opening }) => [url, opening.place?.bounds.x, opening.fullScreen])).toEqual(
      [
        [`${QUEUE}?vehicle=v2`, 1_000, false],
        [WALL, 100, true],
      ],
    );
  });

  it('windows open again after the program was killed, where they were moved to a second before', () => {
    const first = start();
    first.windows.openFor(QUEUE, '');
    const window = lastOf(first);
    window.bounds = { ...window.bounds, x: 400 };
    for (let step = 0; step < 50; step++) window.emit('move');
    first.clock.advance(1_000);

    const second = start();
    second.windows.restore(ORIGIN);
    expect(lastOf(second).opening.place?.bounds.x).toBe(400);
  });

  it('a window whose display is gone opens on one that is there; closed by hand, it comes back to its place', () => {
    const first = start();
    first.windows.openFor(QUEUE, '');
    lastOf(first).bounds.x = 2_500;
    lastOf(first).close();
    first.windows.openFor(QUEUE, '');
    expect(lastOf(first).opening.place?.bounds.x).toBe(0);
  });

  it('the displays stay on while a wall display is open', () => {
    const desktop = start();
    desktop.windows.openFor(QUEUE, '');
    expect(desktop.awake()).toBe(0);
    desktop.windows.openFor(WALL, '');
    expect(desktop.awake()).toBe(1);
    lastOf(desktop).close();
    expect(desktop.awake()).toBe(0);
  });

  it('the windows are listed for the menu by their titles, without the count of alarms', () => {
    const desktop = start();
    let changes = 0;
    desktop.windows.onChange(() => (changes += 1));
    desktop.windows.openFor(QUEUE, '');
    expect(desktop.windows.list().map(({ title }) => title)).toEqual(['Queue · Depot']);
    desktop.windows.list()[0]?.show();
    expect(desktop.said.front).toEqual([lastOf(desktop)]);
    lastOf(desktop).close();
    expect([desktop.windows.list(), changes]).toEqual([[], 2]);
  });

  it('windows that were remembered wrongly are left out, and the program starts', () => {
    const file = join(folder, 'windows.json');
    for (const text of ['nonsense', '{"windows":[{"key":"queue"}]}', '{"windows":7}']) {
      writeFileSync(file, text);
      const { windows, made } = start();
      windows.restore(ORIGIN);
      expect(made).toEqual([]);
    }
    const entry = {
      ...{ key: 'queue', isOpen: true, fullScreen: false },
      place: { maximized: false, bounds: { x: 0, y: 0, width: 900, height: 600 } },
    };
    const others = ['//evil.example/?window=queue', '/?window=list', '@evil.example/?window=queue'];
    writeFileSync(file, JSON.stringify({ windows: others.map((address) => ({ ...entry, address })) }));
    const { windows, made } = start();
    windows.restore(ORIGIN);
    expect(made).toEqual([]);
    windows.openFor(QUEUE, '');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      windows: [{ key: 'queue', isOpen: true }],
    });
  });
});
