import { describe, expect, test } from 'vitest';
import { numbers, reportOn, van } from './drives.ts';
import { expectSameReports } from './sameReports.ts';
import { hasRealTracks, readRealTracks } from './realTracks.ts';

describe.skipIf(!hasRealTracks)('on real tracks', () => {
  const tracks = hasRealTracks ? readRealTracks() : new Map<string, never[]>();

  test('trips, stops and days are what looking at the whole track at once finds', () => {
    let [trips, stops, driven_m] = [0, 0, 0];
    for (const [vehicle_id, rows] of tracks) {
      const found = expectSameReports(rows, numbers, { ...van, vehicle_id });
      trips += found.trips;
      stops += found.stops;
      driven_m += found.distance_m;
    }
    expect(tracks.size).toBeGreaterThan(340);
    expect(trips).toBeGreaterThan(500);
    expect(stops).toBeGreaterThan(500);
    expect(driven_m).toBeGreaterThan(5_000_000);
  });

  test('each ride is reported as what it was', () => {
    const ride = (vehicle_id: string) => {
      const rows = tracks.get(vehicle_id) ?? [];
      const trips = reportOn('trips', rows, { vehicles: [{ ...van, vehicle_id }] }).rows;
      const total = (of: (trip: (typeof trips)[number]) => number) =>
        trips.reduce((sum, it) => sum + of(it), 0);
      return {
        trips: trips.length,
        km: total((it) => it.distance_m) / 1_000,
        minutes: total((it) => it.duration_s) / 60,
      };
    };
    // The bus stood longer than three minutes at four of its stops; the cars did nowhere.
    const bus = ride('bus-304');
    expect(bus.trips).toBe(5);
    expect(bus.km).toBeGreaterThan(13);
    expect(bus.km).toBeLessThan(13.5);
    expect(bus.minutes).toBeGreaterThan(50);
    expect(bus.minutes).toBeLessThan(54);
    expect(ride('x0001')).toEqual({ trips: 1, km: expect.closeTo(13.2, 1), minutes: expect.closeTo(20, 0) });
    expect(ride('visnjan-car')).toEqual({
      trips: 1,
      km: expect.closeTo(2.7, 1),
      minutes: expect.closeTo(8, 0),
    });
  });
});
