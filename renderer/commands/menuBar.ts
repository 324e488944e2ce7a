import type { AppContext } from '../appContext/appContext.ts';
import type { CommandMenu, MenuBar } from '../platform/platform.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { keyMapOf } from './keyHints.ts';
import { keyOf } from './keyMap.ts';
import { isOverlayOpen } from './shortcuts.ts';

/** Where the commands of each group stand. */
const MENUS = [
  { place: 'file', title: 'menu.file', groups: ['console'] },
  { place: 'view', title: 'menu.view', groups: ['map', 'panes'] },
  { place: 'own', title: 'menu.go', groups: ['go', 'lists'] },
  { place: 'own', title: 'menu.alarm', groups: ['queue', 'incidents'] },
  { place: 'own', title: 'menu.shift', groups: ['shift'] },
  { place: 'own', title: 'menu.vehicle', groups: ['selection'] },
  { place: 'own', title: 'menu.playback', groups: ['history', 'video'] },
] as const satisfies { place: CommandMenu['place']; title: string; groups: Command['group'][] }[];

/** What any program has under Help. */
const HELP = ['keys', 'show_hints', 'go_about'];

/** The menus of all commands that can be chosen, each enabled while it may run and no dialog is open. */
export function menusOf(app: AppContext, isBlocked: boolean): CommandMenu[] {
  const { t } = app;
  const itemOf = (command: Command) => ({
    id: command.id,
    label: t(command.label),
    keys: command.shortcut === null ? null : keyOf(keyMapOf(app), command.shortcut),
    enabled: !isBlocked && command.when(app),
  });
  const commands = COMMANDS.filter(({ needsKey }) => needsKey === undefined);
  const isHelp = ({ id }: Command) => HELP.includes(id);
  return [
    ...MENUS.map(({ place, title, groups }) => ({
      place,
      title: t(title),
      sections: groups.map((group) =>
        commands.filter((it) => it.group === group && !isHelp(it)).map((it) => itemOf(it)),
      ),
    })),
    { place: 'help', title: t('menu.help'), sections: [commands.filter(isHelp).map((it) => itemOf(it))] },
  ];
}

/** What may run depends on all that an operator does and on what arrives; a menu that is opened later is right. */
const EVERY_MS = 500;

/** Keeps the menu bar to what may run, and runs what is chosen from it. Returns its undo. */
export function startMenuBar(app: AppContext, bar: MenuBar): () => void {
  let shown = '';
  let stop = (): void => undefined;
  const update = () => {
    const menus = menusOf(app, isOverlayOpen());
    const text = JSON.stringify(menus);
    if (text !== shown) bar.show(menus);
    shown = text;
    stop = app.clock.after(EVERY_MS, update);
  };
  const undo = bar.onChosen((id) => {
    const command = COMMANDS.find((it) => it.id === id);
    if (command === undefined || isOverlayOpen() || !command.when(app)) return;
    command.run(app, command.shortcut ?? '');
  });
  update();
  return () => {
    stop();
    undo();
    bar.show([]);
  };
}
