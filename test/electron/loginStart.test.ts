import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  createLoginStart,
  startsHidden,
  switchesOfNextStart,
  type LoginStartDeps,
} from '../../electron/loginStart.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'fleetdeck-login-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const settings = { executableWillLaunchAtLogin: true, openAtLogin: false, wasOpenedAtLogin: true };
const fakeApp = () => ({
  isPackaged: true,
  getLoginItemSettings: vi.fn(() => settings as never),
  setLoginItemSettings: vi.fn<LoginStartDeps['app']['setLoginItemSettings']>(),
});
const onLinux = (
  environment: LoginStartDeps['environment'] = { HOME: home },
  program = '/opt/Fleetdeck/fleetdeck',
) => createLoginStart({ platform: 'linux', app: fakeApp(), environment, program });
const entry = () => join(home, '.config', 'autostart', 'fleetdeck.desktop');

it('Linux starts the program at login by an entry in its autostart folder, until it is removed', () => {
  const start = onLinux();
  expect(start?.isOn()).toBe(false);
  start?.set(true);
  expect(start?.isOn()).toBe(true);
  expect(readFileSync(entry(), 'utf8')).toContain('\nExec="/opt/Fleetdeck/fleetdeck" --hidden\n');
  start?.set(false);
  start?.set(false);
  expect(existsSync(entry())).toBe(false);
});

it('Linux starts an AppImage from its file, not from the folder where it is unpacked', () => {
  onLinux({ XDG_CONFIG_HOME: join(home, 'own'), APPIMAGE: '/home/me/Fleetdeck.AppImage' })?.set(true);
  expect(readFileSync(join(home, 'own', 'autostart', 'fleetdeck.desktop'), 'utf8')).toContain(
    'Exec="/home/me/Fleetdeck.AppImage" --hidden',
  );
});

it('the entry quotes what a shell or a field code would read in a path, and refuses a line break', () => {
  onLinux({ HOME: home }, '/opt/100% "new"/$x\\y')?.set(true);
  expect(readFileSync(entry(), 'utf8')).toContain(String.raw`Exec="/opt/100%% \\"new\\"/\\$x\\\\y" --hidden`);
  expect(() => onLinux({ HOME: home }, '/opt/a\nExec=b')?.set(true)).toThrow(/line break/);
});

it.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])('an entry with %s does not start', (line) => {
  mkdirSync(join(home, '.config', 'autostart'), { recursive: true });
  writeFileSync(entry(), `[Desktop Entry]\n${line}\n`);
  expect(onLinux()?.isOn()).toBe(false);
});

it('a program that runs from its sources, or for a user without a home, is not started at login', () => {
  const app = { ...fakeApp(), isPackaged: false };
  expect(createLoginStart({ platform: 'win32', app, environment: {}, program: 'electron' })).toBeNull();
  expect(onLinux({})).toBeNull();
});

it('Windows and macOS set it by Electron, and Windows says whether its own settings let it', () => {
  const app = fakeApp();
  const on = (platform: NodeJS.Platform) =>
    createLoginStart({ platform, app, environment: {}, program: 'Fleetdeck.exe' });
  expect([on('win32')?.isOn(), on('darwin')?.isOn()]).toEqual([true, false]);
  on('win32')?.set(true);
  on('darwin')?.set(false);
  expect(app.setLoginItemSettings.mock.calls).toEqual([
    [{ openAtLogin: true, args: ['--hidden'] }],
    [{ openAtLogin: false }],
  ]);
});

it('a start by the system shows no window: by a switch, on macOS by what the system says', () => {
  const app = { ...fakeApp(), commandLine: { hasSwitch: (name: string) => name === 'hidden' } as never };
  expect(startsHidden(app, 'linux')).toBe(true);
  expect(startsHidden({ ...app, commandLine: { hasSwitch: () => false } as never }, 'win32')).toBe(false);
  expect(startsHidden(app, 'darwin')).toBe(true);
});

it('the start after one that showed no window shows one, and opens no file again', () => {
  const args = ['/opt/Fleetdeck/fleetdeck', '--hidden', '--intake-host=0.0.0.0', 'depot.gpx'];
  expect(switchesOfNextStart(args)).toEqual(['--intake-host=0.0.0.0']);
});
