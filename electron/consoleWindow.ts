import { join } from 'node:path';
import type * as Electron from 'electron';
import type { BrowserWindow, SaveDialogReturnValue } from 'electron';
import type { Logger } from 'pino';
import { createBadge } from './badge.ts';
import type { DesktopOpening, MessageOf, ProblemFacts, ShellChannelName } from './bridge/channels.ts';
import { connectionServices, type ConnectionService } from './connections.ts';
import { followDisplays, workAreas } from './followDisplays.ts';
import { answerPages, sendToPage, type PageSender } from './ipc.ts';
import type { ShellLanguage } from './language.ts';
import { after, type LifeCycle } from './lifeCycle.ts';
import { createMenuBar } from './menu.ts';
import { createNotifications } from './notifications.ts';
import { raiseWindow } from './raiseWindow.ts';
import { createSaveFile } from './saveFile.ts';
import type { PageRecovery } from './pageRecovery.ts';
import { guardPages, guardSession } from './security.ts';
import { bringToFront, showWindow, windowOptions } from './window.ts';
import type { Updates } from './updates/updates.ts';
import { fitWindowBounds, readWindowBounds, saveWindowBounds, smallestSize } from './windowBounds.ts';
import { createWindows, smallestOwnWindow, titleOf, type Opening, type Windows } from './windows.ts';

/** Opens the main window, guarded as all windows are, with the services that their pages may ask for. */
export function openConsole(deps: {
  electron: Pick<
    typeof Electron,
    | 'app'
    | 'BrowserWindow'
    | 'dialog'
    | 'ipcMain'
    | 'Menu'
    | 'Notification'
    | 'powerSaveBlocker'
    | 'screen'
    | 'session'
    | 'shell'
    | 'webContents'
  >;
  connections: ConnectionService;
  setupCode: string | null;
  /** The folder of this program's own files. */
  folder: string;
  preload: string;
  icon: string;
  lifeCycle: LifeCycle;
  openLogFolder: () => void;
  recovery: Pick<PageRecovery, 'takeReason'>;
  takeOpening: () => Promise<DesktopOpening | null>;
  problemFacts: () => ProblemFacts;
  updates: Updates;
  language: ShellLanguage;
  log: Logger;
}): { window: BrowserWindow; windows: Windows } {
  const { connections, electron, log } = deps;
  const { app, BrowserWindow, dialog, Menu, Notification, powerSaveBlocker, screen, shell } = electron;
  const { preferences } = deps.lifeCycle;
  const { isOurs } = connections;
  const warn = (words: string) => log.warn(words);
  const warnOf = (words: string, error?: unknown) => log.warn({ err: error }, words);
  guardSession(electron.session.defaultSession, isOurs, warn);
  guardPages(app, {
    isOurs,
    warn,
    // Made here and not by Electron, so that no window lacks what `windowOptions` has.
    ownWindow({ url, features }) {
      windows.openFor(url, features);
      return { action: 'deny' };
    },
    openExternal(url) {
      shell.openExternal(url).catch((error: unknown) => log.warn({ err: error }, 'link could not be opened'));
    },
  });

  const placeFile = join(deps.folder, 'window.json');
  const place = fitWindowBounds(readWindowBounds(placeFile), workAreas(screen));
  const { preload, icon } = deps;
  const window = new BrowserWindow(
    windowOptions({ bounds: place.bounds, smallest: smallestSize, preload, icon }),
  );
  const show = deps.lifeCycle.isHidden ? null : () => window.show();
  showWindow(window, place, placeFile, show, warnOf);
  deps.lifeCycle.adopt(window);
  const displays = followDisplays({ screen, after });
  displays.adopt(window);

  function showInMain(url: string): void {
    window.loadURL(url).catch((error: unknown) => log.warn({ err: error }, 'page was not loaded'));
    bringToFront(window);
  }

  const windows = createWindows<BrowserWindow>({
    isOurs,
    file: join(deps.folder, 'windows.json'),
    create(opening) {
      const opened = openOwnWindow(BrowserWindow, opening, { preload, icon });
      displays.adopt(opened);
      return opened;
    },
    fit: (left) => fitWindowBounds(left, workAreas(screen)),
    bringToFront,
    showInMain,
    keepDisplaysOn() {
      const id = powerSaveBlocker.start('prevent-display-sleep');
      return () => powerSaveBlocker.stop(id);
    },
    refuse: (most) =>
      void dialog.showMessageBox({ type: 'info', message: deps.language.say('windows.most', { most }) }),
    after,
    warn: warnOf,
  });

  /** The window that asks; the main one for a page that is gone. */
  const windowOf = ({ id }: PageSender) =>
    BrowserWindow.getAllWindows().find((it) => it.webContents.id === id) ?? window;
  /** To the page that a message is for; false when it is gone. */
  function toPage<Name extends ShellChannelName>(
    page: number,
    name: Name,
    message: MessageOf<Name>,
  ): boolean {
    const contents = electron.webContents.fromId(page);
    if (contents === undefined) return false;
    sendToPage(contents, name, message);
    return true;
  }
  const notices = createNotifications({
    create: (content) => new Notification(content),
    // The window that showed a notice may be closed by now.
    opened(page, tag) {
      if (!toPage(page, 'noticeOpened', tag)) bringToFront(window);
    },
    acted(page, tag, action) {
      if (!toPage(page, 'noticeActed', { tag, action })) bringToFront(window);
    },
  });
  window.on('closed', () => notices.closeAll());
  const menuBar = createMenuBar({
    platform: process.platform,
    openLogFolder: deps.openLogFolder,
    language: deps.language,
    show(template) {
      const menu = Menu.buildFromTemplate(template);
      Menu.setApplicationMenu(menu);
      return menu;
    },
    choose: (page, command) => void toPage(page, 'commandChosen', command),
    windows: () => [
      // At the end the others are closed after it.
      ...(window.isDestroyed() ? [] : [{ title: titleOf(window), show: () => bringToFront(window) }]),
      ...windows.list(),
    ],
  });
  windows.onChange(menuBar.refresh);
  window.on('page-title-updated', menuBar.refresh);
  app.on('browser-window-focus', (_event, focused) => menuBar.focus(focused.webContents.id));
  app.on('web-contents-created', (_event, contents) => {
    const { id } = contents;
    contents.once('destroyed', () => menuBar.forget(id));
  });
  const setBadge = createBadge({
    show: (open) => deps.lifeCycle.showAlarms(open),
    flash: () => window.flashFrame(true),
    isFocused: () => window.isFocused(),
  });
  answerPages(
    electron.ipcMain,
    {
      facts: () => ({ version: app.getVersion(), canNotify: Notification.isSupported() }),
      setupCode: ({ origin }) => (connections.isOwnOrigin(origin) ? deps.setupCode : null),
      reloadReason: ({ id }) => deps.recovery.takeReason(id),
      notify: ({ id }, notice) => notices.show(id, notice),
      withdrawNotice: (_sender, tag) => notices.withdraw(tag),
      setBadge: (_sender, open) => setBadge(open),
      bringToFront: (sender) => bringToFront(windowOf(sender)),
      takeOpening: ({ id }) => (id === window.webContents.id ? deps.takeOpening() : null),
      setLanguage: (_sender, tag) => deps.language.set(tag),
      setMenu: ({ id }, menus) => menuBar.set(id, menus),
      preferences: () => preferences.read(),
      changePreferences: (_sender, change) => preferences.change(change),
      raiseWindow: () => raiseWindow(window),
      problemFacts: () => deps.problemFacts(),
      updateState: () => deps.updates.state(),
      changeUpdates: (_sender, settings) => deps.updates.change(settings),
      checkForUpdates: () => deps.updates.check(),
      installUpdate: () => deps.updates.install(),
      saveFile(sender, name, content) {
        const saveFile = createSaveFile({
          downloads: app.getPath('downloads'),
          askWhere: async (proposal) =>
            chosen(await dialog.showSaveDialog(windowOf(sender), { defaultPath: proposal })),
        });
        return saveFile(name, content);
      },
      ...connectionServices(connections, (url) => {
        showInMain(url);
        // The other windows follow it.
        windows.restore(new URL(url).origin);
      }),
    },
    { isOurs, warn: warnOf },
  );
  return {
    window,
    windows: {
      ...windows,
      end() {
        windows.end();
        // Whatever ends the program closes no window first.
        if (!window.isDestroyed()) saveWindowBounds(placeFile, window, warnOf);
      },
    },
  };
}

/** A window beside the main one, as it stood. */
function openOwnWindow(
  Window: typeof BrowserWindow,
  { place, size, fullScreen }: Opening,
  files: { preload: string; icon: string },
): BrowserWindow {
  const bounds = place?.bounds ?? size;
  const window = new Window(windowOptions({ bounds, smallest: smallestOwnWindow, ...files }));
  window.once('ready-to-show', () => {
    if (place?.maximized === true) window.maximize();
    window.show();
    if (fullScreen) window.setFullScreen(true);
  });
  return window;
}

function chosen({ canceled, filePath }: SaveDialogReturnValue): string | null {
  return canceled || filePath === '' ? null : filePath;
}
