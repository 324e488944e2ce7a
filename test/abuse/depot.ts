import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { GeofenceGeometry } from '../../server/contract/geofenceGeometry.ts';
import { geofenceRoutes } from '../../server/contract/geofences.ts';
import { groupRoutes } from '../../server/contract/groups.ts';
import { notificationRoutes } from '../../server/contract/notifications.ts';
import { positionRoutes, type NewPosition } from '../../server/contract/positions.ts';
import { rightNames, type RightLevel, type RightName } from '../../server/contract/rights.ts';
import { ruleRoutes } from '../../server/contract/rules.ts';
import { userRoutes } from '../../server/contract/users.ts';
import { vehicleRoutes } from '../../server/contract/vehicles.ts';
import { videoRoutes } from '../../server/contract/video.ts';
import { emptyBatch, type PositionRow } from '../../server/store/telemetry/rows.ts';
import { openStore } from '../../server/store/openStore.ts';
import { startTestHost, type Caller, type SeededUser } from '../support/testHost.ts';

/** How much there is in a depot. */
export interface DepotSize {
  vehicles: number;
  /** How many of them have a whole month of positions; the others have a day. */
  monthOld: number;
  /** Between two positions of a vehicle. */
  every_s: number;
  geofences: number;
  /** Calls for help, each of which is an event and a notification. */
  calls: number;
  /** Videos that are there, of fewer different files. */
  clips: number;
  /** Users who can be deleted. */
  leavers: number;
}

export const wholeDepot: DepotSize = {
  ...{ vehicles: 200, monthOld: 20, every_s: 30 },
  ...{ geofences: 500, calls: 2_000, clips: 32, leavers: 60 },
};

/** What lies in a depot, by the ids that its operations take. */
export interface Depot {
  /** When its newest positions were made. */
  now_ms: number;
  vehicles: readonly { vehicle_id: string; terminal_id: string }[];
  user_ids: readonly string[];
  leaver_ids: readonly string[];
  group_id: string;
  geozone_ids: readonly string[];
  rule_ids: readonly string[];
  event_ids: readonly string[];
  notification_ids: readonly string[];
  profile_id: string;
  task_ids: readonly string[];
}

/** A depot in a data folder that no host holds. */
export interface StoredDepot extends Depot {
  folder: string;
  remove(): Promise<void>;
}

export const dayMs = 86_400_000;
const monthDays = 31;
/** Shared by all that want it: the rest of what a user needs is a matter of the attack. */
export const keeperLogin = 'keeper';
export const bystanderLogins = Array.from({ length: 8 }, (_, at) => `bystander-${at}`);
export const powerlessLogin = 'powerless';
/** The login of one who has this right at this level and no other. */
export const loginWith = (right: RightName, level: RightLevel) => `${right}-${level}`;

const noRights = Object.fromEntries(rightNames.map((name) => [name, 'none' as const]));
const leaverLogin = (at: number) => `leaver-${at}`;

function allUsers(leavers: number): SeededUser[] {
  const levels = ['read', 'write'] as const;
  return [
    { login: keeperLogin, role: 'dealer' },
    { login: powerlessLogin, rights: noRights },
    ...bystanderLogins.map((login) => ({ login, rights: noRights })),
    ...rightNames.flatMap((name) =>
      levels.map((level) => ({ login: loginWith(name, level), rights: { ...noRights, [name]: level } })),
    ),
    ...Array.from({ length: leavers }, (_, at) => ({ login: leaverLogin(at) })),
  ];
}

/** Makes a depot in a temporary folder; its hosts are started on copies. */
export async function makeDepot(size: DepotSize): Promise<StoredDepot> {
  const host = await startTestHost({ users: allUsers(size.leavers), checkReplies: false });
  try {
    const depot = await fill(await host.login(), size);
    await host.stop();
    await storeTracks(host.data, depot, size);
    return { ...depot, folder: host.data, remove: () => rm(host.data, { recursive: true, force: true }) };
  } catch (error) {
    await host.close();
    throw error;
  }
}

async function fill(dealer: Caller, size: DepotSize): Promise<Depot> {
  const now_ms = Date.now() - 60_000;
  const { group_id } = await dealer.ask(groupRoutes.create, { body: { name: 'All of us' } });
  const users = (await dealer.ask(userRoutes.list, { query: { limit: 1_000 } })).items;
  for (const { user_id, login } of users) {
    if (!login.startsWith('leaver')) await dealer.ask(groupRoutes.addUser, { params: { group_id, user_id } });
  }
  const imported = await dealer.ask(vehicleRoutes.import, {
    body: Array.from({ length: size.vehicles }, (_, at) => ({
      ...{ terminal_id: terminalOf(at), name: `Van ${at}`, plate: `B AB ${1_000 + at}`, type: 'van' },
      ...{ driver: `Driver ${at}`, speed_limit_kmh: 80, group_ids: [group_id] },
    })),
  });
  const vehicles = imported.results.map(({ vehicle_id }, at) => ({
    vehicle_id: vehicle_id ?? '',
    terminal_id: terminalOf(at),
  }));
  const geofences = await dealer.ask(geofenceRoutes.import, {
    query: { radius_m: 300 },
    body: {
      type: 'FeatureCollection',
      features: Array.from({ length: size.geofences }, (_, at) => feature(at)),
    },
  });
  for (const event_kind of [
    'geofence_enter',
    'geofence_exit',
    'overspeed',
    'offline',
    'moving',
    'stopped',
  ] as const)
    await dealer.ask(ruleRoutes.create, { body: { name: event_kind, event_kind, scope: { all: true } } });
  await callForHelp(dealer, vehicles, now_ms, size.calls);
  const notifications = await dealer.ask(notificationRoutes.list, { query: { limit: 1_000 } });
  const rules = await dealer.ask(ruleRoutes.list, { query: { limit: 1_000 } });
  const videos = await fetchClips(dealer, vehicles[0]?.vehicle_id ?? '', now_ms, size.clips);
  return {
    ...{ now_ms, vehicles, group_id, ...videos },
    user_ids: users.map((it) => it.user_id),
    leaver_ids: users.filter((it) => it.login.startsWith('leaver')).map((it) => it.user_id),
    geozone_ids: geofences.results.flatMap((it) => it.geozone_id ?? []),
    rule_ids: rules.items.map((it) => it.rule_id),
    notification_ids: notifications.items.map((it) => it.notification_id),
    event_ids: notifications.items.flatMap((it) => it.event_ids),
  };
}

function terminalOf(at: number): string {
  return `van-${at}`;
}

/** All over the town that the vehicles drive in; one of ten a polygon. */
function feature(at: number): object {
  const [lon, lat] = [13.2 + (at % 25) * 0.02, 52.4 + Math.floor(at / 25) * 0.01];
  const ring = Array.from({ length: 200 }, (_, corner): [number, number] => {
    const angle = (2 * Math.PI * corner) / 200;
    return [lon + 0.004 * Math.cos(angle), lat + 0.003 * Math.sin(angle)];
  });
  const geometry: GeofenceGeometry =
    at % 10 === 0
      ? { type: 'Polygon', coordinates: [[...ring, ...ring.slice(0, 1)]] }
      : { type: 'Point', coordinates: [lon, lat] };
  return { type: 'Feature', properties: { name: `Yard ${at}` }, geometry };
}

/** Each vehicle drives and calls for help now and then; the last position of each is of now. */
async function callForHelp(
  dealer: Caller,
  vehicles: readonly { vehicle_id: string }[],
  now_ms: number,
  calls: number,
): Promise<void> {
  const rounds = Math.ceil(calls / vehicles.length);
  for (let round = 0; round < rounds; round++) {
    const positions = vehicles.map(({ vehicle_id }, at): NewPosition => ({
      // Beyond the rule's cool-down, so that each is a notification of its own.
      ...{ vehicle_id, time: new Date(now_ms - (rounds - 1 - round) * 400_000).toISOString() },
      ...{ lat: 52.5 + round / 1_000, lon: 13.4 + at / 1_000, altitude_m: 35, speed_kmh: 40, course_deg: 90 },
      ...{ accuracy_m: null, satellites: 9, hdop: null, valid: true, ignition: true, odometer_m: null },
      ...{ battery_pct: 90, alarms: ['sos'], attributes: {} },
    }));
    await dealer.ask(positionRoutes.post, { body: { positions } });
  }
}

/** Tasks of few fragments, as a fragment that several ask for is downloaded once. */
async function fetchClips(
  dealer: Caller,
  vehicle_id: string,
  now_ms: number,
  clips: number,
): Promise<Pick<Depot, 'profile_id' | 'task_ids'>> {
  const { profile_id } = await dealer.ask(videoRoutes.createProfile, {
    body: { vehicle_id, kind: 'simulated', channels: [{ channel: 1, name: 'front' }] },
  });
  const task_ids: string[] = [];
  for (let at = 0; at < clips; at++) {
    const from_ms = now_ms - 60_000 - (at % 4) * 10_000;
    const task = await dealer.ask(videoRoutes.createTask, {
      body: {
        ...{ profile_id, channel: 1 },
        ...{ from: new Date(from_ms).toISOString(), to: new Date(from_ms + 2_000).toISOString() },
      },
    });
    task_ids.push(task.task_id);
  }
  for (const task_id of task_ids) {
    for (;;) {
      const { status } = await dealer.ask(videoRoutes.getTask, { params: { task_id }, query: { wait: 20 } });
      if (status === 'done') break;
      if (status === 'failed') throw new Error('a video could not be made');
    }
  }
  return { profile_id, task_ids };
}

/** The past of the vehicles, straight into the store: by the pipeline a month would take minutes. */
async function storeTracks(folder: string, { vehicles, now_ms }: Depot, size: DepotSize): Promise<void> {
  const store = await openStore({ folder });
  const step_ms = size.every_s * 1_000;
  for (const [at, { vehicle_id }] of vehicles.entries()) {
    const past_ms = (at < size.monthOld ? monthDays : 1) * dayMs;
    const perBatch = 20_000;
    for (let first = 1; first * step_ms < past_ms; first += perBatch) {
      const count = Math.min(perBatch, Math.ceil(past_ms / step_ms) - first);
      const positions = Array.from({ length: count }, (_, index) =>
        drive(vehicle_id, at, now_ms - (first + index) * step_ms - 500_000),
      );
      await store.commit({ ...emptyBatch(), positions });
    }
  }
  await store.close();
}

function drive(vehicle_id: string, vehicle: number, time_ms: number): PositionRow {
  const at = time_ms / 30_000;
  return {
    ...{ vehicle_id, time_ms, received_ms: time_ms + 800 },
    lat: 52.5 + 0.1 * Math.sin(at / 300 + vehicle),
    lon: 13.45 + 0.2 * Math.cos(at / 270 + vehicle),
    ...{ altitude_m: 35, speed_kmh: 60 + 60 * Math.sin(at / 4), course_deg: Math.floor(at) % 360 },
    ...{ accuracy_m: 5, satellites: 9, hdop: 0.9, valid: true, ignition: true, odometer_m: null },
    ...{ battery_pct: 90, alarms: [], attributes: { io: 3 } },
  };
}

/** An id that names nothing. */
export const unknownId = randomUUID();

/** As many as a body may hold, again from the first where there are fewer. */
export const manyIds = (ids: readonly string[], count: number) =>
  Array.from({ length: count }, (_, at) => ids[at % ids.length] ?? '');

export const manyVehicles = ({ vehicles }: Pick<Depot, 'vehicles'>, count: number) =>
  manyIds(
    vehicles.map((it) => it.vehicle_id),
    count,
  );
