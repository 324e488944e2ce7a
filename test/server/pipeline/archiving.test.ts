import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openStores } from '../../../server/app/openStores.ts';
import { newVehicle } from '../../../server/contract/vehicles.ts';
import { notFound } from '../../../server/http/apiError.ts';
import type { Viewer } from '../../../server/http/viewer.ts';
import { loadIncidents } from '../../../server/incidents/incidents.ts';
import { createVehicles } from '../../../server/vehicles/vehicles.ts';
import type { Committed, Pipeline } from '../../../server/pipeline.ts';
import { createPipelineFixture, vehicleNamed } from '../../journey/pipelineFixture.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { opening } from '../store/telemetry/sampleRows.ts';
import { temporaryFolder } from '../store/temporaryFolder.ts';
import { report } from '../telemetry/positions.ts';
import { createFaultyStore } from './faultyStore.ts';

const dealer = { user: { role: 'dealer' } } as Viewer;
const origin = { protocol: 'test', address: null };

test.each(['one', 'many', 'for good'] as const)(
  'an SOS that is being stored while its vehicle is archived (%s) opens its incident first',
  async (how) => {
    const clock = createFakeClock();
    const stores = await openStores(join(await temporaryFolder(), 'data'), clock, pino({ level: 'silent' }));
    onTestFinished(() => stores.close());
    const store = stores.telemetry;
    const { vehicles: collection } = stores.collections;
    const vehicles = createVehicles({
      collection,
      groupExists: () => true,
      leaving(ids, act, isDeleted) {
        for (const vehicle_id of ids) act.write('archiveIncidentsOf', { vehicle_id, isDeleted });
      },
      openIncidents: async (ids) => new Map(await store.openIncidentCounts(ids)),
      between: (change) => pipeline.runExclusive(change),
      clock,
    });
    const [van, other] = await vehicles.add(
      ['1', '2'].map((terminal_id) => newVehicle.parse({ terminal_id, name: terminal_id })),
      dealer,
    );
    if (van === undefined || other === undefined) throw new Error('the vehicles were not added');
    const { vehicle_id } = van;

    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isStoring = (): void => undefined;
    const storing = new Promise<void>((resolve) => (isStoring = resolve));
    const pipeline = createPipelineFixture({
      store: {
        ...store,
        async commit(batch) {
          isStoring();
          await released;
          return store.commit(batch);
        },
      },
      vehicles: [van],
      vehicleById: (id) => (vehicles.get(id)?.archived_at === null ? vehicles.get(id) : undefined),
      ...{ geofences: [], rules: [], clock },
    });
    onTestFinished(async () => {
      release();
      await pipeline.close();
    });

    const pressed = pipeline.accept(
      [report({ terminal_id: '1', time_ms: clock.now(), alarms: ['sos'] })],
      origin,
    );
    await storing;
    const openAtErasure: [string, number][] = [];
    const archived = {
      one: () => vehicles.archive(vehicle_id, null).catch((error: unknown) => String(error)),
      many: async () => (await vehicles.archiveMany([vehicle_id], dealer)).refused[0]?.detail,
      'for good': () =>
        vehicles.archiveForGood(vehicle_id, null, async () => {
          openAtErasure.push(...(await store.openIncidentCounts([vehicle_id])));
        }),
    }[how]();
    // One act after the other: the vehicle would be archived before this one.
    await vehicles.patch(other.vehicle_id, { plate: 'AL 2' }, dealer, null);
    expect(vehicles.get(vehicle_id)?.archived_at).toBeNull();
    release();

    expect((await pressed).map((it) => it.status)).toEqual(['stored']);
    if (how === 'for good') {
      await archived;
      expect(openAtErasure).toEqual([[vehicle_id, 1]]);
    } else {
      expect(String(await archived)).toContain('Incidents of this vehicle that must be closed first: 1.');
      expect(vehicles.get(vehicle_id)?.archived_at).toBeNull();
    }
    expect(await store.openIncidentCounts([vehicle_id])).toEqual([[vehicle_id, 1]]);
  },
);

test.each(['opened', 'reopened'] as const)(
  'an incident that is %s by hand while many vehicles are archived keeps none of them in service',
  async (how) => {
    const clock = createFakeClock();
    const log = pino({ level: 'silent' });
    const stores = await openStores(join(await temporaryFolder(), 'data'), clock, log);
    onTestFinished(() => stores.close());
    const { telemetry: store, collections } = stores;
    const pipeline = createPipelineFixture({ store, vehicles: [], geofences: [], rules: [], clock });
    onTestFinished(() => pipeline.close());
    const between: Pipeline['runExclusive'] = (change) => pipeline.runExclusive(change);
    let meanwhile = (): Promise<unknown> => Promise.resolve();
    const vehicles = createVehicles({
      collection: collections.vehicles,
      groupExists: () => true,
      leaving(ids, act, isDeleted) {
        for (const id of ids) incidents.archive(id, act, isDeleted);
      },
      async openIncidents(ids) {
        const counted = await store.openIncidentCounts(ids);
        await meanwhile();
        return new Map(counted);
      },
      ...{ between, clock },
    });
    const incidents = await loadIncidents({
      ...{ store, acts: collections.acts, vehicles, between, clock, log },
      drives: { driverAt: () => Promise.resolve(null) },
      placesWithin: () => (points) => Promise.resolve(points.map(() => null)),
      sight: { sees: () => true },
      recent: { apply: () => undefined },
      health: { set: () => undefined },
      publish: () => undefined,
      publishArchived: () => undefined,
    });
    onTestFinished(() => incidents.close());
    const [kept, van, other] = await vehicles.add(
      ['1', '2', '3'].map((terminal_id) => newVehicle.parse({ terminal_id, name: terminal_id })),
      dealer,
    );
    if (kept === undefined || van === undefined || other === undefined) throw new Error('none was added');
    const open = ({ vehicle_id }: { vehicle_id: string }) => {
      const made = { ...opening({ incident_id: `of ${vehicle_id}`, vehicle_id }), repeat_key: null };
      const order = { made, notification_ids: [], tasks: [], owner: null, note: null, isLimited: false };
      return incidents.create(order, undefined, () => checkInService(vehicle_id));
    };
    const checkInService = (vehicle_id: string) => {
      if (vehicles.get(vehicle_id)?.archived_at !== null) throw notFound('vehicle');
    };
    await open(kept);
    const incident_id = how === 'reopened' ? await open(van) : '';
    if (how === 'reopened') {
      const closed = { if_version: null, reason: 'Test', note: null, vehicle_ids: [] };
      await incidents.change(incident_id, { kind: 'close', ...closed });
    }
    const act = () =>
      how === 'opened'
        ? open(van)
        : incidents.change(
            incident_id,
            { kind: 'reopen', if_version: null, note: null, isLimited: false },
            undefined,
            () => checkInService(van.vehicle_id),
          );
    let acted: Promise<unknown> = Promise.resolve();
    meanwhile = async () => {
      acted = act().catch((error: unknown) => error);
      // One act after the other: if it did not wait, it would be stored before this one.
      await vehicles.patch(other.vehicle_id, { plate: 'AL 3' }, dealer, null);
    };

    const ids = [kept, van, other].map((it) => it.vehicle_id);
    expect(await vehicles.archiveMany(ids, dealer)).toMatchObject({
      done: [van.vehicle_id, other.vehicle_id],
      refused: [{ code: 'in_use', vehicle_ids: [kept.vehicle_id] }],
    });
    expect(await acted).toMatchObject({ code: 'not_found' });
    expect(await store.openIncidentCounts(ids)).toEqual([[kept.vehicle_id, 1]]);
  },
);

test.each([
  ['in service', 1],
  ['archived', 0],
] as const)('an alarm of a vehicle that is %s opens so many incidents: %d', async (where, count) => {
  const clock = createFakeClock();
  const van = vehicleNamed('1');
  const committed: Committed[] = [];
  const pipeline = createPipelineFixture({
    store: createFaultyStore(),
    vehicles: [van],
    vehicleById: () => (where === 'archived' ? undefined : van),
    ...{ geofences: [], rules: [], clock },
    onCommitted: (it) => committed.push(it),
  });
  onTestFinished(() => pipeline.close());
  await pipeline.accept([report({ terminal_id: '1', time_ms: clock.now(), alarms: ['sos'] })], origin);
  expect(committed.flatMap(({ batch }) => batch.events)).toHaveLength(1);
  expect(committed.flatMap(({ batch }) => batch.openings)).toHaveLength(count);
});

test.each(['goes on', 'is started again'] as const)(
  'a vehicle that is restored after a long time raises nothing by its silence while the host %s, until it has been heard again',
  async (how) => {
    const clock = createFakeClock();
    const folder = join(await temporaryFolder(), 'data');
    const start = async () => {
      const stores = await openStores(folder, clock, pino({ level: 'silent' }));
      const vehicles = createVehicles({
        collection: stores.collections.vehicles,
        groupExists: () => true,
        between: (change) => pipeline.runExclusive(change),
        clock,
      });
      const [van = (await vehicles.add([newVehicle.parse({ terminal_id: '1', name: 'Van' })], dealer))[0]] =
        vehicles.all();
      if (van === undefined) throw new Error('the vehicle was not added');
      const pipeline = createPipelineFixture({
        store: stores.telemetry,
        states: await stores.telemetry.vehicleStates(),
        vehicles: [van],
        vehicleById: (id) => (vehicles.get(id)?.archived_at === null ? vehicles.get(id) : undefined),
        ...{ geofences: [], rules: [], clock },
      });
      const stop = async () => {
        await pipeline.close();
        await stores.close();
      };
      return { ...{ stores, vehicles, pipeline, stop }, vehicle_id: van.vehicle_id };
    };
    let host = await start();
    onTestFinished(() => host.stop());
    const { vehicle_id } = host;
    const hear = () => host.pipeline.accept([report({ terminal_id: '1', time_ms: clock.now() })], origin);
    const kindsAfter = async (hours: number) => {
      host.pipeline.rescheduleTimers([vehicle_id]);
      clock.advance(hours * 3_600_000);
      // Between two batches: what was due is stored.
      await host.pipeline.runExclusive(() => Promise.resolve());
      return (await host.stores.telemetry.events({ limit: 9 })).map((it) => it.kind);
    };
    await hear();
    await host.vehicles.archive(vehicle_id, null);
    expect(await kindsAfter(24)).toEqual([]);
    await host.vehicles.restoreMany([vehicle_id], dealer);
    if (how === 'is started again') {
      await host.stop();
      host = await start();
    }
    expect(await kindsAfter(24)).toEqual([]);
    await hear();
    expect(await kindsAfter(24)).toEqual(['offline']);
  },
);
