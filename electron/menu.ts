import type { MenuItemConstructorOptions } from 'electron';
import type { DesktopMenu, DesktopMenuItem } from './bridge/channels.ts';

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
}) {
  const menusOf = new Map<number, readonly DesktopMenu[]>();
  let current: number | null = null;
  let shown: { menu: NativeMenu; names: string } | null = null;

  function apply(): void {
    const page = current;
    const menus = page === null ? [] : (menusOf.get(page) ?? []);
    const windows = deps.windows();
    const names = JSON.stringify([menus, windows.map(({ title }) => title)], (key, value: unknown) =>
      key === 'enabled' ? undefined : value,
    );
    if (shown?.names !== names) {
      const choose = (command: string) => {
        if (current !== null) deps.choose(current, command);
      };
      shown = { menu: deps.show(menuTemplate({ ...deps, menus, windows, choose })), names };
      return;
    }
    // A menu that is built anew closes under the operator's hand.
    for (const { id, enabled } of menus.flatMap(({ sections }) => sections.flat())) {
      const item = shown.menu.getMenuItemById(id);
      if (item !== null && item.enabled !== enabled) item.enabled = enabled;
    }
  }

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

/** The page's own menus stand between Edit and Window. */
function menuTemplate(deps: {
  platform: NodeJS.Platform;
  openLogFolder: () => void;
  menus: readonly DesktopMenu[];
  windows: readonly WindowItem[];
  choose: (command: string) => void;
}): MenuItemConstructorOptions[] {
  const itemsOf = (place: DesktopMenu['place']) =>
    deps.menus.filter((it) => it.place === place).flatMap((menu) => [...sectionItems(menu, deps), separator]);
  return [
    ...(deps.platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [...itemsOf('file'), { role: 'close' }, { role: 'quit', accelerator: 'CmdOrCtrl+Q' }],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        ...itemsOf('view'),
        { role: 'reload' },
        separator,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        separator,
        { role: 'togglefullscreen' },
      ],
    },
    ...deps.menus
      .filter(({ place }) => place === 'own')
      .map((menu): MenuItemConstructorOptions => ({
        label: plain(menu.title),
        submenu: sectionItems(menu, deps),
      })),
    deps.platform === 'darwin'
      ? { role: 'windowMenu' }
      : {
          role: 'windowMenu',
          submenu: [
            { role: 'minimize' },
            separator,
            ...deps.windows.map(({ title, show }) => ({ label: plain(title), click: show })),
          ],
        },
    {
      role: 'help',
      submenu: [
        ...itemsOf('help'),
        { label: 'Open the &log folder', click: deps.openLogFolder },
        { role: 'toggleDevTools' },
        separator,
        { role: 'about' },
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
