import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from '../commands/command.ts';
import { isAt } from '../notifications/notificationCommands.ts';
import { showPoint, startMeasuring } from './mapPoint.ts';

const canPoint = (app: AppContext) => isAt(app, 'live') && app.view.getState().geofenceEdit === null;

export const pointCommands: readonly Command[] = [
  {
    id: 'point',
    label: 'command.point',
    group: 'map',
    shortcut: 'X',
    when: canPoint,
    run: (app) => {
      const centre = app.map.current()?.camera.view();
      if (centre !== undefined) showPoint(app, { lat: centre.lat, lon: centre.lon, name: null });
    },
  },
  {
    id: 'measure_distance',
    label: 'command.measure_distance',
    group: 'map',
    shortcut: 'M',
    when: canPoint,
    run: (app) => startMeasuring(app, 'line'),
  },
  {
    id: 'measure_area',
    label: 'command.measure_area',
    group: 'map',
    shortcut: 'Shift+M',
    when: canPoint,
    run: (app) => startMeasuring(app, 'polygon'),
  },
];
