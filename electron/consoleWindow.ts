import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Notification,
  screen,
  session,
  shell,
  webContents,
  type SaveDialogReturnValue,
} from 'electron';
import type { Logger } from 'pino';
import { createBadge } from './badge.ts';
import type { MessageOf, ShellChannelName } from './bridge/channels.ts';
import { answerPages, sendToPage } from './ipc.ts';
import type { LifeCycle } from './lifeCycle.ts';
import { createNotifications } from './notifications.ts';
import { raiseWindow } from './raiseWindow.ts';
import { createSaveFile } from './saveFile.ts';
import { guardPages, guardSession } from './security.ts';
import { bringToFront, showWindow, windowOptions } from './window.ts';
import { fitWindowBounds, readWindowBounds } from './windowBounds.ts';

/** Opens the one window, guarded, with the services that its page may ask for. */
export function openConsole(deps: {
  /** Where the host serves the console. */
  url: string;
  setupCode: string | null;
  /** The folder of this program's own files. */
  folder: string;
  preload: string;
  icon: string;
  lifeCycle: LifeCycle;
  log: Logger;
}): BrowserWindow {
  const { log } = deps;
  const { preferences } = deps.lifeCycle;
  const origin = new URL(deps.url).origin;
  const warn = (words: string) => log.warn(words);
  guardSession(session.defaultSession, origin, warn);
  guardPages(app, {
    origin,
    warn,
    openExternal(url) {
      shell.openExternal(url).catch((error: unknown) => log.warn({ err: error }, 'link could not be opened'));
    },
  });

  const placeFile = join(deps.folder, 'window.json');
  const displays = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()];
  const place = fitWindowBounds(
    readWindowBounds(placeFile),
    displays.map(({ workArea }) => workArea),
  );
  const window = new BrowserWindow(windowOptions({ place, preload: deps.preload, icon: deps.icon }));
  showWindow(window, place, placeFile, deps.lifeCycle.isHidden ? null : () => window.show());
  deps.lifeCycle.adopt(window);

  const notices = createNotifications({
    create: (content) => new Notification(content),
    opened: (page, tag) => toPage(page, 'noticeOpened', tag),
    acted: (page, tag, action) => toPage(page, 'noticeActed', { tag, action }),
  });
  window.on('closed', () => notices.closeAll());
  const setBadge = createBadge({
    setCount: (count) => deps.lifeCycle.showCount(count),
    flash: () => window.flashFrame(true),
    isFocused: () => window.isFocused(),
  });
  const saveFile = createSaveFile({
    downloads: app.getPath('downloads'),
    askWhere: async (proposal) => chosen(await dialog.showSaveDialog(window, { defaultPath: proposal })),
  });
  answerPages(
    ipcMain,
    {
      facts: () => ({ version: app.getVersion(), canNotify: Notification.isSupported() }),
      setupCode: () => deps.setupCode,
      notify: ({ id }, notice) => notices.show(id, notice),
      withdrawNotice: (_sender, tag) => notices.withdraw(tag),
      setBadge: (_sender, count) => setBadge(count),
      bringToFront: () => bringToFront(window),
      preferences: () => preferences.read(),
      changePreferences: (_sender, change) => preferences.change(change),
      raiseWindow: () => raiseWindow(window),
      saveFile: (_sender, name, content) => saveFile(name, content),
    },
    {
      isOurs: (from) => from === origin,
      warn: (words, error) => log.warn({ err: error }, words),
    },
  );
  return window;
}

/** To the page that a message is for, if it is still there. */
function toPage<Name extends ShellChannelName>(page: number, name: Name, message: MessageOf<Name>): void {
  const contents = webContents.fromId(page);
  if (contents !== undefined) sendToPage(contents, name, message);
}

function chosen({ canceled, filePath }: SaveDialogReturnValue): string | null {
  return canceled || filePath === '' ? null : filePath;
}
