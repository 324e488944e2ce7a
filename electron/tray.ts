import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { MenuItemConstructorOptions } from 'electron';
import type { DesktopPreferences, OpenAlarms } from './bridge/channels.ts';
import type { Say, Words } from './language.ts';

/** The part of Electron's `Tray` that is used here; `Image` and `Menu` are Electron's own. */
export interface SystemTray<Image, Menu> {
  setImage(image: Image): void;
  setToolTip(words: string): void;
  setTitle(text: string): void;
  setContextMenu(menu: Menu): void;
  on(event: 'click', listener: () => void): unknown;
  destroy(): void;
}

export interface TrayDeps<Image, Menu> {
  tray: SystemTray<Image, Menu>;
  platform: NodeJS.Platform;
  /** The icon with the number of open alarms, in the colour of the gravest. */
  draw: (open: OpenAlarms | null) => Image;
  menuOf: (template: MenuItemConstructorOptions[]) => Menu;
  preferences: {
    read(): Pick<DesktopPreferences, 'mutedUntil'>;
    change(change: Pick<DesktopPreferences, 'mutedUntil'>): unknown;
    onChange(listener: () => void): () => void;
  };
  open: () => void;
  quit: () => void;
  clock: { now(): number; after(ms: number, call: () => void): () => void };
  words: Words;
}

const MUTE_MS = 30 * 60_000;

/** The icon by which the program is reached while no window is open. `show` takes the open alarms; null: nobody is logged in. */
export function createTray<Image, Menu>(deps: TrayDeps<Image, Menu>) {
  const { tray, platform, draw, menuOf, preferences, open, quit, clock } = deps;
  const { say, time } = deps.words;
  let alarms: OpenAlarms | null = null;
  let stopTimer = (): void => undefined;

  function show(): void {
    const { mutedUntil } = preferences.read();
    const count = alarms?.count ?? 0;
    tray.setImage(draw(alarms));
    // The menu bar of macOS has its pictures in one colour, and a text beside them.
    if (platform === 'darwin') tray.setTitle(count === 0 ? '' : String(count));
    const words = alarmWords(say, alarms);
    tray.setToolTip(say(mutedUntil === null ? 'tray.alarms' : 'tray.muted', { alarms: words }));
    // Linux shows changes of a menu only with the next whole one.
    tray.setContextMenu(menuOf(menu(mutedUntil)));
    stopTimer();
    if (mutedUntil !== null) stopTimer = clock.after(mutedUntil - clock.now(), show);
  }

  function menu(mutedUntil: number | null): MenuItemConstructorOptions[] {
    return [
      { label: say('tray.open'), click: open },
      { label: alarmWords(say, alarms), enabled: alarms === null || alarms.count > 0, click: open },
      { type: 'separator' },
      mutedUntil === null
        ? {
            label: say('tray.mute'),
            click: () => preferences.change({ mutedUntil: clock.now() + MUTE_MS }),
          }
        : {
            label: say('tray.muted_until', { time: time(mutedUntil) }),
            type: 'checkbox',
            checked: true,
            click: () => preferences.change({ mutedUntil: null }),
          },
      { type: 'separator' },
      { label: say('quit.fleetdeck'), click: quit },
    ];
  }

  // There a click opens the menu.
  if (platform !== 'darwin') tray.on('click', open);
  const stopListening = preferences.onChange(show);
  show();
  return {
    show(given: OpenAlarms | null): void {
      alarms = given;
      show();
    },
    stop(): void {
      stopTimer();
      stopListening();
      tray.destroy();
    },
  };
}

export function alarmWords(say: Say, open: OpenAlarms | null): string {
  if (open === null) return say('alarms.unknown');
  return open.count === 0 ? say('alarms.none') : say('alarms.open', { count: open.count });
}

/**
 * Whether the desktop shows icons in a tray. Electron has no answer to that (electron#10427): where nobody shows them,
 * as on GNOME without its extension, an icon is made and never seen. On Linux whoever shows them has a name on the
 * session bus; without one, or without `dbus-send`, the answer is no: a window that is hidden then could not be found.
 */
export async function hasTray(
  platform: NodeJS.Platform,
  run: (program: string, args: string[]) => Promise<string> = runProgram,
): Promise<boolean> {
  if (platform !== 'linux') return true;
  try {
    const reply = await run('dbus-send', [
      '--session',
      '--print-reply=literal',
      '--dest=org.freedesktop.DBus',
      '/org/freedesktop/DBus',
      'org.freedesktop.DBus.NameHasOwner',
      'string:org.kde.StatusNotifierWatcher',
    ]);
    return /boolean true/.test(reply);
  } catch {
    return false;
  }
}

async function runProgram(program: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { timeout: 2_000 });
  return stdout;
}
