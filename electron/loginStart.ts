import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { App } from 'electron';
import type { LoginStart } from './preferences.ts';

/** By it a start at login shows no window. */
const HIDDEN_SWITCH = 'hidden';
const ARGS = [`--${HIDDEN_SWITCH}`];

export interface LoginStartDeps {
  platform: NodeJS.Platform;
  app: Pick<App, 'isPackaged' | 'getLoginItemSettings' | 'setLoginItemSettings'>;
  environment: Readonly<Record<string, string | undefined>>;
  /** The path of the running program. */
  program: string;
}

/** Starts at login, by each system's own means; null where there is none, and for a program that runs from its sources. */
export function createLoginStart({ platform, app, environment, program }: LoginStartDeps): LoginStart | null {
  if (!app.isPackaged) return null;
  if (platform === 'linux') {
    const config = environment['XDG_CONFIG_HOME'] || join(environment['HOME'] || '/nonexistent', '.config');
    if (!existsSync(dirname(config))) return null;
    // An AppImage runs from a folder of its own that is gone with it.
    return createAutostartEntry(
      join(config, 'autostart', 'fleetdeck.desktop'),
      environment['APPIMAGE'] || program,
    );
  }
  return {
    // Windows has a second place where its own settings switch a program off (Task Manager, Startup apps).
    isOn: () =>
      platform === 'win32'
        ? app.getLoginItemSettings({ args: ARGS }).executableWillLaunchAtLogin
        : app.getLoginItemSettings().openAtLogin,
    set: (openAtLogin) =>
      app.setLoginItemSettings(platform === 'win32' ? { openAtLogin, args: ARGS } : { openAtLogin }),
  };
}

/** An entry of the Desktop Application Autostart Specification. */
function createAutostartEntry(file: string, program: string): LoginStart {
  return {
    isOn() {
      if (!existsSync(file)) return false;
      const entry = readFileSync(file, 'utf8');
      // Desktops switch an entry off by these rather than removing it.
      return !/^Hidden=true$/m.test(entry) && !/^X-GNOME-Autostart-enabled=false$/m.test(entry);
    },
    set(on) {
      if (!on) {
        rmSync(file, { force: true });
        return;
      }
      mkdirSync(dirname(file), { recursive: true });
      const lines = [
        '[Desktop Entry]',
        'Type=Application',
        'Name=Fleetdeck',
        `Exec=${quoted(program)} ${ARGS.join(' ')}`,
        'X-GNOME-Autostart-enabled=true',
      ];
      writeFileSync(file, `${lines.join('\n')}\n`);
    },
  };
}

/** A path as Exec= takes it (Desktop Entry Specification, "The Exec key"): quoted as an argument, then as a string. */
function quoted(path: string): string {
  if (/[\r\n]/.test(path))
    throw new Error(`${path} has a line break, which no entry of the desktop can name.`);
  const argument = path.replace(/["`$\\]/g, String.raw`\$&`).replaceAll('%', '%%');
  return `"${argument.replaceAll('\\', '\\\\')}"`;
}

/**
 * Of the arguments of a start those that hold for the next one: not the file or the link that it was to open, and not
 * `--hidden`, since a start at login is long over when the operator looks at the windows.
 */
export function switchesOfNextStart(args: readonly string[]): string[] {
  return args.filter((it) => it.startsWith('--') && !ARGS.includes(it));
}

/** Whether this start was made by the system at login, and shows no window. */
export function startsHidden(
  app: Pick<App, 'commandLine' | 'getLoginItemSettings'>,
  platform: NodeJS.Platform,
): boolean {
  // macOS passes no arguments on.
  if (platform === 'darwin') return app.getLoginItemSettings().wasOpenedAtLogin;
  return app.commandLine.hasSwitch(HIDDEN_SWITCH);
}
