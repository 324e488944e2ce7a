import {
  incidentRoutes,
  type Incident,
  type IncidentStatus,
  type NewIncident,
} from '../../server/contract/incidents.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import { newIdempotencyKey } from '../api/client.ts';
import { isProblem } from '../api/errors.ts';
import { saveAnswer } from '../api/saveAnswer.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { openHistory } from '../history/historyActions.ts';
import { writePoint, type IncidentMoment } from '../live/liveView.ts';
import { isAt } from '../notifications/notificationCommands.ts';
import { showPoint } from '../points/mapPoint.ts';
import { sentenceOf } from '../ui/formFaults.ts';
import { isSame } from '../resources/rebaseForm.ts';
import { incidentOf, openIncidents } from './openIncidents.ts';

type IncidentPatch = Partial<Pick<Incident, 'title' | 'severity' | 'owner_id'>> & {
  status?: Exclude<IncidentStatus, 'closed'>;
};

export const showIncident = (app: AppContext, incidentId: string): void =>
  app.navigation.go('incidents', { id: incidentId });

/** The incident that the screen of incidents shows. */
export function selectedIncident(app: AppContext): Incident | null {
  if (!isAt(app, 'incidents')) return null;
  const { query } = app.navigation.store.getState();
  return app.incidents.store.getState().byId.get(query['id'] ?? '') ?? null;
}

/** Opens an incident; sent twice it is opened once. Throws ApiProblem, Unreachable. */
export async function createIncident(app: AppContext, body: Partial<NewIncident>): Promise<Incident> {
  const made = await app.api.request(incidentRoutes.create, { body, idempotencyKey: newIdempotencyKey() });
  app.incidents.put([made]);
  return made;
}

/** Shows the incident of an alarm, or opens one; where its vehicle has an open one, asks which it belongs to. */
export function openIncidentOfAlarm(app: AppContext, { notification_id, vehicle_id }: Notification): void {
  const { byId } = app.incidents.store.getState();
  const known = incidentOf(byId, notification_id);
  if (known !== undefined) {
    showIncident(app, known.incident_id);
    return;
  }
  if (openIncidents(byId).some((it) => vehicle_id !== null && it.vehicle_id === vehicle_id)) {
    app.view.setState({ overlay: 'join_incident' });
    return;
  }
  const opening = openingOf.get(app) ?? new Set<string>();
  openingOf.set(app, opening);
  if (opening.has(notification_id)) return;
  opening.add(notification_id);
  attempt(app, () =>
    createIncidentOfAlarm(app, notification_id).finally(() => opening.delete(notification_id)),
  );
}

/** Alarms whose incident is on its way: a key that is held down, or pressed twice, opens one. */
const openingOf = new WeakMap<AppContext, Set<string>>();

/** Opens a new incident of an alarm and shows it. Throws ApiProblem, Unreachable. */
export async function createIncidentOfAlarm(app: AppContext, notification_id: string): Promise<void> {
  const made = await createIncident(app, { notification_ids: [notification_id] });
  showIncident(app, made.incident_id);
}

/** Asks for the name and opens it then. */
export const askForIncident = (app: AppContext, moment: IncidentMoment): void =>
  app.view.setState({ overlay: 'new_incident', incidentMoment: moment });

/** The moment of a vehicle that is selected on Live, of a point of the map, or of History; null: none of these. */
export function momentOfSelection(app: AppContext): IncidentMoment | null {
  const { vehicleId, point, passage } = app.view.getState();
  const nameOf = (id: string) => app.vehicles.store.getState().byId.get(id)?.name ?? '';
  if (isAt(app, 'live') && passage !== null) {
    const { vehicle_id, at } = passage;
    return { vehicleId: vehicle_id, at, place: null, title: nameOf(vehicle_id) };
  }
  if (isAt(app, 'live') && point !== null) {
    const { lat, lon, name } = point;
    return { vehicleId: null, at: null, place: { lat, lon }, title: name ?? app.places.at(lat, lon) };
  }
  if (isAt(app, 'live') && vehicleId !== null)
    return { vehicleId, at: null, place: null, title: nameOf(vehicleId) };
  const { event } = app.eventsView.getState();
  if (isAt(app, 'events') && event?.vehicle_id != null)
    return { vehicleId: event.vehicle_id, at: event.time, place: null, title: nameOf(event.vehicle_id) };
  return null;
}

/** The same at the instant that History shows. */
export function momentOfHistory(app: AppContext): IncidentMoment | null {
  const { vehicleId } = app.history.store.getState();
  if (!isAt(app, 'history') || vehicleId === null) return null;
  const at = new Date(Math.round(app.history.player.store.getState().at)).toISOString();
  const title = app.vehicles.store.getState().byId.get(vehicleId)?.name ?? '';
  return { vehicleId, at, place: null, title };
}

/** Reports what failed: the act itself was begun by a key or a button and has no form to say it in. */
export function attempt(app: AppContext, act: () => Promise<unknown>): void {
  act().catch((error: unknown) =>
    app.toasts.setState({ toast: { text: failureText(app, error), isTrouble: true, action: null } }),
  );
}

export function failureText({ t }: Pick<AppContext, 't'>, error: unknown): string {
  return error instanceof ChangedByOthers
    ? t('incident.changed', { number: error.incident.number })
    : t('incident.not_done', { reason: sentenceOf(error, t) ?? '' });
}

/** Somebody else has changed the same. */
export class ChangedByOthers extends Error {
  override readonly name = 'ChangedByOthers';
  readonly incident: Incident;

  constructor(incident: Incident) {
    super(`incident ${incident.number} was changed by somebody else`);
    this.incident = incident;
  }
}

/**
 * Changes an incident: shown at once, and taken back when the server will not have it. A change by somebody else of
 * other fields is kept under it; throws ChangedByOthers where it is of the same, else ApiProblem, Unreachable.
 */
export async function changeIncident(
  app: Pick<AppContext, 'api' | 'incidents' | 'user'>,
  base: Incident,
  patch: IncidentPatch,
): Promise<Incident> {
  const { incidents, user } = app;
  const owner =
    patch.owner_id === undefined
      ? {}
      : { owner_name: patch.owner_id === user.user_id ? (user.name ?? user.login) : null };
  const fields = Object.keys(patch) as (keyof IncidentPatch)[];
  const send = ({ version }: Incident) =>
    app.api.request(incidentRoutes.patch, {
      params: { incident_id: base.incident_id },
      body: patch,
      ifMatch: version,
    });
  incidents.put([{ ...base, ...patch, ...owner }]);
  try {
    const saved = await send(base).catch(async (error: unknown) => {
      if (!isProblem(error, 'version_conflict')) throw error;
      const newest = await readIncident(app, base.incident_id);
      incidents.put([newest]);
      const isOfOthers = fields.some((it) => !isSame(newest[it], base[it]) && !isSame(newest[it], patch[it]));
      if (isOfOthers || newest.status === 'closed') throw new ChangedByOthers(newest);
      return send(newest);
    });
    incidents.put([saved]);
    return saved;
  } catch (error) {
    // Older than what the stream has brought since, it changes nothing.
    incidents.put([base]);
    throw error;
  }
}

/** Throws ApiProblem, Unreachable. */
const readIncident = (app: Pick<AppContext, 'api'>, incident_id: string): Promise<Incident> =>
  app.api.request(incidentRoutes.get, { params: { incident_id } }).then(({ timeline: _, ...it }) => it);

/** Makes this user the owner, who works on it from now on. */
export function takeIncident(app: AppContext, incident: Incident): void {
  const { user_id: owner_id } = app.user;
  const patch: IncidentPatch = { owner_id };
  if (incident.status === 'open') patch.status = 'in_progress';
  attempt(app, () => changeIncident(app, incident, patch));
}

/** Closes an incident. Throws ChangedByOthers when somebody else has closed it, ApiProblem, Unreachable. */
export async function closeIncident(
  app: AppContext,
  incident: Incident,
  body: { reason: string; note: string | null },
): Promise<void> {
  const send = ({ incident_id, version }: Incident) =>
    app.api.request(incidentRoutes.close, { params: { incident_id }, body, ifMatch: version });
  const closed = await onNewest(app, incident, send, (it) => it.status !== 'closed');
  app.incidents.put([closed]);
}

/** Opens a closed one again. Throws as `closeIncident`. */
export async function reopenIncident(app: AppContext, incident: Incident): Promise<void> {
  const send = ({ incident_id, version }: Incident) =>
    app.api.request(incidentRoutes.reopen, { params: { incident_id }, body: {}, ifMatch: version });
  app.incidents.put([await onNewest(app, incident, send, (it) => it.status === 'closed')]);
}

/** Sends it again on top of what somebody else has changed meanwhile, while it still makes sense. */
async function onNewest(
  app: AppContext,
  incident: Incident,
  send: (it: Incident) => Promise<Incident>,
  makesSense: (it: Incident) => boolean,
): Promise<Incident> {
  try {
    return await send(incident);
  } catch (error) {
    if (!isProblem(error, 'version_conflict')) throw error;
    const newest = await readIncident(app, incident.incident_id);
    app.incidents.put([newest]);
    if (!makesSense(newest)) throw new ChangedByOthers(newest);
    return send(newest);
  }
}

/** Shows where it was on the map of Live, with its vehicle where there is one. */
export function locateIncident(app: AppContext, { vehicle_id, lat, lon, notification_ids }: Incident): void {
  if (lat !== null && lon !== null) {
    app.navigation.go('live', { point: writePoint({ lat, lon }) });
    showPoint(app, { lat, lon, name: null }, { locate: true });
    return;
  }
  app.navigation.go('live', { vehicle: vehicle_id, notification: notification_ids[0] ?? null });
}

/** Opens the past at its moment, with the track that belongs to it chosen. */
export const showTrack = (app: AppContext, { vehicle_id, time, from, to }: Incident): void =>
  openHistory(app, vehicle_id, time, { from, to });

/** Requests the video around its moment on every channel, and attaches it. */
export function requestVideo(app: AppContext, incident: Incident): void {
  const { incident_id, vehicle_id, time, notification_ids } = incident;
  if (vehicle_id === null) return;
  const alarm = app.notifications.store.getState().byId.get(notification_ids[0] ?? '');
  attempt(app, async () => {
    const { tasks } = await app.video.orderVideo({
      vehicle_id,
      at: time,
      event_id: alarm?.event_ids[0] ?? null,
    });
    for (const { task_id } of tasks) {
      const params = { incident_id, task_id };
      app.incidents.put([await app.api.request(incidentRoutes.attachClip, { params })]);
    }
  });
}

/** Attaches an alarm, or takes it off. Throws ApiProblem, Unreachable. */
export async function setAlarm(app: AppContext, incident_id: string, notification_id: string, on: boolean) {
  const { attachAlarm, detachAlarm } = incidentRoutes;
  const params = { incident_id, notification_id };
  app.incidents.put([await app.api.request(on ? attachAlarm : detachAlarm, { params })]);
}

/** Saves the incident as PDF, or as evidence: a ZIP with its clips, the track and a manifest. */
export function saveIncident(
  app: AppContext,
  { incident_id, number }: Incident,
  as: 'pdf' | 'evidence',
): void {
  const asked = { params: { incident_id }, query: { tz: app.settings.getState().time.timeZone } };
  const ending = as === 'pdf' ? 'pdf' : 'zip';
  attempt(app, async () =>
    saveAnswer(app, await app.api.open(incidentRoutes[as], asked), `incident_${number}.${ending}`),
  );
}
