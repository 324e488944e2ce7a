import { EventEmitter } from 'node:events';
import type { MenuItemConstructorOptions } from 'electron';
import { expect, it, vi } from 'vitest';
import { createWords } from '../../electron/language.ts';
import { createTray, hasTray } from '../../electron/tray.ts';
import { createFakeClock } from '../support/fakeClock.ts';

const alarms = (count: number) => ({ count, worst: 'alarm' as const });

function setUp(platform: NodeJS.Platform = 'linux') {
  const clock = createFakeClock();
  const shown = { image: -1, words: '', title: '', menu: [] as MenuItemConstructorOptions[], isGone: false };
  const tray = Object.assign(new EventEmitter(), {
    setImage: (count: number) => (shown.image = count),
    setToolTip: (words: string) => (shown.words = words),
    setTitle: (title: string) => (shown.title = title),
    setContextMenu: (menu: MenuItemConstructorOptions[]) => (shown.menu = menu),
    destroy: () => (shown.isGone = true),
  });
  let mutedUntil: number | null = null;
  const listeners = new Set<() => void>();
  const open = vi.fn();
  const quit = vi.fn();
  const icon = createTray<number, MenuItemConstructorOptions[]>({
    tray,
    platform,
    draw: (open) => open?.count ?? -1,
    menuOf: (template) => template,
    preferences: {
      read: () => ({ mutedUntil: mutedUntil !== null && mutedUntil > clock.now() ? mutedUntil : null }),
      change(change) {
        ({ mutedUntil } = change);
        for (const listener of listeners) listener();
      },
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    open,
    quit,
    clock,
    words: createWords(() => 'en'),
  });
  const labels = () => shown.menu.flatMap(({ label }) => label ?? []);
  const click = (label: RegExp) =>
    (shown.menu.find((it) => label.test(it.label ?? ''))?.click as (() => void) | undefined)?.();
  return { clock, icon, tray, shown, labels, click, open, quit, mutedUntil: () => mutedUntil };
}

it('the tray shows the number of open alarms in its icon, its words and its menu', () => {
  const { icon, shown, labels } = setUp();
  expect([shown.image, shown.words]).toEqual([-1, 'Fleetdeck: nobody is logged in, alarms are not shown']);
  icon.show(alarms(0));
  expect(shown.words).toBe('Fleetdeck: no open alarms');
  icon.show(alarms(1));
  expect(shown.words).toBe('Fleetdeck: 1 open alarm');
  icon.show(alarms(12));
  expect([shown.image, shown.words]).toEqual([12, 'Fleetdeck: 12 open alarms']);
  expect(labels()).toEqual([
    'Open Fleetdeck',
    '12 open alarms',
    'Mute alarm sounds for 30 minutes',
    'Quit Fleetdeck',
  ]);
  icon.stop();
  expect(shown.isGone).toBe(true);
});

it('the tray of macOS has the number as a text, and opens its menu at a click', () => {
  const { icon, shown, tray, open } = setUp('darwin');
  icon.show(alarms(3));
  expect(shown.title).toBe('3');
  icon.show(alarms(0));
  expect(shown.title).toBe('');
  tray.emit('click');
  expect(open).not.toHaveBeenCalled();
});

it('the tray opens the console at a click, and by its menu, and quits', () => {
  const { icon, tray, click, open, quit } = setUp();
  icon.show(alarms(2));
  tray.emit('click');
  click(/^Open/);
  click(/open alarms/);
  expect(open).toHaveBeenCalledTimes(3);
  click(/^Quit/);
  expect(quit).toHaveBeenCalledOnce();
});

it('the tray mutes sounds for half an hour, says so, and takes it back at a click or when the time is over', () => {
  const { clock, shown, labels, click, mutedUntil } = setUp();
  click(/^Mute/);
  expect(mutedUntil()).toBe(clock.now() + 1_800_000);
  expect(shown.words).toContain('sounds are muted');
  expect(labels()[2]).toMatch(/^Sounds are muted until \d\d:\d\d$/);
  clock.advance(1_800_000);
  expect(labels()[2]).toMatch(/^Mute/);
  click(/^Mute/);
  click(/^Sounds are muted/);
  expect(mutedUntil()).toBeNull();
});

it('a desktop of Linux shows icons when somebody has that name on its bus; others always do', async () => {
  const run = vi.fn((_program: string, _args: string[]) => Promise.resolve('   boolean true\n'));
  expect(await hasTray('linux', run)).toBe(true);
  expect(run.mock.lastCall?.[1]).toContain('string:org.kde.StatusNotifierWatcher');
  run.mockResolvedValueOnce('   boolean false\n');
  expect(await hasTray('linux', run)).toBe(false);
  run.mockRejectedValueOnce(new Error('ENOENT'));
  expect(await hasTray('linux', run)).toBe(false);
  expect(await hasTray('win32', () => Promise.reject(new Error('not asked')))).toBe(true);
});
