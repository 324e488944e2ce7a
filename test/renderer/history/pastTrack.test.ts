import fc from 'fast-check';
import { expect, it } from 'vitest';
import { trackFlags, type TrackColumns } from '../../../server/contract/packedTracks.ts';
import { createFleetAt, indexAt, toPastTrack, type PastState } from '../../../renderer/history/pastTrack.ts';

const thresholds = { offline_s: 600, moving_speed_kmh: 5, idle_speed_kmh: 3, idle_s: 300 };

interface Fix {
  time: number;
  lat: number;
  lon: number;
  speed: number | null;
  course: number | null;
  ignition: boolean | null;
  isAfterGap: boolean;
}

function columnsOf(fixes: readonly Fix[]): TrackColumns {
  const column = (of: (fix: Fix) => number | null) =>
    Float64Array.from(fixes, (fix) => of(fix) ?? Number.NaN);
  return {
    vehicle_id: 'v1',
    time_ms: column((it) => it.time),
    lat: column((it) => it.lat),
    lon: column((it) => it.lon),
    speed_kmh: column((it) => it.speed),
    course_deg: column((it) => it.course),
    flags: Uint8Array.from(
      fixes,
      ({ ignition, isAfterGap }) =>
        (ignition === null ? 0 : trackFlags.ignition_known) |
        (ignition === true ? trackFlags.ignition_on : 0) |
        (isAfterGap ? trackFlags.gap_before : 0),
    ),
    values: {},
  };
}

/** The same by looking at every fix. */
function naive(fixes: readonly Fix[], at: number): PastState | null {
  const passed = fixes.filter((it) => it.time <= at);
  const last = passed.at(-1);
  if (last === undefined) return null;
  const next = fixes[passed.length];
  const isHeard = next !== undefined && !next.isAfterGap;
  const share = isHeard ? (at - last.time) / (next.time - last.time) : 0;
  let ignition = false;
  let idleSince: number | null = null;
  for (const fix of passed) {
    ignition = fix.ignition ?? ignition;
    idleSince = ignition && (fix.speed ?? 0) < thresholds.idle_speed_kmh ? (idleSince ?? fix.time) : null;
  }
  const heardAt = isHeard ? at : last.time;
  const speed =
    isHeard && last.speed !== null && next.speed !== null && share > 0
      ? last.speed + (next.speed - last.speed) * share
      : last.speed;
  const status =
    !isHeard && at - last.time >= thresholds.offline_s * 1_000
      ? 'offline'
      : (last.speed ?? 0) >= thresholds.moving_speed_kmh
        ? 'moving'
        : idleSince !== null && heardAt - idleSince >= thresholds.idle_s * 1_000
          ? 'idle'
          : 'stopped';
  return {
    status,
    lat: share > 0 && next !== undefined ? last.lat + (next.lat - last.lat) * share : last.lat,
    lon: share > 0 && next !== undefined ? last.lon + (next.lon - last.lon) * share : last.lon,
    speedKmh: speed,
    courseDeg: last.course,
    fixAt: last.time,
    isHeard,
  };
}

const fixes = fc
  .array(
    fc.record({
      step: fc.integer({ min: 1, max: 900 }),
      lat: fc.double({ min: -80, max: 80, noNaN: true }),
      lon: fc.double({ min: 10, max: 20, noNaN: true }),
      speed: fc.option(fc.integer({ min: 0, max: 120 })),
      course: fc.option(fc.integer({ min: 0, max: 359 })),
      ignition: fc.option(fc.boolean()),
      isAfterGap: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((steps) => {
    let time = 1_000_000;
    return steps.map(({ step, isAfterGap, ...fix }, index): Fix => {
      time += step * 1_000;
      return { ...fix, time, isAfterGap: isAfterGap && index > 0 };
    });
  });
const instants = fc.array(fc.integer({ min: 990_000, max: 40_000_000 }), { minLength: 1, maxLength: 30 });

it('a vehicle at any instant, in any order of instants, does what a look at every fix says', () => {
  fc.assert(
    fc.property(fixes, instants, (track, at) => {
      const past = toPastTrack(columnsOf(track), thresholds.idle_speed_kmh);
      const fleet = createFleetAt();
      for (const instant of at) {
        const state = fleet.at(past, instant, thresholds);
        const expected = naive(track, instant);
        if (state === null || expected === null) {
          expect(state).toBe(expected);
          continue;
        }
        const { lat, lon, speedKmh, ...rest } = state;
        expect(rest).toEqual({
          status: expected.status,
          courseDeg: expected.courseDeg,
          fixAt: expected.fixAt,
          isHeard: expected.isHeard,
        });
        expect(lat).toBeCloseTo(expected.lat, 6);
        expect(lon).toBeCloseTo(expected.lon, 6);
        if (expected.speedKmh === null) expect(speedKmh).toBeNull();
        else expect(speedKmh).toBeCloseTo(expected.speedKmh, 6);
      }
    }),
  );
});

it('the last fix before an instant is found from any hint', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 1_000 }), { maxLength: 50 }),
      fc.integer({ min: -10, max: 1_010 }),
      fc.integer({ min: -1, max: 60 }),
      (times, at, hint) => {
        const sorted = Float64Array.from(times.sort((a, b) => a - b));
        expect(indexAt(sorted, at, hint)).toBe(sorted.findLastIndex((it) => it <= at));
      },
    ),
  );
});

it('a vehicle that crosses the date line takes the shorter way', () => {
  const base = { speed: 50, course: 90, ignition: true, isAfterGap: false, lat: 0 };
  const past = toPastTrack(
    columnsOf([
      { ...base, time: 0, lon: 179.9 },
      { ...base, time: 10_000, lon: -179.9 },
    ]),
    3,
  );
  expect(createFleetAt().at(past, 7_500, thresholds)?.lon).toBeCloseTo(-179.95, 6);
});
