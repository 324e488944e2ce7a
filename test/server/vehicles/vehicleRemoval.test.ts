import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

let host: TestHost;
let dealer: Caller;
let anna: Caller;
let annas: string;
let boriss: string;
beforeAll(async () => {
  host = await startTestHost({
    users: [{ login: 'anna', rights: { vehicles: 'write' } }, { login: 'boris' }],
  });
  [dealer, anna] = [await host.login(), await host.login('anna')];
  const groupOf = async (caller: Caller) => (await caller.ask(userRoutes.me)).group_ids[0] ?? '';
  [annas, boriss] = [await groupOf(anna), await groupOf(await host.login('boris'))];
});
afterAll(() => host.close());

const vehicle = (terminal_id: string, ...group_ids: string[]) =>
  dealer.ask(vehicleRoutes.create, { body: { terminal_id, name: terminal_id, group_ids } });
const remove = (caller: Caller, terminal_id: string, purge?: 'true') =>
  caller.outcome(vehicleRoutes.remove, {
    params: { vehicle: terminal_id },
    query: purge === undefined ? {} : { purge },
  });

describe('a user with the right to change vehicles', () => {
  it('a user with the right to change vehicles archives a vehicle of its own groups alone', async () => {
    await vehicle('OWN', annas);
    expect(await remove(anna, 'OWN')).toBe(204);
  });

  it('a user with the right to change vehicles does not archive one that others have too', async () => {
    await vehicle('SHARED', annas, boriss);
    expect(await remove(anna, 'SHARED')).toBe('403 forbidden');
    expect(await dealer.outcome(vehicleRoutes.get, { params: { vehicle: 'SHARED' } })).toBe(200);
    expect(await remove(dealer, 'SHARED')).toBe(204);
  });

  it('a user with the right to change vehicles does not delete what was recorded of one, as dealers do', async () => {
    const { vehicle_id } = await vehicle('KEPT', annas);
    expect(await remove(anna, 'KEPT', 'true')).toBe('403 forbidden');
    expect(
      (await dealer.ask(vehicleRoutes.list, { query: { q: 'KEPT' } })).items.map((it) => it.vehicle_id),
    ).toEqual([vehicle_id]);
    expect(await remove(dealer, 'KEPT', 'true')).toBe(204);
    expect(await dealer.outcome(vehicleRoutes.get, { params: { vehicle: vehicle_id } })).toBe(
      '404 not_found',
    );
  });

  it('a user with the right to change vehicles learns nothing of one that it does not see', async () => {
    await vehicle('HIDDEN', boriss);
    expect([await remove(anna, 'HIDDEN'), await remove(anna, 'HIDDEN', 'true')]).toEqual([
      '404 not_found',
      '404 not_found',
    ]);
  });
});
