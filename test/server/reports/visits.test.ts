import { describe, expect, test } from 'vitest';
import { day, driveFrom, hour, minute, reportOn, van, yard } from './drives.ts';

const start = Date.parse('2026-11-20T08:00:00Z');
const iso = (ms: number) => new Date(ms).toISOString();
const geozone_id = '11111111-1111-4111-8111-111111111111';
const wide = yard({ geozone_id, radius_m: 1_000 });

describe('the visits of geofences', () => {
  test('the visits of geofences are computed from positions, with the way driven inside and the fastest speed there', () => {
    const drive = driveFrom(start - day, { lat: 51.9, lon: 13 }).stand(minute);
    // 11.1 km to the middle: it is inside from 10.1 to 12.1 km on.
    drive.go(36, 30 * minute).stand(hour);
    const { rows, numbers } = reportOn('geofence-visits', drive.rows, { geofences: [wide] });
    expect(rows).toMatchObject([
      { vehicle_id: 'v1', geozone_id, open_start: false, open_end: false, gaps: [] },
    ]);
    expect(rows[0]?.duration_s).toBeCloseTo(200, -1.5);
    expect(rows[0]?.distance_m).toBeCloseTo((rows[0]?.duration_s ?? 0) * 10, 0);
    expect(rows[0]?.max_speed_kmh).toBe(36);
    expect(numbers).toMatchObject({ crossing_max_gap_s: 300, trip_radius_m: 200 });
  });

  test('the visits of geofences that began before the period or last beyond it are open, and have the way within alone', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .go(36, 10 * minute)
      .stand(hour);
    const large = yard({ geozone_id, radius_m: 50_000 });
    const period = { from_ms: start + 12 * minute, to_ms: start + 15 * minute };
    const { rows } = reportOn('geofence-visits', drive.rows, { geofences: [large], period });
    expect(rows).toMatchObject([
      {
        enter_time: iso(period.from_ms),
        exit_time: iso(period.to_ms),
        open_start: true,
        open_end: true,
        duration_s: 180,
      },
    ]);
    expect(rows[0]?.distance_m).toBeCloseTo(1_800, 0);
  });

  test('standing inside is no way, however the position jitters', () => {
    const drive = driveFrom(start);
    for (let at = 0; at < 100; at += 1) drive.stand(30_000, { lon: 13 + (at % 5) * 1e-4, every_s: 30 });
    const { rows } = reportOn('geofence-visits', drive.rows, { geofences: [wide] });
    expect(rows).toMatchObject([{ distance_m: 0, max_speed_kmh: 0, open_end: true }]);
  });

  test('the visits of geofences show how long no message came', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .keepSilent(hour)
      .stand(10 * minute);
    const { rows } = reportOn('geofence-visits', drive.rows, { geofences: [wide] });
    expect(rows[0]?.gaps).toEqual([
      { from: iso(start + 10 * minute), to: iso(start + 10 * minute + hour + 10_000) },
    ]);
  });

  test('the visits of geofences shorter than min_duration_s are left out, but for open ones', () => {
    const drive = driveFrom(start, { lat: 51.95, lon: 13 })
      .stand(minute)
      .go(72, 10 * minute)
      .stand(hour);
    const visits = (min_duration_s: number, to_ms = start + day) =>
      reportOn('geofence-visits', drive.rows, {
        geofences: [wide],
        min_duration_s,
        period: { from_ms: start, to_ms },
      }).rows.length;
    const [{ duration_s, enter_time } = { duration_s: 0, enter_time: '' }] = reportOn(
      'geofence-visits',
      drive.rows,
      { geofences: [wide] },
    ).rows;
    expect(visits(duration_s)).toBe(1);
    expect(visits(duration_s + 1)).toBe(0);
    expect(visits(duration_s + 1, Date.parse(enter_time) + 30_000)).toBe(1);
  });

  test('the visits of geofences of a vehicle are those of the geofences that hold for it, in order of time', () => {
    const group = '91111111-1111-4111-8111-111111111111';
    const drive = driveFrom(start)
      .stand(10 * minute)
      .go(36, 20 * minute)
      .stand(hour);
    const geofences = [
      yard({ geozone_id: group, group_ids: [group], name: 'Group' }),
      yard({ geozone_id, geometry: { type: 'Point', coordinates: [13, 52.05] }, radius_m: 500 }),
    ];
    const ids = (group_ids: string[]) =>
      reportOn('geofence-visits', drive.rows, { geofences, vehicles: [{ ...van, group_ids }] }).rows.map(
        (it) => it.geozone_id,
      );
    expect(ids([group])).toEqual([group, geozone_id]);
    expect(ids([])).toEqual([geozone_id]);
  });
});
