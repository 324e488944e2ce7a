import { meetsLevel } from '../server/contract/rights.ts';
import type { AppContext } from './appContext/appContext.ts';
import { clearSelection, locateSelection, orderVideoOfHeld } from './events/eventsActions.ts';
import { endDrawing, startDrawing, startEditing } from './geofences/drawingActions.ts';
import { mayDrawGeofences } from './geofences/geofenceRights.ts';
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
import { canOpen } from './navigation/mayOpen.ts';
import { mayActOnAlarms } from './notifications/alarmRights.ts';
import { openRows } from './notifications/openRows.ts';
import { selectedNotification } from './notifications/selectedNotification.ts';
import { openTerminalCommands, vehicleToCommand } from './terminalCommands/openTerminalCommands.ts';
import { stepPane } from './ui/stepPane.ts';

/** What an operator can have the console do. Menus, keys and the palette all read these records. */
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

export function createCommands(app: AppContext, logout: () => void): readonly Command[] {
  const { view, navigation, preferences, user } = app;
  const isDealer = user.role === 'dealer';
  const onLive = () => navigation.store.getState().place === 'live';
  const onGeofences = () => navigation.store.getState().place === 'geofences';
  const onMap = () => onLive() || onGeofences();
  const isDrawing = () => view.getState().geofenceEdit !== null;
  const hasVehicle = () => view.getState().vehicleId !== null;
  const onEvents = () => navigation.store.getState().place === 'events';
  /** The row that is selected, on Live or among the events; it may have been acknowledged. */
  const row = () => (onLive() || onEvents() ? selectedNotification(app) : null);
  const openRow = () => {
    const found = row();
    return found?.state === 'open' && !app.acks.store.getState().waiting.has(found.notification_id)
      ? found
      : null;
  };
  const hasHeld = () => {
    const { notification, event } = app.eventsView.getState();
    return notification !== null || event !== null;
  };
  const mayAcknowledge = mayActOnAlarms(app);
  const camera = () => app.map.current()?.camera;
  const always = () => true;
  const isLost = () => app.connection.getState().link.phase === 'lost';
  const hasFailedList = () =>
    app.retries.any() ||
    [app.vehicles, app.notifications, app.geofences].some(
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
      run: () => followSelected(app),
    },
    {
      id: 'locate',
      label: 'command.locate',
      group: 'selection',
      shortcut: 'L',
      when: () => (onLive() && (hasVehicle() || openRow() !== null)) || (onEvents() && hasHeld()),
      run: () => (onEvents() ? locateSelection(app) : locateSelected(app)),
    },
    {
      id: 'video',
      label: 'command.video',
      group: 'selection',
      shortcut: 'V',
      when: () =>
        app.video.mayOrder &&
        !isLost() &&
        ((onLive() && (hasVehicle() || openRow() !== null)) || (onEvents() && hasHeld())),
      run: () => void (onEvents() ? orderVideoOfHeld(app) : orderVideoOfSelected(app)),
    },
    {
      id: 'terminal_commands',
      label: 'terminal.command',
      group: 'selection',
      shortcut: 'C',
      when: () => vehicleToCommand(app) !== null,
      run: () => {
        const vehicleId = vehicleToCommand(app);
        if (vehicleId !== null) openTerminalCommands(app, vehicleId);
      },
    },
    {
      id: 'copy_link',
      label: 'panel.copy_link',
      group: 'selection',
      shortcut: 'Ctrl+C',
      when: () => onLive() && hasVehicle(),
      run: () => {
        const { vehicleId } = view.getState();
        if (vehicleId !== null) void app.platform.copyText(navigation.linkTo('live', { vehicle: vehicleId }));
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
        if (found !== null) acknowledge(app, found.notification_id, null);
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
      when: () => onMap() && mayDrawGeofences(app) && !isDrawing(),
      run: () => startDrawing(app, 'polygon'),
    },
    {
      id: 'edit_geofence',
      label: 'command.edit_geofence',
      group: 'map',
      shortcut: null,
      when: () => onMap() && mayDrawGeofences(app) && selectedGeofence() !== undefined,
      run: () => {
        const geofence = selectedGeofence();
        if (geofence !== undefined) startEditing(app, geofence);
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
      run: () => app.map.current()?.fitVehicles(),
    },
    // Places.
    ...PLACES_BY_KEY.map((place, at): Command => ({
      id: `go_${place}`,
      label: `command.go_${place}`,
      group: 'go',
      shortcut: `Alt+${at + 1}`,
      when: () => canOpen(user, place),
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
        (onGeofences() && (isDrawing() || view.getState().geozoneId !== null)) ||
        (onEvents() && hasHeld()),
      run: () => {
        if (onEvents()) clearSelection(app);
        else if (isDrawing()) endDrawing(app);
        else if (onGeofences()) view.setState({ geozoneId: null });
        else deselect(app);
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
        app.stream.tryNow();
        for (const list of [
          'vehicles',
          'groups',
          'geofences',
          'notifications',
          'snoozes',
          'settings',
        ] as const)
          app.retry(list);
        app.retries.run();
      },
    },
    {
      id: 'add_vehicle',
      label: 'vehicle.add_by_terminal',
      group: 'console',
      shortcut: null,
      when: () => isDealer || meetsLevel(user.rights.vehicles, 'write'),
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

  function selectedGeofence() {
    return app.geofences.store.getState().byId.get(view.getState().geozoneId ?? '');
  }

  function step(by: 1 | -1): void {
    if (onLive()) {
      stepQueue(app, by);
      return;
    }
    const rows = openRows(app);
    const held = rows.find((it) => it.notification_id === view.getState().notificationId);
    const next = held ?? (by === 1 ? rows[0] : rows.at(-1));
    navigation.go(
      'live',
      next === undefined ? {} : { vehicle: next.vehicle_id, notification: next.notification_id },
    );
  }
}
