import { fileURLToPath } from 'node:url';
import { systemClock, type Clock } from '../../server/clock.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import type { NewPosition } from '../../server/contract/positions.ts';
import type { Rights } from '../../server/contract/rights.ts';
import type { User } from '../../server/contract/users.ts';
import type { NewVehicle, Vehicle } from '../../server/contract/vehicles.ts';
import type { Profile } from '../../server/contract/videoProfiles.ts';
import { startTestHost, type Caller, type TestHost } from '../support/testHost.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The built console, which is what the specs look at. */
export const CONSOLE = fileURLToPath(new URL('../../dist/console', import.meta.url));

/** A depot as a dealer sets it up: by the API of a host that runs. */
export interface Depot {
  dealer: Caller;
  addVehicle(vehicle: Partial<NewVehicle> & { name: string }): Promise<Vehicle>;
  /** Hands in fixes; a time is left out for "now". */
  report(...fixes: FixOf[]): Promise<void>;
  addUser(login: string, user?: Partial<User>): Promise<User>;
  addCameras(vehicle: Vehicle, channels?: number, connection?: { url: string }): Promise<Profile>;
  openAlarms(): Promise<Notification[]>;
}

export type FixOf = Partial<NewPosition> & { vehicle: Vehicle; lat: number; lon: number };

/** What a user is given by default, but for these. */
export function rights(given: Partial<Rights>): Rights {
  return {
    vehicles: 'read',
    geofences: 'read',
    notifications: 'read',
    reports: 'read',
    video: 'none',
    ...given,
  };
}

export const userPassword = 'a user of the depot';

/** Throws when the host refuses a call. */
export function createDepot(dealer: Caller): Depot {
  async function post<T>(path: string, body: unknown): Promise<T> {
    const answer = await dealer.post(path, body);
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer.body as T;
  }
  let terminals = 0;
  return {
    dealer,
    addVehicle: (vehicle) => post('/api/v1/vehicles', { terminal_id: `terminal-${++terminals}`, ...vehicle }),
    async report(...fixes) {
      const positions = fixes.map(({ vehicle, ...fix }) => ({
        vehicle_id: vehicle.vehicle_id,
        time: new Date().toISOString(),
        ...fix,
      }));
      const { results } = await post<{ results: { status: string }[] }>('/api/v1/positions', { positions });
      if (results.some((it) => it.status === 'rejected')) throw new Error(JSON.stringify(results));
    },
    addUser: (login, user = {}) => post('/api/v1/users', { login, password: userPassword, ...user }),
    addCameras: (vehicle, channels = 1, connection) =>
      post('/service/vsvc/api/profiles', {
        vehicle_id: vehicle.vehicle_id,
        kind: connection === undefined ? 'simulated' : 'http',
        channels: ['Front', 'Cabin', 'Left', 'Rear']
          .slice(0, channels)
          .map((name, index) => ({ channel: index + 1, name })),
        ...(connection === undefined ? {} : { connection }),
      }),
    async openAlarms() {
      const answer = await dealer.get('/api/v1/notifications?state=open');
      return (answer.body as { items: Notification[] }).items;
    },
  };
}

/** Four vehicles that do what a vehicle can do while it is heard of, and one that never was. */
export interface SmallFleet {
  moving: Vehicle;
  fast: Vehicle;
  stopped: Vehicle;
  idle: Vehicle;
  unheard: Vehicle;
}

/** The middle of the small fleet's town. */
export const MIDDLE = { lat: 52.52, lon: 13.4 };

export async function addSmallFleet(depot: Depot): Promise<SmallFleet> {
  const north: string = (await depot.dealer.post('/api/v1/groups', { name: 'North' })).body.group_id;
  const add = (name: string, more: Partial<NewVehicle> = {}) => depot.addVehicle({ name, ...more });
  const fleet = {
    moving: await add('V 1', {
      plate: 'AB 1234',
      driver: 'M. Okafor',
      phone: '+44 20 7946 0101',
      type: 'truck',
      group_ids: [north],
    }),
    fast: await add('V 2', { speed_limit_kmh: 60, group_ids: [north] }),
    stopped: await add('V 3', { driver: 'J. Lind', phone: '+44 20 7946 0103' }),
    idle: await add('V 4'),
    unheard: await add('V 5'),
  };
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const at = (north: number, east: number) => ({
    lat: MIDDLE.lat + north / 100,
    lon: MIDDLE.lon + east / 100,
  });
  await depot.report(
    { vehicle: fleet.idle, ...at(-1, -3), time: ago(6), speed_kmh: 0, ignition: true },
    { vehicle: fleet.idle, ...at(-1, -3), time: ago(3), speed_kmh: 0, ignition: true },
    { vehicle: fleet.idle, ...at(-1, -3), speed_kmh: 0, ignition: true },
    { vehicle: fleet.moving, ...at(2, -2), speed_kmh: 48, course_deg: 45, ignition: true },
    // Room for the seconds of `speed`, which must not come before what is known.
    { vehicle: fleet.fast, ...at(2, 3), time: ago(0.5), speed_kmh: 52, course_deg: 90, ignition: true },
    { vehicle: fleet.stopped, ...at(0, 0), speed_kmh: 0, ignition: false },
  );
  return fleet;
}

/** A vehicle drives east from the town's middle for so many fixes, one every 20 s, and stands until 20 minutes have passed. */
export function drive(
  depot: Depot,
  vehicle: Vehicle,
  begun_ms: number,
  { fixes = 40, speed_kmh = 50, place = MIDDLE } = {},
): Promise<void> {
  return depot.report(
    ...Array.from({ length: 61 }, (_, at) => ({
      vehicle,
      lat: place.lat,
      // At this latitude a degree is 68 km.
      lon: place.lon + (Math.min(at, fixes) * speed_kmh) / 12_200,
      time: new Date(begun_ms + at * 20_000).toISOString(),
      speed_kmh: at < fixes ? speed_kmh : 0,
      course_deg: 90,
      ignition: at < fixes,
    })),
  );
}

/** Puts the depot where it is noon now: what was driven three hours ago is of the same day, whenever this runs. */
export async function haveNoon(depot: Depot): Promise<void> {
  const ahead = 12 - new Date().getUTCHours();
  const timezone = `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
  await depot.dealer.call('PATCH', '/api/v1/settings', { timezone });
}

/** The SOS button of a vehicle is pressed, where it is. */
export function pressSos(depot: Depot, vehicle: Vehicle, place: { lat: number; lon: number } = MIDDLE) {
  return depot.report({ vehicle, ...place, speed_kmh: 0, alarms: ['sos'] });
}

/** It drives 94 km/h, limit 60 for longer than the rule lets pass. */
export async function speed(depot: Depot, vehicle: Vehicle): Promise<void> {
  const from = Date.now() - 24_000;
  for (const second of [0, 8, 16, 24]) {
    await depot.report({
      vehicle,
      lat: MIDDLE.lat + 0.02,
      lon: MIDDLE.lon + 0.03 + second * 0.0003,
      time: new Date(from + second * 1_000).toISOString(),
      speed_kmh: 94,
      course_deg: 90,
    });
  }
}

/** Real time, set back by so many milliseconds until it is set again, so that messages of the past can be made. */
export interface ShiftedClock extends Clock {
  behind_ms: number;
}

export function createShiftedClock(): ShiftedClock {
  const clock: ShiftedClock = {
    ...systemClock,
    behind_ms: 0,
    now: () => systemClock.now() - clock.behind_ms,
  };
  return clock;
}

/** A host that serves the built console. */
export function startConsoleHost(options: Parameters<typeof startTestHost>[0] = {}): Promise<TestHost> {
  return startTestHost({ consoleFolder: CONSOLE, ...options });
}
