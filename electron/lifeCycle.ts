import { join } from 'node:path';
import type * as Electron from 'electron';
import type { BrowserWindow, MessageBoxOptions, MessageBoxReturnValue, NativeImage } from 'electron';
import type { Logger } from 'pino';
import type { MessageOf, OpenAlarms, PreferenceChange, ShellChannelName } from './bridge/channels.ts';
import { createClosing, quitWords, stayWords, type AfterClose } from './closing.ts';
import { drawDisc, drawIconWithCount, drawTemplate } from './icon/countPicture.ts';
import { encodePng } from './icon/iconFiles.ts';
import { sendToPage } from './ipc.ts';
import type { Say, ShellLanguage } from './language.ts';
import { createLoginStart, startsHidden } from './loginStart.ts';
import { createPreferences } from './preferences.ts';
import { alarmWords, createTray } from './tray.ts';

/** Points of a tray's icon on each system, by the scale of the display. */
const TRAY_SIZES: Partial<Record<NodeJS.Platform, Readonly<Record<string, number>>>> = {
  win32: { 1: 16, 1.25: 20, 1.5: 24, 2: 32, 3: 48 },
  darwin: { 1: 18, 2: 36 },
};
const OTHER_TRAY_SIZES = { 1: 24, 2: 48 };
/** `setOverlayIcon` takes 16 × 16 points. */
const OVERLAY_SIZES = { 1: 16, 1.5: 24, 2: 32 };

/** At login the desktop starts as we do, and the panel that shows icons comes later. */
const PANEL_READY_MS = 15_000;

/** The program without windows: its icon in the tray, what closing and quitting mean, and what its user has set for that. */
export type LifeCycle = ReturnType<typeof startLifeCycle>;

export function startLifeCycle(deps: {
  electron: Pick<
    typeof Electron,
    'app' | 'BrowserWindow' | 'dialog' | 'Menu' | 'nativeImage' | 'powerMonitor' | 'Tray'
  >;
  platform: NodeJS.Platform;
  /** Whether the desktop has a place for the icon (`hasTray`). */
  hasTray: () => Promise<boolean>;
  /** The folder of this program's own files. */
  folder: string;
  /** Shows the console. */
  open: () => void;
  /** Videos that are being fetched; null: this computer runs no depot of its own. */
  downloads: () => number | null;
  /** Closes the host and ends the process. */
  end: () => void;
  language: ShellLanguage;
  log: Logger;
}) {
  const { electron, platform, hasTray, language } = deps;
  const { say } = language;
  const { app, BrowserWindow, Menu, powerMonitor, Tray } = electron;
  const picture = (sizes: Readonly<Record<string, number>>, draw: (size: number) => Uint8Array) =>
    drawPicture(electron.nativeImage, sizes, draw);
  const trayImage = (open: OpenAlarms | null): NativeImage => {
    const image = picture(TRAY_SIZES[platform] ?? OTHER_TRAY_SIZES, (size) =>
      platform === 'darwin'
        ? drawTemplate(size)
        : drawIconWithCount(size, open?.count ?? 0, open?.worst ?? 'alarm'),
    );
    image.setTemplateImage(platform === 'darwin');
    return image;
  };
  function toAllPages<Name extends ShellChannelName>(name: Name, message: MessageOf<Name>): void {
    for (const { webContents } of BrowserWindow.getAllWindows()) sendToPage(webContents, name, message);
  }
  /** Without a tray nobody would find a window that was never shown. */
  async function showWithoutTray(window: BrowserWindow): Promise<void> {
    if (window.isDestroyed() || window.isVisible() || (await hasTray())) return;
    // A window that was never shown is in no task bar.
    window.showInactive();
    window.minimize();
  }
  const warn = (words: string, error: unknown) => deps.log.warn({ err: error }, words);
  const loginStart = createLoginStart({ platform, app, environment: process.env, program: process.execPath });
  try {
    // The program may have been moved since, as an AppImage is by hand.
    if (loginStart?.isOn() === true) loginStart.set(true);
  } catch (error) {
    warn('the start at login could not be set', error);
  }
  const preferences = createPreferences({
    file: join(deps.folder, 'preferences.json'),
    loginStart,
    mayQuitByClosing: platform !== 'darwin',
    now: Date.now,
    warn,
  });
  preferences.onChange((changed) => toAllPages('preferencesChanged', changed));
  /** Of a menu or a box, which have nobody to hand an error to: a full disk is no reason to end. */
  const change = (changed: PreferenceChange): void => {
    try {
      preferences.change(changed);
    } catch (error) {
      warn('preferences.json was not written', error);
    }
  };

  const closing = createClosing({
    async afterClose(): Promise<AfterClose> {
      if (platform === 'darwin') return 'dock';
      if (preferences.read().keepRunning === false) return 'quit';
      return (await hasTray()) ? 'tray' : 'taskbar';
    },
    async explain(stays) {
      // Every program of macOS stays in its dock.
      if (stays === 'dock' || !preferences.isNews(stays)) return true;
      const buttons = [say('stays.keep'), say('quit.fleetdeck')];
      return (
        (
          await ask(electron, {
            type: 'info',
            ...stayWords(say, stays, deps.downloads() !== null),
            buttons,
            cancelId: 0,
          })
        ).response === 0
      );
    },
    async confirmQuit() {
      if (!preferences.read().confirmQuit) return true;
      const { response, checkboxChecked } = await ask(electron, {
        type: 'question',
        ...quitWords(say, deps.downloads()),
        buttons: [say('quit.quit'), say('quit.cancel')],
        cancelId: 1,
        checkboxLabel: say('quit.ask_no_more'),
      });
      if (response === 0 && checkboxChecked) change({ confirmQuit: false });
      return response === 0;
    },
    end: deps.end,
    warn,
  });

  const tray = createTray({
    tray: new Tray(trayImage(null)),
    platform,
    draw: trayImage,
    menuOf: (template) => Menu.buildFromTemplate(template),
    preferences: { ...preferences, change },
    open: deps.open,
    quit: closing.quit,
    clock: { now: Date.now, after },
    words: language,
  });

  powerMonitor.on('resume', () => {
    deps.log.info('the computer has woken');
    toAllPages('resumed', true);
  });

  const isHidden = startsHidden(app, platform);
  let shown: OpenAlarms | null = null;
  /** On the icons in tray, dock and task bar. */
  function showAlarms(open: OpenAlarms | null): void {
    shown = open;
    tray.show(open);
    const count = open?.count ?? 0;
    if (platform !== 'win32') {
      // On Linux only launchers that follow Unity show it (app.setBadgeCount).
      app.setBadgeCount(count);
      return;
    }
    const overlay =
      open === null || count === 0
        ? null
        : picture(OVERLAY_SIZES, (size) => drawDisc(size, count, open.worst));
    for (const window of BrowserWindow.getAllWindows()) window.setOverlayIcon(overlay, alarmWords(say, open));
  }
  language.onChange(() => showAlarms(shown));
  return {
    preferences,
    /** The number of open alarms that was shown last. */
    shownCount: () => shown?.count ?? 0,
    /** No window is shown at first. */
    isHidden,
    /** Takes care of a window from its beginning. */
    adopt(window: BrowserWindow): void {
      closing.adopt(window);
      if (isHidden) after(PANEL_READY_MS, () => void showWithoutTray(window));
    },
    quit: closing.quit,
    showAlarms,
  };
}

function drawPicture(
  nativeImage: typeof Electron.nativeImage,
  sizes: Readonly<Record<string, number>>,
  draw: (size: number) => Uint8Array,
): NativeImage {
  const image = nativeImage.createEmpty();
  for (const [scale, size] of Object.entries(sizes)) {
    const buffer = encodePng(draw(size), size);
    image.addRepresentation({ scaleFactor: Number(scale), width: size, height: size, buffer });
  }
  return image;
}

type Boxes = Pick<typeof Electron, 'BrowserWindow' | 'dialog'>;

function ask({ BrowserWindow, dialog }: Boxes, question: MessageBoxOptions): Promise<MessageBoxReturnValue> {
  const options = { defaultId: 0, noLink: true, ...question };
  const parent = BrowserWindow.getFocusedWindow();
  return parent === null ? dialog.showMessageBox(options) : dialog.showMessageBox(parent, options);
}

/** Asks about a page that does not respond. @param signal takes the question away */
export async function askAboutPage(
  electron: Boxes,
  say: Say,
  signal: AbortSignal,
): Promise<'reload' | 'wait'> {
  const { response } = await ask(electron, {
    type: 'warning',
    message: say('page.silent'),
    detail: say('page.silent_about'),
    buttons: [say('page.reload'), say('page.wait')],
    cancelId: 1,
    signal,
  });
  return response === 0 ? 'reload' : 'wait';
}

export function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
