import { reaches } from '../server/contract/rights.ts';
import type { Desk } from './desk/desk.ts';
import { letGo, locateHeld, orderVideoOfHeld } from './events/eventsActions.ts';
import { endDrawing, startDrawing, startEditing } from './geofences/drawingActions.ts';
import { mayDrawFences } from './geofences/fenceRights.ts';
import type { TextKey } from './i18n/text.ts';
import {
  acknowledge,
  deselect,
  followSelected,
  locateSelected,
  orderVideoOfSelected,
  stepQueue,
} from './live/liveActions.ts';
import { foldPane } from './live/paneSizes.ts';
import { mayOpen } from './navigation/mayOpen.ts';
import { mayActOnAlarms } from './notifications/alarmRights.ts';
import { openRows } from './notifications/openRows.ts';
import { selectedNotification } from './notifications/selectedNotification.ts';
import { openTerminalCommands, vehicleToCommand } from './terminalCommands/openTerminalCommands.ts';
import { stepPane } from './ui/stepPane.ts';

/** What an operator can tell the console to do. Menus, keys and the palette all read these records. */
export interface Command {
  id: string;
  label: TextKey;
  group: 'selection' | 'queue' | 'map' | 'go' | 'panes' | 'console';
  /** As `shortcutOf` writes it; null for a command without a key. */
  shortcut: string | null;
  when: () => boolean;
  run: () => void;
}

/** In the order of the rail: Alt 1, Alt 2 and so on. */
const PLACES_BY_KEY = [
  'live',
  'events',
  'video',
  'geofences',
  'rules',
  'reports',
  'vehicles',
  'users',
  'settings',
] as const;

export function createCommands(desk: Desk, logout: () => void): readonly Command[] {
  const { view, navigation, preferences, user } = desk;
  const isDealer = user.role === 'dealer';
  const onLive = () => navigation.store.getState().place === 'live';
  const onFences = () => navigation.store.getState().place === 'geofences';
  const onMap = () => onLive() || onFences();
  const isDrawing = () => view.getState().fenceEdit !== null;
  const hasVehicle = () => view.getState().vehicleId !== null;
  const onEvents = () => navigation.store.getState().place === 'events';
  /** The row that is selected, on Live or among the events; it may have been acknowledged. */
  const row = () => (onLive() || onEvents() ? selectedNotification(desk) : null);
  const openRow = () => {
    const found = row();
    return found?.state === 'open' && !desk.acks.store.getState().waiting.has(found.notification_id)
      ? found
      : null;
  };
  const hasHeld = () => {
    const { notification, event } = desk.eventsView.getState();
    return notification !== null || event !== null;
  };
  const mayAcknowledge = mayActOnAlarms(desk);
  const camera = () => desk.map.current()?.camera;
  const always = () => true;
  const isLost = () => desk.connection.getState().link.phase === 'lost';
  const hasFailedList = () =>
    desk.retries.any() ||
    [desk.vehicles, desk.notifications, desk.geofences].some(
      (it) => it.store.getState().load.phase === 'failed',
    );

  return [
    // What is selected.
    {
      id: 'follow',
      label: 'command.follow',
      group: 'selection',
      shortcut: 'F',
      when: () => onLive() && hasVehicle(),
      run: () => followSelected(desk),
    },
    {
      id: 'locate',
      label: 'command.locate',
      group: 'selection',
      shortcut: 'L',
      when: () => (onLive() && (hasVehicle() || openRow() !== null)) || (onEvents() && hasHeld()),
      run: () => (onEvents() ? locateHeld(desk) : locateSelected(desk)),
    },
    {
      id: 'video',
      label: 'command.video',
      group: 'selection',
      shortcut: 'V',
      when: () =>
        desk.video.mayOrder &&
        !isLost() &&
        ((onLive() && (hasVehicle() || openRow() !== null)) || (onEvents() && hasHeld())),
      run: () => void (onEvents() ? orderVideoOfHeld(desk) : orderVideoOfSelected(desk)),
    },
    {
      id: 'terminal_commands',
      label: 'terminal.command',
      group: 'selection',
      shortcut: 'C',
      when: () => vehicleToCommand(desk) !== null,
      run: () => {
        const vehicleId = vehicleToCommand(desk);
        if (vehicleId !== null) openTerminalCommands(desk, vehicleId);
      },
    },
    {
      id: 'copy_link',
      label: 'panel.copy_link',
      group: 'selection',
      shortcut: 'Ctrl+C',
      // A text that is marked is what Ctrl C means.
      when: () => onLive() && hasVehicle() && document.getSelection()?.isCollapsed !== false,
      run: () => {
        const { vehicleId } = view.getState();
        if (vehicleId !== null)
          void desk.platform.copyText(navigation.linkTo('live', { vehicle: vehicleId }));
      },
    },
    {
      id: 'acknowledge',
      label: 'command.acknowledge',
      group: 'queue',
      shortcut: 'A',
      when: () => mayAcknowledge && openRow() !== null,
      run: () => {
        const found = openRow();
        if (found !== null) acknowledge(desk, found.notification_id, null);
      },
    },
    {
      id: 'acknowledge_with_note',
      label: 'command.acknowledge_with_note',
      group: 'queue',
      shortcut: 'Shift+A',
      when: () => mayAcknowledge && openRow() !== null,
      run: () => view.setState({ overlay: 'note' }),
    },
    {
      id: 'snooze',
      label: 'command.snooze',
      group: 'queue',
      shortcut: 'Z',
      when: () => mayAcknowledge && (row() !== null || (onLive() && hasVehicle())),
      run: () => view.setState({ overlay: 'snooze' }),
    },
    {
      id: 'why',
      label: 'command.why',
      group: 'queue',
      shortcut: 'W',
      when: () => row() !== null,
      run: () => view.setState({ overlay: 'why' }),
    },
    // The queue, from anywhere.
    {
      id: 'next_alarm',
      label: 'command.next_alarm',
      group: 'queue',
      shortcut: 'J',
      when: always,
      run: () => step(1),
    },
    {
      id: 'previous_alarm',
      label: 'command.previous_alarm',
      group: 'queue',
      shortcut: 'K',
      when: always,
      run: () => step(-1),
    },
    // The map.
    {
      id: 'draw_geofence',
      label: 'command.draw_geofence',
      group: 'map',
      shortcut: 'G',
      when: () => onMap() && mayDrawFences(desk) && !isDrawing(),
      run: () => startDrawing(desk, 'polygon'),
    },
    {
      id: 'edit_geofence',
      label: 'command.edit_geofence',
      group: 'map',
      shortcut: null,
      when: () => onMap() && mayDrawFences(desk) && selectedFence() !== undefined,
      run: () => {
        const fence = selectedFence();
        if (fence !== undefined) startEditing(desk, fence);
      },
    },
    {
      id: 'zoom_in',
      label: 'map.zoom_in',
      group: 'map',
      shortcut: '+',
      when: onMap,
      run: () => camera()?.zoomIn(),
    },
    {
      id: 'zoom_out',
      label: 'map.zoom_out',
      group: 'map',
      shortcut: '-',
      when: onMap,
      run: () => camera()?.zoomOut(),
    },
    {
      id: 'fit',
      label: 'map.fit',
      group: 'map',
      shortcut: '0',
      when: onMap,
      run: () => desk.map.current()?.fitVehicles(),
    },
    // Places.
    ...PLACES_BY_KEY.map((place, at): Command => ({
      id: `go_${place}`,
      label: `command.go_${place}`,
      group: 'go',
      shortcut: `Alt+${at + 1}`,
      when: () => mayOpen(user, place),
      run: () => navigation.go(place),
    })),
    {
      id: 'go_setup',
      label: 'command.go_setup',
      group: 'go',
      shortcut: null,
      when: () => isDealer,
      run: () => navigation.go('setup'),
    },
    // Panes.
    {
      id: 'fold_list',
      label: 'command.fold_list',
      group: 'panes',
      shortcut: '[',
      when: onLive,
      run: () => foldPane(preferences, 'list'),
    },
    {
      id: 'fold_panel',
      label: 'command.fold_panel',
      group: 'panes',
      shortcut: ']',
      when: onLive,
      run: () => foldPane(preferences, 'panel'),
    },
    {
      id: 'fold_queue',
      label: 'command.fold_queue',
      group: 'panes',
      shortcut: '\\',
      when: onLive,
      run: () => foldPane(preferences, 'queue'),
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
      id: 'deselect',
      label: 'command.deselect',
      group: 'panes',
      shortcut: 'Escape',
      when: () =>
        (onLive() && (isDrawing() || hasVehicle() || row() !== null || view.getState().geozoneId !== null)) ||
        (onFences() && (isDrawing() || view.getState().geozoneId !== null)) ||
        (onEvents() && hasHeld()),
      run: () => {
        if (onEvents()) letGo(desk);
        else if (isDrawing()) endDrawing(desk);
        else if (onFences()) view.setState({ geozoneId: null });
        else deselect(desk);
      },
    },
    // The console itself.
    {
      id: 'search',
      label: 'command.search',
      group: 'console',
      shortcut: '/',
      when: always,
      run: () => view.setState({ overlay: 'palette' }),
    },
    {
      id: 'palette',
      label: 'command.palette',
      group: 'console',
      shortcut: 'Ctrl+K',
      when: always,
      run: () => view.setState({ overlay: 'palette' }),
    },
    {
      id: 'retry',
      label: 'command.retry',
      group: 'console',
      shortcut: 'R',
      when: () => isLost() || hasFailedList(),
      run: () => {
        desk.stream.tryNow();
        for (const list of [
          'vehicles',
          'groups',
          'geofences',
          'notifications',
          'snoozes',
          'settings',
        ] as const)
          desk.retry(list);
        desk.retries.run();
      },
    },
    {
      id: 'add_vehicle',
      label: 'vehicle.add_by_terminal',
      group: 'console',
      shortcut: null,
      when: () => isDealer || reaches(user.rights.vehicles, 'write'),
      run: () => view.setState({ overlay: 'add_vehicle' }),
    },
    {
      id: 'theme',
      label: 'command.theme',
      group: 'console',
      shortcut: null,
      when: always,
      run: () => preferences.setState(({ theme }) => ({ theme: theme === 'dark' ? 'light' : 'dark' })),
    },
    {
      id: 'sound',
      label: 'command.sound',
      group: 'console',
      shortcut: null,
      when: always,
      run: () => preferences.setState(({ sound }) => ({ sound: !sound })),
    },
    {
      id: 'keys',
      label: 'command.keys',
      group: 'console',
      shortcut: '?',
      when: always,
      run: () => view.setState({ overlay: 'keys' }),
    },
    { id: 'logout', label: 'command.logout', group: 'console', shortcut: null, when: always, run: logout },
  ];

  function selectedFence() {
    return desk.geofences.store.getState().byId.get(view.getState().geozoneId ?? '');
  }

  function step(by: 1 | -1): void {
    if (onLive()) {
      stepQueue(desk, by);
      return;
    }
    const rows = openRows(desk);
    const held = rows.find((it) => it.notification_id === view.getState().notificationId);
    const next = held ?? (by === 1 ? rows[0] : rows.at(-1));
    navigation.go(
      'live',
      next === undefined ? {} : { vehicle: next.vehicle_id, notification: next.notification_id },
    );
  }
}
