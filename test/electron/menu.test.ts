import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import type { DesktopMenu } from '../../electron/bridge/channels.ts';
import { createWords } from '../../electron/language.ts';
import { acceleratorOf, createMenuBar } from '../../electron/menu.ts';
import type { Language } from '../../server/contract/languages.ts';

const alarmMenu = (enabled = true, label = 'Acknowledge'): DesktopMenu => ({
  place: 'own',
  title: 'Alarm',
  sections: [
    [{ id: 'acknowledge', label, keys: 'A', enabled }],
    [{ id: 'next_alarm', label: 'Next & last', keys: null, enabled: true }],
  ],
});
const fileMenu: DesktopMenu = {
  place: 'file',
  title: 'File',
  sections: [[{ id: 'palette', label: 'Search', keys: 'Ctrl+K', enabled: true }]],
};

function setUp(platform: NodeJS.Platform = 'linux') {
  const built: MenuItemConstructorOptions[][] = [];
  const chosen: unknown[] = [];
  const windows = ['Depot'];
  let current: Language = 'en';
  let onChange: () => void = () => undefined;
  let items = new Map<string, MenuItemConstructorOptions & { enabled: boolean }>();
  const bar = createMenuBar({
    platform,
    openLogFolder: () => undefined,
    show(template) {
      built.push(template);
      items = new Map();
      for (const { submenu } of template) {
        for (const item of Array.isArray(submenu) ? submenu : []) {
          if (item.id !== undefined) items.set(item.id, { ...item, enabled: item.enabled ?? true });
        }
      }
      const own = items;
      return { getMenuItemById: (id: string) => own.get(id) ?? null };
    },
    choose: (page, command) => chosen.push([page, command]),
    language: {
      ...createWords(() => current),
      current: () => current,
      onChange: (listener) => {
        onChange = listener;
        return () => undefined;
      },
    },
    windows: () => windows.map((title) => ({ title, show: () => chosen.push(title) })),
  });
  const titles = () => built.at(-1)?.map(({ label, role }) => label ?? role);
  const speak = (language: Language) => {
    current = language;
    onChange();
  };
  return { bar, built, chosen, windows, titles, speak, item: (id: string) => items.get(id) };
}

describe('the menu bar', () => {
  it('the menu bar has what any program has before a page offers its commands', () => {
    expect(setUp().titles()).toEqual(['&File', '&Edit', '&View', '&Window', '&Help']);
    expect(setUp('darwin').titles()?.[0]).toBe('appMenu');
  });

  it('the menu bar lists the windows, and is built anew only when one comes, goes or has another title', () => {
    const { bar, built, chosen, windows } = setUp();
    const listed = () => {
      const submenu = built.at(-1)?.find(({ role }) => role === 'windowMenu')?.submenu;
      return Array.isArray(submenu) ? submenu.filter(({ click }) => click !== undefined) : [];
    };
    windows.push('Queue & more');
    bar.refresh();
    bar.refresh();
    expect([built.length, listed().map(({ label }) => label)]).toEqual([2, ['Depot', 'Queue && more']]);
    (listed()[1]?.click as (() => void) | undefined)?.();
    expect(chosen).toEqual(['Queue & more']);
    const onMac = setUp('darwin')
      .built.at(-1)
      ?.find(({ role }) => role === 'windowMenu')?.submenu;
    expect(JSON.stringify(onMac)).not.toContain('Depot');
  });

  it('the menu bar shows a page’s commands with their keys, which it leaves to the page', () => {
    const { bar, titles, item } = setUp();
    bar.set(1, [fileMenu, alarmMenu(false)]);
    expect(titles()).toEqual(['&File', '&Edit', '&View', 'Alarm', '&Window', '&Help']);
    expect(item('acknowledge')).toMatchObject({
      label: 'Acknowledge',
      accelerator: 'A',
      registerAccelerator: false,
      enabled: false,
    });
    expect(item('palette')).toMatchObject({ accelerator: 'Ctrl+K', registerAccelerator: false });
    expect(item('next_alarm')).toMatchObject({ label: 'Next && last' });
  });

  it.each(['linux', 'win32', 'darwin'] as const)(
    'each item of the menu bar has a label of the language that is spoken, on %s',
    (platform) => {
      const { bar, built, speak } = setUp(platform);
      bar.set(1, [fileMenu]);
      const labels = () =>
        (built.at(-1) ?? []).flatMap(({ role, label, submenu }) => [
          // macOS names it after the program.
          ...(role === 'appMenu' ? [] : [label]),
          ...(Array.isArray(submenu) ? submenu : [])
            // What a window or a command of the page is called is no text of the desktop.
            .filter(({ type, id, label }) => type !== 'separator' && id === undefined && label !== 'Depot')
            .map((item) => item.label),
        ]);
      const english = labels();
      speak('ru');
      const russian = labels();
      expect(russian).toHaveLength(english.length);
      for (const label of russian) expect(label).toMatch(/\p{Script=Cyrillic}/u);
      for (const label of english) expect(label).toMatch(/^[&\w ]+$/);
    },
  );

  it('the menu bar has no keys on macOS, which would take them from the page', () => {
    const { bar, item } = setUp('darwin');
    bar.set(1, [alarmMenu()]);
    expect(item('acknowledge')).toMatchObject({ label: 'Acknowledge (A)' });
    expect(item('acknowledge')).not.toHaveProperty('accelerator');
  });

  it('the menu bar reports what was chosen to the page whose commands it shows', () => {
    const { bar, chosen, item } = setUp();
    const click = () => (item('acknowledge')?.click as (() => void) | undefined)?.();
    bar.set(1, [alarmMenu()]);
    click();
    bar.set(2, [alarmMenu(true, 'Take')]);
    bar.focus(2);
    click();
    expect(chosen).toEqual([
      [1, 'acknowledge'],
      [2, 'acknowledge'],
    ]);
  });

  it('the menu bar is not built anew when only what may be chosen changes', () => {
    const { bar, built, item } = setUp();
    bar.set(1, [alarmMenu(false)]);
    const before = built.length;
    bar.set(1, [alarmMenu(true)]);
    expect(item('acknowledge')?.enabled).toBe(true);
    expect(built).toHaveLength(before);
    bar.set(1, [alarmMenu(true, 'Take')]);
    expect(built).toHaveLength(before + 1);
  });

  it('the menu bar follows the window with the focus, and forgets one that is closed', () => {
    const { bar, titles } = setUp();
    bar.set(1, [alarmMenu()]);
    bar.set(2, []);
    bar.focus(2);
    expect(titles()).not.toContain('Alarm');
    bar.forget(2);
    expect(titles()).toContain('Alarm');
    bar.forget(1);
    expect(titles()).not.toContain('Alarm');
  });

  it.each([
    ['A', 'A'],
    ['Shift+A', 'Shift+A'],
    ['Alt+1', 'Alt+1'],
    ['Escape', 'Esc'],
    ['+', 'Plus'],
    [' ', 'Space'],
    ['Ctrl+Shift+ArrowLeft', 'Ctrl+Shift+Left'],
    ['F6', 'F6'],
    ['\\', '\\'],
    ['ö', null],
    ['Ctrl+', null],
    ['Hyper+A', null],
  ])('the menu bar knows the key %j as %j', (keys, accelerator) => {
    expect(acceleratorOf(keys)).toBe(accelerator);
  });
});
