import type { MenuItemConstructorOptions } from 'electron';
import type { DesktopMenu, DesktopMenuItem } from './bridge/channels.ts';
import type { Say, ShellLanguage } from './language.ts';

/** A window, by the title of its page. */
interface WindowItem {
  title: string;
  show: () => void;
}

/** The part of Electron's `Menu` that is used here. */
export interface NativeMenu {
  getMenuItemById(id: string): { enabled: boolean } | null;
}

/**
 * The menu bar: what the system expects of any program, and the commands of the page whose window has the focus.
 *
 * @param deps.show builds a menu and puts it in place of the one before
 * @param deps.choose is called with the page of a command that was chosen
 */
export function createMenuBar(deps: {
  platform: NodeJS.Platform;
  openLogFolder: () => void;
  show: (template: MenuItemConstructorOptions[]) => NativeMenu;
  choose: (page: number, command: string) => void;
  /** The windows to go to; macOS lists them by itself. */
  windows: () => readonly WindowItem[];
  language: Pick<ShellLanguage, 'say' | 'current' | 'onChange'>;
}) {
  const menusOf = new Map<number, readonly DesktopMenu[]>();
  let current: number | null = null;
  let shown: { menu: NativeMenu; names: string } | null = null;

  function apply(): void {
    const page = current;
    const menus = page === null ? [] : (menusOf.get(page) ?? []);
    const windows = deps.windows();
    const titles = windows.map(({ title }) => title);
    const names = JSON.stringify([deps.language.current(), menus, titles], (key, value: unknown) =>
      key === 'enabled' ? undefined : value,
    );
    if (shown?.names !== names) {
      const choose = (command: string) => {
        if (current !== null) deps.choose(current, command);
      };
      shown = {
        menu: deps.show(menuTemplate({ ...deps, say: deps.language.say, menus, windows, choose })),
        names,
      };
      return;
    }
    // A menu that is built anew closes under the operator's hand.
    for (const { id, enabled } of menus.flatMap(({ sections }) => sections.flat())) {
      const item = shown.menu.getMenuItemById(id);
      if (item !== null && item.enabled !== enabled) item.enabled = enabled;
    }
  }

  deps.language.onChange(apply);
  apply();
  return {
    /** What a page offers by now. */
    set(page: number, menus: readonly DesktopMenu[]): void {
      menusOf.set(page, menus);
      current ??= page;
      if (current === page) apply();
    },
    /** A window has the focus. */
    focus(page: number): void {
      current = page;
      apply();
    },
    /** Windows came, went, or have another title. */
    refresh: apply,
    /** A page is gone. */
    forget(page: number): void {
      menusOf.delete(page);
      if (current !== page) return;
      current = [...menusOf.keys()][0] ?? null;
      apply();
    },
  };
}

/**
 * The page's own menus stand between Edit and Window. Electron's roles have English labels on every system, so each item
 * has its own.
 */
function menuTemplate(deps: {
  platform: NodeJS.Platform;
  openLogFolder: () => void;
  say: Say;
  menus: readonly DesktopMenu[];
  windows: readonly WindowItem[];
  choose: (command: string) => void;
}): MenuItemConstructorOptions[] {
  const { say } = deps;
  const isMac = deps.platform === 'darwin';
  const onMac = (...items: MenuItemConstructorOptions[]) => (isMac ? items : []);
  const itemsOf = (place: DesktopMenu['place']) =>
    deps.menus.filter((it) => it.place === place).flatMap((menu) => [...sectionItems(menu, deps), separator]);
  const quit = { role: 'quit', label: say('quit.fleetdeck'), accelerator: 'CmdOrCtrl+Q' } as const;
  const about = { role: 'about', label: say('menu.about') } as const;
  return [
    ...onMac({
      role: 'appMenu',
      submenu: [
        about,
        separator,
        { role: 'services', label: say('menu.services') },
        separator,
        { role: 'hide', label: say('menu.hide') },
        { role: 'hideOthers', label: say('menu.hide_others') },
        { role: 'unhide', label: say('menu.show_all') },
        separator,
        quit,
      ],
    }),
    {
      label: say('menu.file'),
      submenu: [...itemsOf('file'), { role: 'close', label: say('menu.close') }, ...(isMac ? [] : [quit])],
    },
    {
      role: 'editMenu',
      label: say('menu.edit'),
      submenu: [
        { role: 'undo', label: say('menu.undo') },
        { role: 'redo', label: say('menu.redo') },
        separator,
        { role: 'cut', label: say('menu.cut') },
        { role: 'copy', label: say('menu.copy') },
        { role: 'paste', label: say('menu.paste') },
        ...onMac({ role: 'pasteAndMatchStyle', label: say('menu.paste_plain') }),
        { role: 'delete', label: say('menu.delete') },
        separator,
        { role: 'selectAll', label: say('menu.select_all') },
      ],
    },
    {
      label: say('menu.view'),
      submenu: [
        ...itemsOf('view'),
        { role: 'reload', label: say('menu.reload') },
        separator,
        { role: 'resetZoom', label: say('menu.actual_size') },
        { role: 'zoomIn', label: say('menu.zoom_in') },
        { role: 'zoomOut', label: say('menu.zoom_out') },
        separator,
        { role: 'togglefullscreen', label: say('menu.full_screen') },
      ],
    },
    ...deps.menus
      .filter(({ place }) => place === 'own')
      .map((menu): MenuItemConstructorOptions => ({
        label: plain(menu.title),
        submenu: sectionItems(menu, deps),
      })),
    {
      role: 'windowMenu',
      label: say('menu.window'),
      submenu: [
        { role: 'minimize', label: say('menu.minimize') },
        ...onMac({ role: 'zoom', label: say('menu.zoom') }),
        separator,
        ...(isMac
          ? [{ role: 'front', label: say('menu.front') } as const]
          : deps.windows.map(({ title, show }) => ({ label: plain(title), click: show }))),
      ],
    },
    {
      role: 'help',
      label: say('menu.help'),
      submenu: [
        ...itemsOf('help'),
        { label: say('menu.log_folder'), click: deps.openLogFolder },
        { role: 'toggleDevTools', label: say('menu.dev_tools') },
        ...(isMac ? [] : [separator, about]),
      ],
    },
  ];
}

const separator = { type: 'separator' } as const;
/** A mnemonic is what follows an ampersand. */
const plain = (label: string): string => label.replaceAll('&', '&&');

function sectionItems(
  { sections }: DesktopMenu,
  deps: { platform: NodeJS.Platform; choose: (command: string) => void },
): MenuItemConstructorOptions[] {
  return sections.flatMap((items, at) => [
    ...(at === 0 ? [] : [separator]),
    ...items.map((item): MenuItemConstructorOptions => ({
      id: item.id,
      enabled: item.enabled,
      ...shownKeys(item, deps.platform),
      click: () => deps.choose(item.id),
    })),
  ]);
}

/**
 * The key of a command is shown and not registered: the page listens for it, and knows whether somebody types text. macOS
 * registers every key of a menu (electron#18295), so that a letter would no longer be typed: there it is a part of the
 * label.
 */
function shownKeys(
  { label, keys }: DesktopMenuItem,
  platform: NodeJS.Platform,
): Pick<MenuItemConstructorOptions, 'label' | 'accelerator' | 'registerAccelerator'> {
  if (keys === null) return { label: plain(label) };
  const accelerator = platform === 'darwin' ? null : acceleratorOf(keys);
  return accelerator === null
    ? { label: plain(`${label} (${keys})`) }
    : { label: plain(label), accelerator, registerAccelerator: false };
}

/** Keys of the page by Electron's names; Electron throws at those that it does not know. */
const KEY_NAMES: Readonly<Record<string, string>> = {
  ' ': 'Space',
  '+': 'Plus',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ArrowUp: 'Up',
  Delete: 'Delete',
  End: 'End',
  Enter: 'Enter',
  Escape: 'Esc',
  Home: 'Home',
  PageDown: 'PageDown',
  PageUp: 'PageUp',
};

/** `Ctrl+Shift+Z`, `A`, `/` or `Escape` for Electron; null for what it would not know. */
export function acceleratorOf(keys: string): string | null {
  const modifiers = /^(?:(?:Ctrl|Alt|Shift)\+)*/.exec(keys)?.[0] ?? '';
  const key = keys.slice(modifiers.length);
  const name = KEY_NAMES[key] ?? (/^([A-Z0-9]|F([1-9]|1\d|2[0-4])|[-/\\[\],.?;'`=])$/.test(key) ? key : null);
  return name === null ? null : modifiers + name;
}
