import { once } from 'node:events';
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import express from 'express';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { openCollections } from '../../../server/app/openCollections.ts';
import { readDocuments } from '../../../server/app/adoptDocuments.ts';
import { fieldFault } from '../../../server/contract/problem.ts';
import type { Rights } from '../../../server/contract/rights.ts';
import { newVehicle } from '../../../server/contract/vehicles.ts';
import { geofenceErrors } from '../../../server/geofences/indexLimits.ts';
import type { GeofenceForm } from '../../../server/geofences/geometryErrors.ts';
import { addGeofenceRoutes } from '../../../server/geofences/geofenceRoutes.ts';
import { createGeofenceWork } from '../../../server/geofences/geofenceWork.ts';
import { createGeofences } from '../../../server/geofences/geofences.ts';
import { createApi } from '../../../server/http/api.ts';
import { createErrorHandler } from '../../../server/http/httpApp.ts';
import { createIdempotency } from '../../../server/http/idempotency.ts';
import { setContext } from '../../../server/http/requestContext.ts';
import type { Viewer } from '../../../server/http/viewer.ts';
import { createAcknowledger } from '../../../server/notifications/acknowledge.ts';
import {
  addChannelRoutes,
  addRecipientRoutes,
} from '../../../server/notifications/channels/recipientRoutes.ts';
import {
  channelsDocument,
  createChannelStore,
  noChannels,
} from '../../../server/notifications/channels/channelSettings.ts';
import type { PlacesWithin } from '../../../server/places/boundedPlaces.ts';
import { placesBy } from '../../support/namedPlaces.ts';
import { createDeliveries } from '../../../server/notifications/channels/deliveries.ts';
import { createEmail } from '../../../server/notifications/channels/email.ts';
import { createMessages } from '../../../server/notifications/channels/messages.ts';
import { createRecipients } from '../../../server/notifications/channels/recipients.ts';
import { toApprovedAlone } from '../../../server/notifications/channels/sender.ts';
import { createTestLimits, createTestRule } from '../../../server/notifications/channels/testRule.ts';
import { createWebhook } from '../../../server/notifications/channels/webhook.ts';
import {
  addEventRoutes,
  addNotificationRoutes,
  addSnoozeRoutes,
} from '../../../server/notifications/notificationRoutes.ts';
import { createEscalationViews } from '../../../server/notifications/presentEscalation.ts';
import { createRecentNotifications } from '../../../server/notifications/recentNotifications.ts';
import { addRuleRoutes } from '../../../server/notifications/ruleRoutes.ts';
import { createRules, type Rules } from '../../../server/notifications/rules.ts';
import { createSight } from '../../../server/notifications/sight.ts';
import { loadSnoozes } from '../../../server/notifications/snoozes.ts';
import { openDocument } from '../../../server/store/documents/Document.ts';
import { createRecoveryLog } from '../../../server/store/documents/recoveryLog.ts';
import { openStore } from '../../../server/store/openStore.ts';
import type { ChangeRow, NotificationRow } from '../../../server/store/telemetry/rows.ts';
import { presentUser, type UserRecord } from '../../../server/users/userRecord.ts';
import type { VehicleRecord } from '../../../server/vehicles/vehicleRecord.ts';
import { createVehicles } from '../../../server/vehicles/vehicles.ts';
import { createOwnAddress } from '../../../server/video/ownAddress.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { temporaryFolder } from '../store/temporaryFolder.ts';

export const start_ms = Date.UTC(2026, 10, 21, 4, 43);
export const startText = new Date(start_ms).toISOString();

/** The groups of the depot: `north` is Nora's, `south` is Saul's; nobody has `west`. */
export const groups = { north: randomUUID(), south: randomUUID(), west: randomUUID() };

const mostRights: Rights = {
  vehicles: 'write',
  geofences: 'write',
  notifications: 'write',
  reports: 'read',
  video: 'none',
};

function userOf(login: string, more: Partial<UserRecord>): UserRecord {
  return {
    user_id: randomUUID(),
    login,
    name: null,
    email: null,
    role: 'user',
    rights: mostRights,
    group_ids: [],
    blocked: false,
    password_hash: '',
    sessions_since: startText,
    version: 1,
    created_at: startText,
    updated_at: startText,
    ...more,
  };
}

export function depotUsers() {
  return {
    dora: userOf('dora', { role: 'dealer' }),
    nora: userOf('nora', { group_ids: [groups.north], email: 'n@example.org' }),
    saul: userOf('saul', { group_ids: [groups.south] }),
    /** Reads only. */
    rita: userOf('rita', {
      group_ids: [groups.north],
      rights: { ...mostRights, geofences: 'read', notifications: 'read' },
    }),
  };
}

export type Login = keyof ReturnType<typeof depotUsers>;

export function viewerOf(user: UserRecord): Viewer {
  return { user: presentUser(user), session_id: randomUUID(), expires_ms: Number.MAX_SAFE_INTEGER };
}

const ids = {
  geozone_id: z.string().nullish(),
  rule_id: z.string().nullish(),
  notification_id: z.string().optional(),
  snooze_id: z.string().optional(),
  shelved_until: z.string().nullish(),
  event_id: z.string().optional(),
  name: z.string().optional(),
};
const item = z.looseObject(ids);
/** What the tests look at by name in an answer; all else is compared whole. */
const answerBody = z.looseObject({
  ...ids,
  code: z.string().optional(),
  detail: z.string().optional(),
  errors: z.array(fieldFault).optional(),
  items: z.array(item).optional(),
  results: z.array(z.looseObject({ ...ids, result: z.string().optional() })).optional(),
  next_cursor: z.string().nullish(),
});

export interface Answer {
  status: number;
  body: z.infer<typeof answerBody>;
  headers: Headers;
}

/** Documents, telemetry store and routes of geofences, rules, notifications and events, behind a real socket. */
export async function openDepot(before: { folder?: string; placesWithin?: PlacesWithin } = {}) {
  const hand = createFakeClock(start_ms);
  const clock = { ...hand, move: (ms: number) => hand.advance(ms) };
  const logged: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'info', base: null },
    { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const folder = before.folder ?? (await temporaryFolder());
  const recoveries = await createRecoveryLog(folder, { log, clock });
  const users = depotUsers();
  const closing: (() => Promise<unknown>)[] = [() => recoveries.close()];

  const adopt = await readDocuments({ path: folder, schema: 1 }, { clock, log });
  const store = await openStore({ folder, clock, adopt });
  closing.push(() => store.close());
  const settings = { video_before_s: 20, video_after_s: 10 };
  const collections = await openCollections({ store, clock, log });
  closing.push(() => collections.acts.close());
  if (collections.groups.all().length === 0)
    await collections.groups.add(Object.entries(groups).map(([name, group_id]) => ({ group_id, name })));

  const userOf = (id: string) => Object.values(users).find((it) => it.user_id === id);
  const groupExists = (id: string) => Object.values<string>(groups).includes(id);
  const rulesHolder: { rules: Rules | null } = { rules: null };
  const vehicles = createVehicles({
    collection: collections.vehicles,
    groupExists,
    leaving(ids, act) {
      rulesHolder.rules?.vehiclesGone(ids);
      snoozes.gone((it) => ids.has(it.vehicle_id ?? ''), act);
    },
    clock,
  });
  const ownPorts: number[] = [];
  const checkedHere: GeofenceForm[] = [];
  const geofenceWork = createGeofenceWork({
    checkHere(form) {
      checkedHere.push(form);
      return geofenceErrors(form);
    },
  });
  closing.push(() => geofenceWork.close());
  const geofences = createGeofences({
    collection: collections.geofences,
    groupExists,
    faultsOf: (...given) => geofenceWork.faultsOf(...given),
    usedBy: (id) => rulesHolder.rules?.naming(id) ?? null,
    clock,
  });
  const channelDocument = await openDocument({
    folder,
    name: 'channels',
    schema: channelsDocument,
    version: 1,
    initial: noChannels,
    recoveries,
    log,
    clock,
  });
  closing.push(() => channelDocument.close());
  const recipients = createRecipients({
    collection: collections.recipients,
    users: () => Object.values(users),
    clock,
  });
  const rules = createRules({
    collection: collections.rules,
    userOf,
    groupExists,
    vehicles,
    geofences,
    isOwnAddress: createOwnAddress(() => ownPorts),
    recipients,
    settings: () => settings,
    leaving: ({ rule_id }, act) => snoozes.gone((it) => it.rule_id === rule_id, act),
  });
  rulesHolder.rules = rules;
  const recent = createRecentNotifications([], clock);
  const saved: NotificationRow[][] = [];
  const acknowledge = createAcknowledger({
    store,
    recent,
    between: (change) => change(),
    onSaved: (rows) => saved.push(rows),
  });
  const snoozes = await loadSnoozes({
    store,
    vehicles,
    rules,
    clock,
    log,
    acts: collections.acts,
    visibleTo: ({ vehicle_id }) => (vehicle_id === null ? [] : (vehicles.get(vehicle_id)?.group_ids ?? [])),
  });
  closing.push(() => {
    snoozes.close();
    return Promise.resolve();
  });
  const snoozeChanges: { begun: string[]; changes: ChangeRow[] }[] = [];
  const shownAgain: { rows: NotificationRow[]; changes: ChangeRow[] }[] = [];
  snoozes.onChange((begun, { changes, notifications: rows }) => {
    snoozeChanges.push({
      begun: begun.map((it) => it.snooze_id),
      changes: changes.filter((it) => it.topic === 'snooze'),
    });
    if (rows.length > 0) {
      shownAgain.push({ rows, changes: changes.filter((it) => it.topic === 'notification') });
    }
  });
  const channels = createChannelStore(channelDocument);
  const sight = createSight({ geofences, rules });
  const messages = createMessages({
    users: { all: () => [] },
    store,
    rules,
    sight,
    userOf,
    vehicles,
    drives: { driverAt: () => Promise.resolve(null) },
    geofences,
    snoozedUntil: (row) => snoozes.snoozedUntil(row),
    settings: () => ({ depot_name: 'Port', timezone: 'Europe/Berlin' }),
  });
  const send = toApprovedAlone(
    {
      webhook: createWebhook({
        secret: () => channels.webhookSecret(),
        isOwnAddress: createOwnAddress(() => ownPorts),
        clock,
      }),
      email: createEmail({ smtp: () => channels.smtp(), clock }),
    },
    (target) => recipients.mayReceive(target),
  );
  const placesWithin = before.placesWithin ?? placesBy();
  const deliveries = createDeliveries({
    ...{ store, messages, send, placesWithin, clock, log },
    ownerOf: (ruleId) => rules.get(ruleId)?.owner_id ?? null,
  });
  closing.push(() => deliveries.close());

  const escalationViews = createEscalationViews({
    ...{ escalations: { get: () => undefined }, store, userOf },
    seesVehicle: (viewer, id) => vehicles.sees(viewer, id),
  });
  const api = createApi({
    idempotency: createIdempotency({ store, key: new Uint8Array(32) }),
    checkReplies: true,
  });
  addGeofenceRoutes(api, geofences);
  addRuleRoutes(api, {
    rules,
    testRule: createTestRule({ messages, send, clock }),
    countTest: createTestLimits(clock),
    depotSteps: () => channels.alarmSteps(),
    userOf,
  });
  addSnoozeRoutes(api, snoozes);
  addChannelRoutes(api, channels, {
    recipients,
    isOwnAddress: createOwnAddress(() => ownPorts),
    isUser: (id) => userOf(id) !== undefined,
  });
  addRecipientRoutes(api, { recipients, rules, channels, isOwnAddress: createOwnAddress(() => ownPorts) });
  addNotificationRoutes(api, { store, vehicles, rules, sight, snoozes, acknowledge, escalationViews, clock });
  addEventRoutes(api, { store, vehicles, sight });
  const app = express();
  app.use((request, response, next) => {
    const user = users[request.get('x-as') as Login];
    setContext(response, {
      request_id: 'r',
      address: '127.0.0.1',
      viewer: viewerOf(user),
      anonymous: null,
      log,
    });
    next();
  });
  app.use(api.router, createErrorHandler());
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : null;

  async function close(): Promise<void> {
    if (!server.listening) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    for (const step of closing.reverse()) await step();
  }
  onTestFinished(close);

  return {
    folder,
    close,
    clock,
    acts: collections.acts,
    users,
    vehicles,
    geofences,
    geofenceWork,
    /** The forms that were checked on the main thread. */
    checkedHere,
    rules,
    store,
    recent,
    saved,
    acknowledge,
    snoozes,
    snoozeChanges,
    shownAgain,
    channels,
    recipients,
    messages,
    send,
    deliveries,
    ownPorts,
    logged,

    async call(
      as: Login,
      request: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<Answer> {
      const [method = '', path = ''] = request.split(' ');
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
        method,
        headers: {
          'x-as': as,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return {
        status: answer.status,
        body: answerBody.parse(text === '' ? {} : JSON.parse(text)),
        headers: answer.headers,
      };
    },

    async addVehicle(name: string, group_ids: string[]): Promise<VehicleRecord> {
      const terminal_id = name.replaceAll(' ', '-');
      const [vehicle] = await vehicles.add(
        [newVehicle.parse({ name, terminal_id, group_ids })],
        viewerOf(users.dora),
      );
      if (vehicle === undefined) throw new Error('not added');
      return vehicle;
    },
  };
}

export type Depot = Awaited<ReturnType<typeof openDepot>>;

/** A yard of these groups; returns its id. */
export async function addGeofence(depot: Depot, group_ids: string[]): Promise<string> {
  const { body } = await depot.call('dora', 'POST /geozones', {
    ...{
      name: 'Yard',
      shape: 'circle',
      geometry: { type: 'Point', coordinates: [13.4, 52.5] },
      radius_m: 100,
    },
    group_ids,
  });
  return String(body.geozone_id);
}
