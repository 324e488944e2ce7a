import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { day, driveFrom, metresOfDegree, minute, numbers, reportOn, second, van, yard } from './drives.ts';
import { hasRealTracks, readRealTracks } from './realTracks.ts';

const start = Date.parse('2026-11-20T08:00:00Z');
const iso = (ms: number) => new Date(ms).toISOString();

/** Above and below 80 km/h, each for a minute; then below for good. */
function drive(speeds: readonly number[]): PositionRow[] {
  const made = driveFrom(start);
  for (const kmh of speeds) made.go(kmh, minute);
  return made.stand(10 * minute).rows;
}

describe('a report of overspeed', () => {
  test('a stretch lasts from the first position above the limit to the first that is not', () => {
    const rows = drive([70, 90, 100, 70]);
    expect(reportOn('overspeed', rows, { limit_kmh: 80 }).rows).toMatchObject([
      {
        ...{ start_time: iso(start + minute + 10 * second), end_time: iso(start + 3 * minute + 10 * second) },
        ...{ duration_s: 120, max_speed_kmh: 100, limit_kmh: 80, limit_source: 'query', positions: 12 },
        ...{ open_start: false, open_end: false, distance_by: 'odometer' },
      },
    ]);
  });

  test('a short time below the limit does not end a stretch, and a short stretch is left out', () => {
    const rows = drive([70, 90, 70, 90, 70]);
    const of = (more: object) =>
      reportOn('overspeed', rows, { limit_kmh: 80, numbers: { ...numbers, ...more } }).rows.map(
        (it) => it.duration_s,
      );
    expect(of({})).toEqual([60, 60]);
    expect(of({ overspeed_clear_s: 90 })).toEqual([180]);
    expect(of({ overspeed_min_duration_s: 61 })).toEqual([]);
    expect(of({ overspeed_tolerance_kmh: 10 })).toEqual([]);
  });

  test('a gap ends a stretch at the last position before it, and the end of the data leaves it open', () => {
    const made = driveFrom(start)
      .go(90, minute)
      .keepSilent(10 * minute, 5_000)
      .go(90, minute);
    expect(
      reportOn('overspeed', made.rows, { limit_kmh: 80 }).rows.map((it) => [it.duration_s, it.open_end]),
    ).toEqual([
      [50, false],
      [50, true],
    ]);
  });

  test('without a limit in the call that of the geofence counts, else that of the vehicle', () => {
    const rows = drive([50, 90, 90, 90]);
    const inside = yard({ radius_m: 1_500, speed_limit_kmh: 40 });
    const [first, second_] = reportOn('overspeed', rows, {
      geofences: [inside],
      vehicles: [{ ...van, speed_limit_kmh: 80 }],
    }).rows;
    expect(first).toMatchObject({ limit_kmh: 40, limit_source: 'geofence', geozone_id: inside.geozone_id });
    expect(second_).toBeUndefined();
    const [own] = reportOn('overspeed', rows, { vehicles: [{ ...van, speed_limit_kmh: 80 }] }).rows;
    expect(own).toMatchObject({ limit_kmh: 80, limit_source: 'vehicle', geozone_id: null });
    expect(reportOn('overspeed', rows).rows).toEqual([]);
  });

  test('a period that is split in two has the overspeed of its parts', () => {
    const anyDrive = fc
      .array(fc.constantFrom(60, 78, 82, 90, 120), { minLength: 2, maxLength: 12 })
      .map(drive);
    fc.assert(
      fc.property(anyDrive, fc.integer({ min: 1, max: 1_000 }), (rows, at) => {
        const span = { from_ms: start - minute, to_ms: start + day };
        const middle_ms = start + at * second;
        const of = (from_ms: number, to_ms: number) =>
          reportOn('overspeed', rows, { limit_kmh: 80, period: { from_ms, to_ms } }).rows;
        const whole = of(span.from_ms, span.to_ms);
        const parts = [...of(span.from_ms, middle_ms), ...of(middle_ms, span.to_ms)];
        const sum = (list: typeof whole, field: 'duration_s' | 'distance_m' | 'positions') =>
          list.reduce((total, it) => total + it[field], 0);
        expect(sum(parts, 'duration_s')).toBeCloseTo(sum(whole, 'duration_s'), 3);
        expect(Math.abs(sum(parts, 'distance_m') - sum(whole, 'distance_m'))).toBeLessThan(0.5);
        expect(sum(parts, 'positions')).toBe(sum(whole, 'positions'));
      }),
      { numRuns: 100 },
    );
  });
});

describe.skipIf(!hasRealTracks)('on real tracks', () => {
  /** Of the car at 1 Hz, whose file has none: over the second that follows, on a flat map. One fix of it jumps. */
  function withSpeeds(rows: readonly PositionRow[]): PositionRow[] {
    return rows.map((row, at) => {
      const [a, b] = [row, rows[at + 1] ?? row];
      const east_m = (b.lon - a.lon) * metresOfDegree * Math.cos((row.lat * Math.PI) / 180);
      const m = Math.hypot(east_m, (b.lat - a.lat) * metresOfDegree);
      return { ...row, speed_kmh: Math.min(250, (3_600 * m) / Math.max(1, b.time_ms - a.time_ms)) };
    });
  }

  test('the distance of a car at 1 Hz is within 2 % of the sum of its speeds, and so is what it drove above a limit', () => {
    const rows = withSpeeds(readRealTracks().get('x0001') ?? []);
    const period = { from_ms: (rows[0]?.time_ms ?? 0) - day, to_ms: (rows.at(-1)?.time_ms ?? 0) + day };
    const asked = { period, vehicles: [{ ...van, vehicle_id: 'x0001' }] };
    const seconds = rows.slice(1).map((to, at) => {
      const from = rows[at] ?? to;
      return { kmh: from.speed_kmh ?? 0, s: (to.time_ms - from.time_ms) / 1_000 };
    });
    const sumOf = (list: typeof seconds) => list.reduce((m, { kmh, s }) => m + (kmh / 3.6) * s, 0);
    const driven_m = reportOn('daily', rows, asked).rows.reduce((m, it) => m + it.distance_m, 0);
    expect(driven_m).toBeGreaterThan(13_000);
    expect(Math.abs(driven_m / sumOf(seconds) - 1)).toBeLessThan(0.02);

    const none = { overspeed_tolerance_kmh: 0, overspeed_min_duration_s: 0, overspeed_clear_s: 0 };
    const fast = reportOn('overspeed', rows, { ...asked, limit_kmh: 50, numbers: { ...numbers, ...none } });
    const sum = (field: 'duration_s' | 'distance_m' | 'positions') =>
      fast.rows.reduce((total, it) => total + it[field], 0);
    const above = seconds.filter(({ kmh }) => kmh > 50);
    expect(above.length).toBeGreaterThan(60);
    expect(sum('positions')).toBe(above.length);
    expect(sum('duration_s')).toBe(above.reduce((total, it) => total + it.s, 0));
    expect(Math.abs(sum('distance_m') / sumOf(above) - 1)).toBeLessThan(0.02);
  });
});
