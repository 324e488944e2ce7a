import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toPastTrack, type PastTrack } from '../../../renderer/history/pastTrack.ts';
import { createTrackCache, type TrackQuery } from '../../../renderer/history/trackCache.ts';

function trackOf(vehicle_id: string, fixes = 10): PastTrack {
  const column = () => new Float64Array(fixes);
  return toPastTrack(
    {
      vehicle_id,
      time_ms: column(),
      lat: column(),
      lon: column(),
      speed_kmh: column(),
      course_deg: column(),
      flags: new Uint8Array(fixes),
      values: {},
    },
    3,
  );
}

const never = new AbortController().signal;
const day = { from: 0, to: 86_400_000 };

function cacheOf({ limitBytes = 1e9, batch = 2, missing = [] as string[] } = {}) {
  const calls: TrackQuery[] = [];
  const cache = createTrackCache({
    batch,
    limitBytes,
    fetch(query) {
      calls.push(query);
      return Promise.resolve(query.vehicleIds.filter((id) => !missing.includes(id)).map((id) => trackOf(id)));
    },
  });
  return { cache, calls };
}

it('tracks are fetched in batches, reported one by one, and fetched once', async () => {
  const { cache, calls } = cacheOf({ missing: ['e'] });
  const reported: [number, number][] = [];
  const query = { vehicleIds: ['a', 'b', 'c', 'd', 'e'], ...day, toleranceM: 25 };
  await cache.load(query, never, (done, total) => reported.push([done, total]));
  expect(calls.map((it) => it.vehicleIds)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  expect(reported.map(([done]) => done).sort()).toEqual(expect.arrayContaining([5]));
  await cache.load(query, never, () => undefined);
  expect(calls).toHaveLength(3);
  expect(cache.get('a', 0, [25])?.columns.vehicle_id).toBe('a');
  expect(cache.get('e', 0, [25])).toBeNull();
  expect(cache.get('a', 1, [25])).toBeUndefined();
});

it('of several levels the finest that is there is given', async () => {
  const { cache } = cacheOf();
  await cache.load({ vehicleIds: ['a'], ...day, toleranceM: 100 }, never, () => undefined);
  const coarse = cache.get('a', 0, [5, 25, 100]);
  await cache.load({ vehicleIds: ['a'], ...day, toleranceM: 5 }, never, () => undefined);
  expect(coarse).not.toBeUndefined();
  expect(cache.get('a', 0, [5, 25, 100])).not.toBe(coarse);
});

it('the cache never holds more bytes than its limit, and drops what was used longest ago', async () => {
  const each = trackOf('x').bytes;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 40 }),
      async (used) => {
        const { cache } = cacheOf({ limitBytes: each * 3 });
        const recent: number[] = [];
        for (const it of used) {
          await cache.load({ vehicleIds: [`v${it}`], ...day, toleranceM: 25 }, never, () => undefined);
          cache.get(`v${it}`, 0, [25]);
          recent.splice(0, recent.length, ...recent.filter((other) => other !== it), it);
          recent.splice(0, Math.max(0, recent.length - 3));
          expect(cache.bytes()).toBeLessThanOrEqual(each * 3);
          expect(cache.size()).toBe(recent.length);
        }
        for (const it of recent) expect(cache.get(`v${it}`, 0, [25])).not.toBeUndefined();
      },
    ),
  );
});

it('what came late has the day of its vehicle alone fetched again, and is shown as it was until then', async () => {
  const { cache, calls } = cacheOf();
  const query = { vehicleIds: ['a', 'b'], ...day, toleranceM: 25 };
  await cache.load(query, never, () => undefined);
  expect(cache.invalidate('a', 86_400_000, 86_500_000)).toBe(false);
  expect(cache.invalidate('a', -5, -1)).toBe(false);
  const before = cache.get('a', 0, [25]);
  expect(cache.invalidate('a', -5, 0)).toBe(true);
  expect(cache.get('a', 0, [25])).toBe(before);
  await cache.load(query, never, () => undefined);
  expect(calls.at(-1)?.vehicleIds).toEqual(['a']);
  expect(cache.get('a', 0, [25])).not.toBe(before);
  await cache.load(query, never, () => undefined);
  expect(calls).toHaveLength(2);
});

it('a coarser track that is newer is shown in place of a finer one that has changed since', async () => {
  const { cache } = cacheOf();
  await cache.load({ vehicleIds: ['a'], ...day, toleranceM: 5 }, never, () => undefined);
  const fine = cache.get('a', 0, [5, 25]);
  cache.invalidateAll();
  await cache.load({ vehicleIds: ['a'], ...day, toleranceM: 25 }, never, () => undefined);
  expect(cache.get('a', 0, [5, 25])).not.toBe(fine);
  expect(cache.size()).toBe(1);
});

it('what comes of a vehicle while its track is fetched has it fetched once more', async () => {
  const calls: string[][] = [];
  const cache = createTrackCache({
    batch: 9,
    limitBytes: 1e9,
    fetch({ vehicleIds }) {
      calls.push([...vehicleIds]);
      if (calls.length === 1) cache.invalidate('b', 5, 5);
      return Promise.resolve(vehicleIds.map((id) => trackOf(id)));
    },
  });
  const query = { vehicleIds: ['a', 'b'], ...day, toleranceM: 25 };
  for (let time = 0; time < 3; time++) await cache.load(query, never, () => undefined);
  expect(calls).toEqual([['a', 'b'], ['b']]);
});

it('a load that is given up keeps nothing of what comes after', async () => {
  const abort = new AbortController();
  const { cache } = cacheOf({ batch: 1 });
  const loading = cache.load(
    { vehicleIds: ['a', 'b'], ...day, toleranceM: 25 },
    abort.signal,
    () => undefined,
  );
  abort.abort();
  await expect(loading).rejects.toThrow();
  expect(cache.size()).toBe(0);
});
