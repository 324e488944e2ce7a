import { assignmentRoutes, driverRoutes } from '../../../server/contract/drivers.ts';
import { always, type Field, type OperationAttack } from '../attack.ts';
import { iso, lastDays } from './accounts.ts';

/** As many cards as a driver may have, of the longest numbers, none of which anybody has. */
const cardsOf = (at: number) =>
  Array.from({ length: 10 }, (_, card) => ({ number: `${at}-${card}`.padStart(64, '-A') }));
const heavy = ({ depot }: Field, at: number) => ({
  ...{ name: 'x'.repeat(120), note: 'x'.repeat(1_000), external_id: `${at}`, cards: cardsOf(at) },
  group_ids: [depot.group_id],
});

/** Some that were made before: those who only read make none. */
async function ownDrivers(field: Field, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const body = { ...heavy(field, at), cards: [], external_id: null };
    ids.push((await field.keeper.ask(driverRoutes.create, { body })).driver_id);
  }
  return ids;
}

async function ownAssignment(field: Field) {
  const [driver_id = ''] = await ownDrivers(field, 1);
  const body = { driver_id, vehicle_id: field.depot.vehicles[0]?.vehicle_id ?? '', from: iso(0) };
  return field.keeper.ask(assignmentRoutes.create, { body });
}

/** Drivers, and their assignments to vehicles. */
export const driverAttacks: readonly OperationAttack[] = [
  {
    operation: 'listDrivers',
    does: 'all of them, searched for what none has',
    calls: always({ query: { limit: 1_000, q: ' '.repeat(49) + 'an'.repeat(25) } }),
  },
  {
    operation: 'createDriver',
    does: 'ten cards each, which all cards are compared with, and a key that keeps the answer',
    calls: (field) => (at) => ({
      headers: { 'Idempotency-Key': `${at}`.padEnd(200, 'k') },
      body: heavy(field, at),
    }),
  },
  {
    operation: 'getDriver',
    does: 'of somebody who is not there',
    calls: always(({ depot }) => ({ params: { driver_id: depot.group_id } })),
  },
  {
    operation: 'patchDriver',
    does: 'ten other cards each time',
    async calls({ keeper, depot }) {
      const body = { name: 'Busy', group_ids: [depot.group_id] };
      const { driver_id } = await keeper.ask(driverRoutes.create, { body });
      return (at) => ({ params: { driver_id }, body: { cards: cardsOf(at) } });
    },
  },
  {
    operation: 'deleteDriver',
    does: 'one after another, each published to all',
    async calls(field) {
      const ids = await ownDrivers(field, 20);
      return (at) => ({ params: { driver_id: ids[at] ?? field.depot.group_id } });
    },
  },
  {
    operation: 'listDriverDrives',
    does: 'a quarter of a driver who was assigned to all vehicles',
    async calls(field) {
      const [driver_id = ''] = await ownDrivers(field, 1);
      for (const { vehicle_id } of field.depot.vehicles)
        await field.keeper.ask(assignmentRoutes.create, { body: { driver_id, vehicle_id, from: iso(0) } });
      return () => ({ params: { driver_id }, query: lastDays(field.depot.now_ms, 92) });
    },
  },
  {
    operation: 'listVehicleDrives',
    does: 'a quarter of a vehicle',
    calls: always(({ depot }) => ({
      params: { vehicle: depot.vehicles[0]?.vehicle_id ?? '' },
      query: lastDays(depot.now_ms, 92),
    })),
  },
  {
    operation: 'listAssignments',
    does: 'a page of 1,000',
    calls: always({ query: { limit: 1_000 } }),
  },
  {
    operation: 'createAssignment',
    does: 'as many as may be, with a key that keeps the answer',
    async calls(field) {
      const [driver_id = ''] = await ownDrivers(field, 1);
      const vehicle_id = field.depot.vehicles[0]?.vehicle_id ?? '';
      return (at) => ({
        headers: { 'Idempotency-Key': `${at}`.padEnd(200, 'k') },
        body: { driver_id, vehicle_id, from: iso(at * 1_000), note: 'x'.repeat(200) },
      });
    },
  },
  {
    operation: 'getAssignment',
    does: 'of none that is there',
    calls: always(({ depot }) => ({ params: { assignment_id: depot.group_id } })),
  },
  {
    operation: 'patchAssignment',
    does: 'another period each time',
    async calls(field) {
      const { assignment_id } = await ownAssignment(field);
      return (at) => ({ params: { assignment_id }, body: { from: iso(at * 1_000) } });
    },
  },
  {
    operation: 'deleteAssignment',
    does: 'one that is there, then none',
    async calls(field) {
      const { assignment_id } = await ownAssignment(field);
      return () => ({ params: { assignment_id } });
    },
  },
];
