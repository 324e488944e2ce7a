import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Geofence } from '../../../server/contract/geofences.ts';
import {
  advanceGeofences,
  type FencedFix,
  type GeofenceStep,
} from '../../../server/geofences/geofenceEngine.ts';
import { distanceM, type LatLon } from '../../../server/geofences/geodesy.ts';
import {
  anyFence,
  anyTrack,
  circle,
  drive,
  geofenceOf,
  fixAt,
  indexOf,
  line,
  offset,
  polygon,
  shortly,
  square,
  squareRing,
} from './geofences.ts';
import { naiveCrossings } from './naiveGeofences.ts';
import { expectSameCrossings } from './sameCrossings.ts';

const berlin: LatLon = { lat: 52.5, lon: 13.4 };
/** Metres east of the middle, at a second. */
const east = (metres: number, time_s: number): FencedFix => fixAt(offset(berlin, metres, 0), time_s);

function agrees(centre: LatLon, shapes: Geofence['shape'][]): void {
  let compared = 0;
  let crossings = 0;
  let interpolated = 0;
  fc.assert(
    fc.property(
      fc.array(anyFence(centre, 3_000, shapes), { minLength: 1, maxLength: 8 }),
      anyTrack(centre, 3_000),
      (geofences, track) => {
        const published = drive(indexOf(geofences), track);
        for (const geofence of geofences) {
          const naive = naiveCrossings(geofence, track);
          if (naive === null) continue;
          compared++;
          crossings += naive.length;
          interpolated += naive.filter((it) => it.isInterpolated).length;
          expectSameCrossings(
            published.filter((it) => it.geozone_id === geofence.geozone_id),
            naive,
          );
        }
      },
    ),
    // A world of fences takes minutes to shrink, and the seed says as much.
    { numRuns: 400, endOnFailure: true },
  );
  // Too near to call must stay the exception, and there must have been something to see.
  expect(compared).toBeGreaterThan(1_000);
  expect(crossings).toBeGreaterThan(compared);
  expect(interpolated).toBeGreaterThan(100);
}

describe('the geofence engine', () => {
  it('the geofence engine finds what a check of every fix against every geofence finds, for any geofences and tracks', () => {
    agrees(berlin, ['circle', 'line', 'polygon']);
  });

  it('the geofence engine finds the same south of the equator and west of Greenwich', () => {
    agrees({ lat: -33.45, lon: -70.66 }, ['circle', 'line', 'polygon']);
  });

  it('the geofence engine finds the same for circles and lines over the antimeridian', () => {
    agrees({ lat: -16.8, lon: 179.995 }, ['circle', 'line']);
  });

  it('the geofence engine announces an entry and an exit once when a vehicle jitters on the border', () => {
    const index = indexOf([circle(berlin, 100, { hysteresis_m: 20 })]);
    const jitter = [200, 99, 108, 97, 115, 101, 99, 119, 90, 118, 130, 119, 101, 125, 110, 300];
    expect(shortly(drive(index, jitter.map(east)))).toEqual(['enter 1', 'exit 10']);
  });

  it('the geofence engine announces one entry and one exit of any jitter within the hysteresis of a visit', () => {
    const side = (min: number, max: number) =>
      fc.array(
        fc.integer({ min: min * 10, max: max * 10 }).map((it) => it / 10),
        { maxLength: 40 },
      );
    const shapes = [
      circle(berlin, 100, { hysteresis_m: 20 }),
      square(berlin, 100, { hysteresis_m: 20 }),
      line([offset(berlin, 0, -500), offset(berlin, 0, 500)], 200, { hysteresis_m: 20 }),
    ];
    fc.assert(
      // Comes up to the border, jitters about it once it has entered, and leaves for good beyond the hysteresis.
      fc.property(side(101, 119), side(80, 119), side(101, 119), (before, about, after) => {
        const track = [300, ...before, 90, ...about, 125, ...after, 300].map(east);
        const entered = before.length + 1;
        const left = entered + about.length + 1;
        for (const geofence of shapes) {
          expect(shortly(drive(indexOf([geofence]), track))).toEqual([`enter ${entered}`, `exit ${left}`]);
        }
      }),
    );
  });

  it('the geofence engine joins fixes as far apart in time as configured', () => {
    const index = indexOf([circle(berlin, 100)]);
    expect(drive(index, [east(-1_000, 0), east(1_000, 61)], 60)).toEqual([]);
    expect(drive(index, [east(-1_000, 0), east(1_000, 60)], 60)).toHaveLength(2);
  });

  it('the geofence engine reports the visits that are over, also those that the schedule silences', () => {
    const schedule = { timezone: 'UTC', ranges: [{ days: [5], from: '00:00', to: '23:00' }] };
    const geofence = circle(berlin, 100, { schedule });
    const index = indexOf([geofence]);
    const step = {
      index,
      appliesTo: () => true,
      isFirstLook: () => false,
      crossing_max_gap_s: 300,
      previous: east(0, 100),
    };
    const before = { [geofence.geozone_id]: { inside: true, since_ms: 40_000, turning: null } };
    expect(advanceGeofences({ ...step, before, fix: east(500, 160) })).toEqual({
      after: {},
      crossings: [],
      visits: [{ geozone_id: geofence.geozone_id, since_ms: 40_000, until_ms: 160_000 }],
    });
    expect(advanceGeofences({ ...step, before, fix: east(10, 160) }).after).toBe(before);
  });

  it('the geofence engine announces each turn of the same jitter without hysteresis', () => {
    const index = indexOf([circle(berlin, 100, { hysteresis_m: 0 })]);
    expect(shortly(drive(index, [200, 99, 108, 97, 115].map(east)))).toEqual([
      'enter 1',
      'exit 2',
      'enter 3',
      'exit 4',
    ]);
  });

  it('the geofence engine needs the hysteresis beyond the border of polygons and lines, too', () => {
    for (const geofence of [
      square(berlin, 100, { hysteresis_m: 20 }),
      line([offset(berlin, 0, -500), offset(berlin, 0, 500)], 200, { hysteresis_m: 20 }),
    ]) {
      expect(shortly(drive(indexOf([geofence]), [200, 50, 119, 121].map(east)))).toEqual([
        'enter 1',
        'exit 3',
      ]);
    }
  });

  it('the geofence engine counts the border itself as inside', () => {
    const corner = offset(berlin, 100, 100);
    const index = indexOf([
      polygon([[berlin, { ...berlin, lon: corner.lon }, corner, { ...berlin, lat: corner.lat }]]),
    ]);
    expect(shortly(drive(index, [east(-300, 0), fixAt(berlin, 400)]))).toEqual(['enter 400']);
  });

  it('the geofence engine notes the first fix of a vehicle inside and raises nothing', () => {
    const index = indexOf([circle(berlin, 100)]);
    expect(drive(index, [east(0, 0), east(10, 10)])).toEqual([]);
    expect(shortly(drive(index, [east(0, 0), east(300, 60)]))).toEqual(['exit 60']);
  });

  it('the geofence engine counts the last known side after a gap in the data', () => {
    const index = indexOf([circle(berlin, 100)]);
    expect(shortly(drive(index, [east(500, 0), east(0, 90_000)]))).toEqual(['enter 90000']);
    expect(shortly(drive(index, [east(0, 0), east(500, 90_000)]))).toEqual(['exit 90000']);
    expect(drive(index, [east(0, 0), east(10, 90_000)])).toEqual([]);
  });

  it('the geofence engine reports for an exit how long the vehicle was inside', () => {
    const [, exit] = drive(indexOf([circle(berlin, 100)]), [
      east(500, 0),
      east(0, 30),
      east(0, 60),
      east(500, 90),
    ]);
    expect(exit).toMatchObject({ kind: 'geofence_exit', duration_s: 60 });
  });

  it('the geofence engine enters and leaves at the interpolated moments when a vehicle crosses between two fixes', () => {
    for (const geofence of [
      circle(berlin, 100),
      square(berlin, 100),
      line([offset(berlin, 0, -9), offset(berlin, 0, 9)], 200),
    ]) {
      const [enter, exit, ...more] = drive(indexOf([geofence]), [
        fixAt(offset(berlin, -1_000, 0), 0, 40),
        fixAt(offset(berlin, 1_000, 0), 200, 80),
      ]);
      expect(more).toEqual([]);
      expect(enter?.kind).toBe('geofence_enter');
      expect(exit?.kind).toBe('geofence_exit');
      expect(enter?.at.time_ms).toBeCloseTo(90_000, -3);
      expect(exit?.at.time_ms).toBeCloseTo(110_000, -3);
      expect(enter?.at.speed_kmh).toBeCloseTo(58, 0);
      expect(exit?.duration_s).toBeCloseTo(20, 0);
      expect(enter?.at.lon).toBeCloseTo(offset(berlin, -100, 0).lon, 4);
      expect(enter?.fixes.map((it) => it.time_ms)).toEqual([0, 200_000]);
    }
  });

  it('the geofence engine says nothing of a way between two fixes that are more than 300 s apart', () => {
    const index = indexOf([circle(berlin, 100)]);
    expect(drive(index, [east(-1_000, 0), east(1_000, 300)])).toHaveLength(2);
    expect(drive(index, [east(-1_000, 0), east(1_000, 301)])).toEqual([]);
  });

  it('the geofence engine finds no crossing when a vehicle drives along outside of a large circle', () => {
    const along = Array.from({ length: 200 }, (_, at) => east(at * 80, at * 10));
    for (const [x, y] of [
      [-300_000, -400_000],
      [300_000, 400_000],
    ] as const) {
      const centre = offset(berlin, x, y);
      const nearest = Math.min(...along.map((fix) => distanceM(fix, centre)));
      expect(drive(indexOf([circle(centre, nearest - 50)]), along)).toEqual([]);
      expect(drive(indexOf([circle(centre, nearest + 50)]), along)).not.toEqual([]);
    }
  });

  it('the geofence engine stays outside in the hole of a polygon', () => {
    const index = indexOf([
      polygon([squareRing(berlin, 1_000), squareRing(berlin, 500)], { hysteresis_m: 0 }),
    ]);
    const track = [east(-2_000, 0), east(-700, 10), east(0, 20), east(200, 30), east(700, 40)];
    expect(shortly(drive(index, track))).toEqual(['enter 10', 'exit 20', 'enter 40']);
  });

  it('the geofence engine holds a polygon together that is split at the antimeridian', () => {
    const part = (west: number, far: number): [number, number][] => [
      [west, -17],
      [far, -17],
      [far, -16],
      [west, -16],
      [west, -17],
    ];
    const index = indexOf([
      geofenceOf({
        shape: 'polygon',
        geometry: { type: 'MultiPolygon', coordinates: [[part(179.9, 180)], [part(-180, -179.9)]] },
      }),
    ]);
    const at = (lon: number, time_s: number) =>
      fixAt({ lat: -16.5, lon: lon > 180 ? lon - 360 : lon }, time_s);
    expect(shortly(drive(index, [at(179.8, 0), at(179.95, 60), at(180.05, 120), at(180.2, 180)]))).toEqual([
      'enter 60',
      'exit 180',
    ]);
    expect(drive(index, [at(179.8, 0), at(180.2, 60)])).toHaveLength(2);
  });

  it('the geofence engine finds a circle over the antimeridian from both sides', () => {
    const index = indexOf([circle({ lat: 65, lon: 179.999 }, 2_000)]);
    const at = (lon: number, time_s: number) => fixAt({ lat: 65, lon }, time_s);
    expect(shortly(drive(index, [at(-179.9, 0), at(-179.99, 60), at(-179.9, 120)]))).toEqual([
      'enter 60',
      'exit 120',
    ]);
    expect(shortly(drive(index, [at(179.9, 0), at(179.99, 60), at(179.9, 120)]))).toEqual([
      'enter 60',
      'exit 120',
    ]);
    expect(drive(index, [at(179.9, 0), at(-179.9, 60)])).toHaveLength(2);
  });

  it('the geofence engine finds a line that runs over the antimeridian', () => {
    const index = indexOf([
      line(
        [
          { lat: 65, lon: 179.9 },
          { lat: 65, lon: -179.9 },
        ],
        400,
      ),
    ]);
    const at = (lat: number, time_s: number) => fixAt({ lat, lon: 179.98 }, time_s);
    expect(shortly(drive(index, [at(65.1, 0), at(65, 60), at(65.1, 120)]))).toEqual(['enter 60', 'exit 120']);
  });

  describe('with a time that a crossing must last', () => {
    const index = indexOf([circle(berlin, 100, { min_inside_s: 60, min_outside_s: 30, hysteresis_m: 0 })]);

    it('the geofence engine with a time that a crossing must last announces an entry at its first fix once it has lasted', () => {
      const [enter, ...more] = drive(index, [east(500, 0), east(50, 10), east(50, 40), east(50, 70)]);
      expect(more).toEqual([]);
      expect(enter).toMatchObject({ kind: 'geofence_enter', at: { time_ms: 10_000 } });
      expect(enter?.fixes.map((it) => it.time_ms)).toEqual([10_000, 70_000]);
    });

    it('the geofence engine with a time that a crossing must last forgets a visit that was too short, and one between two fixes', () => {
      expect(drive(index, [east(500, 0), east(50, 10), east(50, 60), east(500, 65)])).toEqual([]);
      expect(drive(index, [east(-1_000, 0), east(1_000, 60)])).toEqual([]);
      expect(drive(index, [east(500, 0), east(50, 10), east(500, 40), east(50, 50), east(50, 80)])).toEqual(
        [],
      );
    });

    it('the geofence engine with a time that a crossing must last forgets an absence that was too short', () => {
      const visit = [east(500, 0), east(50, 10), east(50, 70)];
      expect(shortly(drive(index, [...visit, east(200, 80), east(200, 105), east(50, 109)]))).toEqual([
        'enter 10',
      ]);
      expect(shortly(drive(index, [...visit, east(200, 80), east(200, 110)]))).toEqual([
        'enter 10',
        'exit 80',
      ]);
    });
  });

  it('the geofence engine is silent outside of the schedule, and knows the side when it holds again', () => {
    const schedule = { timezone: 'UTC', ranges: [{ days: [4], from: '00:10', to: '00:20' }] };
    // 1970-01-01 was a Thursday.
    const index = indexOf([circle(berlin, 100, { schedule })]);
    const track = [east(500, 0), east(0, 60), east(500, 660), east(0, 720), east(500, 1_260)];
    expect(shortly(drive(index, track))).toEqual(['exit 660', 'enter 720']);
  });

  describe('on a first look', () => {
    const geofence = circle(berlin, 100);
    const step = (more: Partial<GeofenceStep>) =>
      advanceGeofences({
        index: indexOf([geofence]),
        before: {},
        previous: east(500, 0),
        fix: east(0, 10),
        appliesTo: () => true,
        isFirstLook: () => false,
        crossing_max_gap_s: 300,
        ...more,
      });

    it('the geofence engine on a first look notes a side that nobody saw the vehicle come to', () => {
      const seen = step({ isFirstLook: () => true });
      expect(seen.crossings).toEqual([]);
      expect(seen.after).toEqual({
        [geofence.geozone_id]: { inside: true, since_ms: 10_000, turning: null },
      });
    });

    it('the geofence engine on a first look forgets a side that holds no longer', () => {
      const before = { [geofence.geozone_id]: { inside: true, since_ms: 0, turning: null } };
      expect(step({ isFirstLook: () => true, before, fix: east(500, 10) })).toEqual({
        after: {},
        crossings: [],
        visits: [],
      });
    });

    it('the geofence engine on a first look knows nothing of fences that do not hold for the vehicle, or are gone', () => {
      const before = { [geofence.geozone_id]: { inside: true, since_ms: 0, turning: null } };
      const fix = east(500, 10);
      expect(step({ appliesTo: () => false, before, fix })).toEqual({ after: {}, crossings: [], visits: [] });
      expect(step({ index: indexOf([]), before, fix })).toEqual({ after: {}, crossings: [], visits: [] });
    });
  });
});
