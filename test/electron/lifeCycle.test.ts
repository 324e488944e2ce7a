import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askAboutPage, startLifeCycle } from '../../electron/lifeCycle.ts';
import { createElectronParts, createEnglish, StandInWindow } from './electronParts.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetdeck-life-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function start({
  platform = 'win32',
  switches = [],
  hasTray = true,
  downloads = 0,
}: { platform?: NodeJS.Platform; switches?: string[]; hasTray?: boolean; downloads?: number } = {}) {
  const parts = createElectronParts({ switches });
  const end = vi.fn<() => void>();
  const open = vi.fn<() => void>();
  const language = createEnglish(folder);
  const life = startLifeCycle({
    electron: parts.electron,
    ...{ platform, folder, end, open, language },
    hasTray: () => Promise.resolve(hasTray),
    downloads: () => downloads,
    log: pino({ level: 'silent' }),
  });
  const window = new StandInWindow({ webPreferences: {} });
  window.show();
  life.adopt(window as unknown as Parameters<typeof life.adopt>[0]);
  const boxes = () => parts.dialog.showMessageBox.mock.calls.map((given) => given.at(-1)?.message);
  return { ...parts, life, window, boxes, end, open, language };
}

describe('the program while it runs', () => {
  it('stays in the tray when its window is closed, and explains that once', async () => {
    const { window, boxes } = start();
    expect(window.close()).toBe(false);
    await vi.waitFor(() => expect(window.state).toBe('hidden'));
    expect(boxes()).toEqual(['Fleetdeck keeps running in the tray']);
    window.show();
    window.close();
    await vi.waitFor(() => expect(window.state).toBe('hidden'));
    expect(boxes()).toHaveLength(1);
  });

  it('stays in the task bar where the desktop has no tray', async () => {
    const { window, boxes } = start({ platform: 'linux', hasTray: false });
    window.close();
    await vi.waitFor(() => expect(window.state).toBe('minimised'));
    expect(boxes()).toEqual(['Fleetdeck keeps running, minimised']);
  });

  it('stays in the dock of macOS without a word', async () => {
    const { window, boxes } = start({ platform: 'darwin' });
    window.close();
    await vi.waitFor(() => expect(window.state).toBe('hidden'));
    expect(boxes()).toEqual([]);
  });

  it('asks before it quits with its window, says what stops, and goes on when that is cancelled', async () => {
    const { life, window, answers, dialog, end } = start({ downloads: 2 });
    life.preferences.change({ keepRunning: false });
    answers.push(1, 0);
    window.close();
    await vi.waitFor(() => expect(dialog.showMessageBox).toHaveBeenCalledOnce());
    expect(dialog.showMessageBox.mock.lastCall?.at(-1)?.detail).toContain('2 video downloads pause.');
    expect(end).not.toHaveBeenCalled();
    await vi.waitFor(() => {
      window.close();
      expect(end).toHaveBeenCalledOnce();
    });
    expect(window.state).toBe('destroyed');
  });

  it('sets its start at login anew, since the program may have been moved', () => {
    expect(start().app.setLoginItemSettings).toHaveBeenCalledExactlyOnceWith({
      openAtLogin: true,
      args: ['--hidden'],
    });
  });

  it('starts although the system refuses its start at login', () => {
    const parts = createElectronParts();
    parts.app.setLoginItemSettings.mockImplementation(() => {
      throw new Error('the registry is locked');
    });
    const begin = () =>
      startLifeCycle({
        electron: parts.electron,
        ...{ platform: 'win32' as const, folder, end: vi.fn<() => void>(), open: vi.fn<() => void>() },
        hasTray: () => Promise.resolve(true),
        downloads: () => null,
        log: pino({ level: 'silent' }),
        language: createEnglish(folder),
      });
    expect(begin).not.toThrow();
  });

  it('shows what the system opened at login without a tray in the task bar, and leaves it hidden with one', async () => {
    vi.useFakeTimers();
    const isSeen = async (hasTray: boolean) => {
      const { life, window } = start({ platform: 'linux', switches: ['hidden'], hasTray });
      window.hide();
      expect(life.isHidden).toBe(true);
      await vi.advanceTimersByTimeAsync(15_000);
      return window.state;
    };
    expect(await isSeen(false)).toBe('minimised');
    expect(await isSeen(true)).toBe('hidden');
  });

  it('has every page know that the computer has woken and which settings have changed', () => {
    const { life, window, powerMonitor } = start();
    const other = new StandInWindow({ webPreferences: {} });
    powerMonitor.emit('resume');
    life.preferences.change({ confirmQuit: false });
    for (const page of [window, other]) {
      expect(page.messages('resumed')).toEqual([true]);
      expect(page.messages('preferencesChanged')).toMatchObject([{ confirmQuit: false }]);
    }
  });

  it('shows the number of open alarms at its icons', () => {
    const windows = start();
    windows.life.showAlarms({ count: 3, worst: 'alarm' });
    expect(windows.life.shownCount()).toBe(3);
    expect(windows.window.setOverlayIcon).toHaveBeenLastCalledWith(expect.anything(), '3 open alarms');
    windows.life.showAlarms({ count: 0, worst: 'alarm' });
    expect(windows.window.setOverlayIcon).toHaveBeenLastCalledWith(null, 'no open alarms');
    expect(windows.tray()?.words).toBe('Fleetdeck: no open alarms');
    expect(windows.app.setBadgeCount).not.toHaveBeenCalled();

    const mac = start({ platform: 'darwin' });
    mac.life.showAlarms({ count: 2, worst: 'warning' });
    expect(mac.app.setBadgeCount).toHaveBeenLastCalledWith(2);
    expect(mac.window.setOverlayIcon).not.toHaveBeenCalled();
    mac.life.showAlarms(null);
    expect(mac.app.setBadgeCount).toHaveBeenLastCalledWith(0);
  });

  it('has its tray and its icons speak another language at once', () => {
    const { life, window, tray, language } = start();
    life.showAlarms({ count: 2, worst: 'alarm' });
    language.set('ru');
    expect(tray()?.words).toBe('Fleetdeck: 2 открытые тревоги');
    expect(tray()?.labels).toEqual([
      'Открыть Fleetdeck',
      '2 открытые тревоги',
      'Выключить звук тревог на 30 минут',
      'Выйти из Fleetdeck',
    ]);
    expect(window.setOverlayIcon).toHaveBeenLastCalledWith(expect.anything(), '2 открытые тревоги');
  });

  it('asks in the language of the console before it quits', async () => {
    const { life, dialog, language, answers } = start({ downloads: 5 });
    language.set('ru');
    answers.push(1);
    life.quit();
    await vi.waitFor(() => expect(dialog.showMessageBox).toHaveBeenCalledOnce());
    expect(dialog.showMessageBox.mock.lastCall?.at(-1)).toMatchObject({
      message: 'Выйти из Fleetdeck?',
      detail: expect.stringContaining('Приостановятся 5 загрузок видео.') as string,
      buttons: ['Выйти', 'Отмена'],
      checkboxLabel: 'Больше не спрашивать',
    });
  });

  it('opens its window by a click on the tray', () => {
    const { tray, open } = start();
    tray()?.emit('click');
    expect(open).toHaveBeenCalledOnce();
  });

  it('asks about a page that does not respond', async () => {
    const { electron, answers, language } = start();
    answers.push(0, 1);
    const { signal } = new AbortController();
    expect(await askAboutPage(electron, language.say, signal)).toBe('reload');
    expect(await askAboutPage(electron, language.say, signal)).toBe('wait');
  });
});
