import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advanceTrip,
  type TripChange,
  type TripFix,
  type TripState,
} from '../../../server/telemetry/tripDetector.ts';
import { offset } from '../geofences/geofences.ts';
import { naiveTrips } from './naiveTrips.ts';
import { settings } from './positions.ts';
import { hasTracks, readTracks, trackFiles } from './realTracks.ts';

const home = { lat: 52.5, lon: 13.4 };

/** Metres east of home, at a second. */
function east(metres: number, time_s: number, more: Partial<TripFix> = {}): TripFix {
  return { ...offset(home, metres, 0), time_ms: time_s * 1_000, speed_kmh: null, ignition: null, ...more };
}

function detect(track: readonly TripFix[], numbers = settings): TripChange[] {
  let state: TripState | null = null;
  return track.flatMap((fix) => {
    const step = advanceTrip(state, fix, numbers);
    state = step.state;
    return step.changes;
  });
}

/** `started 12 (20)` for a start at second 12 that second 20 made known. */
function shortly(changes: readonly TripChange[]): string[] {
  return changes.map((it) => `${it.kind} ${it.at.time_ms / 1_000} (${it.known.time_ms / 1_000})`);
}

const [still, fast] = [{ speed_kmh: 0 }, { speed_kmh: 40 }];

describe('a trip', () => {
  it('a trip starts 200 m from where it stood, at the last fix there, and gives that distance', () => {
    const parked = [east(0, 0, still), east(3, 60, still), east(1, 120, still)];
    expect(detect([...parked, east(199, 150, fast)])).toEqual([]);
    const [started, ...more] = detect([...parked, east(100, 150, fast), east(201, 160, fast)]);
    expect(more).toEqual([]);
    expect(started).toMatchObject({
      kind: 'started',
      by: 'distance',
      at: { time_ms: 120_000 },
      known: { time_ms: 160_000 },
      lasted_ms: null,
    });
    expect(started?.measured).toBeCloseTo(201, 0);
  });

  it('a trip starts with the ignition on at 5 km/h, wherever it is', () => {
    const on = (speed_kmh: number | null) =>
      shortly(detect([east(0, 0, { ...still, ignition: true }), east(2, 10, { speed_kmh })]));
    expect(on(5)).toEqual(['started 0 (10)']);
    expect(on(4.9)).toEqual([]);
    expect(on(null)).toEqual([]);
    expect(shortly(detect([east(0, 0, still), east(50, 10, fast)]))).toEqual([]);
    expect(
      shortly(detect([east(0, 0, { ...still, ignition: true }), east(2, 10, { ...fast, ignition: false })])),
    ).toEqual([]);
  });

  it('a trip stops after 180 s within 200 m, at the first fix at which it stood', () => {
    const drive = [east(0, 0, still), east(500, 30, fast), east(1_000, 60, fast), east(1_100, 70, fast)];
    const rest = [east(1_350, 80, still), east(1_350, 170, still)];
    expect(shortly(detect([...drive, ...rest, east(1_350, 259, still)]))).toEqual(['started 0 (30)']);
    expect(detect([...drive, ...rest, east(1_350, 260, still)])[1]).toMatchObject({
      kind: 'stopped',
      by: 'standing',
      measured: 180,
      at: { time_ms: 80_000 },
      known: { time_ms: 260_000 },
      lasted_ms: 80_000,
    });
  });

  it('a trip does not stop while it creeps on', () => {
    const jam = Array.from({ length: 60 }, (_, at) => east(500 + at * 25, 30 + at * 20, { speed_kmh: 4.5 }));
    expect(shortly(detect([east(0, 0, still), ...jam]))).toEqual(['started 0 (30)']);
  });

  it('a trip stops in the yard that it drives about in for three minutes', () => {
    const round = Array.from({ length: 20 }, (_, at) => east(1_000 + (at % 2) * 150, 60 + at * 10, fast));
    expect(shortly(detect([east(0, 0, still), ...round]))).toEqual(['started 0 (60)', 'stopped 60 (240)']);
  });

  it('a trip stops after 60 s with the ignition off, where it came to rest', () => {
    const drive = [east(0, 0, { ...still, ignition: true }), east(2, 5, fast), east(500, 30, fast)];
    const off = { ...still, ignition: false };
    const rest = [east(600, 40, still), east(600, 50, off)];
    expect(shortly(detect([...drive, ...rest, east(600, 109, off)]))).toEqual(['started 0 (5)']);
    const [, stopped] = detect([...drive, ...rest, east(600, 110, off)]);
    expect(stopped).toMatchObject({ by: 'ignition', measured: 60, at: { time_ms: 40_000 } });
    // The ignition came on again in between: off for 20 s only.
    expect(
      shortly(
        detect([...drive, ...rest, east(600, 70, { ...still, ignition: true }), east(600, 120, still)]),
      ),
    ).toEqual(['started 0 (5)']);
  });

  it('a trip goes on without an ignition while it moves, as when it is towed', () => {
    const towed = Array.from({ length: 40 }, (_, at) =>
      east(at * 300, at * 30, { ...fast, ignition: false }),
    );
    expect(shortly(detect([east(0, -60, { ...still, ignition: false }), ...towed]))).toEqual([
      'started -60 (30)',
    ]);
  });

  it('a trip ends at the last fix before a gap of more than an hour', () => {
    const drive = [east(0, 0, still), east(500, 30, fast), east(1_000, 60, fast)];
    expect(shortly(detect([...drive, east(40_000, 3_660, still)]))).toEqual(['started 0 (30)']);
    expect(shortly(detect([...drive, east(40_000, 3_661, still)]))).toEqual([
      'started 0 (30)',
      'stopped 60 (3661)',
    ]);
    expect(shortly(detect([...drive, east(40_000, 3_661, fast)]))).toEqual([
      'started 0 (30)',
      'stopped 60 (3661)',
      'started 3661 (3661)',
    ]);
  });

  it('a trip is none when a vehicle stands elsewhere after a gap without data', () => {
    expect(detect([east(0, 0, still), east(30_000, 7_200, still), east(30_020, 7_300, still)])).toEqual([]);
  });

  it('a trip raises nothing by what is seen first, on the way or not', () => {
    expect(detect([east(0, 0, fast), east(500, 30, fast)])).toEqual([]);
    const [stopped] = detect([east(0, 0, fast), east(500, 30, still), east(500, 210, still)]);
    expect(stopped).toMatchObject({ kind: 'stopped', lasted_ms: null });
  });

  it('a trip is not moved by a fix that is not newer', () => {
    const first = advanceTrip(null, east(0, 100, still), settings).state;
    for (const time_s of [100, 50]) {
      expect(advanceTrip(first, east(5_000, time_s, fast), settings)).toEqual({ state: first, changes: [] });
    }
  });

  it('a trip is the same whenever its state went through the store', () => {
    fc.assert(
      fc.property(anyDrive(), (track) => {
        let state: TripState | null = null;
        const published = track.flatMap((fix) => {
          const step = advanceTrip(state, fix, settings);
          state = JSON.parse(JSON.stringify(step.state)) as TripState;
          expect(state).toEqual(step.state);
          return step.changes;
        });
        expect(published).toEqual(detect(track));
      }),
    );
  });

  it('a trip begins after one has ended, and ends after it has begun, in order of time', () => {
    fc.assert(
      fc.property(anyDrive(), (track) => {
        const published = detect(track);
        for (const [at, change] of published.entries()) {
          const before = published[at - 1];
          expect(change.at.time_ms).toBeLessThanOrEqual(change.known.time_ms);
          if (before === undefined) continue;
          expect(change.kind).not.toBe(before.kind);
          expect(change.at.time_ms).toBeGreaterThanOrEqual(before.at.time_ms);
          const between_ms = change.at.time_ms - before.at.time_ms;
          // Where it stands after a gap it may have come unseen.
          if (change.kind === 'started') expect(change.lasted_ms).toBeLessThanOrEqual(between_ms);
          else expect(change.lasted_ms).toBe(between_ms);
        }
      }),
    );
  });

  it('a trip is what looking at the whole track at once finds, on any drive without an ignition', () => {
    let changes = 0;
    fc.assert(
      fc.property(anyDrive(), (wanted) => {
        const track = wanted.map((fix) => ({ ...fix, ignition: null }));
        const naive = naiveTrips(track, settings);
        changes += naive.length;
        expect(plainly(detect(track))).toEqual(naive);
      }),
      { numRuns: 500 },
    );
    expect(changes).toBeGreaterThan(500);
  });

  describe.skipIf(!hasTracks)('of a real vehicle', () => {
    it.each([
      ['austin-buses-2017-04-18.csv', 1_264],
      ['nyc-bus-6603-2014-04-15.csv', 62],
      ['nyc-buses-2010-2021.csv', 163],
      ['visnjan-car.csv', 1],
    ] as const)(
      'a trip of a real vehicle is what looking at the whole track at once finds: %s',
      (file, expected) => {
        let changes = 0;
        for (const track of readTracks(file)) {
          const naive = naiveTrips(track, settings);
          changes += naive.length;
          expect(plainly(detect(track))).toEqual(naive);
        }
        expect(changes).toBe(expected);
      },
    );

    it.each(trackFiles)(
      'a trip of a real vehicle is found within seconds of that with a fix each second, and in a small state: %s',
      (file) => {
        for (const track of readTracks(file)) {
          const naive = naiveTrips(track, settings);
          const published = plainly(detect(track));
          expect(published.map((it) => it.kind)).toEqual(naive.map((it) => it.kind));
          for (const [at, change] of naive.entries()) {
            expect(Math.abs((published[at]?.time_ms ?? NaN) - change.time_ms)).toBeLessThanOrEqual(5_000);
            expect(Math.abs((published[at]?.known_ms ?? NaN) - change.known_ms)).toBeLessThanOrEqual(15_000);
          }
          let state: TripState | null = null;
          for (const fix of track) {
            ({ state } = advanceTrip(state, fix, settings));
            expect(JSON.stringify(state).length).toBeLessThan(6_000);
          }
        }
      },
    );
  });
});

function plainly(changes: readonly TripChange[]) {
  return changes.map(({ kind, at, known }) => ({ kind, time_ms: at.time_ms, known_ms: known.time_ms }));
}

/** Legs of driving, crawling, standing and silence; fixes some seconds to some minutes apart. */
function anyDrive(): fc.Arbitrary<TripFix[]> {
  const leg = fc.record({
    count: fc.integer({ min: 1, max: 15 }),
    pause_s: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 10, max: 130 }) }, fc.constant(4_000)),
    speed_kmh: fc.constantFrom(0, 0, 2, 4, 8, 30, 60),
    turn: fc.boolean(),
    says: fc.boolean(),
    ignition: fc.constantFrom(true, false, null),
  });
  return fc.array(leg, { minLength: 1, maxLength: 12 }).map((legs) => {
    let [x, time_s, way] = [0, 0, 1];
    return legs.flatMap(({ count, pause_s, speed_kmh, turn, says, ignition }) => {
      if (turn) way = -way;
      return Array.from({ length: count }, (_, at) => {
        const passed_s = at === 0 ? pause_s : Math.min(pause_s, 130);
        time_s += passed_s;
        x += (way * passed_s * speed_kmh) / 3.6;
        return east(x, time_s, { speed_kmh: says ? speed_kmh : null, ignition });
      });
    });
  });
}
