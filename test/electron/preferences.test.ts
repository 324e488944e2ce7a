import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPreferences } from '../../electron/preferences.ts';

const loginStart = { isOn: vi.fn(() => false), set: vi.fn<(on: boolean) => void>() };
const warn = vi.fn<(words: string, error: unknown) => void>();
let folder: string;
let file: string;
let now_ms = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetdeck-preferences-'));
  file = join(folder, 'preferences.json');
  now_ms = 1_000_000;
  vi.clearAllMocks();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (more: Partial<Parameters<typeof createPreferences>[0]> = {}) =>
  createPreferences({ file, loginStart, mayQuitByClosing: true, now: () => now_ms, warn, ...more });

it('the desktop keeps running and asks before quitting until somebody sets something else', () => {
  const preferences = open();
  expect(preferences.read()).toEqual({
    startAtLogin: false,
    keepRunning: true,
    confirmQuit: true,
    mutedUntil: null,
  });
  preferences.change({ keepRunning: false, confirmQuit: undefined });
  expect(open().read()).toMatchObject({ keepRunning: false, confirmQuit: true });
});

it.each(['', '{"keepRunning":1,"explained":7}', '[]', 'null'])(
  'the desktop takes preferences that read %j for none',
  (text) => {
    writeFileSync(file, text);
    expect(open().read()).toMatchObject({ keepRunning: true, confirmQuit: true, mutedUntil: null });
  },
);

it('the start at login is as the system says, and is null where there is none', () => {
  loginStart.isOn.mockReturnValueOnce(true);
  expect(open().read().startAtLogin).toBe(true);
  open().change({ startAtLogin: true });
  expect(loginStart.set.mock.calls).toEqual([[true]]);
  expect(open({ loginStart: null, mayQuitByClosing: false }).read()).toMatchObject({
    startAtLogin: null,
    keepRunning: null,
  });
});

it('a preference that cannot be written rejects the change and stays as it was', () => {
  mkdirSync(`${file}.part`);
  const preferences = open();
  const changed = vi.fn();
  preferences.onChange(changed);
  expect(() => preferences.change({ confirmQuit: false })).toThrow(/EISDIR/);
  expect(preferences.read().confirmQuit).toBe(true);
  expect(changed).not.toHaveBeenCalled();
  expect([preferences.isNews('tray'), preferences.isNews('tray')]).toEqual([true, false]);
  expect(warn).toHaveBeenCalledOnce();
});

it('sounds are muted until a moment and no longer', () => {
  const preferences = open();
  const changed = vi.fn();
  preferences.onChange(changed);
  preferences.change({ mutedUntil: now_ms + 10 });
  expect(changed.mock.lastCall).toMatchObject([{ mutedUntil: now_ms + 10 }]);
  now_ms += 10;
  expect(preferences.read().mutedUntil).toBeNull();
});

it('a mute of more than a day counts for none, as one is after the clock was set back', () => {
  const preferences = open();
  preferences.change({ mutedUntil: now_ms + 24 * 3_600_000 });
  expect(preferences.read().mutedUntil).toBe(now_ms + 24 * 3_600_000);
  now_ms -= 1;
  expect(preferences.read().mutedUntil).toBeNull();
});

it('what was explained once is not explained again, after a start either', () => {
  expect(open().isNews('tray')).toBe(true);
  expect(open().isNews('tray')).toBe(false);
  expect(open().isNews('taskbar')).toBe(true);
});
