import { causeOf } from '../contract/causeTexts.ts';
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { type Incident, type NewIncident, incidentRoutes } from '../contract/incidents.ts';
import { createTextSearch, searchWords } from '../contract/searchText.ts';
import type { SettingsFields } from '../contract/settings.ts';
import type { Api } from '../http/api.ts';
import { forbidden, invalid, notFound } from '../http/apiError.ts';
import { beforeOf, decodeCursor, encodeCursor, newestFirst, paginate } from '../http/pagination.ts';
import { holds, isDealer, knows, type Viewer } from '../http/viewer.ts';
import { periodOf, shownVehicles } from '../notifications/sight.ts';
import type { Store } from '../store/operations.ts';
import type { IncidentChange, IncidentOwner, IncidentRow } from '../store/telemetry/incidentRows.ts';
import type { IncidentOrder } from '../store/telemetry/incidentWrites.ts';
import type { IncidentQuery } from '../store/telemetry/incidentsTable.ts';
import type { NotificationRow, PositionRow, TaskRow } from '../store/telemetry/rows.ts';
import type { LiveFleet } from '../telemetry/liveFleet.ts';
import { firstTimeMs } from '../telemetry/trackImport/importedTrack.ts';
import type { UserRecord } from '../users/userRecord.ts';
import type { Users } from '../users/users.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import { checklistOf, incidentKey, severities, spanAround } from './incidentOpenings.ts';
import type { Incidents } from './incidents.ts';
import { createMayOwn } from './owners.ts';
import type { IncidentSight } from './presentIncident.ts';

export interface IncidentRouteDeps {
  incidents: Incidents;
  sight: IncidentSight;
  store: Pick<Store, 'incidents' | 'incidentEntries' | 'notificationsById' | 'track'>;
  vehicles: Pick<Vehicles, 'find' | 'visible' | 'all' | 'sees'>;
  users: Pick<Users, 'get' | 'all'>;
  fleet: Pick<LiveFleet, 'state'>;
  /** Throws 404. */
  findTask: (taskId: string, viewer: Viewer) => Promise<TaskRow>;
  settings: () => SettingsFields;
  clock: Pick<Clock, 'now'>;
}

/** Of one answer. */
const timelineLimit = 200;
/** Where a vehicle was at a moment is looked for in so much of its track before it. */
const lookBackMs = 10 * 60_000;

const findsVehicle = createTextSearch<VehicleRecord>((it) => [
  ...[it.name, it.terminal_id, it.plate, it.driver, it.phone],
]);

export function addIncidentRoutes(api: Api, deps: IncidentRouteDeps): void {
  const { incidents, sight, store, vehicles, users, settings } = deps;
  const mayOwn = createMayOwn(vehicles);
  const orderOf = createOrders(deps);

  function ownerOf(
    userId: string | null,
    row: Pick<IncidentRow, 'vehicle_id'>,
    viewer: Viewer,
  ): IncidentOwner | null {
    if (userId === null) return null;
    const user = users.get(userId);
    if (user === undefined || !knows(viewer, user) || !mayOwn(user, row))
      throw invalid('owner_id', causeOf('incident.may_not_handle'));
    return { user_id: userId, name: nameOf(user) };
  }

  async function change(
    { incident_id }: { incident_id: string },
    viewer: Viewer,
    wanted: Exclude<IncidentChange, { kind: 'describe' }>,
  ): Promise<Incident> {
    const row = await incidents.find(incident_id, viewer);
    const changed = await incidents.change(incident_id, wanted, undefined, () => {
      // Its vehicle was archived meanwhile, say: an incident that is reopened then would be seen by nobody.
      if (!sight.sees(viewer, row)) throw notFound('incident');
      // And who shall own it may have gone.
      if (wanted.kind === 'patch' && wanted.owner != null) ownerOf(wanted.owner.user_id, row, viewer);
    });
    return sight.seenBy(changed, viewer);
  }

  async function timelineOf(
    incident_id: string,
    { limit, cursor }: { limit: number; cursor?: string | undefined },
    viewer: Viewer,
  ) {
    const [before = null] = cursor === undefined ? [] : decodeCursor(cursor);
    if (before !== null && !Number.isSafeInteger(before)) throw invalid('cursor', 'belongs to another list');
    const rows = await store.incidentEntries({
      incident_id,
      limit: limit + 1,
      before: before === null ? null : Number(before),
    });
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      items: sight.entries(shown, viewer),
      next_cursor: last === undefined ? null : encodeCursor([last.entry_id]),
    };
  }

  /** What the viewer sees of all. */
  function seenOf(viewer: Viewer, vehicle: string | undefined): Partial<IncidentQuery> {
    const { vehicle_ids } = shownVehicles(vehicles, viewer, vehicle);
    if (vehicle_ids === undefined || vehicle !== undefined)
      return vehicle_ids === undefined ? {} : { vehicle_ids };
    const own = sight.seesEverything(viewer) ? {} : { own_of: viewer.user.user_id };
    return { vehicle_ids: [...vehicle_ids, ''], ...own };
  }

  function searchOf(typed: string, viewer: Viewer): NonNullable<IncidentQuery['search']> {
    const words = searchWords(typed);
    const number = /^#?(\d{1,9})$/.exec(typed.trim())?.[1];
    // Whoever finds by a phone number or a plate knows it.
    const in_driver = holds(viewer, 'vehicles', 'read');
    const found = in_driver ? vehicles.visible(viewer).filter((it) => findsVehicle(it, words)) : [];
    return {
      number: number === undefined ? null : Number(number),
      words,
      in_driver,
      vehicle_ids: found.map((it) => it.vehicle_id),
    };
  }

  api.handle(incidentRoutes.list, async ({ query, viewer }) => {
    const { limit, cursor, status, owner, from, to, q = '' } = query;
    const owners = { me: viewer.user.user_id, nobody: null } as const;
    const rows = await store.incidents({
      limit: limit + 1,
      ...beforeOf(cursor),
      ...seenOf(viewer, query.vehicle),
      ...periodOf({ from, to }),
      ...(status === undefined || status.length === 0 ? {} : { statuses: status }),
      ...(owner === undefined ? {} : { owner_id: owner in owners ? owners[owner as 'me'] : owner }),
      ...(q.trim() === '' ? {} : { search: searchOf(q, viewer) }),
    });
    const key = (row: IncidentRow) => ({ ms: row.created_ms, id: row.incident_id });
    return newestFirst(rows, limit, key, (row) => sight.seenBy(row, viewer));
  });

  api.handle(incidentRoutes.create, async ({ body, viewer, once }) => {
    const { incident_id } = await incidents.erasures.during((isErased) =>
      once<string>(async (stored) => {
        const order = await orderOf(body, viewer);
        const { made } = order;
        const { vehicle_id, time_ms } = made;
        const owner = ownerOf(body.owner_id, made, viewer);
        return incidents.create({ ...order, owner }, stored, () => {
          ownerOf(body.owner_id, made, viewer);
          if (vehicle_id === null) return;
          // It was archived or deleted while this was looked up: nobody would see the incident.
          vehicles.find(vehicle_id, viewer);
          if (isErased({ vehicle_ids: new Set([vehicle_id]), time_ms })) Object.assign(made, erased);
        });
      }, storedReply),
    );
    // Its number was given when it was stored, and much may have been done since it was first asked for.
    return sight.seenBy(await incidents.find(incident_id, viewer), viewer);
  });

  api.handle(incidentRoutes.get, async ({ params: { incident_id }, viewer }) => {
    const row = await incidents.find(incident_id, viewer);
    const timeline = await timelineOf(incident_id, { limit: timelineLimit }, viewer);
    return { ...sight.seenBy(row, viewer), timeline };
  });

  api.handle(incidentRoutes.timeline, async ({ params: { incident_id }, query, viewer }) => {
    await incidents.find(incident_id, viewer);
    return timelineOf(incident_id, query, viewer);
  });

  api.handle(incidentRoutes.owners, async ({ params: { incident_id }, query, viewer }) => {
    const row = await incidents.find(incident_id, viewer);
    const owners = users
      .all()
      .filter((user) => knows(viewer, user) && mayOwn(user, row))
      .map((user) => ({ user_id: user.user_id, name: nameOf(user) }));
    return paginate(owners, (it) => [it.name, it.user_id], query);
  });

  api.handle(incidentRoutes.patch, async ({ params, body, viewer, ifMatch }) => {
    const { owner_id, ...rest } = body;
    const row = await incidents.find(params.incident_id, viewer);
    const owner = owner_id === undefined ? {} : { owner: ownerOf(owner_id, row, viewer) };
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    return change(params, viewer, { kind: 'patch', if_version: ifMatch, ...given, ...owner });
  });

  api.handle(incidentRoutes.close, async ({ params, body: { reason, note }, viewer, ifMatch }) => {
    if (!settings().incident_close_reasons.includes(reason))
      throw invalid('reason', 'is not in the list of the settings', 'unknown');
    const { vehicle_id, alarms } = await incidents.find(params.incident_id, viewer);
    const vehicle_ids = [...new Set([vehicle_id, ...alarms.map((it) => it.vehicle_id)])].filter((id) =>
      vehicles.sees(viewer, id),
    );
    return change(params, viewer, { kind: 'close', if_version: ifMatch, reason, note, vehicle_ids });
  });

  api.handle(incidentRoutes.reopen, async ({ params, body: { note }, viewer, ifMatch }) => {
    const row = await incidents.find(params.incident_id, viewer);
    const owner = row.owner_id === null ? undefined : users.get(row.owner_id);
    const releases = row.owner_id !== null && (owner === undefined || !mayOwn(owner, row));
    const isLimited = !isDealer(viewer);
    return change(params, viewer, { kind: 'reopen', if_version: ifMatch, note, isLimited, releases });
  });

  api.handle(incidentRoutes.note, async ({ params: { incident_id }, body: { text }, viewer, once }) => {
    await incidents.find(incident_id, viewer);
    await once<string>(
      async (stored) => {
        await incidents.change(incident_id, { kind: 'note', text }, stored);
        return incident_id;
      },
      storedReply,
      incident_id,
    );
    return sight.seenBy(await incidents.find(incident_id, viewer), viewer);
  });

  api.handle(incidentRoutes.tick, ({ params, body: { done }, viewer }) =>
    change(params, viewer, { kind: 'tick', item_id: params.item_id, done }),
  );

  api.handle(incidentRoutes.attachAlarm, async ({ params, viewer }) => {
    const { notification_id } = params;
    await seenAlarms(deps, [notification_id], viewer);
    return change(params, viewer, { kind: 'attach_alarm', notification_id });
  });

  api.handle(incidentRoutes.detachAlarm, ({ params, viewer }) =>
    change(params, viewer, { kind: 'detach_alarm', notification_id: params.notification_id }),
  );

  api.handle(incidentRoutes.attachClip, async ({ params, viewer }) => {
    const { task_id, vehicle_id } = await deps.findTask(params.task_id, viewer);
    return change(params, viewer, { kind: 'attach_clip', task_id, vehicle_id });
  });

  api.handle(incidentRoutes.detachClip, ({ params, viewer }) =>
    change(params, viewer, { kind: 'detach_clip', task_id: params.task_id }),
  );
}

/** What an incident does not have whose vehicle's data of that time are deleted. */
const erased = { lat: null, lon: null, place: null, geozone_id: null, driver: null };

const nameOf = ({ name, login }: Pick<UserRecord, 'name' | 'login'>) => name ?? login;

/** What is kept of the answer for the same key again; the rest is read anew. */
const storedReply = (incident_id: string) => ({
  reply: { incident_id } as Incident,
  location: `${incidentRoutes.list.path}/${incident_id}`,
});

/** All or none: one that the viewer does not see is answered as one that is not there. */
async function seenAlarms(
  { store, vehicles }: Pick<IncidentRouteDeps, 'store' | 'vehicles'>,
  ids: readonly string[],
  viewer: Viewer,
): Promise<NotificationRow[]> {
  const unique = [...new Set(ids)];
  const rows = new Map((await store.notificationsById(unique)).map((row) => [row.notification_id, row]));
  return unique.map((id) => {
    const row = rows.get(id);
    if (row === undefined || !vehicles.sees(viewer, row.vehicle_id)) throw notFound('notification');
    return row;
  });
}

/** What a user asks for as the store takes it, with what is known of the moment. */
function createOrders(deps: IncidentRouteDeps) {
  const { store, vehicles, fleet, settings, clock } = deps;

  async function placeAt(vehicle_id: string, at_ms: number): Promise<{ lat: number; lon: number } | null> {
    const { newest } = fleet.state(vehicle_id);
    if (newest !== null && newest.time_ms <= at_ms) return newest;
    let last: PositionRow | undefined;
    const period = { vehicle_id, from_ms: at_ms - lookBackMs, to_ms: at_ms };
    for await (const page of store.track(period)) last = page.findLast((it) => it.valid) ?? last;
    return last ?? null;
  }

  return async (body: NewIncident, viewer: Viewer): Promise<Omit<IncidentOrder, 'owner'>> => {
    const { notification_ids, note } = body;
    if (body.task_ids.length > 0 && !holds(viewer, 'video', 'write'))
      throw forbidden(causeOf('right.missing', { right: 'video:write' }));
    const alarms = await seenAlarms(deps, notification_ids, viewer);
    const tasks: TaskRow[] = [];
    for (const id of new Set(body.task_ids)) tasks.push(await deps.findTask(id, viewer));
    const [first] = alarms;
    const vehicle_id =
      body.vehicle_id === undefined
        ? (first?.vehicle_id ?? null)
        : vehicles.find(body.vehicle_id, viewer).vehicle_id;
    const time_ms = body.time === undefined ? (first?.first_ms ?? clock.now()) : Date.parse(body.time);
    if (time_ms > clock.now() + settings().max_future_s * 1_000)
      throw invalid('time', 'is in the future', 'too_far');
    if (body.time !== undefined && time_ms < firstTimeMs) throw invalid('time', 'is before 1980', 'too_far');
    const own = alarms.filter((it) => it.vehicle_id === vehicle_id);
    // Who sees this vehicle may not see the others.
    const [ownFirst] = own;
    const { lat, lon } =
      body.lat !== undefined && body.lon !== undefined
        ? { lat: body.lat, lon: body.lon }
        : ownFirst !== undefined && ownFirst.lat !== null && ownFirst.lon !== null
          ? { lat: ownFirst.lat, lon: ownFirst.lon }
          : ((vehicle_id === null ? null : await placeAt(vehicle_id, time_ms)) ?? { lat: null, lon: null });
    const event_kind = first?.event_kind ?? null;
    const moment = { vehicle_id, time_ms, lat, lon };
    const description = await deps.incidents.descriptionOf(moment, viewer.user.user_id);
    const worst = Math.max(...alarms.map((it) => severities.indexOf(it.severity)));
    return {
      made: {
        incident_id: randomUUID(),
        title: body.title ?? first?.rule_name ?? '',
        severity: body.severity ?? severities[worst] ?? 'warning',
        opened_by: 'user',
        repeat_key: first === undefined ? null : incidentKey({ ...first, vehicle_id }),
        event_kind,
        vehicle_id,
        lat,
        lon,
        time_ms,
        described: true,
        ...description,
        rule_id: first?.rule_id ?? null,
        rule_name: first?.rule_name ?? null,
        rule_owner: null,
        geozone_id: ownFirst?.geozone_id ?? null,
        ...spanAround(
          Math.min(time_ms, ...own.map((it) => it.first_ms)),
          Math.max(time_ms, ...own.map((it) => it.last_ms)),
        ),
        checklist: checklistOf(settings(), event_kind),
      },
      notification_ids: alarms.map((it) => it.notification_id),
      tasks: tasks.map(({ task_id, vehicle_id }) => ({ task_id, vehicle_id })),
      note,
      isLimited: !isDealer(viewer),
    };
  };
}
