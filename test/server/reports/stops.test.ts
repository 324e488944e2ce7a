import { describe, expect, test } from 'vitest';
import {
  day,
  driveFrom,
  hour,
  metresOfDegree,
  minute,
  numbers,
  reportOn,
  second,
  van,
  yard,
} from './drives.ts';

const start = Date.parse('2026-11-20T08:00:00Z');
const iso = (ms: number) => new Date(ms).toISOString();

describe('the stops of a vehicle', () => {
  test('the stops of a vehicle lie between its trips, with how long the ignition was on and how long it idled', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .go(36, 10 * minute);
    drive
      .go(0, 6 * minute)
      .go(0, 4 * minute, { ignition: null })
      .stand(20 * minute)
      .go(36, 10 * minute);
    const { rows } = reportOn('stops', drive.rows);
    const rest = start + 20 * minute + 10 * second;
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatchObject({
      start_time: iso(rest),
      end_time: iso(start + 50 * minute),
      open_start: false,
      open_end: false,
      duration_s: 1_790,
      // The terminal said nothing else of it for four minutes.
      ignition_on_s: 600,
      idle_s: 600,
      gaps: [],
    });
    expect(rows[1]?.place.lat).toBeCloseTo(52 + 6_000 / metresOfDegree, 4);
  });

  test('idling counts from idle_s on, and then from its beginning', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .go(36, 10 * minute);
    drive
      .go(0, 4 * minute)
      .stand(20 * minute)
      .go(36, 10 * minute)
      .stand(hour);
    const idle = (idle_s: number) =>
      reportOn('stops', drive.rows, { numbers: { ...numbers, idle_s } }).rows[1]?.idle_s;
    expect(idle(300)).toBe(0);
    expect(idle(240)).toBe(240);
    expect(idle(241)).toBe(0);
  });

  test('the first and the last one of the data are open', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .go(36, 10 * minute)
      .stand(10 * minute);
    expect(reportOn('stops', drive.rows).rows).toMatchObject([
      { start_time: iso(start), open_start: true, open_end: false },
      { end_time: iso(start + 30 * minute), open_start: false, open_end: true },
    ]);
  });

  test('a gap at one place belongs to the stop and is shown in it', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .go(36, 10 * minute);
    drive
      .keepSilent(2 * day)
      .stand(10 * minute)
      .go(36, 10 * minute)
      .stand(10 * minute);
    const { rows } = reportOn('stops', drive.rows);
    const gap = { from: iso(start + 20 * minute), to: iso(start + 20 * minute + 2 * day + 10 * second) };
    expect(rows).toHaveLength(3);
    expect(rows[1]).toMatchObject({ start_time: gap.from, open_start: false, open_end: false, gaps: [gap] });
    const [summary] = reportOn('summary', drive.rows, {
      period: { from_ms: start, to_ms: start + 3 * day },
    }).rows;
    expect(summary?.days).toHaveLength(4);
    expect(summary?.days[1]).toMatchObject({ gap_s: 86_400, stopped_s: 0, driving_s: 0, trips: 0 });
    expect((summary?.driving_s ?? 0) + (summary?.stopped_s ?? 0) + (summary?.gap_s ?? 0)).toBe(3 * 86_400);
  });

  test('a gap during which the vehicle was elsewhere belongs to no stop', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .keepSilent(2 * day, 5_000)
      .stand(10 * minute);
    const back = start + 2 * day + 10 * minute + 10 * second;
    expect(reportOn('stops', drive.rows).rows).toMatchObject([
      { start_time: iso(start), end_time: iso(start + 10 * minute), open_end: true, gaps: [] },
      { start_time: iso(back), open_start: true, gaps: [] },
    ]);
  });

  test('a stop that lasts beyond the period on both sides is open on both, also within its gap', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .keepSilent(20 * day)
      .stand(10 * minute);
    const period = { from_ms: start + 9 * day, to_ms: start + 10 * day };
    expect(reportOn('stops', drive.rows, { period }).rows).toMatchObject([
      {
        start_time: iso(period.from_ms),
        end_time: iso(period.to_ms),
        open_start: true,
        open_end: true,
        duration_s: 86_400,
        gaps: [{ from: iso(period.from_ms), to: iso(period.to_ms) }],
        positions: 0,
      },
    ]);
  });

  test('the stops of a vehicle name the geofences that hold for the vehicle and that the place lies in, by their names', () => {
    const drive = driveFrom(start)
      .stand(10 * minute)
      .go(36, 10 * minute)
      .stand(10 * minute);
    const [a, b, c] = [1, 2, 3].map((it) => `${it}1111111-1111-4111-8111-111111111111`);
    const group = '91111111-1111-4111-8111-111111111111';
    const geofences = [
      yard({ geozone_id: a ?? '', name: 'Yard' }),
      yard({ geozone_id: b ?? '', name: 'Depot', radius_m: 500, group_ids: [group] }),
      yard({ geozone_id: c ?? '', name: 'Other', group_ids: ['81111111-1111-4111-8111-111111111111'] }),
    ];
    const at = (group_ids: string[]) =>
      reportOn('stops', drive.rows, { geofences, vehicles: [{ ...van, group_ids }] }).rows.map(
        (it) => it.place.geozone_ids,
      );
    expect(at([group])).toEqual([[b, a], []]);
    expect(at([])).toEqual([[a], []]);
    const [trip] = reportOn('trips', drive.rows, { geofences }).rows;
    expect([trip?.start.geozone_ids, trip?.end.geozone_ids]).toEqual([[a], []]);
  });
});
