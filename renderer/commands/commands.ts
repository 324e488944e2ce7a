import type { AppContext } from '../appContext/appContext.ts';
import { geofenceCommands } from '../geofences/geofenceCommands.ts';
import { historyCommands } from '../history/historyCommands.ts';
import {
  fullMapCommand,
  liveCommands,
  mapCommands,
  savePicture,
  secondMapCommand,
} from '../live/liveCommands.ts';
import { incidentCommands } from '../incidents/incidentCommands.ts';
import { mapLayerCommands } from '../live/mapLayerChoice.ts';
import { mapViewsCommand } from '../mapViews/mapViewActions.ts';
import { pointCommands } from '../points/pointCommands.ts';
import { canOpen, mayWrite, NEW, screenNames, type ScreenName } from '../navigation/navigation.ts';
import { notificationCommands } from '../notifications/notificationCommands.ts';
import { rowCommands } from '../resources/rowCommands.ts';
import { shiftCommands } from '../shifts/shiftCommands.ts';
import { videoCommands } from '../video/videoCommands.ts';
import { bulkCommands, forSeveral, selectCommands } from '../vehicles/bulk/bulkCommands.ts';
import { shareVehicle, terminalCommand } from '../vehicles/vehicleDialogs.ts';
import { isOfWindow, windowCommands } from '../windows/windowCommands.ts';
import { COMMAND_GROUPS, type Command } from './command.ts';

/** Places that have a letter; the others keep the digits of their order: Alt 1, Alt 2 and so on. */
const LETTERS: Partial<Record<ScreenName, string>> = { incidents: 'I', shift: 'S' };
const PLACES = screenNames.filter((it) => it !== 'setup');
const PLACES_BY_DIGIT = PLACES.filter((it) => LETTERS[it] === undefined);

/** What is looked for by its own name and lies in a tab of Settings. */
const SETTINGS_PLACES = [
  ['go_api_tokens', 'api_tokens'],
  ['go_shares', 'api_tokens'],
  ['go_language', 'language'],
  ['go_about', 'about'],
] as const;

const LISTS = [
  'vehicles',
  'groups',
  'users',
  'geofences',
  'notifications',
  'incidents',
  'shifts',
  'snoozes',
  'settings',
] as const;

const always = () => true;
const isDealer = ({ user }: AppContext) => user.role === 'dealer';
const hasFailedList = (app: AppContext) =>
  app.retries.any() ||
  [app.vehicles, app.notifications, app.incidents, app.geofences].some(
    (it) => it.store.getState().load.phase === 'failed',
  );

/** What belongs to no one domain: places, panes, the console itself. */
const consoleCommands: readonly Command[] = [
  ...PLACES.map((place): Command => ({
    id: `go_${place}`,
    label: `command.go_${place}`,
    group: 'go',
    // The tenth is under 0.
    shortcut: `Alt+${LETTERS[place] ?? (PLACES_BY_DIGIT.findIndex((it) => it === place) + 1) % 10}`,
    when: (app) => canOpen(app.user, place),
    run: (app) => app.navigation.go(place),
  })),
  ...(['drivers', 'groups'] as const).map((tab): Command => ({
    id: `go_${tab}`,
    label: `command.go_${tab}`,
    group: 'go',
    shortcut: null,
    when: (app) => canOpen(app.user, 'vehicles'),
    run: (app) => app.navigation.go('vehicles', { tab }),
  })),
  {
    id: 'go_setup',
    label: 'command.go_setup',
    group: 'go',
    shortcut: null,
    when: isDealer,
    run: (app) => app.navigation.go('setup'),
  },
  ...SETTINGS_PLACES.map(([id, tab]): Command => ({
    id,
    label: `command.${id}`,
    group: 'go',
    shortcut: null,
    when: always,
    run: (app) => app.navigation.go('settings', { tab }),
  })),
  {
    id: 'add_api_token',
    label: 'command.add_api_token',
    group: 'console',
    shortcut: null,
    when: always,
    run: (app) => app.navigation.go('settings', { tab: 'api_tokens', id: 'new' }),
  },
  {
    id: 'next_pane',
    label: 'command.next_pane',
    group: 'panes',
    shortcut: 'F6',
    when: always,
    run: () => stepPane(document, 1),
  },
  {
    id: 'previous_pane',
    label: 'command.previous_pane',
    group: 'panes',
    shortcut: 'Shift+F6',
    when: always,
    run: () => stepPane(document, -1),
  },
  {
    id: 'search',
    label: 'command.search',
    group: 'console',
    shortcut: '/',
    when: always,
    run: (app) => app.view.setState({ overlay: 'palette' }),
  },
  {
    id: 'palette',
    label: 'command.palette',
    group: 'console',
    shortcut: 'Ctrl+K',
    when: always,
    run: (app) => app.view.setState({ overlay: 'palette' }),
  },
  {
    id: 'retry',
    label: 'command.retry',
    group: 'console',
    shortcut: 'R',
    when: (app) => app.connection.getState().link.phase === 'lost' || hasFailedList(app),
    run: (app) => {
      app.stream.tryNow();
      for (const list of LISTS) app.retry(list);
      app.retries.run();
    },
  },
  {
    id: 'add_vehicle',
    label: 'vehicle.add_by_terminal',
    group: 'console',
    shortcut: null,
    when: (app) => mayWrite(app.user, 'vehicles'),
    run: (app) => app.view.setState({ overlay: 'add_vehicle' }),
  },
  {
    id: 'add_driver',
    label: 'command.add_driver',
    group: 'console',
    shortcut: null,
    when: (app) => mayWrite(app.user, 'vehicles'),
    run: (app) => app.navigation.go('vehicles', { tab: 'drivers', id: NEW }),
  },
  {
    id: 'print',
    label: 'command.print',
    group: 'console',
    // A browser prints by it on every screen; the desktop has it from here only.
    shortcut: 'Ctrl+P',
    when: ({ navigation, reportsView }) => {
      const { place } = navigation.store.getState();
      return place === 'shift' || (place === 'reports' && reportsView.getState().shown !== null);
    },
    run: () => window.print(),
  },
  {
    id: 'theme',
    label: 'command.theme',
    group: 'console',
    shortcut: null,
    when: always,
    run: (app) => app.preferences.setState(({ theme }) => ({ theme: theme === 'dark' ? 'light' : 'dark' })),
  },
  {
    id: 'sound',
    label: 'command.sound',
    group: 'console',
    shortcut: null,
    when: always,
    run: (app) => app.preferences.setState(({ sound }) => ({ sound: !sound })),
  },
  {
    id: 'keys',
    label: 'command.keys',
    group: 'console',
    shortcut: '?',
    when: always,
    run: (app) => app.view.setState({ overlay: 'keys' }),
  },
  {
    id: 'show_hints',
    label: 'command.show_hints',
    group: 'console',
    shortcut: null,
    when: (app) => app.userPreferences.store.getState().hints_seen?.length !== 0,
    run(app) {
      app.userPreferences.change({ hints_seen: [] });
      app.navigation.go('live');
    },
  },
  {
    id: 'logout',
    label: 'command.logout',
    group: 'console',
    shortcut: null,
    when: always,
    run: (app) => app.logout(),
  },
];

/** Every command of the console. Of two with the same key, the first that may run does. */
export const COMMANDS: readonly Command[] = [
  ...liveCommands,
  terminalCommand,
  shareVehicle,
  ...bulkCommands,
  ...notificationCommands,
  ...geofenceCommands,
  ...mapCommands,
  ...mapLayerCommands,
  mapViewsCommand,
  savePicture,
  fullMapCommand,
  secondMapCommand,
  ...selectCommands,
  ...pointCommands,
  ...consoleCommands,
  ...windowCommands,
  ...incidentCommands,
  ...shiftCommands,
  ...historyCommands,
  ...videoCommands,
  ...rowCommands,
]
  .map(forSeveral)
  .map((command) => ({
    ...command,
    when: (app: AppContext) => isOfWindow(app.windows.name, command) && command.when(app),
  }))
  .sort((a, b) => COMMAND_GROUPS.indexOf(a.group) - COMMAND_GROUPS.indexOf(b.group));

/** Puts the focus on the next (1) or previous (-1) pane of the page, in the order of the page. */
function stepPane(page: Document, step: 1 | -1): void {
  const panes = [...page.querySelectorAll<HTMLElement>('[data-pane]')].filter((pane) =>
    pane.checkVisibility(),
  );
  if (panes.length === 0) return;
  const at = panes.findIndex((pane) => pane.contains(page.activeElement));
  const next = at === -1 ? (step === 1 ? 0 : panes.length - 1) : (at + step + panes.length) % panes.length;
  const pane = panes[next];
  // The part of a pane that takes keys, where it has one.
  (pane?.querySelector<HTMLElement>('[role=listbox], [role=list], .maplibregl-canvas') ?? pane)?.focus();
}
