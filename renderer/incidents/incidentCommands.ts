import type { Incident, IncidentStatus } from '../../server/contract/incidents.ts';
import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from '../commands/command.ts';
import { takeMapPicture } from '../live/saveMapPicture.ts';
import { mayWrite } from '../navigation/navigation.ts';
import { isAt } from '../notifications/notificationCommands.ts';
import { selectedNotification } from '../notifications/selectedNotification.ts';
import {
  askForIncident,
  attempt,
  changeIncident,
  locateIncident,
  momentOfHistory,
  momentOfSelection,
  openIncidentOfAlarm,
  reopenIncident,
  requestVideo,
  saveIncident,
  selectedIncident,
  takeIncident,
} from './incidentActions.ts';
import { isTicked, shownChecklist } from './incidentWork.ts';
import { incidentOf, incidentsAbout, openIncidents } from './openIncidents.ts';

export const mayWork = (app: AppContext): boolean => mayWrite(app.user, 'notifications');
const isLost = (app: AppContext): boolean => app.connection.getState().link.phase === 'lost';

/** The alarm that is selected on Live or among the events. */
const selectedAlarm = (app: AppContext) => (isAt(app, 'live', 'events') ? selectedNotification(app) : null);

/** One that is shown, this user may change, and is not closed. */
function workable(app: AppContext): Incident | null {
  const incident = selectedIncident(app);
  return incident !== null && incident.status !== 'closed' && mayWork(app) ? incident : null;
}

/** Acts on the incident that is shown; what changes it waits for the server. */
function incidentCommand(
  id: string,
  shortcut: string | null,
  label: Command['label'],
  run: (app: AppContext, incident: Incident, pressed: string) => void,
  {
    when = () => true,
    ...more
  }: Partial<Pick<Command, 'otherShortcuts' | 'keycap' | 'needsKey'>> & {
    when?: (incident: Incident, app: AppContext) => boolean;
  } = {},
): Command {
  const found = (app: AppContext) => {
    const incident = selectedIncident(app);
    return incident !== null && when(incident, app) ? incident : null;
  };
  return {
    id: `incident_${id}`,
    label,
    group: 'incidents',
    shortcut,
    ...more,
    when: (app) => found(app) !== null,
    run: (app, pressed) => {
      const incident = found(app);
      if (incident !== null) run(app, incident, pressed);
    },
  };
}

const mayChange = (_: Incident, app: AppContext): boolean => workable(app) !== null && !isLost(app);

const statusCommand = (status: Exclude<IncidentStatus, 'closed'>, shortcut: string | null): Command =>
  incidentCommand(
    status,
    shortcut,
    `command.incident_${status}`,
    (app, incident) => attempt(app, () => changeIncident(app, incident, { status })),
    { when: (incident, app) => mayChange(incident, app) && incident.status !== status },
  );

/** The keys of the items of a checklist. */
const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

/** How incidents are opened from elsewhere, and what is done with the one that is shown. */
export const incidentCommands: readonly Command[] = [
  {
    id: 'open_incident',
    label: 'command.open_incident',
    group: 'selection',
    shortcut: 'I',
    when(app) {
      if (!isAt(app, 'live', 'events')) return false;
      const alarm = selectedAlarm(app);
      const known = alarm !== null && incidentOf(app.incidents.store.getState().byId, alarm.notification_id);
      if (known) return true;
      return mayWork(app) && !isLost(app) && (alarm !== null || momentOfSelection(app) !== null);
    },
    run(app) {
      const alarm = selectedAlarm(app);
      const moment = momentOfSelection(app);
      if (alarm !== null) openIncidentOfAlarm(app, alarm);
      else if (moment !== null) askForIncident(app, moment);
    },
  },
  {
    id: 'open_incident_then',
    label: 'command.open_incident_then',
    group: 'history',
    // I alone begins a part of the day there.
    shortcut: 'Shift+I',
    when: (app) => mayWork(app) && !isLost(app) && momentOfHistory(app) !== null,
    run(app) {
      const moment = momentOfHistory(app);
      if (moment !== null) askForIncident(app, moment);
    },
  },
  {
    id: 'attach_map_picture',
    label: 'map.attach_picture',
    group: 'map',
    shortcut: null,
    when: (app) => incidentOfMap(app) !== undefined,
    run(app) {
      const incident = incidentOfMap(app);
      if (incident === undefined) return;
      attempt(app, async () => {
        // At once: what is shown when the code has come is not what was meant.
        const taken = await takeMapPicture(app);
        if (taken === null) return;
        const { attachSnapshot } = await import('./attachSnapshot.ts');
        const time = new Date(Math.round(taken.at)).toISOString();
        const shown_vehicle_ids = taken.vehicleIds;
        await attachSnapshot(app, incident, taken.picture, { kind: 'map', time, shown_vehicle_ids });
      });
    },
  },
  incidentCommand('take', 'T', 'command.incident_take', takeIncident, {
    when: (incident, app) => mayChange(incident, app) && incident.owner_id !== app.user.user_id,
  }),
  statusCommand('open', null),
  statusCommand('in_progress', 'P'),
  statusCommand('waiting', 'W'),
  incidentCommand(
    'tick',
    '1',
    'command.incident_tick',
    (app, incident, pressed) => {
      const item = shownChecklist(incident, app.incidentWork.outbox.getState().waiting)[
        DIGITS.findIndex((it) => it === pressed)
      ];
      if (item !== undefined) void app.incidentWork.tick(incident.incident_id, item.item_id, !isTicked(item));
    },
    {
      otherShortcuts: DIGITS.slice(1),
      keycap: '1 … 9',
      needsKey: true,
      when: (incident, app) => workable(app) !== null && incident.checklist.length > 0,
    },
  ),
  incidentCommand('note', 'N', 'command.incident_note', () => focusNote(), {
    when: (_, app) => mayWork(app),
  }),
  incidentCommand(
    'add_note',
    'Ctrl+Enter',
    'command.incident_add_note',
    (app, { incident_id }) => {
      const text = app.incidentWork.drafts.getState().byIncident.get(incident_id)?.trim() ?? '';
      if (text !== '') void app.incidentWork.addNote(incident_id, text);
    },
    {
      when: ({ incident_id }, app) =>
        mayWork(app) && app.incidentWork.drafts.getState().byIncident.has(incident_id),
    },
  ),
  incidentCommand('locate', 'L', 'command.locate', locateIncident, {
    when: ({ lat, vehicle_id }) => lat !== null || vehicle_id !== null,
  }),
  incidentCommand('video', 'V', 'command.incident_video', requestVideo, {
    when: (incident, app) => mayChange(incident, app) && app.video.mayOrder && incident.vehicle_id !== null,
  }),
  incidentCommand(
    'call',
    'D',
    'command.incident_call',
    (app, { driver }) => void app.platform.copyText(driver?.phone ?? ''),
    {
      when: ({ driver }) => driver?.phone != null,
    },
  ),
  incidentCommand(
    'close',
    'C',
    'command.incident_close',
    (app) => app.view.setState({ overlay: 'close_incident' }),
    { when: mayChange },
  ),
  incidentCommand(
    'reopen',
    'Shift+C',
    'command.incident_reopen',
    (app, incident) => attempt(app, () => reopenIncident(app, incident)),
    { when: ({ status }, app) => status === 'closed' && mayWork(app) && !isLost(app) },
  ),
  incidentCommand(
    'edit',
    null,
    'command.incident_edit',
    (app) => app.view.setState({ overlay: 'edit_incident' }),
    {
      when: mayChange,
    },
  ),
  ...(['pdf', 'evidence'] as const).map((as) =>
    incidentCommand(as, null, `command.incident_${as}`, (app, incident) => saveIncident(app, incident, as), {
      when: (_, app) => !isLost(app),
    }),
  ),
  {
    id: 'incident_step',
    label: 'command.incident_step',
    group: 'incidents',
    shortcut: ',',
    otherShortcuts: ['.'],
    keycap: ', .',
    needsKey: true,
    when: (app) => isAt(app, 'incidents') && openIncidents(app.incidents.store.getState().byId).length > 0,
    run: (app, pressed) => stepIncident(app, pressed === '.' ? 1 : -1),
  },
];

/** The open incident that a picture of the map belongs to. */
function incidentOfMap(app: AppContext): Incident | undefined {
  if (!isAt(app, 'live', 'history', 'geofences') || !mayWork(app) || isLost(app)) return undefined;
  const vehicleId = isAt(app, 'history')
    ? app.history.store.getState().vehicleId
    : app.view.getState().vehicleId;
  const notificationId = selectedAlarm(app)?.notification_id ?? null;
  const subject = { taskIds: [], notificationId, vehicleId };
  return incidentsAbout(app.incidents.store.getState().byId, subject, app.user.user_id)[0];
}

/** Goes to the next (1) or previous (-1) open incident. */
function stepIncident(app: AppContext, by: 1 | -1): void {
  const open = openIncidents(app.incidents.store.getState().byId);
  const at = open.findIndex((it) => it.incident_id === app.navigation.store.getState().query['id']);
  const next = at === -1 ? open.at(by === 1 ? 0 : -1) : open[(at + by + open.length) % open.length];
  if (next !== undefined) app.navigation.note({ id: next.incident_id });
}

/** The field for a note of the incident that is shown. */
const focusNote = (): void => document.querySelector<HTMLElement>('.incident-log textarea')?.focus();
