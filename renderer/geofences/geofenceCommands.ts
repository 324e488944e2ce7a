import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from '../commands/command.ts';
import { startDrawing, startEditing } from './drawingActions.ts';
import { mayDrawGeofences } from './geofenceRights.ts';

const mayDraw = (app: AppContext) =>
  ['live', 'geofences'].includes(app.navigation.store.getState().place) && mayDrawGeofences(app);
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
];
