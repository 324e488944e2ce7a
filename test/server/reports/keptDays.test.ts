import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { computeReport } from '../../../server/reports/computeReport.ts';
import type { ReportJob } from '../../../server/reports/reportOrder.ts';
import type { Store } from '../../../server/store/operations.ts';
import { openDatabase } from '../../../server/store/telemetry/database.ts';
import { keepDays, keptDays, type NewDays } from '../../../server/store/telemetry/dayRecordsTable.ts';
import { commitGroup } from '../../../server/store/telemetry/groupCommit.ts';
import { openHistoryReader, type HistoryReader } from '../../../server/store/telemetry/historyReader.ts';
import { packPositions } from '../../../server/store/telemetry/positionsTable.ts';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { batch } from '../store/telemetry/sampleRows.ts';
import { openSampleStore, pruneAll } from '../store/telemetry/sampleStore.ts';
import { temporaryFolder } from '../store/temporaryFolder.ts';
import { anyTrack } from './anyTrack.ts';
import { day, driveFrom, hour, minute, numbers, orderFor, readerOf, van } from './drives.ts';

const kinds = ['summary', 'daily', 'utilisation', 'hours'] as const;
const start = Date.parse('2026-11-20T08:00:00Z');
const wide = { from_ms: start - 2 * day, to_ms: start + 6 * day };
/** Whole days of UTC. */
const midnight = Date.parse('2026-11-20T00:00:00Z');
const period = { from_ms: midnight - 2 * day, to_ms: midnight + 6 * day };

async function openDepotOf() {
  const folder = await temporaryFolder();
  const store = await openSampleStore({ folder });
  const reader = openHistoryReader(join(folder, 'telemetry.db'));
  onTestFinished(() => reader.close());
  return { file: join(folder, 'telemetry.db'), store, ...counted(reader) };
}

/** Counts how often a track was read. */
function counted(reader: HistoryReader) {
  const reads = { number: 0 };
  const counting: HistoryReader = {
    ...reader,
    odometerFixes(...given) {
      reads.number += 1;
      return reader.odometerFixes(...given);
    },
  };
  return { reader: counting, reads };
}

function run(order: ReportJob, reader: HistoryReader) {
  const days: NewDays[] = [];
  const result = computeReport(
    order,
    reader,
    () => undefined,
    (it) => void days.push(it),
  );
  if (result.kind !== 'report') throw new Error(result.kind);
  return { report: result.report, days };
}

/** Runs a report of each kind by days, and keeps what is to be kept. */
async function runAndKeep(store: Store, reader: HistoryReader, more: Partial<ReportJob>) {
  const reports = [];
  for (const kind of kinds) {
    const { report, days } = run(orderFor(kind, more.period ?? wide, more), reader);
    for (const it of days) await store.keepDays(it);
    reports.push(report);
  }
  return reports;
}

const fresh = (rows: readonly PositionRow[], more: Partial<ReportJob>) =>
  kinds.map((kind) => run(orderFor(kind, more.period ?? wide, more), readerOf(rows)).report);

test('reports of days that were kept are those that are worked out anew, whatever came late or was deleted', async () => {
  const { store, reader } = await openDepotOf();
  let number = 0;
  await fc.assert(
    fc.asyncProperty(
      anyTrack,
      fc.array(fc.tuple(fc.nat(), fc.nat(), fc.boolean()), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('UTC', 'Asia/Tokyo', 'America/St_Johns'),
      fc.integer({ min: -30, max: 30 }),
      async (track, changes, tz, shift) => {
        const vehicle_id = `v${(number += 1)}`;
        const rows = track.map((row) => ({ ...row, vehicle_id }));
        const period = { from_ms: wide.from_ms + shift * hour, to_ms: wide.to_ms + shift * minute };
        const more = { tz, period, vehicles: [{ ...van, vehicle_id }] };
        // Each change brings a part that was left out, or takes one away.
        const parts = changes.map(([at, length, isLate]) => {
          const from = at % rows.length;
          return { rows: rows.slice(from, from + 1 + (length % 40)), isLate };
        });
        const late = new Set(parts.filter((it) => it.isLate).flatMap((it) => it.rows));
        const stored = new Map(rows.filter((it) => !late.has(it)).map((it) => [it.time_ms, it]));
        await store.commit(batch({ positions: [...stored.values()] }));
        expect(await runAndKeep(store, reader, more)).toEqual(fresh([...stored.values()], more));
        for (const part of parts) {
          if (part.isLate) {
            for (const it of part.rows) stored.set(it.time_ms, it);
            await store.commit(batch({ positions: part.rows }));
          } else {
            const [from_ms, to_ms] = [part.rows[0]?.time_ms ?? 0, (part.rows.at(-1)?.time_ms ?? 0) + 1];
            for (const ms of [...stored.keys()]) if (ms >= from_ms && ms < to_ms) stored.delete(ms);
            await store.deleteVehicleData({ vehicle_id, from_ms, to_ms });
          }
          expect(await runAndKeep(store, reader, more)).toEqual(fresh([...stored.values()], more));
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('days that were kept are not read again, and those of other thresholds are', async () => {
  const { store, reader, reads } = await openDepotOf();
  const drive = driveFrom(start).go(50, hour).stand(hour).keepSilent(day).go(50, hour);
  await store.commit(batch({ positions: drive.rows }));
  const of = async (more: Partial<ReportJob> = {}) => {
    const before = reads.number;
    await runAndKeep(store, reader, { period, ...more });
    return reads.number - before;
  };
  expect(await of()).toBe(1);
  expect(await of()).toBe(0);
  expect(await of({ numbers: { ...numbers, trip_min_m: 5_000 } })).toBe(1);
  // Part of them are the same days; those of another zone are not.
  expect(await of({ period: { from_ms: midnight, to_ms: midnight + day } })).toBe(0);
  expect(await of({ tz: 'Asia/Tokyo' })).toBeGreaterThan(0);
  // By driver only a day that several drove is read: here by each of the four kinds.
  const drives = [{ from_ms: start, to_ms: start + 2 * day, driver_id: 'anna', name: 'Anna' }];
  expect(await of({ by_driver: true })).toBe(0);
  expect(await of({ by_driver: true, vehicles: [{ ...van, drives }] })).toBe(2 * kinds.length);
  // A position that comes in order changes no day that was decided before it.
  const time_ms = start + 20 * day;
  await store.commit(batch({ positions: drive.rows.slice(-1).map((row) => ({ ...row, time_ms })) }));
  expect(await of({ period: { from_ms: period.from_ms, to_ms: midnight + day } })).toBe(0);
  // What is of today is worked out each time, and what is of yesterday where it may go on.
  const now_ms = drive.now().time_ms + 10 * minute;
  const newer = { numbers: { ...numbers, trip_min_m: 7_000 }, now_ms };
  expect(await of(newer)).toBeGreaterThan(0);
  expect(await of(newer)).toBeGreaterThan(0);
});

test('days are dropped when positions are pruned, and with their vehicle', async () => {
  const { store, reader, reads, file } = await openDepotOf();
  const drive = driveFrom(start).go(50, hour).stand(hour);
  const received_ms = start;
  await store.commit(batch({ positions: drive.rows.map((row) => ({ ...row, received_ms })) }));
  await runAndKeep(store, reader, { period });
  await pruneAll(store, { positions_ms: start + 1 });
  const [summary] = await runAndKeep(store, reader, { period });
  expect(summary?.rows).toMatchObject([{ positions: 0, distance_m: 0 }]);
  expect(reads.number).toBe(2);
  await store.forgetVehicle(van.vehicle_id);
  const db = openDatabase(file, { readOnly: true });
  onTestFinished(() => db.close());
  for (const table of ['day_records', 'day_record_sets', 'track_revisions'])
    expect(db.all(`SELECT * FROM ${table}`)).toEqual([]);
});

test('days are not kept when positions came late, or went, while they were worked out', async () => {
  const { store, reader } = await openDepotOf();
  const drive = driveFrom(start)
    .go(50, hour)
    .stand(hour)
    .keepSilent(2 * day)
    .stand(hour);
  const [held = drive.rows[0], ...rows] = drive.rows.slice(30);
  await store.commit(batch({ positions: [...drive.rows.slice(0, 30), ...rows] }));
  const order = orderFor('daily', period);
  const early = run(order, reader).days;
  if (held !== undefined) await store.commit(batch({ positions: [held] }));
  for (const it of early) await store.keepDays(it);
  expect(run(order, reader).report).toEqual(run(order, readerOf(drive.rows)).report);

  // Days up to the end of the data are not kept when there is more of it.
  const open = run(order, reader).days;
  const last = drive.rows.at(-1);
  if (last !== undefined)
    await store.commit(batch({ positions: [{ ...last, time_ms: last.time_ms + day }] }));
  for (const it of open) await store.keepDays(it);
  const { days } = reader.keptDays(van.vehicle_id, open[0]?.thresholds ?? '', period);
  // From the last gap on all depends on the end.
  expect(days.map(([from_ms]) => from_ms)).toEqual([-2, -1, 0, 1].map((at) => midnight + at * day));
});

test('days that a failed commit would have dropped are dropped by the next one', async () => {
  const { store, reader, file } = await openDepotOf();
  const drive = driveFrom(start).go(50, hour).stand(hour);
  await store.commit(batch({ positions: drive.rows }));
  const order = orderFor('daily', period);
  const [days] = run(order, reader).days;
  const db = openDatabase(file, { readOnly: false });
  onTestFinished(() => db.close());
  if (days !== undefined) keepDays({ db, at_ms: 1, by: null }, days);
  const later = driveFrom(drive.now().time_ms + hour).stand(10 * minute).rows;
  const commit = (rows: readonly PositionRow[], reads: [] | null) => {
    const args = { ...batch({}), positions: packPositions(rows), reads };
    return commitGroup(db, [{ id: 1, op: 'commit', args, at_ms: 1, by: null }], () => 0);
  };
  // It fails after its positions were written.
  expect(commit(later.slice(0, 10), null)).toMatchObject([{ failure: { code: 'failed' } }]);
  expect(commit(later.slice(10), [])).toMatchObject([{ result: {} }]);
  const stored = [...drive.rows, ...later.slice(10)];
  expect(run(order, reader).report).toEqual(run(order, readerOf(stored)).report);
});

test('no more days are kept than may be: whole vehicles go, the least recently used first', async () => {
  const { store, file } = await openDepotOf();
  const vehicles = ['a', 'b', 'c'];
  for (const vehicle_id of vehicles)
    await store.commit(batch({ positions: driveFrom(start).rows.map((row) => ({ ...row, vehicle_id })) }));
  const db = openDatabase(file, { readOnly: false });
  onTestFinished(() => db.close());
  const days = (count: number) =>
    new TextEncoder().encode(
      JSON.stringify(
        Array.from({ length: count }, (_, at) => ({
          ...{
            from_ms: at * day,
            to_ms: (at + 1) * day,
            need_from_ms: 0,
            need_to_ms: 1,
            record: 'x'.repeat(10),
          },
        })),
      ),
    );
  const keep = (vehicle_id: string, at_ms: number, count: number, most = { days: 10, bytes: 1_000 }) => {
    const given = { vehicle_id, thresholds: 't', revision: 0, newest_ms: start, days: days(count) };
    keepDays({ db, at_ms, by: null }, given, most);
    return vehicles.map((it) => keptDays(db, it, 't', { from_ms: 0, to_ms: 100 * day }).days.length);
  };
  expect(keep('a', 1, 4)).toEqual([4, 0, 0]);
  expect(keep('b', 2, 4)).toEqual([4, 4, 0]);
  // `a` was used again.
  expect(keep('a', 3, 0)).toEqual([4, 4, 0]);
  expect(keep('c', 4, 4)).toEqual([4, 0, 4]);
  expect(keep('b', 5, 4, { days: 1_000, bytes: 85 })).toEqual([0, 4, 4]);
});
