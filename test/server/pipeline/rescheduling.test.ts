import { expect, onTestFinished, test } from 'vitest';
import { openMemoryStore } from '../../../server/store/memoryStore.ts';
import { createPipelineFixture, vehicleNamed } from '../../journey/pipelineFixture.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { report } from '../telemetry/positions.ts';

const origin = { protocol: 'test', address: null };
const hour_ms = 3_600_000;

async function openFleet() {
  const clock = createFakeClock();
  const store = openMemoryStore(clock);
  const [van, bus] = [vehicleNamed('1'), vehicleNamed('2')];
  const archived = new Set<string>();
  const asked: string[] = [];
  const pipeline = createPipelineFixture({
    store,
    vehicles: [van, bus],
    geofences: [],
    rules: [],
    clock,
    vehicleById(id) {
      asked.push(id);
      return [van, bus].find((it) => it.vehicle_id === id && !archived.has(id));
    },
  });
  onTestFinished(() => pipeline.close());
  await pipeline.accept(
    ['1', '2'].map((terminal_id) => report({ terminal_id, time_ms: clock.now() })),
    origin,
  );
  asked.length = 0;
  return { pipeline, store, clock, archived, asked, van: van.vehicle_id, bus: bus.vehicle_id };
}

test('a change of one vehicle has its timers alone scheduled again', async () => {
  const { pipeline, asked, van, bus } = await openFleet();
  pipeline.rescheduleTimers([van]);
  expect(asked).toEqual([van]);
  pipeline.rescheduleTimers();
  expect(asked.slice(1)).toEqual([van, bus]);
});

test('a vehicle that is archived goes offline no more, and the others do', async () => {
  const { pipeline, store, clock, archived, van, bus } = await openFleet();
  archived.add(van);
  pipeline.rescheduleTimers([van]);
  clock.advance(hour_ms);
  // Between two batches: what was due is stored.
  await pipeline.runExclusive(() => Promise.resolve());
  const events = await store.events({ limit: 9, kinds: ['offline'] });
  expect(events.map((it) => it.vehicle_id)).toEqual([bus]);
});
