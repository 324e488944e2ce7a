import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { apiTokenRoutes } from '../../../server/contract/apiTokens.ts';
import { assignmentRoutes, driverRoutes } from '../../../server/contract/drivers.ts';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { incidentRoutes } from '../../../server/contract/incidents.ts';
import { snapshotRoutes } from '../../../server/contract/incidentSnapshots.ts';
import { mapRegionRoutes } from '../../../server/contract/mapRegions.ts';
import { mapRoutes } from '../../../server/contract/maps.ts';
import { onlineMapRoutes, type NewOnlineMap } from '../../../server/contract/onlineMaps.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { recipientRoutes } from '../../../server/contract/recipients.ts';
import { reportJobRoutes } from '../../../server/contract/reportJobs.ts';
import { reportScheduleRoutes } from '../../../server/contract/reportSchedules.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { serviceRoutes } from '../../../server/contract/settings.ts';
import { shareRoutes, shareTokenHeader } from '../../../server/contract/shares.ts';
import { shiftRoutes } from '../../../server/contract/shifts.ts';
import { terminalCommandRoutes } from '../../../server/contract/terminalCommands.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { pathOf } from '../../support/caller.ts';
import { jpegOf } from '../../support/jpegOf.ts';
import { makeMbtiles, street, tileOf } from '../../support/mapFiles.ts';
import { makePmtiles } from '../../support/pmtilesFiles.ts';
import { startRangeServer } from '../../support/rangeServer.ts';
import { answerWith, pngOf, startTileProvider } from '../../support/tileProvider.ts';
import { dealerPassword, type Caller } from '../../support/testHost.ts';
import { hourAround, type World } from './world.ts';

/** What an operation is given so that it succeeds. */
export interface Good {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Depot {
  dealer: Caller;
  /** The group's user of the world. */
  owner: Caller;
  world: World;
  now: () => number;
}

type Prepare = (depot: Depot) => Good | Promise<Good>;

const iso = (ms: number) => new Date(ms).toISOString();
const nothing: Prepare = () => ({});
/** The resources of the world that the path names. */
const there: Prepare = ({ world }) => ({ params: { ...world } });
const thereWith =
  (more: Good): Prepare =>
  ({ world }) => ({ params: { ...world }, ...more });
const circle = {
  shape: 'circle',
  geometry: { type: 'Point', coordinates: [24.1, 56.9] },
  radius_m: 50,
} as const;

const newUser = () => ({ login: `u-${randomUUID().slice(0, 8)}`, password: 'long enough 1' });
const newVehicle = () => {
  const name = `V-${randomUUID().slice(0, 8)}`;
  return { terminal_id: name, name };
};

async function aDriver({ dealer }: Depot): Promise<{ driver_id: string }> {
  return dealer.ask(driverRoutes.create, { body: { name: randomUUID() } });
}

async function newAssignment(depot: Depot) {
  const { driver_id } = await aDriver(depot);
  return { driver_id, vehicle_id: depot.world.vehicle_id, from: iso(depot.now()) };
}

const newToken = (now_ms: number) => ({ name: randomUUID(), expires_at: iso(now_ms + 3_600_000) });

async function aToken({ dealer, now }: Depot): Promise<Good> {
  const { token } = await dealer.ask(apiTokenRoutes.create, { body: newToken(now()) });
  return { params: { token_id: token.token_id } };
}

const newShare = (now_ms: number) => ({ name: randomUUID(), expires_at: iso(now_ms + 3_600_000) });

/** A link to a vehicle of its own: one vehicle has not many. */
async function aShare({ dealer, now }: Depot): Promise<{ share_id: string; token: string }> {
  const { vehicle_id } = await dealer.ask(vehicleRoutes.create, { body: newVehicle() });
  const params = { vehicle: vehicle_id };
  const { share, token } = await dealer.ask(shareRoutes.create, { params, body: newShare(now()) });
  return { share_id: share.share_id, token };
}

async function byLink(depot: Depot): Promise<Good> {
  return { headers: { [shareTokenHeader]: (await aShare(depot)).token } };
}

async function anIncident({ dealer }: Depot): Promise<{ incident_id: string }> {
  const body = { title: 'Oil on the road', lat: 57, lon: 24 };
  const { incident_id } = await dealer.ask(incidentRoutes.create, { body });
  return { incident_id };
}

const aSnapshot = {
  query: { kind: 'map', time: '2025-11-20T12:00:00Z' },
  body: jpegOf(),
  headers: { 'Content-Type': 'image/jpeg' },
} as const;

async function snapshotThere(depot: Depot): Promise<Good> {
  const params = await anIncident(depot);
  const { query, body, headers } = aSnapshot;
  const path = pathOf(snapshotRoutes.attach, { params, query });
  const made = await depot.dealer.post(path, body, headers);
  return { params: { ...params, snapshot_id: (made.body as { snapshot_id: string }).snapshot_id } };
}

const newRecipient = () => ({ kind: 'email' as const, address: `${randomUUID()}@port.example` });

async function aRecipient({ dealer }: Depot): Promise<Good> {
  const { recipient_id } = await dealer.ask(recipientRoutes.add, { body: newRecipient() });
  return { params: { recipient_id } };
}

async function aUser({ dealer }: Depot): Promise<Good> {
  const { user_id } = await dealer.ask(userRoutes.create, { body: newUser() });
  return { params: { user_id } };
}

/** A file of one street, in a folder that goes when the test ends. */
async function aMapFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fleetdeck-maps-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const tiles = [tileOf(6, 36, 19, [street('Elm Street')])];
  return makeMbtiles(join(folder, 'elm.mbtiles'), { tiles, bounds: '23,56,25,57' });
}

async function aMap({ dealer }: Depot): Promise<{ map_id: string }> {
  const { map_id } = await dealer.ask(mapRoutes.add, { body: { path: await aMapFile() } });
  onTestFinished(async () => {
    await dealer.outcome(mapRoutes.remove, { params: { map_id } });
  });
  return { map_id };
}

async function anOnlineMap(): Promise<NewOnlineMap> {
  const provider = await startTileProvider();
  onTestFinished(() => provider.close());
  provider.answers(answerWith(pngOf('elm')));
  return { kind: 'imagery', url: `${provider.url}/{z}/{x}/{y}.png`, attribution: '© Elm' };
}

/** Only a few may be unfinished at a time. */
async function cancelUploads({ dealer }: Depot): Promise<void> {
  const { items } = await dealer.ask(mapRoutes.listUploads);
  for (const { upload_id } of items) await dealer.ask(mapRoutes.cancelUpload, { params: { upload_id } });
}

async function anUpload(depot: Depot): Promise<{ upload_id: string }> {
  const { dealer } = depot;
  await cancelUploads(depot);
  const { upload_id } = await dealer.ask(mapRoutes.startUpload, { body: { name: 'elm', bytes: 9 } });
  return { upload_id };
}

/** A region of a file of one street, on a server that ends when the test does; `silent`: it never answers. */
async function regionToCopy({ silent = false } = {}) {
  const tiles = [tileOf(6, 36, 19, [street('Elm Street')])];
  const server = await startRangeServer(makePmtiles({ tiles, bounds: [23, 56, 25, 57] }));
  server.state.answer = () => silent;
  onTestFinished(() => server.close());
  return { url: server.url, area: { west: 23, south: 56, east: 25, north: 57 }, max_zoom: 6 };
}

/** One at a time may be under way. */
async function cancelRegions({ dealer }: Depot): Promise<void> {
  const { items } = await dealer.ask(mapRegionRoutes.list);
  for (const { region_id } of items) await dealer.ask(mapRegionRoutes.cancel, { params: { region_id } });
}

async function aRegion(depot: Depot): Promise<{ region_id: string }> {
  await cancelRegions(depot);
  const body = { name: 'elm', ...(await regionToCopy({ silent: true })) };
  const { region_id } = await depot.dealer.ask(mapRegionRoutes.start, { body });
  onTestFinished(() => cancelRegions(depot));
  return { region_id };
}

async function aGroup({ dealer }: Depot): Promise<Good> {
  const { group_id } = await dealer.ask(groupRoutes.create, { body: { name: randomUUID() } });
  return { params: { group_id } };
}

async function aProfile({ dealer }: Depot): Promise<{ profile_id: string }> {
  const { vehicle_id } = await dealer.ask(vehicleRoutes.create, { body: newVehicle() });
  return dealer.ask(videoRoutes.createProfile, {
    body: { vehicle_id, kind: 'simulated', channels: [{ channel: 1, name: 'front' }] },
  });
}

/** A task that waits for a moment that lies ahead, so nothing is fetched yet. */
async function aTask({ dealer, world, now }: Depot): Promise<{ task_id: string }> {
  const body = { profile_id: world.profile_id, channel: 1, from: iso(now()), to: iso(now() + 110_000) };
  return dealer.ask(videoRoutes.createTask, { body });
}

const clips = new WeakMap<Depot, Promise<{ task_id: string }>>();

/** A task that is done; the same one each time. */
function aClip(depot: Depot): Promise<{ task_id: string }> {
  const clip = clips.get(depot) ?? makeClip(depot);
  clips.set(depot, clip);
  return clip;
}

async function makeClip({ dealer, world, now }: Depot): Promise<{ task_id: string }> {
  const body = { profile_id: world.profile_id, channel: 1, from: iso(now() - 3_000), to: iso(now() - 2_000) };
  const { task_id } = await dealer.ask(videoRoutes.createTask, { body });
  for (;;) {
    const params = { task_id };
    const { status, error } = await dealer.ask(videoRoutes.getTask, { params, query: { wait: 20 } });
    if (status === 'done') return params;
    if (status === 'failed') throw new Error(error?.detail ?? 'the video failed');
  }
}

const period = ({ now }: Depot) => hourAround(now());
const report: Prepare = (depot) => ({ query: { ...period(depot), vehicle: depot.world.vehicle } });

const newReportJob = (depot: Depot) => ({
  ...({ kind: 'stops', format: 'csv' } as const),
  query: { ...period(depot), vehicle: depot.world.vehicle },
});

/** One that is done. */
async function aReportJob(depot: Depot): Promise<{ job_id: string }> {
  const { dealer } = depot;
  const { job_id } = await dealer.ask(reportJobRoutes.create, { body: newReportJob(depot) });
  const params = { job_id };
  while ((await dealer.ask(reportJobRoutes.get, { params })).state !== 'done') await nextTurn();
  return params;
}

const newReportSchedule = () => ({
  ...({ name: 'Stops', kind: 'stops', format: 'csv', every: 'day' } as const),
  email_to: ['harbour@port.example'],
});

async function aReportSchedule({ dealer }: Depot): Promise<{ schedule_id: string }> {
  const { schedule_id } = await dealer.ask(reportScheduleRoutes.create, { body: newReportSchedule() });
  onTestFinished(async () => {
    await dealer.outcome(reportScheduleRoutes.remove, { params: { schedule_id } });
  });
  return { schedule_id };
}

async function ownShift(caller: Caller): Promise<{ shift_id: string }> {
  const { user_id } = await caller.ask(userRoutes.me);
  const { items } = await caller.ask(shiftRoutes.list, { query: { active: 'true' } });
  const own = items.find((it) => it.user_id === user_id && it.ended_at === null);
  const { shift_id } = own ?? (await caller.ask(shiftRoutes.start));
  return { shift_id };
}

async function offeredShift(caller: Caller): Promise<{ shift_id: string }> {
  const params = await ownShift(caller);
  await caller.ask(shiftRoutes.handOver, { params, body: {} });
  return params;
}

/** How each operation is called well, by its name in the contract. */
export const goodCalls: Record<string, Prepare> = {
  login: () => ({ query: { jwt: '1' }, body: { login: 'dealer', password: dealerPassword } }),
  refresh: ({ dealer }) => ({ headers: { 'Authorization-Refresh': dealer.jwt } }),
  logout: nothing,

  listApiTokens: nothing,
  createApiToken: ({ now }) => ({ body: newToken(now()) }),
  getApiToken: there,
  patchApiToken: thereWith({ body: { group_ids: null } }),
  revokeApiToken: aToken,

  listShares: there,
  listGivenShares: nothing,
  createShare: async ({ dealer, now }) => {
    const { vehicle_id } = await dealer.ask(vehicleRoutes.create, { body: newVehicle() });
    return { params: { vehicle: vehicle_id }, body: newShare(now()) };
  },
  endShare: async (depot) => ({ params: { share_id: (await aShare(depot)).share_id } }),
  openShare: byLink,
  listSharedMaps: byLink,
  getSharedTile: async (depot) => {
    await aMap(depot);
    return { ...(await byLink(depot)), params: { z: '6', x: '36', y: '19' } };
  },

  listUsers: nothing,
  createUser: () => ({ body: newUser() }),
  getUser: there,
  patchUser: thereWith({ body: { name: 'Somebody else' } }),
  deleteUser: aUser,
  blockUser: aUser,
  unblockUser: aUser,
  listSessions: there,
  revokeSessions: aUser,
  getMe: nothing,
  getMapViews: nothing,
  putMapViews: () => ({ body: { views: [] } }),
  getReportLayouts: nothing,
  getPreferences: nothing,
  putPreferences: () => ({ body: { preferences: { language: 'de', distance_unit: 'mi', of_later: [1] } } }),
  putReportLayouts: () => ({ body: { layouts: { trips: { group_by: 'day' } } } }),

  listGroups: nothing,
  createGroup: () => ({ body: { name: randomUUID() } }),
  getGroup: there,
  patchGroup: async (depot) => ({ ...(await aGroup(depot)), body: { name: randomUUID() } }),
  deleteGroup: aGroup,
  addVehicleToGroup: there,
  removeVehicleFromGroup: async (depot) => ({
    params: { ...depot.world, ...(await aGroup(depot)).params },
  }),
  addUserToGroup: there,
  removeUserFromGroup: async (depot) => ({ params: { ...depot.world, ...(await aGroup(depot)).params } }),

  listVehicles: nothing,
  createVehicle: () => ({ body: newVehicle() }),
  importVehicles: () => ({ query: { dry_run: '1' }, body: [newVehicle()] }),
  getVehicle: there,
  changeVehicleGroups: ({ world }) => ({
    body: { action: 'add', group_id: world.group_id, vehicle_ids: [world.vehicle_id] },
  }),
  archiveVehicles: async ({ dealer }) => {
    const { vehicle_id } = await dealer.ask(vehicleRoutes.create, { body: newVehicle() });
    return { body: { vehicle_ids: [vehicle_id] } };
  },
  restoreVehicles: async ({ dealer }) => {
    const { vehicle_id } = await dealer.ask(vehicleRoutes.create, { body: newVehicle() });
    await dealer.ask(vehicleRoutes.archiveMany, { body: { vehicle_ids: [vehicle_id] } });
    return { body: { vehicle_ids: [vehicle_id] } };
  },
  patchVehicle: thereWith({ body: { color: '#1a2b3c' } }),
  getVehicleClock: there,
  deleteVehicle: async ({ dealer }) => {
    const { vehicle_id } = await dealer.ask(vehicleRoutes.create, { body: newVehicle() });
    return { params: { vehicle: vehicle_id } };
  },

  listDrivers: nothing,
  createDriver: () => ({
    body: { name: 'M. Okafor', phone: '+44 20 7946 0102', cards: [{ number: randomUUID() }] },
  }),
  getDriver: there,
  patchDriver: thereWith({ body: { licence_number: 'OKAFO 857', licence_expires: '2029-06-30' } }),
  deleteDriver: async (depot) => ({ params: { driver_id: (await aDriver(depot)).driver_id } }),
  listDriverDrives: (depot) => ({ params: { ...depot.world }, query: period(depot) }),
  listVehicleDrives: (depot) => ({ params: { ...depot.world }, query: period(depot) }),
  listAssignments: nothing,
  createAssignment: async (depot) => ({ body: await newAssignment(depot) }),
  getAssignment: there,
  patchAssignment: thereWith({ body: { note: 'Night shift' } }),
  deleteAssignment: async (depot) => {
    const body = await newAssignment(depot);
    const { assignment_id } = await depot.dealer.ask(assignmentRoutes.create, { body });
    return { params: { assignment_id } };
  },

  getTerminalConnection: there,
  listTerminalCommands: there,
  sendTerminalCommand: thereWith({ body: { kind: 'position' } }),
  sendTerminalCommands: ({ world }) => ({ body: { kind: 'position', vehicle_ids: [world.vehicle_id] } }),
  getTerminalCommand: there,
  cancelTerminalCommand: async ({ dealer }) => {
    const { vehicle_id: vehicle } = await dealer.ask(vehicleRoutes.create, { body: newVehicle() });
    const { command_id } = await dealer.ask(terminalCommandRoutes.send, {
      params: { vehicle },
      body: { kind: 'position' },
    });
    return { params: { vehicle, command_id } };
  },

  listLatestPositions: nothing,
  postPositions: ({ world, now }) => ({
    body: { positions: [{ vehicle_id: world.vehicle_id, time: iso(now()), lat: 56.9, lon: 24.1 }] },
  }),
  listRejectedPositions: nothing,
  countVehicleData: (depot) => ({ params: { ...depot.world }, query: period(depot) }),
  deleteVehicleData: async ({ dealer, now }) => {
    const { vehicle_id } = await dealer.ask(vehicleRoutes.create, { body: newVehicle() });
    return { params: { vehicle: vehicle_id }, query: hourAround(now()) };
  },
  getVehicleTrack: (depot) => ({ params: { ...depot.world }, query: period(depot) }),
  importVehicleTrack: ({ world, now }) => ({
    params: { ...world },
    query: { dry_run: '1' },
    body: JSON.stringify(`time,lat,lon\n${iso(now() - 60_000)},56.9,24.1`),
  }),
  getFleetTracks: (depot) => ({ query: period(depot) }),
  listUnknownTerminals: nothing,
  openStream: nothing,

  listGeofences: nothing,
  createGeofence: () => ({ body: { name: 'Gate', ...circle } }),
  getGeofence: there,
  patchGeofence: thereWith({ body: { color: '#1a2b3c' } }),
  deleteGeofence: async ({ dealer }) => {
    const { geozone_id } = await dealer.ask(geofenceRoutes.create, {
      body: { name: 'Gone', ...circle, geometry: { type: 'Point', coordinates: [24.1, 56.9] } },
    });
    return { params: { geozone_id } };
  },
  restoreGeofence: async ({ dealer }) => {
    const { geozone_id } = await dealer.ask(geofenceRoutes.create, {
      body: { name: 'Back', ...circle, geometry: { type: 'Point', coordinates: [24.1, 56.9] } },
    });
    await dealer.ask(geofenceRoutes.remove, { params: { geozone_id } });
    return { params: { geozone_id } };
  },
  exportGeofences: nothing,
  importGeofences: () => ({
    query: { dry_run: '1' },
    body: {
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          properties: { name: 'Dock' },
          geometry: {
            type: 'Polygon',
            coordinates: [
              [
                [24, 56],
                [25, 56],
                [25, 57],
                [24, 56],
              ],
            ],
          },
        },
      ],
    },
  }),
  previewGeofence: (depot) => ({ body: { ...period(depot), geozone_id: depot.world.geozone_id } }),

  listRules: nothing,
  createRule: () => ({ body: { name: 'Help', event_kind: 'sos', scope: { all: true } } }),
  getRule: there,
  patchRule: thereWith({ body: { severity: 'alarm' } }),
  deleteRule: async ({ dealer }) => {
    const { rule_id } = await dealer.ask(ruleRoutes.create, {
      body: { name: 'Gone', event_kind: 'sos', scope: { all: true } },
    });
    return { params: { rule_id } };
  },
  previewRule: (depot) => ({ body: { ...period(depot), rule_id: depot.world.rule_id } }),
  testRule: there,

  listNotifications: nothing,
  acknowledgeNotification: thereWith({ body: { note: 'seen' } }),
  acknowledgeNotifications: ({ world }) => ({ body: { notification_ids: [world.notification_id] } }),
  getNotification: there,
  explainNotification: there,
  listSnoozes: nothing,
  createSnooze: ({ world }) => ({ body: { vehicle_id: world.vehicle_id, duration_s: 60 } }),
  snoozeVehicles: ({ world }) => ({ body: { vehicle_ids: [world.vehicle_id], duration_s: 60 } }),
  deleteSnooze: async ({ dealer, world }) => {
    const { snooze_id } = await dealer.ask(notificationRoutes.snooze, {
      body: { rule_id: world.rule_id, duration_s: 60 },
    });
    return { params: { snooze_id } };
  },
  listShifts: nothing,
  startShift: async ({ dealer }) => {
    await dealer.ask(shiftRoutes.end, { params: await ownShift(dealer) });
    return {};
  },
  listDispatchers: nothing,
  reportSinceLogin: nothing,
  getShift: there,
  getShiftReport: there,
  getShiftReportPdf: there,
  mailShiftReport: async (depot) => {
    const { recipient_id } = (await aRecipient(depot)).params ?? {};
    const { items } = await depot.dealer.ask(recipientRoutes.list);
    const approved = items.find((it) => it.recipient_id === recipient_id);
    return { params: { ...depot.world }, body: { email_to: [approved?.address ?? ''] } };
  },
  addShiftNote: thereWith({ body: { text: 'The gate of the depot is broken' } }),
  handOverShift: async ({ dealer }) => ({ params: await ownShift(dealer), body: {} }),
  withdrawHandover: async ({ dealer }) => ({ params: await offeredShift(dealer) }),
  acceptShift: async ({ owner }) => ({ params: await offeredShift(owner) }),
  endShift: async ({ dealer }) => ({ params: await ownShift(dealer) }),
  getChannels: nothing,
  listRecipients: nothing,
  addRecipient: () => ({ body: newRecipient() }),
  suggestRecipients: nothing,
  getRecipient: aRecipient,
  keepRecipient: async (depot) => ({ ...(await aRecipient(depot)), body: { state: 'approved' } }),
  removeRecipient: aRecipient,
  patchChannels: () => ({ body: { webhook_secret: 'sixteen letters or more' } }),

  listIncidents: nothing,
  createIncident: () => ({ body: { title: 'Oil on the road', lat: 57, lon: 24 } }),
  getIncident: there,
  getIncidentPdf: there,
  exportIncidentEvidence: there,
  listIncidentTimeline: there,
  listIncidentOwners: there,
  patchIncident: thereWith({ body: { title: 'SOS on the quay' } }),
  closeIncident: async (depot) => ({ params: await anIncident(depot), body: { reason: 'Resolved' } }),
  reopenIncident: async (depot) => {
    const params = await anIncident(depot);
    await depot.dealer.ask(incidentRoutes.close, { params, body: { reason: 'Resolved' } });
    return { params };
  },
  addIncidentNote: thereWith({ body: { text: 'The driver answers' } }),
  tickIncidentItem: ({ world }) => ({ params: { ...world, item_id: '1' }, body: { done: true } }),
  attachIncidentAlarm: there,
  detachIncidentAlarm: async (depot) => {
    const { dealer, world } = depot;
    await dealer.outcome(incidentRoutes.attachAlarm, { params: world });
    return there(depot);
  },
  attachIncidentClip: there,
  detachIncidentClip: async (depot) => {
    const { dealer, world } = depot;
    await dealer.outcome(incidentRoutes.attachClip, { params: world });
    return there(depot);
  },
  attachIncidentSnapshot: async (depot) => ({ params: await anIncident(depot), ...aSnapshot }),
  getIncidentSnapshot: snapshotThere,
  removeIncidentSnapshot: snapshotThere,

  listEvents: nothing,
  getEvent: there,

  getPackedTracks: (depot) => ({ body: { ...period(depot), vehicle_ids: [depot.world.vehicle_id] } }),
  getVehicleValues: (depot) => ({ params: { ...depot.world }, query: period(depot) }),
  getPastMoment: ({ now }) => ({ query: { at: new Date(now()).toISOString() } }),
  getSummaryReport: report,
  getTripsReport: report,
  getStopsReport: report,
  getGeofenceVisitsReport: report,
  getDailyReport: report,
  getUtilisationReport: report,
  getHoursReport: report,
  getOverspeedReport: report,
  getEventsReport: report,
  getVideoReport: report,

  listReportJobs: nothing,
  createReportJob: (depot) => ({ body: newReportJob(depot) }),
  getReportJob: async (depot) => ({ params: await aReportJob(depot) }),
  deleteReportJob: async (depot) => ({ params: await aReportJob(depot) }),
  getReportJobResult: async (depot) => ({ params: await aReportJob(depot) }),

  listReportSchedules: nothing,
  createReportSchedule: () => ({ body: newReportSchedule() }),
  getReportSchedule: async (depot) => ({ params: await aReportSchedule(depot) }),
  patchReportSchedule: async (depot) => ({ params: await aReportSchedule(depot), body: { at: '07:00' } }),
  deleteReportSchedule: async (depot) => ({ params: await aReportSchedule(depot) }),
  runReportSchedule: async (depot) => ({ params: await aReportSchedule(depot) }),

  listVideoProfiles: nothing,
  createVideoProfile: async ({ dealer }) => {
    const { vehicle_id } = await dealer.ask(vehicleRoutes.create, { body: newVehicle() });
    return { body: { vehicle_id, kind: 'simulated', channels: [{ channel: 1, name: 'front' }] } };
  },
  getVideoProfile: there,
  patchVideoProfile: thereWith({ body: { name: 'Cameras' } }),
  deleteVideoProfile: async (depot) => ({ params: { profile_id: (await aProfile(depot)).profile_id } }),
  listVideoRecordings: (depot) => ({ params: { ...depot.world }, query: period(depot) }),
  listVideoTasks: nothing,
  createVideoTask: ({ world, now }) => ({
    body: { profile_id: world.profile_id, channel: 1, from: iso(now()), to: iso(now() + 110_000) },
  }),
  createVideoTasks: ({ world, now }) => ({
    body: { vehicle_ids: [world.vehicle_id], from: iso(now()), to: iso(now() + 110_000) },
  }),
  getVideoTask: there,
  patchVideoTask: async (depot) => ({
    params: { task_id: (await aTask(depot)).task_id },
    body: { to: iso(depot.now() + 100_000) },
  }),
  deleteVideoTask: async (depot) => ({ params: { task_id: (await aTask(depot)).task_id } }),
  retryVideoTask: async (depot) => {
    const { task_id } = await aTask(depot);
    await depot.dealer.ask(videoRoutes.removeTask, { params: { task_id } });
    return { params: { task_id } };
  },
  listVideoTaskAccess: there,
  exportVideoEvidence: async (depot) => ({ query: { tasks: (await aClip(depot)).task_id } }),
  getVideoTaskFile: async (depot) => ({ params: await aClip(depot) }),

  listMaps: nothing,
  listMapUploads: nothing,
  addMap: async () => ({ body: { path: await aMapFile() } }),
  addOnlineMap: async () => ({ body: await anOnlineMap() }),
  testOnlineMap: async () => ({ body: await anOnlineMap() }),
  async clearMapCache({ dealer }) {
    const { map_id } = await dealer.ask(onlineMapRoutes.add, {
      body: { ...(await anOnlineMap()), shown: false },
    });
    return { params: { map_id } };
  },
  async startMapUpload(depot) {
    await cancelUploads(depot);
    return { body: { name: 'elm', bytes: 9 } };
  },
  uploadMapPart: async (depot) => ({
    params: await anUpload(depot),
    query: { from: '0' },
    body: 'abc',
    headers: { 'Content-Type': 'application/octet-stream' },
  }),
  getMapUpload: async (depot) => ({ params: await anUpload(depot) }),
  cancelMapUpload: async (depot) => ({ params: await anUpload(depot) }),
  estimateMapRegion: async () => ({ body: await regionToCopy() }),
  listMapRegions: nothing,
  async startMapRegion(depot) {
    await cancelRegions(depot);
    onTestFinished(() => cancelRegions(depot));
    return { body: { name: 'elm', ...(await regionToCopy({ silent: true })) } };
  },
  getMapRegion: async (depot) => ({ params: await aRegion(depot) }),
  patchMapRegion: async (depot) => ({ params: await aRegion(depot), body: { paused: false } }),
  cancelMapRegion: async (depot) => ({ params: await aRegion(depot) }),
  getMap: async (depot) => ({ params: await aMap(depot) }),
  patchMap: async (depot) => ({ params: await aMap(depot), body: { name: 'Elm' } }),
  deleteMap: async (depot) => ({ params: await aMap(depot) }),
  getTileJson: async (depot) => ({ params: await aMap(depot) }),
  getTile: async (depot) => ({ params: { ...(await aMap(depot)), z: '6', x: '36', y: '19' } }),

  searchPlaces: () => ({ query: { q: 'elm street' } }),
  listPlaceIndexes: nothing,
  getPlace: () => ({ query: { lat: '56.9', lon: '24.1' } }),
  getPlaces: () => ({ body: { points: [{ lat: 56.9, lon: 24.1 }] } }),

  listAuditLog: nothing,
  exportAuditLog: (depot) => ({ query: period(depot) }),
  getSettings: nothing,
  patchSettings: () => ({ body: { depot_name: 'Harbour' } }),
  getStatus: nothing,
  getIntake: nothing,
  listIntakeMessages: nothing,
  confirmRecoveries: () => ({ body: { documents: ['users'] } }),
  listBackups: nothing,
  async startBackup({ dealer }) {
    const backup_folder = await mkdtemp(join(tmpdir(), 'fleetdeck-backups-'));
    onTestFinished(() => rm(backup_folder, { recursive: true, force: true, maxRetries: 5 }));
    await dealer.ask(serviceRoutes.patchSettings, { body: { backup_folder } });
    return { body: {} };
  },
  getHealth: nothing,
  getProblemReport: nothing,
  getMetrics: nothing,
};
