import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from '../commands/command.ts';
import { canOpen } from '../navigation/navigation.ts';
import { redoDrawing, startDrawing, startEditing, undoDrawing } from './drawingActions.ts';
import { mayDrawGeofences } from './geofenceRights.ts';

const showsGeofences = (app: AppContext) =>
  ['live', 'geofences'].includes(app.navigation.store.getState().place);
const mayDraw = (app: AppContext) => showsGeofences(app) && mayDrawGeofences(app);
/** Also without a step: the browser would undo what was typed somewhere else on the page. */
const isDrawing = (app: AppContext) => showsGeofences(app) && app.view.getState().geofenceEdit !== null;
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
  {
    id: 'geofence_events',
    label: 'command.geofence_events',
    group: 'map',
    shortcut: null,
    when: (app) => showsGeofences(app) && selectedGeofence(app) !== undefined && canOpen(app.user, 'events'),
    run: (app) =>
      app.navigation.go('events', {
        view: 'events',
        geofence: app.view.getState().geozoneId ?? null,
        period: 'all',
      }),
  },
];
