import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from '../commands/command.ts';
import { redoDrawing, startDrawing, startEditing, undoDrawing } from './drawingActions.ts';
import { mayDrawGeofences } from './geofenceRights.ts';

const mayDraw = (app: AppContext) =>
  ['live', 'geofences'].includes(app.navigation.store.getState().place) && mayDrawGeofences(app);
/** Also without a step: the browser would undo what was typed somewhere else on the page. */
const isDrawing = (app: AppContext) =>
  ['live', 'geofences'].includes(app.navigation.store.getState().place) &&
  app.view.getState().geofenceEdit !== null;
const selectedGeofence = (app: AppContext) =>
  app.geofences.store.getState().byId.get(app.view.getState().geozoneId ?? '');

export const drawGeofence: Command = {
  id: 'draw_geofence',
  label: 'command.draw_geofence',
  group: 'map',
  shortcut: 'G',
  when: (app) => mayDraw(app) && app.view.getState().geofenceEdit === null,
  run: (app) => startDrawing(app, 'polygon'),
};

export const geofenceCommands: readonly Command[] = [
  drawGeofence,
  {
    id: 'undo_drawing',
    label: 'command.undo_drawing',
    group: 'map',
    shortcut: 'Ctrl+Z',
    when: isDrawing,
    run: undoDrawing,
  },
  {
    id: 'redo_drawing',
    label: 'command.redo_drawing',
    group: 'map',
    shortcut: 'Ctrl+Shift+Z',
    otherShortcuts: ['Ctrl+Y'],
    when: isDrawing,
    run: redoDrawing,
  },
  {
    id: 'edit_geofence',
    label: 'command.edit_geofence',
    group: 'map',
    shortcut: null,
    when: (app) => mayDraw(app) && selectedGeofence(app) !== undefined,
    run: (app) => {
      const geofence = selectedGeofence(app);
      if (geofence !== undefined) startEditing(app, geofence);
    },
  },
  {
    id: 'geofence_visits',
    label: 'command.geofence_visits',
    group: 'map',
    shortcut: null,
    when: (app) => app.navigation.store.getState().place === 'live' && selectedGeofence(app) !== undefined,
    run: (app) => {
      const geofence = selectedGeofence(app);
      if (geofence !== undefined) app.navigation.go('geofences', { id: geofence.geozone_id });
    },
  },
];
