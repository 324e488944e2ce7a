import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HandlerDetails, WindowOpenHandlerResponse } from 'electron';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createConnections } from '../../electron/connections.ts';
import { openConsole } from '../../electron/consoleWindow.ts';
import { startLifeCycle } from '../../electron/lifeCycle.ts';
import type { Updates } from '../../electron/updates/updates.ts';
import { createElectronParts, createEnglish, StandInWindow } from './electronParts.ts';

const OWN = 'http://127.0.0.1:8471';
const REMOTE = 'http://127.0.0.1:8500';
const NOTICE = { tag: 'van', title: 'SOS', body: '', urgency: 'critical' as const, actions: ['Acknowledge'] };
const log = pino({ level: 'silent' });
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetdeck-console-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The main window on stand-ins of Electron's parts, with one connection to another host. */
async function open() {
  const parts = createElectronParts({ folder });
  const { electron } = parts;
  const language = createEnglish(folder);
  const life = startLifeCycle({
    ...{ electron, folder, log, language, platform: 'linux' },
    hasTray: () => Promise.resolve(true),
    ...{ downloads: () => null, open: () => undefined, end: () => undefined },
  });
  const connections = createConnections({
    file: join(folder, 'connections.json'),
    start: () => Promise.resolve({ url: `${REMOTE}/`, close: () => Promise.resolve() }),
    probe: () => Promise.reject(new Error('not asked')),
    look: () => Promise.resolve([]),
    isPortFree: () => Promise.resolve(true),
    warn: () => undefined,
  });
  connections.setOwnUrl(`${OWN}/`);
  const { id } = await connections.add({
    ...{ name: 'North', url: 'https://north.example:8471', fingerprint: null, insecure: false },
  });
  const updates = { state: () => ({}), change: vi.fn<() => void>(), check: vi.fn(), install: vi.fn() };
  const opened = openConsole({
    ...{ electron, connections, folder, log, language, lifeCycle: life, setupCode: 'ABCD-EFGH' },
    ...{ preload: '/preload.cjs', icon: '/icon.png' },
    openLogFolder: () => undefined,
    recovery: { takeReason: () => null },
    takeOpening: () => Promise.resolve({ kind: 'link', address: '/?vehicle=1' } as never),
    problemFacts: () => ({}) as never,
    updates: updates as unknown as Updates,
  });
  const main = opened.window as unknown as StandInWindow;
  /** A page opens another one, as `window.open` does. */
  const windowOpen = (url: string): WindowOpenHandlerResponse | undefined => {
    let handler: ((details: HandlerDetails) => WindowOpenHandlerResponse) | undefined;
    parts.app.emit(
      'web-contents-created',
      {},
      {
        ...{ id: 99, on: () => undefined, once: () => undefined },
        setWebRTCIPHandlingPolicy: () => undefined,
        setWindowOpenHandler: (given: typeof handler) => (handler = given),
      },
    );
    return handler?.({ url, features: '' } as HandlerDetails);
  };
  const other = (): StandInWindow => {
    windowOpen(`${OWN}/?window=queue`);
    const [, second] = StandInWindow.all;
    if (second === undefined) throw new Error('no second window');
    return second;
  };
  return { ...parts, ...opened, main, other, windowOpen, connections, id, updates };
}

describe('the window of the console', () => {
  it('has no Node, the preload alone, and is shown once it has a picture', async () => {
    const { main } = await open();
    expect(main.options.webPreferences).toMatchObject({
      ...{ preload: '/preload.cjs', sandbox: true, contextIsolation: true, nodeIntegration: false },
    });
    expect(main.state).toBe('hidden');
    main.emit('ready-to-show');
    expect(main.state).toBe('shown');
  });

  it('opens pages of ours in guarded windows, other links outside, and nothing else', async () => {
    const { windowOpen, other, shell } = await open();
    expect(windowOpen('https://example.org/manual')).toEqual({ action: 'deny' });
    expect(shell.openExternal).toHaveBeenCalledExactlyOnceWith('https://example.org/manual');
    windowOpen('file:///etc/passwd');
    expect(shell.openExternal).toHaveBeenCalledOnce();
    expect(StandInWindow.all).toHaveLength(1);
    expect(other().options.webPreferences).toMatchObject({ sandbox: true, contextIsolation: true });
    expect(other().urls).toEqual([`${OWN}/?window=queue`]);
    expect(StandInWindow.all).toHaveLength(2);
  });

  it('gives the setup code to pages of the own depot only', async () => {
    const { main, send, connections, id } = await open();
    const codeAt = (origin: string) => send(main, origin, 'setupCode');
    await connections.open(id);
    expect(codeAt(OWN)).toBe('ABCD-EFGH');
    expect(codeAt(REMOTE)).toBe(null);
    expect(codeAt('https://north.example:8471')).toBe(null);
  });

  it('sends a notice that is opened to the page that showed it, or comes to the front when that one is gone', async () => {
    const { main, other, send, notices } = await open();
    const second = other();
    send(second, OWN, 'notify', NOTICE);
    send(second, OWN, 'notify', { ...NOTICE, tag: 'bus' });
    notices()[0]?.emit('action', { actionIndex: 0 });
    expect(second.messages('noticeActed')).toEqual([{ tag: 'van', action: 0 }]);
    expect(main.messages('noticeActed')).toEqual([]);
    second.destroy();
    notices()[1]?.emit('click');
    expect(main.state).toBe('shown');
    expect(main.focus).toHaveBeenCalledOnce();
  });

  it('asks where to save over the window that asks', async () => {
    const { other, ask, dialog } = await open();
    const second = other();
    const path = join(folder, 'clip.mp4');
    dialog.showSaveDialog.mockResolvedValueOnce({ canceled: false, filePath: path });
    expect(await ask(second, OWN, 'saveFile', 'clip.mp4', new Uint8Array([1, 2]).buffer)).toBe(path);
    expect(dialog.showSaveDialog.mock.lastCall?.[0]).toBe(second);
    expect(readFileSync(path)).toEqual(Buffer.from([1, 2]));
    expect(await ask(second, OWN, 'saveFile', 'clip.mp4', new ArrayBuffer(1))).toBe(false);
  });

  it('hands what was opened to the main window only', async () => {
    const { main, other, ask } = await open();
    expect(await ask(other(), OWN, 'takeOpening')).toBe(null);
    expect(await ask(main, OWN, 'takeOpening')).not.toBe(null);
  });

  it('shows another host in the main window, and its windows after it', async () => {
    const { main, other, ask, id, windows } = await open();
    other();
    windows.end();
    expect(await ask(main, OWN, 'openConnection', id)).toBe(`${REMOTE}/`);
    expect(main.urls).toEqual([`${REMOTE}/`]);
    expect(StandInWindow.all[1]?.urls.at(-1)).toBe(`${REMOTE}/?window=queue`);
  });

  it('flashes for one alarm more while nobody looks', async () => {
    const { main, send, app } = await open();
    send(main, OWN, 'setBadge', { count: 1, worst: 'alarm' });
    expect(app.setBadgeCount).toHaveBeenLastCalledWith(1);
    expect(main.flashFrame).toHaveBeenCalledOnce();
    send(main, OWN, 'setBadge', { count: 0, worst: 'alarm' });
    expect(main.flashFrame).toHaveBeenCalledOnce();
  });

  it('speaks the language that its page speaks, in the menu bar and in boxes, and after the next start', async () => {
    const { main, send, windowOpen, setApplicationMenu, dialog } = await open();
    const titles = () => setApplicationMenu.mock.lastCall?.[0].flatMap(({ label }) => label ?? []);
    expect(titles()).toEqual(['&File', '&Edit', '&View', '&Window', '&Help']);
    send(main, OWN, 'setLanguage', 'de');
    expect(titles()).toEqual(['&Datei', '&Bearbeiten', '&Ansicht', '&Fenster', '&Hilfe']);
    expect(createEnglish(folder).current()).toBe('de');
    for (const key of 'abcdefghijklm') windowOpen(`${OWN}/?window=${key}`);
    expect(dialog.showMessageBox.mock.lastCall?.at(-1)?.message).toBe(
      '12 Fenster sind geöffnet. Schließen Sie zuerst eines davon.',
    );
  });

  it('refuses pages from elsewhere', async () => {
    const { main, ask } = await open();
    await expect(ask(main, 'https://example.org', 'preferences')).rejects.toThrow('https://example.org');
  });

  it('stores its place when the program ends without closing it', async () => {
    const { windows } = await open();
    windows.end();
    expect(JSON.parse(readFileSync(join(folder, 'window.json'), 'utf8'))).toMatchObject({
      bounds: { x: 10, y: 20, width: 1300, height: 800 },
    });
  });

  it('opens where it was left', async () => {
    const bounds = { x: 40, y: 50, width: 1400, height: 900 };
    writeFileSync(join(folder, 'window.json'), JSON.stringify({ bounds, maximized: true }));
    const { main } = await open();
    expect(main.options).toMatchObject(bounds);
    expect(main.maximize).toHaveBeenCalledOnce();
    expect(existsSync(join(folder, 'window.json'))).toBe(true);
  });
});
