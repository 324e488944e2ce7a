import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { simplifyTrack } from '../../../server/telemetry/simplifyTrack.ts';
import { position } from '../store/telemetry/sampleRows.ts';

async function* pagesOf(rows: readonly PositionRow[], size = 7): AsyncGenerator<PositionRow[]> {
  for (let at = 0; at < rows.length; at += size) yield await Promise.resolve(rows.slice(at, at + size));
}

async function simplified(rows: readonly PositionRow[], max: number, size?: number): Promise<PositionRow[]> {
  const kept: PositionRow[] = [];
  for await (const page of simplifyTrack(pagesOf(rows, size), max)) kept.push(...page);
  return kept;
}

const track = fc
  .array(
    fc.record({
      pause_ms: fc.oneof(fc.constant(1_000), fc.integer({ min: 1, max: 90_000_000 })),
      speed_kmh: fc.option(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 120 }))),
      lat: fc.integer({ min: -90, max: 90 }),
      lon: fc.integer({ min: -180, max: 180 }),
      valid: fc.boolean(),
    }),
    { minLength: 1, maxLength: 300, size: 'max' },
  )
  .map((legs) => {
    let time_ms = 0;
    return legs.map(({ pause_ms, ...leg }) => position({ ...leg, time_ms: (time_ms += pause_ms) }));
  });
const limit = fc.integer({ min: 2, max: 120 });

const stands = (row: PositionRow | undefined) => (row?.speed_kmh ?? 0) <= 1;
const turnsOf = (rows: readonly PositionRow[]) =>
  rows.filter((row, at) => at > 0 && stands(row) !== stands(rows[at - 1]));

test('track simplification keeps at most as many rows as asked for, each once and in order, both ends among them', async () => {
  await fc.assert(
    fc.asyncProperty(track, limit, async (rows, max) => {
      const kept = await simplified(rows, max);
      expect(kept.length).toBeLessThanOrEqual(max);
      const places = kept.map((row) => rows.indexOf(row));
      expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
      expect(places).not.toContain(-1);
      expect(kept[0]).toBe(rows[0]);
      expect(kept.at(-1)).toBe(rows.at(-1));
    }),
  );
});

test('track simplification hands a track on as it is when it is no longer than asked for', async () => {
  await fc.assert(
    fc.asyncProperty(track, fc.nat(20), async (rows, more) => {
      expect(await simplified(rows, Math.max(2, rows.length + more))).toEqual(rows);
    }),
  );
});

test('track simplification keeps the fastest row and the outermost places', async () => {
  await fc.assert(
    fc.asyncProperty(track, fc.integer({ min: 7, max: 60 }), async (rows, max) => {
      const kept = await simplified(rows, max);
      const fastest = (list: readonly PositionRow[]) => Math.max(...list.map((row) => row.speed_kmh ?? 0));
      expect(fastest(kept)).toBe(fastest(rows));
      for (const key of ['lat', 'lon'] as const) {
        const span = (list: readonly PositionRow[]) => {
          const drawn = list.filter((row) => row.valid).map((row) => row[key]);
          return [Math.min(...drawn), Math.max(...drawn)];
        };
        expect(span(kept)).toEqual(span(rows));
      }
    }),
  );
});

test('track simplification keeps every row at which the vehicle stopped or went on, while these take half of the space', async () => {
  await fc.assert(
    fc.asyncProperty(track, fc.integer({ min: 20, max: 300 }), async (rows, max) => {
      const turns = turnsOf(rows);
      fc.pre(turns.length <= (max - 9) / 2);
      expect(await simplified(rows, max)).toEqual(expect.arrayContaining(turns));
    }),
  );
});

test('track simplification uses a good part of the space that it is given', async () => {
  await fc.assert(
    fc.asyncProperty(track, limit, async (rows, max) => {
      const kept = await simplified(rows, max);
      expect(kept.length).toBeGreaterThanOrEqual(Math.min(rows.length, Math.floor((max - 7) / 5)));
    }),
  );
});

test('track simplification does not depend on how the track comes in pages', async () => {
  await fc.assert(
    fc.asyncProperty(track, limit, fc.integer({ min: 1, max: 400 }), async (rows, max, size) => {
      expect(await simplified(rows, max, size)).toEqual(await simplified(rows, max, 1));
    }),
  );
});

test('the slowest and the fastest row of each segment are kept of a long drive at even intervals', async () => {
  // Every 1,000 s it brakes to 20 km/h and then speeds up to 90, for one second each.
  const speed = (second: number) => (second % 1_000 === 400 ? 20 : second % 1_000 === 600 ? 90 : 50);
  const rows = Array.from({ length: 20_000 }, (_, second) =>
    position({ time_ms: second * 1_000, speed_kmh: speed(second) }),
  );
  const kept = await simplified(rows, 200, 2_000);
  const speeds = kept.map((row) => row.speed_kmh);
  expect(speeds.filter((it) => it === 20)).toHaveLength(20);
  expect(speeds.filter((it) => it === 90)).toHaveLength(20);
});

test('track simplification holds no more of a track than what it keeps and a page', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const [pages, pageSize, max] = [60, 2_000, 500];
  const handedOut: WeakRef<PositionRow>[] = [];
  let maxHeld = 0;
  async function* longTrack(): AsyncGenerator<PositionRow[]> {
    for (let page = 0; page < pages; page++) {
      const rows = Array.from({ length: pageSize }, (_, at) =>
        position({ time_ms: (page * pageSize + at) * 1_000, speed_kmh: (at * 7) % 110 }),
      );
      handedOut.push(...rows.map((row) => new WeakRef(row)));
      yield rows;
      // A weak reference holds what it refers to until the turn of the event loop is over.
      await new Promise((resolve) => setImmediate(resolve));
      if (page % 10 !== 9) continue;
      collect();
      maxHeld = Math.max(maxHeld, handedOut.filter((row) => row.deref() !== undefined).length);
    }
  }
  let kept = 0;
  for await (const page of simplifyTrack(longTrack(), max)) kept += page.length;
  expect(kept).toBeLessThanOrEqual(max);
  expect(kept).toBeGreaterThan(max / 5);
  expect(handedOut).toHaveLength(pages * pageSize);
  expect(maxHeld).toBeLessThanOrEqual(2 * max + 2 * pageSize);
});
