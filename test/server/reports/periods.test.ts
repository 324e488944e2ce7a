import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { VehicleSummary } from '../../../server/contract/reportRows.ts';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { anyTrack } from './anyTrack.ts';
import { day, driveFrom, hour, minute, numbers, reportOn, spanOf, van } from './drives.ts';
import { naiveReports } from './naiveReports.ts';
import { expectSameReports } from './sameReports.ts';

const adding = ['driving_s', 'stopped_s', 'idle_s', 'gap_s', 'trips', 'stops', 'positions'] as const;

function summaryOf(rows: readonly PositionRow[], from_ms: number, to_ms: number): VehicleSummary {
  const [row] = reportOn('summary', rows, { period: { from_ms, to_ms } }).rows;
  if (row === undefined) throw new Error('no row');
  return row;
}

describe('a period that is split in two', () => {
  test('a period that is split in two has the sums of its parts', () => {
    fc.assert(
      fc.property(anyTrack, fc.double({ min: 0, max: 1, noNaN: true }), (rows, share) => {
        const span = spanOf(rows);
        const from_ms = span.from_ms - hour;
        const middle_ms = Math.round(from_ms + share * (span.to_ms - from_ms - 2)) + 1;
        const whole = summaryOf(rows, from_ms, span.to_ms);
        const parts = [summaryOf(rows, from_ms, middle_ms), summaryOf(rows, middle_ms, span.to_ms)];
        for (const field of adding) {
          expect(parts.reduce((sum, part) => sum + part[field], 0)).toBeCloseTo(whole[field], 3);
        }
        const distance_m = parts.reduce((sum, part) => sum + part.distance_m, 0);
        expect(Math.abs(distance_m - whole.distance_m)).toBeLessThan(0.5);
        const odometer_m = parts.reduce((sum, part) => sum + (part.odometer_m ?? 0), 0);
        expect(Math.abs(odometer_m - (whole.odometer_m ?? 0))).toBeLessThan(0.5);
      }),
      { numRuns: 100 },
    );
  });

  test.each(['trips', 'stops'] as const)(
    'a period that is split in two has the %s of its parts, with those on the border cut in two',
    (kind) => {
      fc.assert(
        fc.property(anyTrack, fc.nat(), fc.boolean(), (rows, at, onFix) => {
          const span = spanOf(rows);
          const fix_ms = rows[at % rows.length]?.time_ms ?? 0;
          const middle_ms = onFix ? fix_ms : fix_ms + 1 + (at % 9_000);
          fc.pre(middle_ms > span.from_ms && middle_ms < span.to_ms);
          const ends = (from_ms: number, to_ms: number) =>
            reportOn(kind, rows, { period: { from_ms, to_ms } }).rows.map((it) => ({
              start_time: it.start_time,
              end_time: it.end_time,
              open_start: it.open_start,
              open_end: it.open_end,
              positions: it.positions,
              idle_s: it.idle_s,
            }));
          const whole = ends(span.from_ms, span.to_ms);
          const [before, after] = [ends(span.from_ms, middle_ms), ends(middle_ms, span.to_ms)];
          const border = new Date(middle_ms).toISOString();
          const [last, first] = [before.at(-1), after[0]];
          if (
            last?.end_time === border &&
            first?.start_time === border &&
            last.open_end &&
            first.open_start
          ) {
            before[before.length - 1] = {
              ...first,
              start_time: last.start_time,
              open_start: last.open_start,
              positions: last.positions + first.positions,
              idle_s: expect.closeTo(last.idle_s + first.idle_s, 3) as number,
            };
            after.shift();
          }
          // What ends on the very border has its last position, which is not in the first period, there alone.
          const shown = (list: typeof whole) =>
            list.map((it) => (it.end_time === border ? { ...it, positions: 0 } : it));
          expect(shown([...before, ...after])).toEqual(shown(whole));
        }),
        { numRuns: 100 },
      );
    },
  );
});

test('trips, stops and days of any track are what looking at the whole track at once finds', () => {
  fc.assert(
    fc.property(anyTrack, (rows) => void expectSameReports(rows, numbers, van)),
    { numRuns: 100 },
  );
});

test('a period that is split in two has the hours of its parts', () => {
  fc.assert(
    fc.property(anyTrack, fc.double({ min: 0, max: 1, noNaN: true }), (rows, share) => {
      const span = spanOf(rows);
      const middle_ms = Math.round(span.from_ms + share * (span.to_ms - span.from_ms - 2)) + 1;
      const hoursOf = (from_ms: number, to_ms: number) => {
        const [row] = reportOn('hours', rows, { period: { from_ms, to_ms } }).rows;
        if (row === undefined) throw new Error('no row');
        return [row.out_of_hours_s, ...row.hours.flatMap((it) => [it.driving_s, it.stopped_s])];
      };
      const [first, second] = [hoursOf(span.from_ms, middle_ms), hoursOf(middle_ms, span.to_ms)];
      for (const [at, whole] of hoursOf(span.from_ms, span.to_ms).entries())
        expect((first[at] ?? NaN) + (second[at] ?? NaN)).toBeCloseTo(whole, 3);
    }),
    { numRuns: 50 },
  );
});

test('days and hours of any track are what looking at the whole track at once finds', () => {
  fc.assert(
    fc.property(anyTrack, (rows) => {
      const naive = naiveReports(rows, numbers);
      const { from_ms: first_ms, to_ms } = spanOf(rows);
      const from_ms = first_ms - (first_ms % day);
      const asked = { period: { from_ms, to_ms } };
      const days = reportOn('utilisation', rows, asked).rows;
      for (const [at, it] of days.entries()) {
        const begin_ms = from_ms + at * day;
        const total = naive.totals({ from_ms: begin_ms, to_ms: begin_ms + it.day_s * 1_000 });
        expect(it.driving_s).toBeCloseTo(total.driving_ms / 1_000, 3);
        expect(it.stopped_s).toBeCloseTo(total.stopped_ms / 1_000, 3);
        expect(it.driving_s + it.stopped_s + it.gap_s).toBeCloseTo(it.day_s, 3);
      }
      const [row] = reportOn('hours', rows, asked).rows;
      for (const [hourOfDay, it] of row?.hours.entries() ?? []) {
        let [driving_ms, stopped_ms] = [0, 0];
        for (let ms = from_ms + hourOfDay * hour; ms < to_ms; ms += day) {
          const total = naive.totals({ from_ms: ms, to_ms: ms + hour });
          driving_ms += total.driving_ms;
          stopped_ms += total.stopped_ms;
        }
        expect(it.driving_s).toBeCloseTo(driving_ms / 1_000, 3);
        expect(it.stopped_s).toBeCloseTo(stopped_ms / 1_000, 3);
      }
    }),
    { numRuns: 30 },
  );
});

test('a track of which positions are left out has the same trips, as long as the others lie close enough', () => {
  const minutes = fc.integer({ min: 6, max: 40 });
  const anyDay = fc.array(
    fc.record({ drives: minutes, stands: minutes, kmh: fc.integer({ min: 20, max: 110 }) }),
    {
      minLength: 1,
      maxLength: 6,
    },
  );
  fc.assert(
    fc.property(anyDay, fc.integer({ min: 2, max: 4 }), fc.nat(3), (steps, nth, first) => {
      const drive = driveFrom(Date.parse('2026-11-20T08:00:00Z'));
      for (const { drives, stands, kmh } of steps) drive.go(kmh, drives * minute).stand(stands * minute);
      const { rows } = drive;
      const period = spanOf(rows);
      const trips = (of: readonly PositionRow[]) => reportOn('trips', of, { period }).rows.length;
      expect(trips(rows)).toBe(steps.length);
      expect(trips(rows.filter((_, at) => at === 0 || at % nth === first % nth))).toBe(steps.length);
    }),
    { numRuns: 50 },
  );
});
