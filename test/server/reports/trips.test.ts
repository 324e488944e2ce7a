import { describe, expect, test } from 'vitest';
import { day, driveFrom, hour, minute, numbers, reportOn, second } from './drives.ts';

const start = Date.parse('2026-11-20T08:00:00Z');
const iso = (ms: number) => new Date(ms).toISOString();

describe('the trips of a vehicle', () => {
  test('the trips of a vehicle go from where it stood to where it came to rest, with what lies between', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .go(36, 10 * minute)
      .stand(20 * minute);
    const { rows, vehicles, positions } = reportOn('trips', drive.rows);
    expect({ vehicles, positions }).toEqual({ vehicles: 1, positions: drive.rows.length });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      vehicle_id: 'v1',
      start_time: iso(start + 10 * minute),
      end_time: iso(start + 20 * minute + 10 * second),
      open_start: false,
      open_end: false,
      start: { lat: 52, lon: 13 },
      max_speed_kmh: 36,
      max_speed_time: iso(start + 10 * minute + 10 * second),
      idle_s: 0,
      positions: 62,
    });
    expect(rows[0]?.distance_m).toBeCloseTo(6_000, -1);
    expect(rows[0]?.odometer_m).toBeCloseTo(6_000, 0);
    expect(rows[0]?.average_speed_kmh).toBeCloseTo((6_000 / 610) * 3.6, 1);
  });

  test('a trip that began before the period is open there, and has the distance of its part alone', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .go(36, 60 * minute)
      .stand(hour);
    const middle = start + 40 * minute + 5 * second;
    const [before] = reportOn('trips', drive.rows, { period: { from_ms: start, to_ms: middle } }).rows;
    const [after] = reportOn('trips', drive.rows, { period: { from_ms: middle, to_ms: start + day } }).rows;
    expect(before).toMatchObject({ open_start: false, open_end: true, end_time: iso(middle) });
    expect(after).toMatchObject({ open_start: true, open_end: false, start_time: iso(middle) });
    expect(before?.distance_m).toBeCloseTo(10 * (30 * 60 + 5), -1);
    expect(after?.distance_m).toBeCloseTo(10 * (30 * 60 - 5), -1);
    expect(before?.end).toEqual(after?.start);
    // By the odometer too, which is known on both sides of the cut.
    expect((before?.odometer_m ?? 0) + (after?.odometer_m ?? 0)).toBeCloseTo(36_000, 0);
  });

  test('a cut on a fix gives that fix to the part after it', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .go(36, 60 * minute)
      .stand(hour);
    const middle = start + 40 * minute;
    const [before] = reportOn('trips', drive.rows, { period: { from_ms: start, to_ms: middle } }).rows;
    const [after] = reportOn('trips', drive.rows, { period: { from_ms: middle, to_ms: start + day } }).rows;
    const [whole] = reportOn('trips', drive.rows).rows;
    expect(before).toMatchObject({ open_start: false, open_end: true });
    expect(after).toMatchObject({ open_start: true, open_end: false });
    expect((before?.positions ?? 0) + (after?.positions ?? 0)).toBe(whole?.positions);
  });

  test('a trip that still drives where the data ends is open, until the silence is long enough to end it', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .go(36, 10 * minute);
    const last = start + 20 * minute;
    const at = (now_ms: number) => reportOn('trips', drive.rows, { now_ms }).rows[0];
    expect(at(last + minute)).toMatchObject({ end_time: iso(last), open_end: true });
    expect(at(last + numbers.trip_gap_s * second)).toMatchObject({ open_end: true });
    expect(at(last + numbers.trip_gap_s * second + 1)).toMatchObject({
      end_time: iso(last),
      open_end: false,
    });
  });

  test('a trip that drives already at the first position of all is open at its start', () => {
    const drive = driveFrom(start)
      .go(36, 10 * minute)
      .stand(10 * minute);
    drive.rows.shift();
    expect(reportOn('trips', drive.rows).rows).toMatchObject([{ open_start: true, open_end: false }]);
  });

  test('positions after the period decide about a trip’s end, and the period gets nothing of them', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .go(36, 10 * minute)
      .stand(hour);
    const ended = start + 20 * minute;
    // Not yet long enough within the radius to be a stop, as far as the period reaches.
    const period = { from_ms: start, to_ms: ended + minute };
    expect(reportOn('trips', drive.rows, { period }).rows).toMatchObject([
      { end_time: iso(ended + 10 * second), open_end: false },
    ]);
  });

  test('a gap ends a trip, and is no driving', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .go(36, 10 * minute);
    drive
      .keepSilent(2 * day, 500_000)
      .go(36, 10 * minute)
      .stand(hour);
    const { rows } = reportOn('trips', drive.rows);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ end_time: iso(start + 20 * minute), open_end: false });
    // Where it drove off in the gap is not known.
    expect(rows[1]).toMatchObject({
      start_time: iso(start + 2 * day + 20 * minute + 10 * second),
      open_start: true,
    });
    expect(rows[0]?.distance_m).toBeCloseTo(6_000, -1);
    expect(rows[1]?.distance_m).toBeCloseTo(5_900, -1);
  });

  test('a short pause without data is driven through', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .go(36, 5 * minute);
    drive
      .keepSilent(30 * minute, 18_000)
      .go(36, 5 * minute)
      .stand(hour);
    const { rows } = reportOn('trips', drive.rows);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.distance_m).toBeCloseTo(24_000, -2);
  });

  test('a drive under trip_min_m is no trip, and the standing around it is one stop', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .go(10, 30 * second)
      .stand(10 * minute);
    drive.go(36, 10 * minute).stand(10 * minute);
    expect(reportOn('trips', drive.rows).rows).toHaveLength(1);
    expect(reportOn('stops', drive.rows).rows).toHaveLength(2);
    const all = { ...numbers, trip_min_m: 0 };
    expect(reportOn('trips', drive.rows, { numbers: all }).rows).toHaveLength(2);
    expect(reportOn('trips', drive.rows, { numbers: all }).numbers).toEqual(all);
  });

  test('jitter while standing is no way', () => {
    const drive = driveFrom(start);
    for (let at = 0; at < 200; at += 1) drive.stand(30 * second, { lon: 13 + (at % 7) * 2e-4, every_s: 30 });
    expect(reportOn('trips', drive.rows).rows).toEqual([]);
    expect(reportOn('summary', drive.rows).rows[0]).toMatchObject({ distance_m: 0, trips: 0, driving_s: 0 });
  });

  test('a trip over midnight is one trip, and each day has its part of it', () => {
    const late = Date.parse('2026-11-20T23:00:00Z');
    const drive = driveFrom(late)
      .stand(30 * minute)
      .go(36, hour)
      .stand(hour);
    expect(reportOn('trips', drive.rows).rows).toHaveLength(1);
    const { days } = reportOn('summary', drive.rows).rows[0] ?? { days: [] };
    expect(days).toMatchObject([
      { date: '2026-11-20', trips: 1, driving_s: 1_800 },
      { date: '2026-11-21', trips: 0, driving_s: 1_810, stopped_s: 3_590 },
    ]);
    expect(days[0]?.distance_m).toBeCloseTo(18_000, -2);
    expect(days[1]?.distance_m).toBeCloseTo(18_000, -2);
  });

  test('a position that jumps away and back is not driven to', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .go(36, 10 * minute)
      .stand(20 * minute);
    const clean = reportOn('trips', drive.rows).rows;
    const spiked = drive.rows.map((row, at) => (at === 90 || at === 130 ? { ...row, lat: 48 } : row));
    const rows = reportOn('trips', spiked).rows;
    expect(rows).toHaveLength(1);
    expect(rows[0]?.distance_m).toBeCloseTo(clean[0]?.distance_m ?? 0, 0);
    expect(rows[0]).toMatchObject({ start_time: clean[0]?.start_time, end_time: clean[0]?.end_time });
  });

  test('two false positions in a row add no way either', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .go(36, 10 * minute)
      .stand(20 * minute);
    const [clean] = reportOn('trips', drive.rows).rows;
    const spiked = drive.rows.map((row, at) => (at === 90 || at === 91 ? { ...row, lat: 48 } : row));
    const rows = reportOn('trips', spiked).rows;
    const total = rows.reduce((sum, row) => sum + row.distance_m, 0);
    expect(Math.abs(total - (clean?.distance_m ?? 0))).toBeLessThan(500);
  });

  test('a speed that no vehicle drives is not its fastest', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .go(36, 10 * minute)
      .stand(20 * minute);
    const rows = drive.rows.map((row, at) => (at === 90 ? { ...row, speed_kmh: 410 } : row));
    expect(reportOn('trips', rows).rows[0]).toMatchObject({ max_speed_kmh: 36 });
    const silent = drive.rows.map((row) => ({ ...row, speed_kmh: null }));
    expect(reportOn('trips', silent).rows[0]).toMatchObject({ max_speed_kmh: null, max_speed_time: null });
  });

  test('the odometer counts where both ends bear one, and not where it was set back', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .go(36, 10 * minute)
      .stand(20 * minute);
    const odometer = (change: (metres: number | null, at: number) => number | null) =>
      reportOn(
        'trips',
        drive.rows.map((row, at) => ({ ...row, odometer_m: change(row.odometer_m, at) })),
      ).rows[0]?.odometer_m;
    expect(odometer((it) => it)).toBeCloseTo(6_000, 0);
    expect(odometer((it, at) => (at === 60 ? null : it))).toBeNull();
    expect(odometer((it, at) => (at === 90 ? null : it))).toBeCloseTo(6_000, 0);
    expect(odometer((it) => 1e6 - (it ?? 0))).toBeNull();
  });
});
