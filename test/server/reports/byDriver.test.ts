import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drivenParts } from '../../../server/reports/drivenBy.ts';
import type { ReportDrive, ReportJob } from '../../../server/reports/reportOrder.ts';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { anyTrack } from './anyTrack.ts';
import { day, driveFrom, hour, minute, numbers, reportOn, spanOf, van } from './drives.ts';
import { naiveReports } from './naiveReports.ts';

const start = Date.parse('2026-11-20T08:00:00Z');
const tz = 'Europe/Berlin';

/** Drives that follow each other, some with pauses between them, of two drivers and a card that nobody has. */
const anyDrives = fc
  .array(
    fc.record({
      who: fc.constantFrom('anna', 'ben', null),
      minutes: fc.integer({ min: 1, max: 900 }),
      pause: fc.constantFrom(0, 0, 7, 300),
    }),
    { maxLength: 8 },
  )
  .chain((spans) =>
    fc.integer({ min: -300, max: 300 }).map((first) => {
      let at_ms = start + first * minute + 1;
      return spans.map(({ who, minutes, pause }): ReportDrive => {
        const from_ms = at_ms + pause * minute;
        at_ms = from_ms + minutes * minute;
        return { from_ms, to_ms: at_ms, driver_id: who, name: who ?? 'card 7' };
      });
    }),
  );

function reportsBy(rows: readonly PositionRow[], drives: readonly ReportDrive[], more: Partial<ReportJob>) {
  const { from_ms, to_ms } = spanOf(rows);
  const period = { from_ms: from_ms - 3 * hour, to_ms: to_ms + hour };
  const asked = { period, tz, vehicles: [{ ...van, drives }], ...more };
  const of = <Kind extends 'summary' | 'daily' | 'utilisation' | 'hours'>(kind: Kind) =>
    reportOn(kind, rows, asked);
  return {
    period,
    summary: of('summary'),
    daily: of('daily'),
    utilisation: of('utilisation'),
    hours: of('hours'),
  };
}

const sumOf = <Row>(rows: readonly Row[], of: (row: Row) => number | null) =>
  rows.reduce((sum, row) => sum + (of(row) ?? 0), 0);
const near = (value: number, expected: number, of = 1) => expect(Math.abs(value - expected)).toBeLessThan(of);

test('the parts of reports by driver add up to the whole, and are what a look at the whole track finds', () => {
  fc.assert(
    fc.property(anyTrack, anyDrives, (rows, drives) => {
      const whole = reportsBy(rows, drives, { by_driver: false });
      const cut = reportsBy(rows, drives, { by_driver: true });
      expect(cut.summary.positions).toBe(whole.summary.positions);
      for (const field of [
        'driving_s',
        'stopped_s',
        'idle_s',
        'gap_s',
        'trips',
        'stops',
        'positions',
      ] as const) {
        near(
          sumOf(cut.summary.rows, (it) => it[field]),
          sumOf(whole.summary.rows, (it) => it[field]),
          0.01,
        );
        near(
          sumOf(cut.daily.rows, (it) => it[field]),
          sumOf(whole.daily.rows, (it) => it[field]),
          0.01,
        );
      }
      near(
        sumOf(cut.utilisation.rows, (it) => it.day_s),
        sumOf(whole.utilisation.rows, (it) => it.day_s),
        0.01,
      );
      // Each row is rounded to tenths.
      const slack = 0.1 * cut.daily.rows.length + 0.1;
      for (const field of ['distance_m', 'track_m', 'odometer_m'] as const)
        near(
          sumOf(cut.daily.rows, (it) => it[field]),
          sumOf(whole.daily.rows, (it) => it[field]),
          slack,
        );
      near(
        sumOf(cut.hours.rows, (it) => it.out_of_hours_s),
        sumOf(whole.hours.rows, (it) => it.out_of_hours_s),
        0.01,
      );
      near(
        sumOf(cut.hours.rows, (it) => it.out_of_hours_m),
        sumOf(whole.hours.rows, (it) => it.out_of_hours_m),
        slack,
      );
      for (let hour_ = 0; hour_ < 24; hour_++) {
        const of = ({ hours }: (typeof cut.hours.rows)[number]) => hours[hour_]?.driving_s ?? 0;
        near(sumOf(cut.hours.rows, of), sumOf(whole.hours.rows, of), 0.01);
      }
      // A day's gaps by all drivers are as long as the time that is neither driven nor stood.
      for (const { gaps, gap_s } of cut.daily.rows)
        near(
          sumOf(gaps, ({ from, to }) => (Date.parse(to) - Date.parse(from)) / 1_000),
          gap_s,
          0.01,
        );

      const naive = naiveReports(rows, numbers);
      const parts = drivenParts(whole.period, drives);
      for (const who of ['anna', 'ben', undefined]) {
        const totals = parts
          .filter(({ drive }) => (drive?.driver_id ?? undefined) === who)
          .map((it) => naive.totals(it));
        const own = cut.summary.rows.filter((it) => it.driver_id === who);
        near(
          sumOf(own, (it) => it.driving_s),
          sumOf(totals, (it) => it.driving_ms) / 1_000,
          0.01,
        );
        near(
          sumOf(own, (it) => it.stopped_s),
          sumOf(totals, (it) => it.stopped_ms) / 1_000,
          0.01,
        );
        near(
          sumOf(own, (it) => it.distance_m),
          sumOf(totals, (it) => it.distance_m),
          slack,
        );
        if (who === undefined) continue;
        // What one driver is asked for is that driver's part.
        const only = reportsBy(rows, drives, { by_driver: true, driver_id: who });
        expect(only.daily.rows).toEqual(cut.daily.rows.filter((it) => it.driver_id === who));
        expect(only.hours.rows).toEqual(cut.hours.rows.filter((it) => it.driver_id === who));
      }
    }),
    { numRuns: 25 },
  );
});

test('a day that two drivers share is cut where the second takes over, and what nobody drove is of no driver', () => {
  const rows = driveFrom(start)
    .stand(hour)
    .go(36, 4 * hour)
    .stand(2 * hour).rows;
  const drives: ReportDrive[] = [
    { from_ms: start + hour, to_ms: start + 3 * hour, driver_id: 'anna', name: 'Anna' },
    { from_ms: start + 3 * hour, to_ms: start + 6 * hour, driver_id: 'ben', name: 'Ben' },
  ];
  const period = { from_ms: start, to_ms: start + 7 * hour };
  const more = { period, tz, by_driver: true, vehicles: [{ ...van, drives }] };
  const iso = (ms: number) => new Date(ms).toISOString();
  const daily = reportOn('daily', rows, more).rows;
  expect(daily.map((it) => it.driver ?? null)).toEqual([null, 'Anna', 'Ben']);
  expect(daily).toMatchObject([
    { trips: 0, driving_s: 0, stopped_s: 2 * 3_600, open_start: false, gap_s: 0 },
    { trips: 1, driving_s: 2 * 3_600, driver_id: 'anna', first_departure: iso(start + hour), open_end: true },
    { trips: 0, driving_s: 2 * 3_600 + 10, driver_id: 'ben', open_start: true, open_end: false },
  ]);
  expect(daily[1]?.distance_m).toBeCloseTo(72_000, -3);
  expect(reportOn('utilisation', rows, more).rows.map((it) => it.day_s / 3_600)).toEqual([2, 2, 3]);
  // Where drivers are not asked for, nothing is cut.
  expect(reportOn('daily', rows, { ...more, by_driver: false }).rows).toHaveLength(1);
});

test('the parts in which somebody drove follow each other without gaps, and one driver is not cut by another card', () => {
  const drive = (from: number, to: number | null, name: string): ReportDrive => ({
    ...{ from_ms: from, to_ms: to, driver_id: name === '' ? null : name, name },
  });
  const of = (drives: ReportDrive[]) =>
    drivenParts({ from_ms: 0, to_ms: day }, drives).map((it) => [
      it.from_ms,
      it.to_ms,
      it.drive?.name ?? null,
    ]);
  expect(of([])).toEqual([[0, day, null]]);
  expect(of([drive(-5, 10, 'a'), drive(10, 20, 'a'), drive(30, null, 'b')])).toEqual([
    [0, 20, 'a'],
    [20, 30, null],
    [30, day, 'b'],
  ]);
  expect(of([drive(-9, 0, 'a'), drive(day, null, 'b')])).toEqual([[0, day, null]]);
});
