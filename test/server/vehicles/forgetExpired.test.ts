import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Viewer } from '../../../server/http/viewer.ts';
import { pino } from 'pino';
import { openStores } from '../../../server/app/openStores.ts';
import { purgeArchived } from '../../../server/app/retention.ts';
import { newVehicle } from '../../../server/contract/vehicles.ts';
import { createVehicles } from '../../../server/vehicles/vehicles.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { temporaryFolder } from '../store/temporaryFolder.ts';

const dayMs = 86_400_000;

async function openVehicles() {
  const clock = createFakeClock();
  const stores = await openStores(join(await temporaryFolder(), 'data'), clock, pino({ level: 'silent' }));
  onTestFinished(() => stores.close());
  const vehicles = createVehicles({
    collection: stores.collections.vehicles,
    groupExists: () => true,
    clock,
  });
  return { clock, vehicles };
}
const dealer = { user: { role: 'dealer' } } as Viewer;

it('vehicles that were archived before a moment are found, and no others', async () => {
  const { clock, vehicles } = await openVehicles();
  const wanted = ['A', 'B', 'C'].map((terminal_id) => newVehicle.parse({ terminal_id, name: terminal_id }));
  const [a = '', b = '', c = ''] = (await vehicles.add(wanted, dealer)).map((it) => it.vehicle_id);

  await vehicles.archive(a, null);
  clock.advance(dayMs);
  await vehicles.archive(b, null);
  clock.advance(dayMs);

  const before = (ms: number) => vehicles.archivedBefore(ms).map((it) => it.vehicle_id);
  expect(before(clock.now() - dayMs)).toEqual([a]);
  await vehicles.purge(a, () => undefined);
  expect([a, b, c].map((id) => vehicles.get(id)?.name)).toEqual([undefined, 'B', 'C']);
  expect(before(clock.now() - dayMs)).toEqual([]);
  // The moment itself is not before it.
  expect(before(clock.now() - dayMs + 1)).toEqual([b]);
  expect(vehicles.all().map((it) => it.vehicle_id)).toEqual([c]);
});

it('one that is restored or deleted while those archived long ago are deleted does not keep the others', async () => {
  const { clock, vehicles } = await openVehicles();
  const wanted = ['A', 'B', 'C', 'D'].map((terminal_id) =>
    newVehicle.parse({ terminal_id, name: terminal_id }),
  );
  const ids = (await vehicles.add(wanted, dealer)).map((it) => it.vehicle_id);
  for (const id of ids) await vehicles.archive(id, null);
  clock.advance(dayMs);
  const [a = '', b = '', c = '', d = ''] = vehicles.archivedBefore(clock.now()).map((it) => it.vehicle_id);
  const purge = (id: string, version: number | null) =>
    vehicles.archiveForGood(id, version, () => vehicles.purge(id, () => undefined));
  await purgeArchived(
    vehicles,
    async (id, version) => {
      if (id === a) {
        await vehicles.restoreMany([b], dealer);
        await purge(c, null);
      }
      await purge(id, version);
    },
    clock.now(),
  );
  expect([a, b, c, d].map((id) => vehicles.get(id) !== undefined)).toEqual([false, true, false, false]);

  await vehicles.archive(b, null);
  clock.advance(dayMs);
  const failing = purgeArchived(vehicles, () => Promise.reject(new Error('the disk is gone')), clock.now());
  await expect(failing).rejects.toThrow('the disk is gone');
});

it('a vehicle that is being deleted cannot be restored, also after another call to delete it was refused', async () => {
  const { vehicles } = await openVehicles();
  const wanted = newVehicle.parse({ terminal_id: 'A', name: 'A' });
  const [{ vehicle_id: id } = { vehicle_id: '' }] = await vehicles.add([wanted], dealer);
  const erasing = Promise.withResolvers<undefined>();
  const begun = Promise.withResolvers<undefined>();
  const deleted = vehicles.archiveForGood(id, null, () => {
    begun.resolve(undefined);
    return erasing.promise;
  });
  await begun.promise;
  const nothing = () => Promise.resolve();
  await expect(vehicles.archiveForGood(id, 99, nothing)).rejects.toMatchObject({ code: 'version_conflict' });
  await expect(vehicles.archiveForGood(id, null, nothing)).rejects.toMatchObject({ code: 'not_found' });
  expect(await vehicles.restoreMany([id], dealer)).toMatchObject({ done: [], not_found: [id] });
  erasing.resolve(undefined);
  await deleted;
});
