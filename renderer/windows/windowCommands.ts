import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from '../commands/command.ts';
import { isPane, paneNames, windowOfPlace, type PaneName, type WindowName } from './windowNames.ts';

/** The pane of Live that has the focus, at first the map. */
function focusedPane(): PaneName {
  const named = document.activeElement?.closest<HTMLElement>('[data-window]')?.dataset['window'];
  return paneNames.find((it) => it === named) ?? 'map';
}

/** Opens a window that shows what this one shows of it. */
export function openWindow(app: AppContext, name: WindowName): void {
  const { place, query } = app.navigation.store.getState();
  const { vehicleId, notificationId } = app.view.getState();
  if (place === name) app.windows.open(name, query);
  else if (!isPane(name)) app.windows.open(name);
  else {
    app.windows.open(name, {
      ...(vehicleId !== null && { vehicle: vehicleId }),
      ...(notificationId !== null && { notification: notificationId }),
    });
  }
}

export const ownWindowCommand: Command = {
  id: 'own_window',
  label: 'window.open',
  group: 'panes',
  shortcut: 'O',
  // Of what has its own window already, no other one is opened from there.
  when: ({ windows, navigation }) => windows.name === null && navigation.store.getState().place !== 'setup',
  run: (app) => openWindow(app, windowOfPlace(app.navigation.store.getState()) ?? focusedPane()),
};

export const windowCommands: readonly Command[] = [
  ownWindowCommand,
  ...[...paneNames, 'wall' as const].map((name): Command => ({
    id: `window_${name}`,
    label: `command.window_${name}`,
    group: 'panes',
    shortcut: null,
    when: (app) => app.windows.name !== name,
    run: (app) => openWindow(app, name),
  })),
  {
    id: 'follow_selection',
    label: 'command.follow_selection',
    group: 'panes',
    shortcut: null,
    when: () => true,
    run: ({ windows }) => windows.followSelection(!windows.store.getState().followsSelection),
  },
];

/** Whether a window shows what a command is about: of one pane, the rest of Live is in another window. */
export function isOfWindow(name: WindowName | null, { id, group }: Pick<Command, 'id' | 'group'>): boolean {
  if (!isPane(name)) return true;
  return !id.startsWith('fold_') && (group !== 'map' || name === 'map');
}
