import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Geofence, NewGeofence } from '../../../server/contract/geofences.ts';
import type { Schedule } from '../../../server/contract/schedule.ts';
import type { FencedFix } from '../../../server/geofences/geofenceEngine.ts';
import { planVisits, visitsOf, type Visit } from '../../../server/geofences/visits.ts';
import { anyFence, anyTrack, circle, fixAt, offset } from './geofences.ts';
import { doubtMs, naiveCrossings } from './naiveGeofences.ts';

const yardAt = { lat: 52.5, lon: 13.4 };
const inside = yardAt;
const outside = offset(yardAt, 1_000, 0);
const numbers = { crossing_max_gap_s: 300 };

function yard(more: Partial<NewGeofence> = {}): Geofence {
  return circle(yardAt, 100, more);
}

/** Visits between two seconds. */
function visits(geofence: Geofence, track: readonly FencedFix[], from_s = 0, to_s = 1_000_000): Visit[] {
  return visitsOf(planVisits([geofence], { from_ms: from_s * 1_000, to_ms: to_s * 1_000 }, numbers), track);
}

/** `10-20` in seconds; with a bar for an end that is open. */
function shortly(found: readonly Visit[]): string[] {
  return found.map(
    (it) =>
      `${it.open_start ? '|' : ''}${it.enter_ms / 1_000}-${it.exit_ms / 1_000}${it.open_end ? '|' : ''}`,
  );
}

function totalMs(found: readonly Visit[]): number {
  return found.reduce((sum, it) => sum + it.exit_ms - it.enter_ms, 0);
}

describe('visits of a geofence', () => {
  it('last from the first fix inside to the first outside', () => {
    const track = [fixAt(outside, 0), fixAt(inside, 60), fixAt(inside, 120), fixAt(outside, 180)];
    expect(shortly(visits(yard(), track))).toEqual(['60-180']);
    expect(visits(yard(), track)[0]?.enter).toEqual(inside);
  });

  it('visits of a geofence begin with the very first fix of a vehicle that is inside', () => {
    expect(shortly(visits(yard(), [fixAt(inside, 60), fixAt(outside, 180)]))).toEqual(['60-180']);
  });

  it('visits of a geofence are open at the end while the data ends inside', () => {
    const track = [fixAt(outside, 0), fixAt(inside, 60), fixAt(inside, 120)];
    expect(shortly(visits(yard(), track))).toEqual(['60-120|']);
  });

  it('visits of a geofence are cut at both borders of the period', () => {
    const track = [fixAt(inside, 60), fixAt(inside, 120), fixAt(inside, 200), fixAt(outside, 260)];
    expect(shortly(visits(yard(), track, 100, 180))).toEqual(['|100-180|']);
  });

  it('visits of a geofence do not count when they end as the period begins, or begin as it ends', () => {
    const track = [fixAt(inside, 60), fixAt(outside, 100), fixAt(inside, 180), fixAt(inside, 240)];
    expect(visits(yard(), track, 100, 180)).toEqual([]);
  });

  it('visits of a geofence know nothing of the time after the last fix', () => {
    const track = [fixAt(outside, 0), fixAt(inside, 60)];
    expect(visits(yard(), track, 100, 180)).toEqual([]);
  });

  it('visits of a geofence continue over a period without data, which is reported', () => {
    const track = [fixAt(outside, 0), fixAt(inside, 60), fixAt(inside, 1_000), fixAt(outside, 1_060)];
    expect(shortly(visits(yard(), track))).toEqual(['60-1060']);
    expect(visits(yard(), track)[0]?.gaps).toEqual([{ from_ms: 60_000, to_ms: 1_000_000 }]);
    expect(visits(yard(), track, 500, 700)[0]?.gaps).toEqual([{ from_ms: 500_000, to_ms: 700_000 }]);
  });

  it('visits of a geofence count when they have lasted, from their first fix on, also when that shows after the period alone', () => {
    const track = [fixAt(outside, 0), fixAt(inside, 60), fixAt(inside, 500), fixAt(outside, 1_000)];
    const patient = yard({ min_inside_s: 400 });
    expect(shortly(visits(patient, track))).toEqual(['60-1000']);
    expect(shortly(visits(patient, track, 0, 100))).toEqual(['60-100|']);
    expect(visits(patient, track, 0, 100)[0]?.gaps).toEqual([{ from_ms: 60_000, to_ms: 100_000 }]);
    expect(visits(yard({ min_inside_s: 1_000 }), track)).toEqual([]);
  });

  it('visits of a geofence do not end at a jitter beyond the border', () => {
    const beyond = offset(yardAt, 110, 0);
    const track = [fixAt(inside, 60), fixAt(beyond, 70), fixAt(inside, 80), fixAt(outside, 90)];
    expect(shortly(visits(yard(), track))).toEqual(['60-90']);
    expect(shortly(visits(yard({ min_outside_s: 60 }), [...track, fixAt(inside, 100)]))).toEqual(['60-100|']);
  });

  it('visits of a geofence count when no fix lies inside but the way between two does', () => {
    const track = [fixAt(offset(yardAt, -1_000, 0), 0), fixAt(outside, 100)];
    const [visit] = visits(yard(), track);
    expect(visit?.enter_ms).toBeCloseTo(45_000, -2);
    expect(visit?.exit_ms).toBeCloseTo(55_000, -2);
  });

  it('visits of a geofence hold while the schedule of the geofence does', () => {
    const night = {
      timezone: 'UTC',
      ranges: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', to: '06:00' }],
    };
    const hour = 3_600;
    const east = offset(yardAt, 10, 0);
    const track = [fixAt(inside, 20 * hour), fixAt(east, 21 * hour), fixAt(inside, 23 * hour)];
    track.push(fixAt(outside, 31 * hour));
    const found = visits(yard({ schedule: night }), track, 0, 72 * hour);
    expect(shortly(found)).toEqual([`${22 * hour}-${30 * hour}`]);
    expect(found[0]?.enter).toEqual(east);
  });

  it('visits of a geofence are those of the geofences that hold for the vehicle', () => {
    const geofences = [yard(), yard()];
    const plan = planVisits(geofences, { from_ms: 0, to_ms: 1e9 }, numbers);
    const of = geofences[1]?.geozone_id;
    const found = visitsOf(plan, [fixAt(inside, 60)], ({ geofence }) => geofence.geozone_id === of);
    expect(found.map((it) => it.geozone_id)).toEqual([of]);
  });

  it('visits of a geofence take no more of a track than it needs', () => {
    let taken = 0;
    function* endless(): Generator<FencedFix> {
      for (let time_s = 0; ; time_s += 60) {
        taken += 1;
        yield fixAt(inside, time_s);
      }
    }
    const plan = planVisits([yard()], { from_ms: 0, to_ms: 600_000 }, numbers);
    expect(shortly(visitsOf(plan, endless()))).toEqual(['0-600|']);
    expect(taken).toBe(11);
  });

  it('visits of a geofence are what a second opinion says, for any fence and track', () => {
    fc.assert(
      fc.property(anyFence(yardAt, 1_500), anyTrack(yardAt, 3_000), (geofence, track) => {
        const crossings = naiveCrossings(geofence, track);
        fc.pre(crossings !== null);
        const [first] = track;
        const last = track.at(-1);
        const startsInside = crossings[0]?.kind === 'geofence_exit';
        const expected: number[][] = [];
        let enter_ms = startsInside ? first?.time_ms : undefined;
        for (const { kind, time_ms } of crossings) {
          if (kind === 'geofence_enter') enter_ms = time_ms;
          else expected.push([enter_ms ?? 0, time_ms]);
        }
        if (crossings.at(-1)?.kind === 'geofence_enter') expected.push([enter_ms ?? 0, last?.time_ms ?? 0]);
        const found = visits(geofence, track);
        fc.pre(crossings.length > 0 || found.length === 0);
        expect(found).toHaveLength(expected.length);
        for (const [at, visit] of found.entries()) {
          expect(Math.abs(visit.enter_ms - (expected[at]?.[0] ?? 0))).toBeLessThanOrEqual(doubtMs);
          expect(Math.abs(visit.exit_ms - (expected[at]?.[1] ?? 0))).toBeLessThanOrEqual(doubtMs);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('visits of a geofence share a visit over the border of two periods that meet, and nothing else', () => {
    const limits = fc.record({
      hysteresis_m: fc.constantFrom(0, 20, 200),
      min_inside_s: fc.constantFrom(0, 120, 900),
      min_outside_s: fc.constantFrom(0, 120, 900),
      schedule: fc.constantFrom<Schedule | null>(null, {
        timezone: 'UTC',
        ranges: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:30', to: '01:10' }],
      }),
    });
    const cut = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        anyFence(yardAt, 1_500),
        limits,
        anyTrack(yardAt, 3_000),
        cut,
        (form, own, track, share) => {
          const geofence = { ...form, ...own };
          const end_s = Math.ceil((track.at(-1)?.time_ms ?? 0) / 1_000) + 10;
          const middle_s = Math.round(end_s * share);
          fc.pre(middle_s > 0 && middle_s < end_s);
          const whole = visits(geofence, track, 0, end_s);
          const before = visits(geofence, track, 0, middle_s);
          const after = visits(geofence, track, middle_s, end_s);
          expect(totalMs(before) + totalMs(after)).toBe(totalMs(whole));
          const cuts = before.filter((it) => it.open_end && it.exit_ms === middle_s * 1_000);
          const goesOn = after.filter((it) => it.open_start);
          expect(goesOn.map((it) => it.enter_ms)).toEqual(cuts.map(() => middle_s * 1_000));
          expect(before.length + after.length - cuts.length).toBe(whole.length);
          const gapsMs = (found: readonly Visit[]) =>
            found.flatMap((it) => it.gaps).reduce((sum, it) => sum + it.to_ms - it.from_ms, 0);
          expect(gapsMs(before) + gapsMs(after)).toBe(gapsMs(whole));
        },
      ),
      { numRuns: 500 },
    );
  });
});
