import { expect } from 'vitest';
import type { ReportThresholds, ReportVehicle } from '../../../server/reports/reportOrder.ts';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { hour, minute, reportOn, spanOf } from './drives.ts';
import { naiveReports } from './naiveReports.ts';

/** Compares the reports on one vehicle's whole track with the naive ones; hands back what they add up to. */
export function expectSameReports(
  rows: readonly PositionRow[],
  numbers: ReportThresholds,
  vehicle: ReportVehicle,
) {
  const naive = naiveReports(rows, numbers);
  const span = spanOf(rows);
  const period = { from_ms: span.from_ms - 3 * hour - 7 * minute, to_ms: span.to_ms };
  const more = { period, numbers, vehicles: [vehicle], tz: 'America/Chicago' };
  const iso = (ms: number) => new Date(ms).toISOString();

  const trips = reportOn('trips', rows, more).rows;
  expect(
    trips.map((it) => [it.start_time, it.end_time, it.positions, it.max_speed_kmh, it.idle_s, it.duration_s]),
  ).toEqual(
    naive.trips.map((it) => [
      iso(it.from_ms),
      iso(it.to_ms),
      it.positions,
      it.max_speed_kmh,
      it.idle_ms / 1_000,
      (it.to_ms - it.from_ms) / 1_000,
    ]),
  );
  for (const [at, { distance_m }] of naive.trips.entries()) {
    expect(trips[at]?.distance_m).toBeCloseTo(distance_m, 0);
  }

  const stops = reportOn('stops', rows, more).rows;
  const gapS = (gaps: { from: string; to: string }[]) =>
    gaps.reduce((sum, it) => sum + Date.parse(it.to) - Date.parse(it.from), 0) / 1_000;
  expect(
    stops.map((it) => [it.start_time, it.end_time, gapS(it.gaps), it.ignition_on_s, it.positions]),
  ).toEqual(
    naive.stops.map((it) => [
      iso(it.from_ms),
      iso(it.to_ms),
      it.gap_ms / 1_000,
      it.ignition_ms / 1_000,
      it.positions,
    ]),
  );

  const [summary] = reportOn('summary', rows, more).rows;
  const total = naive.totals(period);
  expect(summary).toMatchObject({
    driving_s: total.driving_ms / 1_000,
    stopped_s: total.stopped_ms / 1_000,
    idle_s: total.idle_ms / 1_000,
    trips: naive.trips.length,
    stops: naive.stops.length,
  });
  let [from_ms, driving_s, known_s] = [period.from_ms, 0, 0];
  for (const day of summary?.days ?? []) {
    const length_s = day.driving_s + day.stopped_s + day.gap_s;
    const to_ms = from_ms + Math.round(length_s * 1_000);
    const naiveDay = naive.totals({ from_ms, to_ms });
    expect(day.driving_s).toBeCloseTo(naiveDay.driving_ms / 1_000, 3);
    expect(day.stopped_s).toBeCloseTo(naiveDay.stopped_ms / 1_000, 3);
    expect(day.distance_m).toBeCloseTo(naiveDay.distance_m, 0);
    driving_s += day.driving_s;
    known_s += length_s;
    from_ms = to_ms;
  }
  expect(driving_s).toBeCloseTo(summary?.driving_s ?? 0, 3);
  expect(known_s).toBeCloseTo((period.to_ms - period.from_ms) / 1_000, 3);
  return { trips: trips.length, stops: stops.length, distance_m: summary?.distance_m ?? 0 };
}
