import { driverRoutes, assignmentRoutes } from '../../../server/contract/drivers.ts';
import { incidentRoutes, type Incident } from '../../../server/contract/incidents.ts';
import { notificationRoutes, type Notification } from '../../../server/contract/notifications.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { createFakeClock, type FakeClock } from '../../support/fakeClock.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

export interface IncidentDepot {
  host: TestHost;
  clock: FakeClock;
  dealer: Caller;
  /** Writes notifications and video, in a group of her own. */
  anna: Caller;
  /** Reads notifications in Anna's group, and no vehicles. */
  reader: Caller;
  /** The same as Anna in another group. */
  boris: Caller;
  group_id: string;
  /** A further vehicle in Anna's group, driven by a driver with a phone. */
  addVehicle: (terminal_id: string) => Promise<string>;
  /** Presses the button of a terminal, or raises another of its alarms. */
  press: (terminal_id: string, alarm?: string) => Promise<void>;
  incidentsOf: (vehicle_id: string) => Promise<Incident[]>;
  alarmsOf: (vehicle_id: string) => Promise<Notification[]>;
}

/** A host with real sockets and a clock driven by hand. */
export async function startIncidentDepot(): Promise<IncidentDepot> {
  const clock = createFakeClock();
  const rights = { notifications: 'write', video: 'write' } as const;
  const host = await startTestHost({
    clock,
    users: [
      { login: 'anna', rights },
      { login: 'boris', rights },
      { login: 'reader', rights: { vehicles: 'none' } },
    ],
  });
  const dealer = await host.login();
  const anna = await host.login('anna');
  const { group_ids } = await anna.ask(userRoutes.me);
  const reader = await dealer.ask(userRoutes.list, { query: { q: 'reader' } });
  await dealer.ask(userRoutes.patch, {
    params: { user_id: reader.items[0]?.user_id ?? '' },
    body: { group_ids },
  });

  return {
    ...{ host, clock, dealer, anna, group_id: group_ids[0] ?? '' },
    reader: await host.login('reader'),
    boris: await host.login('boris'),
    async addVehicle(terminal_id) {
      const { vehicle_id } = await dealer.ask(vehicleRoutes.create, {
        body: { terminal_id, name: `Van ${terminal_id}`, plate: `AL ${terminal_id}`, group_ids },
      });
      const { driver_id } = await dealer.ask(driverRoutes.create, {
        body: { name: `Driver ${terminal_id}`, phone: `+371 2000 ${terminal_id}`, group_ids },
      });
      const from = new Date(clock.now() - 3_600_000).toISOString();
      await dealer.ask(assignmentRoutes.create, { body: { driver_id, vehicle_id, from } });
      return vehicle_id;
    },
    async press(terminal_id, alarm = 'sos') {
      clock.advance(1_000);
      const timestamp = Math.floor(clock.now() / 1_000);
      const query = `id=${terminal_id}&lat=56.9&lon=24.1&timestamp=${timestamp}&alarm=${alarm}`;
      const { status } = await fetch(`${host.intakeUrl}/?${query}`);
      if (status !== 200) throw new Error(`the intake answered ${status}`);
    },
    incidentsOf: async (vehicle) => (await dealer.ask(incidentRoutes.list, { query: { vehicle } })).items,
    alarmsOf: async (vehicle) => (await dealer.ask(notificationRoutes.list, { query: { vehicle } })).items,
  };
}
