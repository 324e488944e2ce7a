import { reaches } from '../server/contract/rights.ts';
import type { Desk } from './desk/desk.ts';
import { endDrawing, startDrawing, startEditing } from './geofences/drawingActions.ts';
import { mayDrawFences } from './geofences/fenceRights.ts';
import type { TextKey } from './i18n/text.ts';
import {
  acknowledge,
  deselect,
  followSelected,
  locateSelected,
  orderVideoOfSelected,
  showNotification,
  stepQueue,
} from './live/liveActions.ts';
import { foldPane } from './live/paneSizes.ts';
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

export function createCommands(desk: Desk, logout: () => void): readonly Command[] {
  const { view, navigation, preferences, user } = desk;
  const isDealer = user.role === 'dealer';
  const onLive = () => navigation.store.getState().place === 'live';
  const isDrawing = () => view.getState().fenceEdit !== null;
  const hasVehicle = () => view.getState().vehicleId !== null;
  const openRow = () => {
    const { notificationId } = view.getState();
    const row = desk.notifications.store.getState().byId.get(notificationId ?? '');
    return row?.state === 'open' && !desk.acks.store.getState().waiting.has(row.notification_id) ? row : null;
  };
  const mayAcknowledge = isDealer || reaches(user.rights.notifications, 'write');
  const mayFilm = isDealer || reaches(user.rights.video, 'write');
  const camera = () => desk.map.current()?.camera;
  const always = () => true;
  const isLost = () => desk.connection.getState().link.phase === 'lost';
  const hasFailedList = () =>
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
      when: () => onLive() && (hasVehicle() || openRow() !== null),
      run: () => locateSelected(desk),
    },
    {
      id: 'video',
      label: 'command.video',
      group: 'selection',
      shortcut: 'V',
      when: () => onLive() && mayFilm && !isLost() && (hasVehicle() || openRow() !== null),
      run: () => void orderVideoOfSelected(desk),
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
      when: () => onLive() && mayAcknowledge && openRow() !== null,
      run: () => {
        const row = openRow();
        if (row !== null) acknowledge(desk, row.notification_id, null);
      },
    },
    {
      id: 'acknowledge_with_note',
      label: 'command.acknowledge_with_note',
      group: 'queue',
      shortcut: 'Shift+A',
      when: () => onLive() && mayAcknowledge && openRow() !== null,
      run: () => view.setState({ overlay: 'note' }),
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
      when: () => onLive() && mayDrawFences(desk) && !isDrawing(),
      run: () => startDrawing(desk, 'polygon'),
    },
    {
      id: 'edit_geofence',
      label: 'command.edit_geofence',
      group: 'map',
      shortcut: null,
      when: () => onLive() && mayDrawFences(desk) && selectedFence() !== undefined,
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
      when: onLive,
      run: () => camera()?.zoomIn(),
    },
    {
      id: 'zoom_out',
      label: 'map.zoom_out',
      group: 'map',
      shortcut: '-',
      when: onLive,
      run: () => camera()?.zoomOut(),
    },
    {
      id: 'fit',
      label: 'map.fit',
      group: 'map',
      shortcut: '0',
      when: onLive,
      run: () => desk.map.current()?.fitVehicles(),
    },
    // Places.
    {
      id: 'go_live',
      label: 'command.go_live',
      group: 'go',
      shortcut: 'Alt+1',
      when: always,
      run: () => navigation.go('live'),
    },
    {
      id: 'go_video',
      label: 'command.go_video',
      group: 'go',
      shortcut: 'Alt+2',
      when: () => desk.video.play !== null && (isDealer || reaches(user.rights.video, 'read')),
      run: () => navigation.go('video'),
    },
    {
      id: 'go_settings',
      label: 'command.go_settings',
      group: 'go',
      shortcut: 'Alt+3',
      when: always,
      run: () => navigation.go('settings'),
    },
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
        onLive() && (isDrawing() || hasVehicle() || openRow() !== null || view.getState().geozoneId !== null),
      run: () => (isDrawing() ? endDrawing(desk) : deselect(desk)),
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
        for (const list of ['vehicles', 'groups', 'geofences', 'notifications', 'settings'] as const)
          desk.retry(list);
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
    navigation.go('live');
    const row = openRow();
    if (row === null) stepQueue(desk, by);
    else showNotification(desk, row);
  }
}
