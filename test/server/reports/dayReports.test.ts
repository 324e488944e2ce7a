import { describe, expect, test } from 'vitest';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { day, driveFrom, hour, minute, reportOn } from './drives.ts';

const iso = (ms: number) => new Date(ms).toISOString();
/** A Friday in Berlin, at midnight. */
const friday = Date.parse('2026-11-19T23:00:00Z');
const tz = 'Europe/Berlin';

function period(days: number) {
  return { from_ms: friday, to_ms: friday + days * day };
}

/** Drives from 04:00 to 07:30 and, over midnight, from 23:00 on; stands in between, and is silent at noon. */
function nightShift(): PositionRow[] {
  const drive = driveFrom(friday + 2 * hour)
    .stand(2 * hour)
    .go(36, 3.5 * hour)
    .stand(hour)
    .keepSilent(4 * hour);
  drive.stand(friday + 23 * hour - drive.now().time_ms).go(72, 3 * hour);
  return drive.stand(2 * hour).rows;
}

describe('a daily report', () => {
  test('a daily report has a row a day with departure, arrival and gaps, and lists what is open at an end', () => {
    const rows = nightShift();
    const { rows: days } = reportOn('daily', rows, { period: period(2), tz });
    expect(days).toMatchObject([
      {
        ...{ date: '2026-11-20', first_departure: iso(friday + 4 * hour), last_arrival: iso(friday + day) },
        ...{
          open_start: false,
          open_end: true,
          trips: 2,
          driving_s: 4.5 * 3_600 + 10,
          distance_by: 'odometer',
        },
        gaps: [
          { from: iso(friday), to: iso(friday + 2 * hour) },
          { from: iso(friday + 8.5 * hour), to: iso(friday + 12.5 * hour + 10_000) },
        ],
      },
      {
        ...{ date: '2026-11-21', first_departure: iso(friday + day), trips: 0, driving_s: 2 * 3_600 + 10 },
        ...{ open_start: true, open_end: false, gaps: [{ to: iso(friday + 2 * day) }] },
      },
    ]);
    for (const it of days) expect(it.driving_s + it.stopped_s + it.gap_s).toBeCloseTo(86_400, 6);
    // What is driven over midnight is cut there.
    expect(days[1]?.distance_m).toBeCloseTo(2 * 72_000, -3);
  });

  test('a daily report of data that begins and ends while the vehicle drives says so', () => {
    const drive = driveFrom(friday + 8 * hour).go(50, hour);
    const rows = drive.rows.slice(1);
    const of = (now_ms: number) => reportOn('daily', rows, { period: period(1), tz, now_ms }).rows[0];
    expect(of(friday + 9 * hour + minute)).toMatchObject({ open_start: true, open_end: true });
    // An hour without data later it has ended.
    expect(of(friday + 11 * hour)).toMatchObject({ open_start: true, open_end: false });
  });

  test('a daily report says by what the distance was measured', () => {
    const drive = driveFrom(friday + 8 * hour)
      .stand(10 * minute)
      .go(36, 20 * minute);
    drive.stand(10 * minute);
    const by = (rows: readonly PositionRow[]) => {
      const {
        distance_by,
        distance_m = 0,
        track_m = 0,
      } = reportOn('daily', rows, { period: period(1), tz }).rows[0] ?? {};
      return { distance_by, ratio: Math.round((100 * distance_m) / track_m) / 100 };
    };
    const counted = drive.rows.map((row) => ({ ...row, odometer_m: 5_000 + 1.1 * (row.odometer_m ?? 0) }));
    expect(by(counted)).toEqual({ distance_by: 'odometer', ratio: 1.1 });
    expect(by(drive.rows.map((row) => ({ ...row, odometer_m: null })))).toEqual({
      distance_by: 'track',
      ratio: 1,
    });
    expect(by(drive.rows.map((row) => ({ ...row, odometer_m: 0 })))).toEqual({
      distance_by: 'track',
      ratio: 1,
    });
    const half = counted.map((row, at) => (at % 120 < 60 ? row : { ...row, odometer_m: null }));
    expect(by(half)).toMatchObject({ distance_by: 'mixed' });
    // A reading that is set back or jumps is not believed.
    const swapped = counted.map((row, at) => (at === 100 ? { ...row, odometer_m: 9e6 } : row));
    expect(by(swapped)).toEqual({ distance_by: 'mixed', ratio: 1.1 });
    // Whole kilometres add up all the same, to within one.
    const coarse = counted.map((row) => ({ ...row, odometer_m: 1_000 * Math.floor(row.odometer_m / 1_000) }));
    expect(by(coarse).ratio).toBeCloseTo(1.1, 0);
  });
});

describe('a report of utilisation', () => {
  test('a report of utilisation divides each day into driving, standing and no data, also one of 25 hours', () => {
    const night = Date.parse('2026-10-24T22:00:00Z');
    const drive = driveFrom(night + hour)
      .stand(hour)
      .go(36, 8 * hour);
    drive.stand(hour);
    const span = { from_ms: night, to_ms: night + 49 * hour };
    const { rows } = reportOn('utilisation', drive.rows, { period: span, tz });
    expect(rows.map((it) => [it.date, it.day_s / 3_600])).toEqual([
      ['2026-10-25', 25],
      ['2026-10-26', 24],
    ]);
    for (const it of rows) expect(it.driving_s + it.stopped_s + it.gap_s).toBe(it.day_s);
    expect(rows[0]).toMatchObject({ driving_s: 8 * 3_600 + 10 });
  });
});

describe('a report of hours', () => {
  const working_hours = { days: [1, 2, 3, 4, 5], from: '06:00', to: '18:00' };

  test('a report of hours adds up driving by the clock, and what of it lies outside of the working hours', () => {
    const [row] = reportOn('hours', nightShift(), { period: period(2), tz, working_hours }).rows;
    const driving = row?.hours.map((it) => Math.round(it.driving_s / 60));
    // From 04:00 to 07:30, and from 23:00 to 02:00.
    expect(driving).toEqual([60, 60, 0, 0, 60, 60, 60, 30, ...Array<number>(15).fill(0), 60]);
    expect(row?.out_of_hours_s).toBeCloseTo(5 * 3_600, -2);
    expect(row?.out_of_hours_m).toBeCloseTo(2 * 36_000 + 3 * 72_000, -4);
    expect(row?.hours.reduce((sum, it) => sum + it.stopped_s, 0)).toBeCloseTo(row?.stopped_s ?? 0, 3);
  });

  test('working hours may end on the next day, and are those of the days that they begin on', () => {
    const night = { days: [5], from: '22:00', to: '01:00' };
    const [row] = reportOn('hours', nightShift(), { period: period(2), tz, working_hours: night }).rows;
    expect(row?.out_of_hours_s).toBeCloseTo(4.5 * 3_600, -2);
  });

  test('an hour that the clocks repeat counts twice', () => {
    const night = Date.parse('2026-10-24T22:00:00Z');
    const drive = driveFrom(night).go(36, 6 * hour);
    drive.stand(hour);
    const span = { from_ms: night, to_ms: night + 25 * hour };
    const [row] = reportOn('hours', drive.rows, { period: span, tz }).rows;
    expect(row?.hours.slice(0, 6).map((it) => Math.round(it.driving_s / 3_600))).toEqual([1, 1, 2, 1, 1, 0]);
  });
});
