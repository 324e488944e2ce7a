import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { vi } from 'vitest';
import { createShellLanguage } from '../../electron/language.ts';
import { wireName, type PageChannelName, type ShellChannelName } from '../../electron/bridge/channels.ts';

/** A window that does nothing, and remembers what it was asked for. */
export class StandInWindow extends EventEmitter {
  static all: StandInWindow[] = [];
  static getAllWindows = () => StandInWindow.all;
  static getFocusedWindow = () => null;

  readonly options: { webPreferences: Record<string, unknown> };
  readonly sent: [channel: string, message: unknown][] = [];
  readonly webContents;
  readonly urls: string[] = [];
  readonly setOverlayIcon = vi.fn<(icon: object | null, words: string) => void>();
  readonly flashFrame = vi.fn<(on: boolean) => void>();
  readonly focus = vi.fn<() => void>();
  readonly setFullScreen = vi.fn<(on: boolean) => void>();
  readonly maximize = vi.fn<() => void>();
  state: 'hidden' | 'shown' | 'minimised' | 'destroyed' = 'hidden';

  constructor(options: { webPreferences: Record<string, unknown> }) {
    super();
    this.options = options;
    const id = StandInWindow.all.length + 1;
    this.webContents = Object.assign(new EventEmitter(), {
      id,
      send: (channel: string, message: unknown) => void this.sent.push([channel, message]),
      getURL: () => this.urls.at(-1) ?? '',
    });
    StandInWindow.all.push(this);
  }

  /** Messages of a channel that its page got. */
  messages(name: ShellChannelName): unknown[] {
    return this.sent.filter(([channel]) => channel === wireName(name)).map(([, message]) => message);
  }

  loadURL = (url: string): Promise<void> => {
    this.urls.push(url);
    return Promise.resolve();
  };
  show = () => void (this.state = 'shown');
  showInactive = this.show;
  hide = () => void (this.state = 'hidden');
  minimize = () => void (this.state = 'minimised');
  restore = this.show;
  isVisible = () => this.state === 'shown';
  isMinimized = () => this.state === 'minimised';
  isDestroyed = () => this.state === 'destroyed';
  isMaximized = () => false;
  isFullScreen = () => false;
  isFocused = () => false;
  getTitle = () => 'Depot';
  setTitle = () => undefined;
  getNormalBounds = () => ({ x: 10, y: 20, width: 1300, height: 800 });
  getBounds = this.getNormalBounds;
  setBounds = () => undefined;
  /** As by its user; returns whether it closed. */
  close = (): boolean => {
    const event = { isKept: false, preventDefault: () => void (event.isKept = true) };
    this.emit('close', event);
    if (event.isKept) return false;
    this.destroy();
    return true;
  };
  destroy = (): void => {
    this.state = 'destroyed';
    StandInWindow.all = StandInWindow.all.filter((it) => it !== this);
    this.webContents.emit('destroyed');
    this.emit('closed');
  };
}

class StandInNotification extends EventEmitter {
  static shown: StandInNotification[] = [];
  static isSupported = () => true;
  readonly content: { title: string };
  constructor(content: { title: string }) {
    super();
    this.content = content;
  }
  show = () => void StandInNotification.shown.push(this);
  close = () => void this.emit('close', {});
}

class StandInTray extends EventEmitter {
  static last: StandInTray | null = null;
  words = '';
  labels: string[] = [];
  constructor() {
    super();
    StandInTray.last = this;
  }
  setImage = () => undefined;
  setTitle = () => undefined;
  setToolTip = (words: string) => void (this.words = words);
  setContextMenu = (menu: { label?: string }[]) =>
    void (this.labels = menu.flatMap(({ label }) => label ?? []));
  destroy = () => undefined;
}

/** The language of the desktop where the system's is English. */
export const createEnglish = (folder: string) =>
  createShellLanguage({ folder, preferred: () => ['en-GB'], warn: () => undefined });

/** The parts of Electron that the desktop's services are given, without Electron. */
export function createElectronParts({
  switches = [],
  folder = '/nonexistent',
}: { switches?: string[]; folder?: string } = {}) {
  StandInWindow.all = [];
  StandInNotification.shown = [];
  const answers: number[] = [];
  const area = { x: 0, y: 0, width: 1920, height: 1080 };
  const display = { id: 1, workArea: area, bounds: area, scaleFactor: 1 };
  const app = Object.assign(new EventEmitter(), {
    isPackaged: true,
    commandLine: { hasSwitch: (name: string) => switches.includes(name) },
    getVersion: () => '1.2.3',
    getPath: () => folder,
    getLoginItemSettings: vi.fn<() => object>(() => ({
      executableWillLaunchAtLogin: true,
      openAtLogin: true,
      wasOpenedAtLogin: false,
    })),
    setLoginItemSettings: vi.fn<(settings: object) => void>(),
    setBadgeCount: vi.fn<(count: number) => boolean>(() => true),
    relaunch: vi.fn<(options: { execPath: string; args: string[] }) => void>(),
    releaseSingleInstanceLock: vi.fn<() => void>(),
  });
  const handlers = new Map<string, (event: object, ...args: unknown[]) => unknown>();
  const ipcMain = Object.assign(new EventEmitter(), {
    handle: (channel: string, handler: (event: object, ...args: unknown[]) => unknown) =>
      void handlers.set(channel, handler),
  });
  const dialog = {
    showErrorBox: vi.fn<(title: string, words: string) => void>(),
    /** Answered by `answers`, in turn; the first button where none is left. */
    showMessageBox: vi.fn<(...given: { message: string; detail?: string }[]) => Promise<object>>(() =>
      Promise.resolve({ response: answers.shift() ?? 0, checkboxChecked: false }),
    ),
    showSaveDialog: vi.fn<(owner: object, options: object) => Promise<object>>(() =>
      Promise.resolve({ canceled: true, filePath: '' }),
    ),
  };
  const setApplicationMenu = vi.fn<(menu: { label?: string }[]) => void>();
  const electron = {
    app,
    dialog,
    ipcMain,
    BrowserWindow: StandInWindow,
    Notification: StandInNotification,
    Tray: StandInTray,
    Menu: { buildFromTemplate: (template: unknown) => template, setApplicationMenu },
    nativeImage: {
      createEmpty: () => ({ addRepresentation: () => undefined, setTemplateImage: () => undefined }),
    },
    powerMonitor: new EventEmitter(),
    powerSaveBlocker: { start: () => 1, stop: () => undefined },
    screen: Object.assign(new EventEmitter(), {
      getPrimaryDisplay: () => display,
      getAllDisplays: () => [display],
      getDisplayMatching: () => display,
    }),
    session: {
      defaultSession: {
        setPermissionRequestHandler: () => undefined,
        setPermissionCheckHandler: () => undefined,
        setDevicePermissionHandler: () => undefined,
        webRequest: { onBeforeRequest: () => undefined },
        on: () => undefined,
      },
    },
    shell: { openExternal: vi.fn<(url: string) => Promise<void>>(() => Promise.resolve()) },
    webContents: {
      fromId: (id: number) => StandInWindow.all.find(({ webContents }) => webContents.id === id)?.webContents,
    },
  };
  const eventOf = (window: StandInWindow, origin: string) => ({
    sender: { id: window.webContents.id },
    senderFrame: { origin, parent: null },
    returnValue: undefined,
  });
  return {
    electron: electron as unknown as typeof Electron,
    ...{ app, dialog, answers, screen: electron.screen, shell: electron.shell },
    powerMonitor: electron.powerMonitor,
    setApplicationMenu,
    tray: () => StandInTray.last,
    notices: () => StandInNotification.shown,
    /** What a page sends, and what it may read at once. */
    send: (window: StandInWindow, origin: string, name: PageChannelName, ...args: unknown[]): unknown => {
      const event = eventOf(window, origin);
      ipcMain.emit(wireName(name), event, ...args);
      return event.returnValue;
    },
    /** What a page asks, and its answer. */
    ask: (window: StandInWindow, origin: string, name: PageChannelName, ...args: unknown[]) =>
      Promise.resolve(handlers.get(wireName(name))?.(eventOf(window, origin), ...args)),
  };
}
