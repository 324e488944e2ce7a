import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { apiTokenRoutes } from '../../../server/contract/apiTokens.ts';
import { apiRoutes } from '../../../server/contract/api.ts';
import { assignmentRoutes, driverRoutes } from '../../../server/contract/drivers.ts';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { incidentRoutes } from '../../../server/contract/incidents.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { positionRoutes } from '../../../server/contract/positions.ts';
import { recipientRoutes } from '../../../server/contract/recipients.ts';
import { reportScheduleRoutes } from '../../../server/contract/reportSchedules.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { shiftRoutes } from '../../../server/contract/shifts.ts';
import { terminalCommandRoutes } from '../../../server/contract/terminalCommands.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { pathOf } from '../../support/caller.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

const clock = createFakeClock();
const iso = (ms: number) => new Date(ms).toISOString();
const group_ids: string[] = [];
let host: TestHost;
let dealer: Caller;
let user_id: string;
/** Whose timeline grows. */
let incident_id: string;
/** The vehicle whose terminal receives commands. */
let vehicle: string;
beforeAll(async () => {
  host = await startTestHost({ clock });
  dealer = await host.login();
  ({ user_id } = await dealer.ask(userRoutes.me));
  ({ vehicle_id: vehicle } = await newVehicle(0));
  const body = { title: 'Oil on the road', lat: 57, lon: 24 };
  ({ incident_id } = await dealer.ask(incidentRoutes.create, { body }));
  for (let at = 0; at < 5; at++) for (const kind of Object.values(kinds)) await kind.add(at * 2);
});
afterAll(() => host.close());

/** How things of a list are made; the greater `at`, the later, or the further back in the alphabet. */
interface Kind {
  key: string;
  add: (at: number) => Promise<unknown>;
}

const name = (at: number) => `item ${String(at).padStart(3, '0')} ${randomUUID().slice(0, 4)}`;
const circle = {
  shape: 'circle' as const,
  geometry: { type: 'Point' as const, coordinates: [24, 57] as [number, number] },
  radius_m: 50,
};

async function newVehicle(at: number): Promise<{ vehicle_id: string }> {
  const body = { terminal_id: `T${randomUUID().slice(0, 8)}`, name: name(at), group_ids };
  return dealer.ask(vehicleRoutes.create, { body });
}

const newDriver = (at: number): Promise<{ driver_id: string }> =>
  dealer.ask(driverRoutes.create, { body: { name: name(at) } });

async function send(position: object): Promise<void> {
  clock.advance(1_000);
  const body = { positions: [{ time: iso(clock.now()), lat: 57, lon: 24, ...position }] };
  await dealer.post(positionRoutes.post.path, body);
}

async function callForHelp(at: number): Promise<void> {
  const { vehicle_id } = await newVehicle(at);
  await send({ vehicle_id, alarms: ['sos'] });
}

async function newProfile(at: number): Promise<{ profile_id: string }> {
  const { vehicle_id } = await newVehicle(at);
  const channels = [{ channel: 1, name: 'front' }];
  return dealer.ask(videoRoutes.createProfile, { body: { vehicle_id, kind: 'simulated', channels } });
}

/** Every list of the contract. */
const kinds: Record<string, Kind> = {
  listApiTokens: {
    key: 'token_id',
    add: async (at) => {
      const body = { name: name(at), expires_at: iso(clock.now() + 3_600_000) };
      return (await dealer.ask(apiTokenRoutes.create, { body })).token;
    },
  },
  listReportSchedules: {
    key: 'schedule_id',
    add: (at) =>
      dealer.ask(reportScheduleRoutes.create, {
        body: {
          ...({ kind: 'stops', format: 'csv', every: 'day' } as const),
          name: name(at),
          email_to: ['harbour@port.example'],
        },
      }),
  },
  listUsers: {
    key: 'user_id',
    add: (at) =>
      dealer.ask(userRoutes.create, {
        body: {
          login: `user${String(at).padStart(3, '0')}-${randomUUID().slice(0, 4)}`,
          password: 'long enough 1',
        },
      }),
  },
  listSessions: { key: 'session_id', add: () => host.login() },
  listGroups: {
    key: 'group_id',
    add: (at) => dealer.ask(groupRoutes.create, { body: { name: name(at) } }),
  },
  listVehicles: { key: 'vehicle_id', add: newVehicle },
  listDrivers: { key: 'driver_id', add: newDriver },
  listAssignments: {
    key: 'assignment_id',
    add: async (at) => {
      const { driver_id } = await newDriver(at);
      const body = { driver_id, vehicle_id: vehicle, from: iso(clock.now() + at * 1_000) };
      return dealer.ask(assignmentRoutes.create, { body });
    },
  },
  listTerminalCommands: {
    key: 'command_id',
    add: (at) =>
      dealer.ask(terminalCommandRoutes.send, {
        params: { vehicle },
        body: { kind: 'text', text: name(at) },
      }),
  },
  listRejectedPositions: {
    key: 'rejected_id',
    add: async (at) => send({ vehicle_id: (await newVehicle(at)).vehicle_id, lat: 91 }),
  },
  listUnknownTerminals: {
    key: 'terminal_id',
    add: () => send({ terminal_id: `U${randomUUID().slice(0, 8)}` }),
  },
  listGeofences: {
    key: 'geozone_id',
    add: (at) => dealer.ask(geofenceRoutes.create, { body: { name: name(at), ...circle } }),
  },
  listRules: {
    key: 'rule_id',
    add: (at) =>
      dealer.ask(ruleRoutes.create, {
        body: { name: name(at), event_kind: 'power_cut', scope: { all: true } },
      }),
  },
  listRecipients: {
    key: 'recipient_id',
    add: (at) => {
      const address = `item-${String(at).padStart(3, '0')}-${randomUUID().slice(0, 4)}@port.example`;
      return dealer.ask(recipientRoutes.add, { body: { kind: 'email', address } });
    },
  },
  listNotifications: { key: 'notification_id', add: callForHelp },
  listIncidents: { key: 'incident_id', add: callForHelp },
  listIncidentTimeline: {
    key: 'entry_id',
    add: (at) => dealer.ask(incidentRoutes.note, { params: { incident_id }, body: { text: name(at) } }),
  },
  listIncidentOwners: {
    key: 'user_id',
    add: (at) =>
      dealer.ask(userRoutes.create, {
        body: {
          login: `dealer${String(at).padStart(3, '0')}-${randomUUID().slice(0, 4)}`,
          password: 'long enough 1',
          role: 'dealer' as const,
        },
      }),
  },
  listSnoozes: {
    key: 'snooze_id',
    add: async (at) => {
      const { vehicle_id } = await newVehicle(at);
      const body = { vehicle_id, duration_s: 3_600 + at };
      return dealer.ask(notificationRoutes.snooze, { body });
    },
  },
  listShifts: {
    key: 'shift_id',
    add: async () => {
      const [own] = (await dealer.ask(shiftRoutes.list, { query: { active: 'true' } })).items;
      if (own !== undefined) await dealer.ask(shiftRoutes.end, { params: { shift_id: own.shift_id } });
      clock.advance(1_000);
      return dealer.ask(shiftRoutes.start);
    },
  },
  listDispatchers: {
    key: 'user_id',
    add: async (at) => {
      const login = `duty${String(at).padStart(3, '0')}-${randomUUID().slice(0, 4)}`;
      const body = { login, password: 'long enough 1', rights: { notifications: 'write' as const } };
      return dealer.ask(userRoutes.create, { body });
    },
  },
  listAuditLog: { key: 'audit_id', add: (at) => newVehicle(at) },
  listEvents: { key: 'event_id', add: callForHelp },
  listVideoProfiles: { key: 'profile_id', add: newProfile },
  listVideoTasks: {
    key: 'task_id',
    add: async (at) => {
      const { profile_id } = await newProfile(at);
      clock.advance(1_000);
      const body = { profile_id, channel: 1, from: iso(clock.now()), to: iso(clock.now() + 100_000) };
      return dealer.ask(videoRoutes.createTask, { body });
    },
  },
};

const lists = apiRoutes.filter(
  (route) => route.query instanceof z.ZodObject && 'cursor' in route.query.shape,
);
const page = z.object({
  items: z.array(z.record(z.string(), z.unknown())),
  next_cursor: z.string().nullable(),
});

it('the setup has things for every list of the contract, and for no other', () => {
  expect(Object.keys(kinds).sort()).toEqual(lists.map(({ id }) => id).sort());
});

describe.each(lists.map((route) => ({ name: `${route.method} ${route.path}`, route })))(
  '$name',
  ({ route }) => {
    const kind = () => {
      const found = kinds[route.id];
      if (found === undefined) throw new Error(`there is nothing to list for ${route.id}`);
      return found;
    };

    const ask = (query: Record<string, string>) =>
      dealer.get(pathOf(route, { params: { user_id, vehicle, incident_id }, query }));

    /** The keys of all items, page by page. */
    async function readAll(limit: number, between: () => Promise<unknown> = () => Promise.resolve()) {
      const keys: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const answer = await ask({ limit: String(limit), ...(cursor === '' ? {} : { cursor }) });
        const { items, next_cursor } = page.parse(answer.body);
        expect(items.length).toBeLessThanOrEqual(limit);
        keys.push(...items.map((it) => it[kind().key]));
        cursor = next_cursor;
        await between();
      }
      return keys;
    }

    it('gives the same in pages of every size', async () => {
      const whole = await readAll(1_000);
      expect(whole.length).toBeGreaterThanOrEqual(5);
      expect(new Set(whole).size).toBe(whole.length);
      for (const limit of [1, 2, 3, whole.length]) expect(await readAll(limit)).toEqual(whole);
    });

    it('neither repeats nor loses what was there when things are added between the pages', async () => {
      const before = await readAll(1_000);
      let round = 0;
      const read = await readAll(3, async () => {
        round += 1;
        if (round <= 4) await kind().add(round * 2 - 1);
      });
      expect(new Set(read).size).toBe(read.length);
      expect(read.filter((key) => before.includes(key))).toEqual(before);
    });

    it.each([['0'], ['-1'], ['1001'], ['1.5'], ['ten']])('refuses a limit of %s', async (limit) => {
      const answer = await ask({ limit });
      expect([answer.status, answer.code]).toEqual([400, 'validation_failed']);
      expect(answer.body.errors).toMatchObject([{ path: 'limit' }]);
    });

    it('refuses a cursor that it did not give', async () => {
      const answer = await ask({ cursor: 'x' });
      expect([answer.status, answer.code]).toEqual([400, 'validation_failed']);
      expect(answer.body.errors).toMatchObject([{ path: 'cursor' }]);
    });
  },
);
