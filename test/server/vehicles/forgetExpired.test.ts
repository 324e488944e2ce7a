import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Viewer } from '../../../server/http/viewer.ts';
import { pino } from 'pino';
import { openStores } from '../../../server/app/openStores.ts';
import { newVehicle } from '../../../server/contract/vehicles.ts';
import { createVehicles } from '../../../server/vehicles/vehicles.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { temporaryFolder } from '../store/temporaryFolder.ts';

const dayMs = 86_400_000;

it('vehicles that were archived before a moment are found, and no others', async () => {
  const clock = createFakeClock();
  const stores = await openStores(join(await temporaryFolder(), 'data'), clock, pino({ level: 'silent' }));
  onTestFinished(() => stores.close());
  const vehicles = createVehicles({
    collection: stores.collections.vehicles,
    groupExists: () => true,
    clock,
  });
  const dealer = { user: { role: 'dealer' } } as Viewer;
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
