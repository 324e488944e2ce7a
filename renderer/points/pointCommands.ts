import { formatDecimal } from '../../server/contract/coordinates.ts';
import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from '../commands/command.ts';
import { mayDrawGeofences } from '../geofences/geofenceRights.ts';
import { isAt } from '../notifications/notificationCommands.ts';
import { selectedNotification } from '../notifications/selectedNotification.ts';
import {
  drawCircleAt,
  maySeePassages,
  momentOf,
  showPassages,
  showPoint,
  startMeasuring,
} from './mapPoint.ts';

const canMeasure = (app: AppContext) => isAt(app, 'live') && app.view.getState().geofenceEdit === null;

/** Where and when that was which is selected on Live or among the events. */
function selectedMoment(app: AppContext) {
  const row = selectedNotification(app) ?? (isAt(app, 'events') ? app.eventsView.getState().event : null);
  return row === null ? null : momentOf(row);
}

/** Where the context menu of the map was asked for, else the middle of the map. */
function askedPoint(app: AppContext) {
  const { contextMenu, menuPoint } = app.view.getState();
  return (contextMenu === null ? null : menuPoint) ?? app.map.current()?.camera.view() ?? null;
}

export const pointCommands: readonly Command[] = [
  {
    id: 'passed_here',
    label: 'command.passed_here',
    group: 'selection',
    shortcut: 'Shift+X',
    when: (app) => isAt(app, 'live', 'events') && maySeePassages(app) && selectedMoment(app) !== null,
    run: (app) => {
      const moment = selectedMoment(app);
      if (moment !== null) showPassages(app, moment);
    },
  },
  {
    id: 'point',
    label: 'command.point',
    group: 'map',
    shortcut: 'X',
    when: (app) => canMeasure(app) && app.view.getState().measuring === null,
    run: (app) => {
      const point = askedPoint(app);
      if (point !== null) showPoint(app, { lat: point.lat, lon: point.lon, name: null });
    },
  },
  {
    id: 'copy_coordinates',
    label: 'command.copy_coordinates',
    group: 'map',
    shortcut: null,
    when: (app) => isAt(app, 'live') && app.map.current() !== null,
    run: (app) => {
      const point = askedPoint(app);
      if (point !== null) void app.platform.copyText(formatDecimal(point));
    },
  },
  {
    id: 'draw_circle',
    label: 'command.draw_circle',
    group: 'map',
    shortcut: null,
    when: (app) => canMeasure(app) && mayDrawGeofences(app),
    run: (app) => {
      const point = askedPoint(app);
      if (point !== null) drawCircleAt(app, point);
    },
  },
  {
    id: 'measure_distance',
    label: 'command.measure_distance',
    group: 'map',
    shortcut: 'M',
    when: canMeasure,
    run: (app) => startMeasuring(app, 'line'),
  },
  {
    id: 'measure_area',
    label: 'command.measure_area',
    group: 'map',
    shortcut: 'Shift+M',
    when: canMeasure,
    run: (app) => startMeasuring(app, 'polygon'),
  },
];
