import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from '../commands/command.ts';
import { clearSelection, locateSelection, orderVideoOfHeld } from '../events/eventsActions.ts';
import { leaveDrawing } from '../geofences/drawingActions.ts';
import type { ConsoleMap } from '../map/consoleMap.ts';
import { hasOpenRow, isAt } from '../notifications/notificationCommands.ts';
import { stopMeasuring } from '../points/mapPoint.ts';
import { selectedNotification } from '../notifications/selectedNotification.ts';
import {
  deselect,
  followSelected,
  followSelectedToo,
  locateSelected,
  orderVideoOfSelected,
  showFullMap,
} from './liveActions.ts';
import { saveMapPicture } from './saveMapPicture.ts';
import { foldPane, toggleSecondMap, type PaneName } from './liveLayout.ts';
import { writePoint } from './liveView.ts';
import { clearVehicles, hasVehicles } from '../vehicles/selection/vehicleSelection.ts';
import { shareLink } from '../navigation/appLinks.ts';

const hasVehicle = (app: AppContext) => isAt(app, 'live') && app.view.getState().vehicleId !== null;
const hasPoint = (app: AppContext) => isAt(app, 'live') && app.view.getState().point !== null;
const hasPassage = (app: AppContext) =>
  isAt(app, 'live', 'geofences') && app.view.getState().passage !== null;
const isDrawing = (app: AppContext) => app.view.getState().geofenceEdit !== null;
/** A vehicle or an open alarm on Live, a row among the events. */
const hasSelection = (app: AppContext) =>
  hasVehicle(app) || (isAt(app, 'live') && hasOpenRow(app)) || hasHeldRow(app);

function hasHeldRow(app: AppContext): boolean {
  const { notification, event } = app.eventsView.getState();
  return isAt(app, 'events') && (notification !== null || event !== null);
}

function hasAnythingOpen(app: AppContext): boolean {
  if (isAt(app, 'live', 'vehicles') && hasVehicles(app)) return true;
  if (isAt(app, 'events')) return hasHeldRow(app);
  if (!isAt(app, 'live', 'geofences')) return false;
  const { measuring, fullMap } = app.view.getState();
  return isDrawing(app) || measuring !== null || hasSelected(app) || (isAt(app, 'live') && fullMap);
}

/** On the map of Live or of Geofences. */
function hasSelected(app: AppContext): boolean {
  const { geozoneId, point } = app.view.getState();
  if (geozoneId !== null || point !== null) return true;
  return isAt(app, 'live') && (hasVehicle(app) || selectedNotification(app) !== null);
}

const foldCommand = (name: PaneName, shortcut: string): Command => ({
  id: `fold_${name}`,
  label: `command.fold_${name}`,
  group: 'panes',
  shortcut,
  when: (app) => isAt(app, 'live') && !app.view.getState().fullMap,
  run: (app) => foldPane(app.preferences, name),
});

/** What is done with what is selected, and the panes around it. */
export const liveCommands: readonly Command[] = [
  {
    id: 'follow',
    label: 'command.follow',
    group: 'selection',
    shortcut: 'F',
    when: hasVehicle,
    run: followSelected,
  },
  {
    id: 'follow_too',
    label: 'command.follow_too',
    group: 'selection',
    shortcut: 'Shift+F',
    when: hasVehicle,
    run: followSelectedToo,
  },
  {
    id: 'locate',
    label: 'command.locate',
    group: 'selection',
    shortcut: 'L',
    when: hasSelection,
    run: (app) => (isAt(app, 'events') ? locateSelection(app) : locateSelected(app)),
  },
  {
    id: 'video',
    label: 'command.video',
    group: 'selection',
    shortcut: 'V',
    when: (app) =>
      app.video.mayOrder &&
      app.connection.getState().link.phase !== 'lost' &&
      (hasSelection(app) || hasPassage(app)),
    run: (app) => void (isAt(app, 'events') ? orderVideoOfHeld(app) : orderVideoOfSelected(app)),
  },
  {
    id: 'copy_link',
    label: 'panel.copy_link',
    group: 'selection',
    shortcut: 'Ctrl+C',
    when: (app) => hasVehicle(app) || hasPoint(app) || isAt(app, 'history'),
    run: (app) => {
      const { place, query } = app.navigation.store.getState();
      if (place === 'history') {
        void app.platform.copyText(shareLink(app, place, query));
        return;
      }
      const { vehicleId, point } = app.view.getState();
      const link =
        point !== null ? { point: writePoint(point) } : vehicleId !== null ? { vehicle: vehicleId } : null;
      if (link !== null) void app.platform.copyText(shareLink(app, 'live', link));
    },
  },
  foldCommand('list', '['),
  foldCommand('panel', ']'),
  foldCommand('queue', '\\'),
  {
    id: 'deselect',
    label: 'command.deselect',
    group: 'panes',
    shortcut: 'Escape',
    when: hasAnythingOpen,
    run: (app) => {
      if (isAt(app, 'events')) clearSelection(app);
      else if (app.view.getState().measuring !== null) stopMeasuring(app);
      else if (isDrawing(app)) leaveDrawing(app);
      else if (isAt(app, 'live', 'vehicles') && hasVehicles(app)) clearVehicles(app);
      else if (isAt(app, 'geofences')) app.view.setState({ geozoneId: null });
      else if (hasSelected(app)) deselect(app);
      else showFullMap(app, false);
    },
  },
];

const mapCommand = (
  id: 'zoom_in' | 'zoom_out' | 'fit',
  shortcut: string,
  act: (map: ConsoleMap) => void,
): Command => ({
  id,
  label: `map.${id}`,
  group: 'map',
  shortcut,
  when: (app) => isAt(app, 'live', 'history', 'geofences'),
  run: (app) => {
    const map = app.map.current();
    if (map !== null) act(map);
  },
});

/** The tools at the edge of the map. */
export const mapCommands = [
  mapCommand('zoom_in', '+', (map) => map.camera.zoomIn()),
  mapCommand('zoom_out', '-', (map) => map.camera.zoomOut()),
  mapCommand('fit', '0', (map) => map.vehicles.fit()),
] as const;

export const fullMapCommand: Command = {
  id: 'full_map',
  label: 'map.full',
  group: 'map',
  shortcut: 'E',
  when: (app) => isAt(app, 'live'),
  run: (app) => showFullMap(app, !app.view.getState().fullMap),
};

export const secondMapCommand: Command = {
  id: 'second_map',
  label: 'map.second_open',
  group: 'map',
  shortcut: 'D',
  when: (app) => isAt(app, 'live') && app.view.getState().secondMapFits,
  run: (app) => toggleSecondMap(app.preferences),
};

export const savePicture: Command = {
  id: 'save_map_picture',
  label: 'map.save_picture',
  group: 'map',
  shortcut: 'P',
  when: (app) => isAt(app, 'live', 'history', 'geofences'),
  run: (app) => void saveMapPicture(app),
};
