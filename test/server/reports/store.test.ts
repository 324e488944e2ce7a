import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { computeReport } from '../../../server/reports/computeReport.ts';
import { reportKinds } from '../../../server/contract/reportRows.ts';
import { openHistoryReader } from '../../../server/store/telemetry/historyReader.ts';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { batch } from '../store/telemetry/sampleRows.ts';
import { openSampleStore } from '../store/telemetry/sampleStore.ts';
import { temporaryFolder } from '../store/temporaryFolder.ts';
import { day, driveFrom, hour, minute, numbers, orderFor, readerOf, van, yard } from './drives.ts';

const start = Date.parse('2026-11-10T08:00:00Z');

/** A reader of a real database into which the rows came in their order, so many at once. */
async function storedReader(rows: readonly PositionRow[], atOnce: number) {
  const folder = await temporaryFolder();
  const store = await openSampleStore({ folder });
  for (let at = 0; at < rows.length; at += atOnce) {
    await store.commit(batch({ positions: rows.slice(at, at + atOnce) }));
  }
  const reader = openHistoryReader(join(folder, 'telemetry.db'));
  onTestFinished(() => reader.close());
  return reader;
}

/** The same order each time, and not the order of time. */
function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((it, at) => ({ it, key: (at * 7_919) % 1_009 }))
    .sort((a, b) => a.key - b.key)
    .map(({ it }) => it);
}

const drive = driveFrom(start)
  .stand(hour)
  .go(50, hour)
  .stand(2 * hour)
  .go(60, hour);
drive
  .keepSilent(2 * day, 30_000)
  .go(40, hour)
  .stand(3 * hour)
  .keepSilent(12 * hour)
  .go(30, 20 * minute)
  .stand(hour);

test('no report depends on the order in which the positions came, or on how often', async () => {
  const inOrder = await storedReader(drive.rows, 500);
  const late = shuffled(drive.rows).map((row, at) => ({ ...row, received_ms: start + 9 * day + at }));
  const mixed = await storedReader([...late, ...drive.rows.slice(100, 300), ...late.slice(0, 50)], 170);
  for (const kind of reportKinds.filter((it) => it !== 'events' && it !== 'video')) {
    for (const [from, length] of [
      [0, 6 * day],
      [90 * minute, 3 * hour],
      [20 * hour, 5 * day],
    ] as const) {
      const period = { from_ms: start + from, to_ms: start + from + length };
      const order = orderFor(kind, period, {
        geofences: [yard({ radius_m: 200_000 })],
        limit_kmh: 30,
      });
      const expected = computeReport(order, readerOf(drive.rows), () => undefined);
      if (expected.kind !== 'report') throw new Error('no report');
      expect(expected.report.rows).not.toEqual([]);
      expect(computeReport(order, inOrder, () => undefined)).toEqual(expected);
      expect(computeReport(order, mixed, () => undefined)).toEqual(expected);
    }
  }
});

test('a report reads on after its period only until all that is in it is decided', () => {
  const reader = readerOf(drive.rows);
  let newest = 0;
  const watched = {
    ...reader,
    *odometerFixes(...given: Parameters<typeof reader.odometerFixes>) {
      for (const row of reader.odometerFixes(...given)) {
        newest = Math.max(newest, row.time_ms);
        yield row;
      }
    },
  };
  // In the middle of the first drive: it is a trip already, and need not be read to its end.
  const period = { from_ms: start, to_ms: start + 90 * minute };
  computeReport(orderFor('trips', period), watched, () => undefined);
  expect(newest).toBeLessThan(period.to_ms + 3 * minute);
});

test('a report reads at most seven days before the period for vehicles that send without a gap', () => {
  const long = driveFrom(start);
  for (let at = 0; at < 40; at += 1) long.stand(4 * hour, { every_s: 600 }).go(40, 2 * hour, { every_s: 60 });
  const reader = readerOf(long.rows);
  let oldest = Infinity;
  const watched = {
    ...reader,
    *odometerFixes(vehicle_id: string, from_ms: number, to_ms: number) {
      oldest = Math.min(oldest, from_ms);
      yield* reader.odometerFixes(vehicle_id, from_ms, to_ms);
    },
  };
  const period = { from_ms: start + 9 * day, to_ms: start + 10 * day };
  const result = computeReport(orderFor('trips', period), watched, () => undefined);
  expect(oldest).toBe(period.from_ms - 7 * day);
  // The same as with all that is known.
  const whole = computeReport(
    orderFor('trips', period, { numbers: { ...numbers } }),
    { ...reader, odometerFixes: (id, _from, to) => reader.odometerFixes(id, 0, to) },
    () => undefined,
  );
  expect(result).toEqual(whole);
});

test('a report reads other vehicles from the last position before the last gap, also when that lies over the edge of a day', () => {
  for (const gap_ms of [start + 4 * day - 30 * minute, start + 4 * day - 3 * hour, start + 3 * day]) {
    const { rows } = driveFrom(start, { lat: 40, lon: 13 })
      .stand(gap_ms - start, { every_s: 600 })
      .keepSilent(2 * hour)
      .stand(4 * day, { every_s: 600 });
    const reader = readerOf(rows);
    const read: number[] = [];
    const watched = {
      ...reader,
      *odometerFixes(vehicle_id: string, from_ms: number, to_ms: number) {
        read.push(from_ms);
        yield* reader.odometerFixes(vehicle_id, from_ms, to_ms);
      },
    };
    const period = { from_ms: start + 6 * day, to_ms: start + 7 * day };
    computeReport(orderFor('stops', period), watched, () => undefined);
    expect(read).toEqual([gap_ms]);
  }
});

test('a report shows its progress up to the end, and stops at more rows than an answer holds', () => {
  const shares: number[] = [];
  const vehicles = Array.from({ length: 20 }, () => van);
  const order = orderFor('trips', { from_ms: start, to_ms: start + 6 * day }, { vehicles });
  const result = computeReport(order, readerOf(drive.rows), (share) => shares.push(share));
  if (result.kind !== 'report') throw new Error(`answered ${result.kind}`);
  expect(result.report).toMatchObject({ vehicles: 20, positions: 20 * drive.rows.length });
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
  const few = { json: result.report.rows.length - 1, csv: 100 };
  expect(computeReport(order, readerOf(drive.rows), () => undefined, undefined, few)).toEqual({
    kind: 'too_long',
    max: few.json,
  });
});
