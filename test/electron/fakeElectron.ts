/**
 * Stands in for Electron's module where its program is not there: it does nothing, reports to its parent process what it is
 * asked for, and passes on what a page would send.
 */
import { EventEmitter } from 'node:events';
import { appendFileSync, writeFileSync } from 'node:fs';

export type Published =
  | { published: 'window'; options: { webPreferences: Record<string, unknown> } }
  | { published: 'url'; url: string }
  | { published: 'box'; text: string }
  | { published: 'hidden' }
  | { published: 'front' }
  | { published: 'prevented'; event: string }
  | { published: 'answer'; value: unknown };

export type Order =
  | { order: 'send'; channel: string; origin: string; args: unknown[] }
  /** The system reports something: Electron's event, and what follows it. */
  | { order: 'emit'; of: 'app' | 'window' | 'powerMonitor'; event: string; args: unknown[] }
  | { order: 'close window' | 'quit' | 'hang' | 'block' };

const folder = process.env['FAKE_USER_DATA'] ?? '';
const isWatch = process.argv.includes('--watch');
// For who did not start this process: which one it is, and what it asks for.
writeFileSync(`${folder}/${isWatch ? 'watch' : 'program'}.pid`, String(process.pid));

function emit(message: Published): void {
  if (process.send === undefined) appendFileSync(`${folder}/published.jsonl`, `${JSON.stringify(message)}\n`);
  else process.send(message);
}

class App extends EventEmitter {
  readonly commandLine = {
    hasSwitch: () => false,
    getSwitchValue: (name: string) =>
      name === 'user-data-dir' ? folder : name.endsWith('-port') ? (process.env[`FAKE_${name}`] ?? '0') : '',
  };
  private readonly paths = new Map<string, string>();
  getPath = (name: string) => this.paths.get(name) ?? `${folder}/${name}`;
  setPath = (name: string, path: string) => this.paths.set(name, path);
  getVersion = () => '1.2.3';
  getPreferredSystemLanguages = () => ['fr', process.env['FAKE_LANGUAGE'] ?? 'en-GB'];
  isPackaged = false;
  requestSingleInstanceLock = () => process.env['FAKE_IS_SECOND'] !== '1';
  private ready: Promise<void> | null = null;
  whenReady = () => (this.ready ??= Promise.resolve().then(() => void this.emit('ready')));
  exit = (code: number) => process.exit(code);
  quit = () => this.emit('before-quit', { preventDefault: () => undefined });
  getAppPath = () => process.argv[1] ?? '';
  disableHardwareAcceleration = () => undefined;
  setAppUserModelId = () => undefined;
  setBadgeCount = () => true;
  enableSandbox = () => undefined;
}

const windows: BrowserWindow[] = [];

export class BrowserWindow extends EventEmitter {
  readonly webContents = { id: 1, send: () => undefined };
  constructor(options: { webPreferences: Record<string, unknown> }) {
    super();
    windows.push(this);
    app.emit('browser-window-created', {}, this);
    emit({ published: 'window', options });
  }
  loadURL = (url: string) => {
    emit({ published: 'url', url });
    return Promise.resolve();
  };
  getNormalBounds = () => ({ x: 10, y: 20, width: 1300, height: 800 });
  isMaximized = () => false;
  isDestroyed = () => false;
  getTitle = () => 'Depot';
  isFocused = () => true;
  isFullScreen = () => false;
  isMinimized = () => false;
  show = () => undefined;
  focus = () => emit({ published: 'front' });
  static getAllWindows = () => windows;
  static getFocusedWindow = () => null;
  hide = () => emit({ published: 'hidden' });
  minimize = () => emit({ published: 'hidden' });
  close = () => {
    const kept: true[] = [];
    this.emit('close', { preventDefault: () => kept.push(true) });
    if (kept.length > 0) return;
    this.emit('closed');
    app.emit('window-all-closed');
  };
}

export class Notification extends EventEmitter {
  static isSupported = () => true;
}

export const app = new App();
const handlers = new Map<string, (event: object, ...args: unknown[]) => unknown>();
export const ipcMain = Object.assign(new EventEmitter(), {
  handle: (channel: string, handler: (event: object, ...args: unknown[]) => unknown) =>
    void handlers.set(channel, handler),
});
export const dialog = {
  showErrorBox: (title: string, text: string) => emit({ published: 'box', text: `${title}: ${text}` }),
  showMessageBox: (...given: { message: string; detail: string }[]) => {
    const { message, detail } = given.at(-1) ?? { message: '', detail: '' };
    emit({ published: 'box', text: `${message}\n${detail}` });
    return Promise.resolve({ response: 0 });
  },
  showSaveDialog: () => Promise.resolve({ canceled: true, filePath: '' }),
};
export const Menu = {
  buildFromTemplate: (template: unknown) => template,
  setApplicationMenu: () => undefined,
};
export class Tray extends EventEmitter {
  setImage = () => undefined;
  setToolTip = () => undefined;
  setTitle = () => undefined;
  setContextMenu = () => undefined;
}
export const nativeImage = {
  createEmpty: () => ({ addRepresentation: () => undefined, setTemplateImage: () => undefined }),
};
export const powerMonitor = new EventEmitter();
export const powerSaveBlocker = { start: () => 0 };
const area = { x: 0, y: 0, width: 1920, height: 1080 };
const display = { workArea: area, bounds: area, scaleFactor: 1 };
export const screen = Object.assign(new EventEmitter(), {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
});
export const session = {
  defaultSession: {
    setPermissionRequestHandler: () => undefined,
    setPermissionCheckHandler: () => undefined,
    setDevicePermissionHandler: () => undefined,
    webRequest: { onBeforeRequest: () => undefined },
    on: () => undefined,
  },
};
export const webContents = { fromId: () => windows[0]?.webContents };
export const safeStorage = { isAsyncEncryptionAvailable: () => Promise.resolve(false) };
export const shell = { openExternal: () => Promise.resolve(), openPath: () => Promise.resolve('') };

process.on('message', (message: Order) => {
  switch (message.order) {
    case 'close window':
      windows[0]?.close();
      break;
    case 'quit':
      app.quit();
      break;
    case 'hang':
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      break;
    case 'send': {
      const event = {
        sender: { id: 1 },
        senderFrame: { origin: message.origin, parent: null },
        returnValue: undefined,
      };
      const handler = handlers.get(message.channel);
      if (handler === undefined) {
        ipcMain.emit(message.channel, event, ...message.args);
        emit({ published: 'answer', value: event.returnValue });
      } else {
        void Promise.resolve(handler(event, ...message.args)).then((value) =>
          emit({ published: 'answer', value }),
        );
      }
      break;
    }
    case 'emit': {
      const { of, event, args } = message;
      const emitter = { app, window: windows[0], powerMonitor }[of];
      const preventDefault = () => emit({ published: 'prevented', event });
      emitter?.emit(event, { preventDefault }, ...args);
      break;
    }
    case 'block': {
      const end = performance.now() + 1_500;
      while (performance.now() < end);
    }
  }
});

/** Some 200 MB in a second. */
process.on('SIGUSR2', () => {
  const taken: number[][] = [];
  setInterval(() => taken.push(Array.from({ length: 500_000 }, (_, i) => i + 0.5)), 20);
});
