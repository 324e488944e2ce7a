import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createSleepWatch } from '../../../server/app/sleepWatch.ts';
import { createHealth } from '../../../server/settings/health.ts';
import { openMemoryStore } from '../../../server/store/memoryStore.ts';
import { createPipelineFixture, vehicleNamed } from '../../journey/pipelineFixture.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { report } from '../telemetry/positions.ts';

const night_ms = 8 * 3_600_000;

function watched() {
  const clock = createFakeClock(Date.UTC(2026, 10, 21, 22));
  let set_ms = 0;
  const health = createHealth(clock);
  const own = { ...clock, now: () => clock.now() + set_ms };
  const sleep = createSleepWatch({ clock: own, health, log: pino({ level: 'silent' }) });
  onTestFinished(sleep.start());
  return { clock, own, health, sleep, setClock: (by_ms: number) => (set_ms += by_ms) };
}

it('a host that runs has listened since its start', () => {
  const { clock, sleep, health } = watched();
  const start_ms = clock.now();
  clock.advance(night_ms);
  clock.sleep(50_000);
  expect(sleep.listeningSince()).toBe(start_ms);
  clock.advance(5_000);
  expect(sleep.listeningSince()).toBe(start_ms);
  expect(health.troubles()).toEqual([]);
});

it('a host whose machine slept has listened since it woke, and says for an hour when it heard nobody', () => {
  const { clock, sleep, health } = watched();
  clock.advance(3_600_000);
  clock.sleep(night_ms);
  // Before any timer has run.
  expect(sleep.listeningSince()).toBe(clock.now());
  const woken_ms = clock.now();
  expect(health.troubles()).toMatchObject([
    {
      code: 'host_asleep',
      detail:
        'The server did not run from 2026-11-21T23:00:00.000Z to 2026-11-22T07:00:00.000Z: nothing was received.',
    },
  ]);
  clock.advance(3_590_000);
  expect(sleep.listeningSince()).toBe(woken_ms);
  expect(health.has('host_asleep')).toBe(true);
  clock.advance(15_000);
  expect(health.has('host_asleep')).toBe(false);
});

it('a host whose clock is set forward begins to listen anew and did not sleep, and one set back does not begin in the future', () => {
  const { clock, own, sleep, health, setClock } = watched();
  setClock(3_600_000);
  expect(sleep.listeningSince()).toBe(own.now());
  setClock(-7_200_000);
  clock.advance(5_000);
  expect(sleep.listeningSince()).toBe(own.now());
  expect(health.troubles()).toEqual([]);
});

it('a fleet is not reported as offline after the sleep of the host, and what stays silent is once it has settled', async () => {
  const { clock, sleep } = watched();
  const store = openMemoryStore(clock);
  const [van, bus] = [vehicleNamed('1'), vehicleNamed('2')];
  const pipeline = createPipelineFixture({
    ...{ store, vehicles: [van, bus], geofences: [], rules: [], clock },
    listeningSince: sleep.listeningSince,
  });
  onTestFinished(() => pipeline.close());
  const send = (...terminals: string[]) =>
    pipeline.accept(
      terminals.map((terminal_id) => report({ terminal_id, time_ms: clock.now() })),
      { protocol: 'test', address: null },
    );
  const offline = async () => {
    // Between two batches: what was due is stored.
    await pipeline.runExclusive(() => Promise.resolve());
    return store.events({ limit: 9, kinds: ['offline'] });
  };
  await send('1', '2');
  clock.advance(60_000);
  clock.sleep(night_ms);
  clock.advance(5_000);
  const noticed_ms = clock.now();
  clock.advance(45_000);
  expect(await offline()).toEqual([]);
  await send('1');
  clock.advance(60_000);
  expect(await offline()).toMatchObject([{ vehicle_id: bus.vehicle_id, time_ms: noticed_ms + 60_000 }]);
});
