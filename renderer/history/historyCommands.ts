import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from '../commands/command.ts';
import { selectedIncident } from '../incidents/incidentActions.ts';
import { canOpen } from '../navigation/navigation.ts';
import { isAt } from '../notifications/notificationCommands.ts';
import { selectedNotification } from '../notifications/selectedNotification.ts';
import {
  backToLive,
  endSpanHere,
  followPast,
  locatePast,
  openHistory,
  orderVideoOfInstant,
  stepEvent,
} from './historyActions.ts';
import type { TrackPeriod } from './trackCache.ts';

const isPast = (app: AppContext) => isAt(app, 'history');
const hasPastVehicle = (app: AppContext) => isPast(app) && app.history.store.getState().vehicleId !== null;

/** What is selected anywhere, as a vehicle and an instant: a row of events or of the queue, a passage, a vehicle. */
function subjectOf(app: AppContext): { vehicleId: string | null; at?: string; span?: TrackPeriod } | null {
  const { vehicleId, passage } = app.view.getState();
  if (isAt(app, 'live', 'geofences') && passage !== null)
    return { vehicleId: passage.vehicle_id, at: passage.at };
  if (isAt(app, 'live', 'events')) {
    const row = selectedNotification(app);
    if (row !== null) return { vehicleId: row.vehicle_id, at: row.last_time };
  }
  const incident = selectedIncident(app);
  if (incident !== null) {
    const { vehicle_id: ofIncident, time, from, to } = incident;
    return { vehicleId: ofIncident, at: time, span: { from: Date.parse(from), to: Date.parse(to) } };
  }
  const { event } = app.eventsView.getState();
  if (isAt(app, 'events') && event !== null) return { vehicleId: event.vehicle_id, at: event.time };
  const { selected } = app.reportsView.getState();
  if (isAt(app, 'reports')) return selected;
  return isAt(app, 'live') && vehicleId !== null ? { vehicleId } : null;
}

/** The keys of History (LOOKS 7), and the way there. */
export const historyCommands: readonly Command[] = [
  {
    id: 'open_history',
    label: 'history.open',
    group: 'selection',
    shortcut: 'H',
    when: (app) => canOpen(app.user, 'history') && !isPast(app),
    run: (app) => {
      const subject = subjectOf(app);
      if (subject === null) app.navigation.go('history');
      else openHistory(app, subject.vehicleId, subject.at, subject.span);
    },
  },
  {
    id: 'history_play',
    label: 'keys.video.play',
    group: 'history',
    shortcut: ' ',
    keycap: 'Space',
    when: isPast,
    run: (app) => app.history.player.toggle(),
  },
  {
    id: 'history_step',
    label: 'keys.history.step',
    group: 'history',
    shortcut: ',',
    otherShortcuts: ['.'],
    keycap: ', .',
    needsKey: true,
    when: isPast,
    run: (app, pressed) => app.history.player.step(pressed === '.' ? 1 : -1),
  },
  {
    id: 'history_event',
    label: 'keys.video.event',
    group: 'history',
    // As for videos: Shift with a comma or a point is what it types.
    shortcut: '<',
    otherShortcuts: [';', '>', ':'],
    keycap: 'Shift , .',
    needsKey: true,
    when: isPast,
    run: (app, pressed) => stepEvent(app, pressed === '>' || pressed === ':' ? 1 : -1),
  },
  {
    id: 'history_follow',
    label: 'command.follow',
    group: 'history',
    shortcut: 'F',
    when: hasPastVehicle,
    run: followPast,
  },
  {
    id: 'history_locate',
    label: 'command.locate',
    group: 'history',
    shortcut: 'L',
    when: hasPastVehicle,
    run: locatePast,
  },
  {
    id: 'history_span',
    label: 'keys.history.span',
    group: 'history',
    // As in editors of video: in and out.
    shortcut: 'I',
    otherShortcuts: ['O'],
    keycap: 'I O',
    needsKey: true,
    when: isPast,
    run: (app, pressed) => endSpanHere(app, pressed === 'O' ? 'to' : 'from'),
  },
  {
    id: 'history_side',
    label: 'keys.history.side',
    group: 'history',
    shortcut: 'S',
    when: hasPastVehicle,
    run: ({ history }) =>
      history.showSide(history.store.getState().side === 'journal' ? 'segments' : 'journal'),
  },
  {
    id: 'history_video',
    label: 'history.video',
    group: 'history',
    shortcut: 'V',
    when: (app) =>
      hasPastVehicle(app) && app.video.mayOrder && app.connection.getState().link.phase !== 'lost',
    run: orderVideoOfInstant,
  },
  {
    id: 'history_live',
    label: 'history.back',
    group: 'history',
    shortcut: 'Escape',
    when: isPast,
    run: backToLive,
  },
];
